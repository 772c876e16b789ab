//! Personal data: where it is kept, why and for how long, and how it is erased (docs/operations.md,
//! "Personal data").
//!
//! Ghana's Data Protection Act (Act 843) is about data that identifies a person. Records of
//! payments must be kept for years; which law asks for how long is for the merchant's counsel. So
//! an erasure overwrites what names a person, and leaves amounts, times, networks and outcomes as
//! they were.

mod written_address;
mod written_number;

use super::{Checkout, Event, Mode, NewTransaction, Transaction, review::Note};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use tua_contract::{Phone, Status};
use written_address::is_same_address;
pub use written_number::digits_only;

/// How long records of live payments are kept before they may be erased, unless it is set
/// otherwise: seven years.
pub const RETENTION_LIVE: SignedDuration = SignedDuration::from_hours(7 * DAYS_OF_YEAR * 24);

/// The days of a year of a retention time, so that it never ends too early.
pub const DAYS_OF_YEAR: i64 = 366;

/// Reads a retention time: a number of years of 366 days (`7y`) or of days (`90d`), or 0.
///
/// # Errors
/// A sentence.
pub fn parse_retention(text: &str) -> Result<SignedDuration, String> {
    const MAX_DAYS: i64 = 36_600;
    let text = text.trim();
    let days = match (text.strip_suffix('y'), text.strip_suffix('d')) {
        (Some(years), _) => {
            years.parse::<i64>().ok().and_then(|years| years.checked_mul(DAYS_OF_YEAR))
        }
        (_, Some(days)) => days.parse().ok(),
        _ if text == "0" => Some(0),
        _ => None,
    };
    let days = days.filter(|days| (0..=MAX_DAYS).contains(days));
    days.map(|days| SignedDuration::from_hours(days * 24))
        .ok_or_else(|| format!("{text:?} is not a time such as 7y or 90d, at most 100y"))
}

/// An item of personal data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// The number of a wallet.
    Phone,
    /// The e-mail address of a payer or recipient.
    Email,
    /// The merchant's own data, which may name the payer.
    Metadata,
    /// A text to the payer or recipient, or of the staff about a payment.
    Message,
    /// The merchant's reference of a payment. It identifies the payment in the merchant's books, so
    /// it is kept, and only a number or address in it is overwritten.
    Reference,
}

/// A column that holds personal data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The name of the table in the database.
    pub table: &'static str,
    /// The name of the column in that table.
    pub column: &'static str,
    /// Which items of personal data the column may have.
    pub items: &'static [Item],
    /// Why it is kept.
    pub why: &'static str,
    /// How long it is kept.
    pub kept: &'static str,
}

const FOR_EVER: &str = "until it is erased";
const ACCOUNTS: &str = "to show the merchant and the payer whose payment it is";
const EVIDENCE: &str =
    "to prove what the operator was asked and what it responded; phone numbers are masked";
const ORDER: &str = "the sandbox shows whose phone is asked";

const fn place(
    table: &'static str,
    column: &'static str,
    items: &'static [Item],
    why: &'static str,
    kept: &'static str,
) -> Place {
    Place { table, column, items, why, kept }
}

/// Every column that holds personal data. The audit log, the logs and the metrics hold none.
pub const PLACES: &[Place] = &[
    place("payment_links", "title", &[Item::Reference], "what payers pay for", FOR_EVER),
    place("payment_links", "description", &[Item::Reference], "what payers pay for", FOR_EVER),
    place("payment_links", "metadata", &[Item::Metadata], "the merchant asked for it", FOR_EVER),
    place(
        "payment_links",
        "reference",
        &[Item::Reference],
        "to find the payment in the merchant's books",
        FOR_EVER,
    ),
    place("checkouts", "email", &[Item::Email], "the merchant's receipt", FOR_EVER),
    place("checkouts", "metadata", &[Item::Metadata], "the merchant asked for it", FOR_EVER),
    place(
        "checkouts",
        "reference",
        &[Item::Reference],
        "to find the payment in the merchant's books",
        FOR_EVER,
    ),
    place(
        "checkouts",
        "return_url",
        &[Item::Reference],
        "the page that the payer returns to",
        FOR_EVER,
    ),
    place(
        "payout_batches",
        "reference",
        &[Item::Reference],
        "to find the batch in the merchant's books",
        FOR_EVER,
    ),
    place("transactions", "phone", &[Item::Phone], ACCOUNTS, FOR_EVER),
    place("transactions", "email", &[Item::Email], "the merchant's receipt", FOR_EVER),
    place("transactions", "metadata", &[Item::Metadata], "the merchant asked for it", FOR_EVER),
    place("transactions", "payer_message", &[Item::Message], "the merchant asked for it", FOR_EVER),
    place("transactions", "payee_note", &[Item::Message], "the merchant asked for it", FOR_EVER),
    place(
        "transactions",
        "reference",
        &[Item::Reference],
        "to find the payment in the merchant's books",
        FOR_EVER,
    ),
    place(
        "transaction_events",
        "event",
        &[Item::Phone, Item::Email, Item::Metadata, Item::Message, Item::Reference],
        "the row of the transaction is derived from its events",
        FOR_EVER,
    ),
    place("operator_exchanges", "path", &[Item::Message], EVIDENCE, "90 days"),
    place("operator_exchanges", "request", &[Item::Message], EVIDENCE, "90 days"),
    place("operator_exchanges", "response", &[Item::Message], EVIDENCE, "90 days"),
    place("sandbox_orders", "phone", &[Item::Phone], ORDER, "30 days after the order"),
    place("sandbox_orders", "message", &[Item::Message], ORDER, "30 days after the order"),
    place(
        "buckets",
        "name",
        &[Item::Phone],
        "to limit prompts to one phone",
        "1 hour after the limit's window",
    ),
];

