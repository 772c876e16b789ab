//! Lists of checkout sessions: filters, pages and cursors.

use super::{
    Checkout, CheckoutId, CheckoutSummary,
    checkout::CheckoutStatus,
    listing::{read_position, write_position},
};
use jiff::Timestamp;

/// What a checkout session must match. The default matches all sessions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CheckoutFilter {
    /// Only sessions with this status now; `None` for every status.
    pub status: Option<CheckoutStatus>,
    /// What the store can read from an index.
    pub stored: StoredCheckoutFilter,
}

/// The part of a [`CheckoutFilter`] that does not depend on the present time or on charges.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StoredCheckoutFilter {
    /// The merchant's reference, exactly.
    pub reference: Option<String>,
    /// Created after this time.
    pub created_after: Option<Timestamp>,
    /// Created before this time.
    pub created_before: Option<Timestamp>,
}

/// Which page of a list of checkout sessions to read, newest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckoutPageRequest {
    /// The maximum number of sessions.
    pub limit: u32,
    /// Where the previous page ended.
    pub after: Option<CheckoutCursor>,
}

/// A position in a list of checkout sessions, newest first: just after one session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckoutCursor {
    /// When that session was created.
    pub created_at: Timestamp,
    /// Its id, which orders sessions of the same time.
    pub id: CheckoutId,
}

impl CheckoutCursor {
    /// The position just after a session.
    #[must_use]
    pub fn after(checkout: &Checkout) -> Self {
        Self { created_at: checkout.created_at, id: checkout.id.clone() }
    }

    /// The cursor as opaque text.
    #[must_use]
    pub fn write(&self) -> String {
        write_position(self.created_at, self.id.as_str())
    }

    /// Reads a cursor; `None` where the text is no cursor of a list of sessions.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (created_at, id) = read_position(text)?;
        let uuid = id.strip_prefix(CheckoutId::PREFIX)?;
        uuid.chars().all(|character| character.is_ascii_hexdigit()).then_some(())?;
        Some(Self { created_at, id: CheckoutId::new(id) })
    }
}

/// A session of a list, with its charges summed up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedCheckout {
    /// The session as it is stored.
    pub checkout: Checkout,
    /// Its charges, summed up.
    pub summary: CheckoutSummary,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_back_and_one_of_another_list_is_refused() {
        let created_at = Timestamp::from_millisecond(1_795_255_200_123).unwrap();
        let cursor = CheckoutCursor { created_at, id: CheckoutId::mint() };
        assert_eq!(CheckoutCursor::read(&cursor.write()), Some(cursor));
        for id in ["txn_0a", "chk_0g", "chk_0\0"] {
            assert_eq!(CheckoutCursor::read(&write_position(created_at, id)), None, "{id:?}");
        }
        assert_eq!(CheckoutCursor::read("chk_0a"), None);
    }
}
