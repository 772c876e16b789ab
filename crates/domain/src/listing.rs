//! Lists of transactions: filters, pages and cursors.

use super::{
    BatchId, CheckoutId, KeyScopes, Kind, Transaction, TransactionId,
    refund_values::TransactionType,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::Timestamp;
use tua_contract::{Network, Phone, Status};

/// What a transaction must match. The default matches all charges and payouts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Only transactions whose status is this; `None` for every status.
    pub status: Option<Status>,
    /// The direction of the money.
    pub kind: Option<Kind>,
    /// Whether it is a refund.
    pub refunds: RefundFilter,
    /// Only transactions on this network; `None` for every network.
    pub network: Option<Network>,
    /// The payer's or recipient's number.
    pub phone: Option<Phone>,
    /// The merchant's reference, exactly.
    pub reference: Option<String>,
    /// The session that it pays.
    pub checkout: Option<CheckoutId>,
    /// The batch of payouts that it is a line of.
    pub batch: Option<BatchId>,
    /// The operator's id of the transaction, exactly.
    pub operator_transaction_id: Option<String>,
    /// Created after this time.
    pub created_after: Option<Timestamp>,
    /// Created before this time.
    pub created_before: Option<Timestamp>,
}

/// Which refunds a list has. A list has refunds alone or none: a merchant reads them apart from
/// payments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum RefundFilter {
    /// None: charges and payouts.
    #[default]
    None,
    /// All refunds of the account and mode, whatever their charge.
    All,
    /// The refunds of one charge.
    Of(TransactionId),
}

impl Filter {
    /// This filter, limited to what a key with these scopes may read; `None` if that is nothing.
    #[must_use]
    pub fn readable_with(self, scopes: KeyScopes) -> Option<Self> {
        if self.refunds != RefundFilter::None {
            return scopes.may_read(TransactionType::Refund).then_some(self);
        }
        let types =
            [(Kind::Charge, TransactionType::Charge), (Kind::Payout, TransactionType::Payout)];
        let wanted =
            types.into_iter().filter(|(kind, _)| self.kind.is_none_or(|wanted| wanted == *kind));
        let readable: Vec<Kind> =
            wanted.filter(|(_, of)| scopes.may_read(*of)).map(|(kind, _)| kind).collect();
        match readable[..] {
            [] => None,
            [only] => Some(Self { kind: Some(only), ..self }),
            _ => Some(self),
        }
    }
}

/// Which page of a list of transactions to read, newest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageRequest {
    /// The maximum number of transactions.
    pub limit: u32,
    /// Where the previous page ended.
    pub after: Option<Cursor>,
}

/// A position in a list, newest first: just after one transaction. Later transactions come before
/// it, so a list that is read page by page repeats and misses nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cursor {
    /// When that transaction was created.
    pub created_at: Timestamp,
    /// Its id, which orders transactions of the same time.
    pub id: TransactionId,
}

impl Cursor {
    /// The position just after a transaction.
    #[must_use]
    pub fn after(transaction: &Transaction) -> Self {
        Self { created_at: transaction.created_at, id: transaction.order.id.clone() }
    }

    /// The cursor as opaque text.
    #[must_use]
    pub fn write(&self) -> String {
        write_position(self.created_at, self.id.as_str())
    }

    /// Reads a cursor; `None` where the text is not one of ours.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (created_at, id) = read_position(text)?;
        Some(Self { created_at, id: TransactionId::new(id) })
    }
}

/// A time of creation and an identifier as the opaque text of a cursor.
pub(crate) fn write_position(created_at: Timestamp, id: &str) -> String {
    URL_SAFE_NO_PAD.encode(format!("{} {id}", created_at.as_millisecond()))
}

/// Reads the text of [`write_position`]; `None` where it is none.
pub(crate) fn read_position(text: &str) -> Option<(Timestamp, String)> {
    let plain = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    let (at, id) = plain.split_once(' ')?;
    let created_at = Timestamp::from_millisecond(at.parse().ok()?).ok()?;
    Some((created_at, id.to_owned()))
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
