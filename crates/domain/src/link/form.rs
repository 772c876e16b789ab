//! A link as people fill it in: on the command line and in the dashboard.

use super::{LinkAmount, LinkTerms, LinkUses, NewLink};
use crate::{string_enum, transfer::REFERENCE_MAX_CHARS};
use jiff::{
    Timestamp,
    civil::{Date, DateTime},
    tz::TimeZone,
};
use std::fmt;
use tua_contract::{
    Amount,
    plain_text::{is_blank, visible},
};

/// The longest title, in characters.
pub const TITLE_MAX_CHARS: usize = 100;
/// The longest description, in characters.
pub const DESCRIPTION_MAX_CHARS: usize = 500;
/// The longest question to payers, in characters.
pub const QUESTION_MAX_CHARS: usize = 60;
/// The longest answer of a payer, in characters.
pub const ANSWER_MAX_CHARS: usize = 100;
/// The first second of the year 9999. A later time may have a year of five digits where its offset
/// is not 0.
const END_OF_YEARS_SECONDS: i64 = 253_370_764_800;

/// The fields, as typed. What is empty is absent.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkForm<'a> {
    /// What it is for.
    pub title: &'a str,
    /// What payers read below the title, at most [`DESCRIPTION_MAX_CHARS`] characters.
    pub description: &'a str,
    /// The amount in cedis.
    pub amount: &'a str,
    /// The smallest amount that a payer may choose.
    pub min_amount: &'a str,
    /// The largest amount that a payer may choose.
    pub max_amount: &'a str,
    /// `many` or `single`; empty means `many`.
    pub uses: &'a str,
    /// When it ends: a time with its offset, or a time or a day of Ghana's clock, which shows UTC.
    pub expires_at: &'a str,
    /// The merchant's reference, at most 64 characters; generated where it is empty.
    pub reference: &'a str,
    /// What payers must answer before they pay, at most [`QUESTION_MAX_CHARS`] characters.
    pub question: &'a str,
}

string_enum! {
    /// A field of the form. Its written form is its name there and, with dashes before it, on the
    /// command line.
    pub enum LinkField {
        /// [`LinkForm::title`], the only field that must not be empty.
        Title = "title",
        /// [`LinkForm::description`], which may be empty.
        Description = "description",
        /// [`LinkForm::amount`]; without it the payer types the amount.
        Amount = "amount",
        /// [`LinkForm::min_amount`], only where `amount` is empty.
        MinAmount = "min-amount",
        /// [`LinkForm::max_amount`], only where `amount` is empty, and not below the minimum.
        MaxAmount = "max-amount",
        /// [`LinkForm::uses`], the written form of a [`LinkUses`].
        Uses = "uses",
        /// [`LinkForm::expires_at`], which must be in the future.
        ExpiresAt = "expires-at",
        /// [`LinkForm::reference`], on one line.
        Reference = "reference",
        /// [`LinkForm::question`], on one line.
        Question = "question",
    }
}

/// What is wrong with a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkFault {
    /// It must not be empty.
    Missing,
    /// It has more characters than this.
    TooLong(usize),
    /// It has line ends or other control characters.
    NotOneLine,
    /// It is no amount in whole pesewas.
    NotAnAmount,
    /// A link with an amount has no limits.
    NotBesideAmount,
    /// The largest amount is smaller than the smallest.
    BelowMinimum,
    /// It is neither `many` nor `single`.
    NotAUse,
    /// It is no time.
    NotATime,
    /// The time has passed.
    NotInFuture,
}

impl fmt::Display for LinkFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("it must not be empty"),
            Self::TooLong(limit) => write!(f, "it may have at most {limit} characters"),
            Self::NotOneLine => f.write_str("it must be one line without control characters"),
            Self::NotAnAmount => f.write_str(
                "it must be cedis above 0 with at most 2 decimals and one reading, \
                 such as 10.5 or 1250",
            ),
            Self::NotBesideAmount => f.write_str("a link with an amount has no limits"),
            Self::BelowMinimum => f.write_str("it must not be smaller than the smallest amount"),
            Self::NotAUse => f.write_str("it must be many or single"),
            Self::NotATime => f.write_str("it must be a time such as 2026-12-31T23:59:59Z"),
            Self::NotInFuture => f.write_str("it must be in the future"),
        }
    }
}

