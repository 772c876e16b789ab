//! Personal data: where it is kept, why and for how long, and how it is erased (docs/operations.md,
//! "Personal data").
//!
//! Ghana's Data Protection Act (Act 843) is about data that identifies a person. Records of
//! payments must be kept for years; which law asks for how long is for the merchant's counsel. So
//! an erasure overwrites what names a person, and leaves amounts, times, networks and outcomes as
//! they were.

mod places;
mod retention;
mod written_address;
mod written_number;

use super::{Checkout, Event, TransactionOrder, decision_text::DecisionNote};
pub use places::{DIGESTS, Item, PLACES, Place, STAFF};
pub use retention::{
    EraseRefused, RETENTION_LIVE, Retention, may_erase, may_erase_checkout, parse_retention,
};
use std::sync::Arc;
use tua_contract::Phone;
use written_address::is_same_address;
pub use written_number::digits_only;

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

    fn is_named_in_any(&self, texts: [&Option<String>; 4]) -> bool {
        texts.into_iter().flatten().any(|text| self.is_named_in(text))
    }

    /// Whether a payment is the person's own.
    #[must_use]
    pub fn is_payer(&self, order: &TransactionOrder) -> bool {
        match self {
            Self::Phone(phone) => order.transfer.phone == *phone,
            Self::Email(email) => {
                order.details.email.as_ref().is_some_and(|found| is_same_address(found, email))
            }
        }
    }

    /// Whether a transaction names the person anywhere.
    #[must_use]
    pub fn is_in(&self, order: &TransactionOrder) -> bool {
        let details = &order.details;
        self.is_payer(order)
            || self.is_named_in(&order.reference)
            || self.is_named_in_any([
                &details.metadata,
                &details.answer,
                &details.payer_message,
                &details.payee_note,
            ])
    }

    /// Overwrites what names the person in a transaction. `is_theirs` if the payment or its session
    /// is the person's own.
    pub fn erase(&self, order: &mut TransactionOrder, is_theirs: bool) {
        let is_payer = self.is_payer(order);
        if is_theirs && (is_payer || matches!(self, Self::Email(_))) {
            order.transfer.phone = erased_phone();
        }
        let details = &mut order.details;
        if is_theirs {
            details.email = details.email.as_ref().map(|_| ERASED_EMAIL.to_owned());
        }
        for text in [
            &mut details.metadata,
            &mut details.answer,
            &mut details.payer_message,
            &mut details.payee_note,
        ] {
            if text.as_ref().is_some_and(|text| is_theirs || self.is_named_in(text)) {
                *text = None;
            }
        }
        order.reference = self.overwritten(&order.reference);
    }

    /// Overwrites what names the person in an event.
    #[must_use]
    pub fn erase_event(&self, event: Event, is_theirs: bool) -> Event {
        match event {
            Event::Begun { mut new, is_handed_over, operator } => {
                self.erase(Arc::make_mut(&mut new), is_theirs);
                Event::Begun { new, is_handed_over, operator }
            }
            Event::Reviewed { by, note } if is_theirs || self.is_named_in(note.as_str()) => {
                Event::Reviewed { by, note: ERASED_TEXT.parse::<DecisionNote>().unwrap_or(note) }
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
        for text in [&mut terms.metadata, &mut terms.answer] {
            if text.as_ref().is_some_and(|text| is_theirs || self.is_named_in(text)) {
                *text = None;
            }
        }
        terms.return_url = terms.return_url.as_ref().map(|url| self.overwritten(url));
        checkout.reference = self.overwritten(&checkout.reference);
    }
}

#[cfg(test)]
mod tests;