/// Columns that hold digests of what may name a person. They are deleted after days.
pub const DIGESTS: &[(&str, &str)] = &[("attempts", "fingerprint"), ("attempts", "key")];

/// Columns that hold data of the merchant's staff, who use the dashboard. They are deleted when a
/// person is removed from every account.
pub const STAFF: &[(&str, &str)] =
    &[("users", "email"), ("users", "name"), ("mail_messages", "detail")];

/// The number that stands for one that was erased.
///
/// # Panics
/// Never: it is a number.
#[must_use]
pub fn erased_phone() -> Phone {
    #[expect(clippy::expect_used, reason = "ten digits that begin with 0")]
    Phone::parse("0000000000").expect("a number")
}

/// The address that stands for one that was erased. `.invalid` leads nowhere (RFC 2606).
pub const ERASED_EMAIL: &str = "erased@erased.invalid";

/// The text that stands for one that was erased.
pub const ERASED_TEXT: &str = "erased";

/// Whose data it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Person {
    /// The holder of a wallet.
    Phone(Phone),
    /// The holder of an e-mail address. Case does not matter, in any alphabet.
    Email(String),
}

impl Person {
    /// What every mention of the person contains: the digits of the number without the 0 in front
    /// of it, so that `+233…` is found too, or the address in any case.
    #[must_use]
    pub fn needle(&self) -> &str {
        match self {
            Self::Phone(phone) => &phone.as_str()[1..],
            Self::Email(email) => email,
        }
    }

    /// Where a text names the person: positions of whole numbers or addresses, not of parts of
    /// longer ones.
    fn mentions(&self, text: &str) -> Vec<(usize, usize)> {
        match self {
            Self::Phone(phone) => written_number::mentions(text, phone),
            Self::Email(email) => written_address::mentions(text, email),
        }
    }