impl LinkForm<'_> {
    /// Reads the form at this time.
    ///
    /// # Errors
    /// Every fault.
    pub fn read(&self, now: Timestamp) -> Result<NewLink, Vec<(LinkField, LinkFault)>> {
        let mut faults = Vec::new();
        let mut keep = |field: LinkField, fault: Option<LinkFault>| {
            faults.extend(fault.map(|fault| (field, fault)))
        };
        let title = self.title.trim();
        let missing = title.is_empty().then_some(LinkFault::Missing);
        keep(LinkField::Title, missing.or(line_fault(title, TITLE_MAX_CHARS)));
        keep(LinkField::Description, line_fault(self.description.trim(), DESCRIPTION_MAX_CHARS));
        keep(LinkField::Reference, line_fault(self.reference.trim(), REFERENCE_MAX_CHARS));
        let question = visible(self.question);
        keep(LinkField::Question, line_fault(&question, QUESTION_MAX_CHARS));
        let amounts = [
            (LinkField::Amount, self.amount),
            (LinkField::MinAmount, self.min_amount),
            (LinkField::MaxAmount, self.max_amount),
        ];
        let [amount, min, max] = amounts.map(|(field, text)| {
            let read = (!is_blank(text)).then(|| Amount::parse_typed(text));
            keep(field, read.as_ref().and_then(|read| read.err()).map(|_| LinkFault::NotAnAmount));
            read.and_then(Result::ok)
        });
        for (field, limit) in [(LinkField::MinAmount, min), (LinkField::MaxAmount, max)] {
            keep(field, limit.and(amount).map(|_| LinkFault::NotBesideAmount));
        }
        let is_reversed = amount.is_none() && min.zip(max).is_some_and(|(min, max)| max < min);
        keep(LinkField::MaxAmount, is_reversed.then_some(LinkFault::BelowMinimum));
        let uses = match self.uses.trim() {
            "" => Some(LinkUses::Many),
            text => LinkUses::parse(text),
        };
        keep(LinkField::Uses, uses.is_none().then_some(LinkFault::NotAUse));
        let expires_at = match &*visible(self.expires_at) {
            "" => Ok(None),
            text => parse_expiry(text).ok_or(LinkFault::NotATime).map(Some),
        };
        let expires_at = expires_at.and_then(|at| match at {
            Some(at) if at <= now => Err(LinkFault::NotInFuture),
            at => Ok(at),
        });
        keep(LinkField::ExpiresAt, expires_at.err());
        let (true, Some(uses), Ok(expires_at)) = (faults.is_empty(), uses, expires_at) else {
            return Err(faults);
        };
        let text = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        Ok(NewLink {
            reference: text(self.reference),
            terms: LinkTerms {
                title: title.to_owned(),
                description: text(self.description),
                amount: amount.map_or(LinkAmount::Open { min, max }, LinkAmount::Fixed),
                uses,
                expires_at,
                metadata: None,
                question: text(&question),
            },
        })
    }
}

fn line_fault(text: &str, limit: usize) -> Option<LinkFault> {
    if text.chars().count() > limit {
        return Some(LinkFault::TooLong(limit));
    }
    text.contains(char::is_control).then_some(LinkFault::NotOneLine)
}

/// The time at which a link expires as it is stored: truncated to the millisecond. `None` for a
/// year of more than four digits.
#[must_use]
pub fn stored_link_expiry(at: Timestamp) -> Option<Timestamp> {
    let at = Timestamp::from_millisecond(at.as_millisecond()).ok()?;
    (at.as_second() < END_OF_YEARS_SECONDS).then_some(at)
}

/// Parses the time at which a link expires: a time with its offset, or without one in Ghana's time
/// zone. A day without a time means its last second.
fn parse_expiry(text: &str) -> Option<Timestamp> {
    let by_ghanas_clock = |at: DateTime| at.to_zoned(TimeZone::UTC).ok().map(|at| at.timestamp());
    // A text with a time is a day for `Date` too.
    let is_day = !text.contains(['T', 't', ' ']);
    let local = || {
        if is_day {
            by_ghanas_clock(text.parse::<Date>().ok()?.at(23, 59, 59, 0))
        } else {
            by_ghanas_clock(text.parse().ok()?)
        }
    };
    stored_link_expiry(text.parse().ok().or_else(local)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_found_at_once() {
        let long = "x".repeat(101);
        let form = LinkForm {
            title: &long,
            description: "a\nb",
            amount: "1",
            min_amount: "0.001",
            max_amount: "5",
            uses: "twice",
            expires_at: "1970-01-01T00:00",
            reference: "\u{7}",
            question: &long[..61],
        };
        let faults = form.read(Timestamp::UNIX_EPOCH).unwrap_err();
        for expected in [
            (LinkField::Title, LinkFault::TooLong(100)),
            (LinkField::Description, LinkFault::NotOneLine),
            (LinkField::MinAmount, LinkFault::NotAnAmount),
            (LinkField::MaxAmount, LinkFault::NotBesideAmount),
            (LinkField::Uses, LinkFault::NotAUse),
            (LinkField::ExpiresAt, LinkFault::NotInFuture),
            (LinkField::Reference, LinkFault::NotOneLine),
            (LinkField::Question, LinkFault::TooLong(60)),
        ] {
            assert!(faults.contains(&expected), "{expected:?} in {faults:?}");
        }
        assert_eq!(faults.len(), 8);
        let empty = LinkForm { min_amount: "5", max_amount: "4.99", ..LinkForm::default() };
        let faults = empty.read(Timestamp::UNIX_EPOCH).unwrap_err();
        assert_eq!(
            faults,
            [
                (LinkField::Title, LinkFault::Missing),
                (LinkField::MaxAmount, LinkFault::BelowMinimum)
            ]
        );
    }

    #[test]
    fn a_question_has_no_invisible_characters() {
        let question = |question| {
            let form = LinkForm { title: "Dinner", question, ..LinkForm::default() };
            form.read(Timestamp::UNIX_EPOCH).unwrap().terms.question
        };
        assert_eq!(question(" Name\u{202e} of the pupil\u{a0}").unwrap(), "Name of the pupil");
        assert_eq!(question(" \u{200b}\u{202e}"), None);
    }

    #[test]
    fn a_time_has_an_offset_or_is_by_ghanas_clock() {
        let form = |expires_at| LinkForm { title: "Dinner", expires_at, ..LinkForm::default() };
        let read = |text| form(text).read(Timestamp::UNIX_EPOCH).map(|new| new.terms.expires_at);
        let expected = Ok(Some("2026-12-31T23:59:00Z".parse().unwrap()));
        assert_eq!(read("2026-12-31T23:59"), expected);
        assert_eq!(read("2027-01-01T00:59:00+01:00"), expected);
        assert_eq!(read("2026-12-31"), Ok(Some("2026-12-31T23:59:59Z".parse().unwrap())));
        assert_eq!(read(""), Ok(None));
        for text in ["tomorrow", "2026-13-01T00:00", "9999-12-31T23:59:59Z"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
