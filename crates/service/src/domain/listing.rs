//! Lists of transactions: what to find, and where a page goes on.

use super::{CheckoutId, Kind, Transaction, TransactionId};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::Timestamp;
use tua_contract::{Network, Status};

/// What a transaction must match; nothing set matches all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Where it stands.
    pub status: Option<Status>,
    /// Which way the money goes.
    pub kind: Option<Kind>,
    /// Over which network.
    pub network: Option<Network>,
    /// The merchant's own name for it, exactly.
    pub reference: Option<String>,
    /// The session that it pays.
    pub checkout: Option<CheckoutId>,
    /// Begun after this moment.
    pub created_after: Option<Timestamp>,
    /// Begun before this moment.
    pub created_before: Option<Timestamp>,
}

/// A piece of a list, newest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// How many at the most.
    pub limit: u32,
    /// Where the page before ended.
    pub after: Option<Cursor>,
}

/// A place in a list, newest first: just after one transaction. What is written later stands
/// before it, so a list that is read page by page neither repeats nor misses what was there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cursor {
    /// When that transaction was begun.
    pub created_at: Timestamp,
    /// Its id, which decides between equals.
    pub id: TransactionId,
}

impl Cursor {
    /// The place just after a transaction.
    #[must_use]
    pub fn after(transaction: &Transaction) -> Self {
        Self { created_at: transaction.created_at, id: transaction.begun.id.clone() }
    }

    /// As text, which callers take as it is.
    #[must_use]
    pub fn write(&self) -> String {
        URL_SAFE_NO_PAD.encode(format!("{} {}", self.created_at.as_millisecond(), self.id))
    }

    /// From its text; nothing where that is not one of ours.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let plain = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let (at, id) = plain.split_once(' ')?;
        let created_at = Timestamp::from_millisecond(at.parse().ok()?).ok()?;
        Some(Self { created_at, id: TransactionId::new(id) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_cursor_is_read_back(milliseconds in 0_i64..4_000_000_000_000) {
            let created_at = Timestamp::from_millisecond(milliseconds).unwrap();
            let cursor = Cursor { created_at, id: TransactionId::mint() };
            prop_assert_eq!(Cursor::read(&cursor.write()), Some(cursor));
        }

        #[test]
        fn no_text_breaks_the_reader(text in "\\PC{0,60}") {
            let _ = Cursor::read(&text);
        }
    }
}