    /// Whether bytes that are perhaps no text, such as those of a file, may name the person.
    /// Another person may be named instead.
    #[must_use]
    pub fn may_be_named_in(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Phone(phone) => {
                written_number::may_contain(&String::from_utf8_lossy(bytes), phone)
            }
            Self::Email(email) => {
                // Letters of ASCII have the same length in any case.
                let parts = email.split(|letter: char| !letter.is_ascii());
                let longest = parts.max_by_key(|part| part.len()).unwrap_or_default();
                let bytes = bytes.to_ascii_lowercase();
                let part = longest.to_ascii_lowercase();
                bytes.windows(part.len().max(1)).any(|window| window == part.as_bytes())
            }
        }
    }

    /// Whether a text names the person.
    #[must_use]
    pub fn is_named_in(&self, text: &str) -> bool {
        !self.mentions(text).is_empty()
    }

    /// The text with each mention overwritten.
    #[must_use]
    pub fn overwritten(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (start, end) in self.mentions(&text).into_iter().rev() {
            text.replace_range(start..end, ERASED_TEXT);
        }
        text
    }

    fn is_named_in_any(&self, texts: [&Option<String>; 3]) -> bool {
        texts.into_iter().flatten().any(|text| self.is_named_in(text))
    }

    /// Whether a payment is the person's own.
    #[must_use]
    pub fn is_payer(&self, begun: &NewTransaction) -> bool {
        match self {
            Self::Phone(phone) => begun.transfer.phone == *phone,
            Self::Email(email) => {
                begun.details.email.as_ref().is_some_and(|found| is_same_address(found, email))
            }
        }
    }

    /// Whether a transaction names the person anywhere.
    #[must_use]
    pub fn is_in(&self, begun: &NewTransaction) -> bool {
        let details = &begun.details;
        self.is_payer(begun)
            || self.is_named_in(&begun.reference)
            || self.is_named_in_any([
                &details.metadata,
                &details.payer_message,
                &details.payee_note,
            ])
    }

    /// Overwrites what names the person in a transaction. `is_theirs` if the payment or its session
    /// is the person's own.
    pub fn erase(&self, begun: &mut NewTransaction, is_theirs: bool) {
        let is_payer = self.is_payer(begun);
        if is_theirs && (is_payer || matches!(self, Self::Email(_))) {
            begun.transfer.phone = erased_phone();
        }
        let details = &mut begun.details;
        if is_theirs {
            details.email = details.email.as_ref().map(|_| ERASED_EMAIL.to_owned());
        }
        for text in [&mut details.metadata, &mut details.payer_message, &mut details.payee_note] {
            if text.as_ref().is_some_and(|text| is_theirs || self.is_named_in(text)) {
                *text = None;
            }
        }
        begun.reference = self.overwritten(&begun.reference);
    }

    /// Overwrites what names the person in an event.
    #[must_use]
    pub fn erase_event(&self, event: Event, is_theirs: bool) -> Event {
        match event {
            Event::Begun { mut new, is_handed_over, operator } => {
                self.erase(Arc::make_mut(&mut new), is_theirs);
                Event::Begun { new, is_handed_over, operator }
            }
            Event::Reviewed(note) if is_theirs || self.is_named_in(note.as_str()) => {
                Event::Reviewed(Note::parse(ERASED_TEXT).unwrap_or(note))
            }
            other => other,
        }
    }

    /// Whether a session is the person's own by its e-mail address.
    #[must_use]
    pub fn is_invited(&self, checkout: &Checkout) -> bool {
        let invited = checkout.terms.email.as_deref();
        matches!(
            self,
            Self::Email(email)
                if invited.is_some_and(|invited| is_same_address(invited, email))
        )
    }

    /// Overwrites what names the person in a session.
    pub fn erase_checkout(&self, checkout: &mut Checkout, is_theirs: bool) {
        let terms = &mut checkout.terms;
        if is_theirs && terms.email.is_some() {
            terms.email = Some(ERASED_EMAIL.to_owned());
        }
        if terms.metadata.as_ref().is_some_and(|text| is_theirs || self.is_named_in(text)) {
            terms.metadata = None;
        }
        terms.return_url = terms.return_url.as_ref().map(|url| self.overwritten(url));
        checkout.reference = self.overwritten(&checkout.reference);
    }
}

/// Why nothing was erased.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EraseRefused {
    /// A payment of the person is not final.
    #[error("{0} is pending; its outcome must be known before it can be erased")]
    Pending(String),
    /// A record must be kept until this moment.
    #[error("{id} must be kept until {until}; it can be erased from then on")]
    Retained {
        /// The transaction or session.
        id: String,
        /// When it can be erased.
        until: Timestamp,
    },
}

/// Checks that a transaction can be erased: it is final, and its retention is over.
///
/// # Errors
/// [`EraseRefused`].
pub fn may_erase(
    transaction: &Transaction,
    live: SignedDuration,
    now: Timestamp,
) -> Result<(), EraseRefused> {
    let id = transaction.begun.id.as_str().to_owned();
    if transaction.state.status() == Status::Pending {
        return Err(EraseRefused::Pending(id));
    }
    let until = match transaction.begun.scope.mode {
        Mode::Test => return Ok(()),
        Mode::Live => transaction.updated_at.checked_add(live).unwrap_or(Timestamp::MAX),
    };
    if now < until { Err(EraseRefused::Retained { id, until }) } else { Ok(()) }
}

/// Checks that a session can be erased: it can no longer be paid.
///
/// # Errors
/// [`EraseRefused::Retained`].
pub fn may_erase_checkout(checkout: &Checkout, now: Timestamp) -> Result<(), EraseRefused> {
    let retained = || EraseRefused::Retained {
        id: checkout.id.as_str().to_owned(),
        until: checkout.expires_at,
    };
    if checkout.is_expired(now) { Ok(()) } else { Err(retained()) }
}

#[cfg(test)]
mod tests;
