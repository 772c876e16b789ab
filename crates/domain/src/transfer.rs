//! The movement of money, and what a merchant adds to it: parts that an instruction, a transaction,
//! an operator's order and a session have in common.

use super::{language::LanguageTag, refund_values::TransactionType, string_enum};
use tua_contract::{Amount, Network, Phone};

/// The longest note to a payer or recipient, in characters.
pub const NOTE_MAX_CHARS: usize = 160;

/// Whether a text can be a note about a payment: one line of at most [`NOTE_MAX_CHARS`] characters.
#[must_use]
pub fn is_note(text: &str) -> bool {
    text.chars().count() <= NOTE_MAX_CHARS && !text.contains(char::is_control)
}

/// The longest reference, in characters.
pub const REFERENCE_MAX_CHARS: usize = 64;

string_enum! {
    /// The direction of the money. A refund is no kind of its own: it is a [`Self::Payout`] whose
    /// transaction names the refunded charge ([`crate::TransactionOrder::refund`]).
    pub enum Kind {
        /// From a payer to the merchant.
        Charge = "CHARGE",
        /// From the merchant to a recipient, or back to the payer of a charge: payouts and refunds.
        Payout = "PAYOUT",
    }
}

/// Which way money moves, how much, and over which network to or from which number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transfer {
    /// Whether a payer is charged, or a recipient is paid.
    pub kind: Kind,
    /// How much money moves, in whole pesewas and above zero.
    pub amount: Amount,
    /// The mobile-money network of the wallet.
    pub network: Network,
    /// The payer's or recipient's number.
    pub phone: Phone,
}

/// A transfer without the number: what decides its operator and its price.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TransferTerms {
    /// Whether a payer is charged, or a recipient is paid.
    pub kind: Kind,
    /// The mobile-money network of the wallet.
    pub network: Network,
    /// How much money moves, in whole pesewas and above zero.
    pub amount: Amount,
}

impl Transfer {
    /// What decides its operator and its price.
    #[must_use]
    pub const fn terms(&self) -> TransferTerms {
        TransferTerms { kind: self.kind, network: self.network, amount: self.amount }
    }
}

/// What merchant and payer add to a payment. No rule depends on it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Details {
    /// The payer's or recipient's e-mail address.
    pub email: Option<String>,
    /// The merchant's JSON object, as text.
    pub metadata: Option<String>,
    /// What the payer answered to the question of a payment link, at most 100 characters.
    pub answer: Option<String>,
    /// Shown to the payer (charge), or kept for the merchant (payout).
    pub payer_message: Option<String>,
    /// Kept for the merchant (charge), or shown to the recipient (payout).
    pub payee_note: Option<String>,
    /// The language that the payer has read.
    pub language: Option<LanguageTag>,
}

/// Who reads a note.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoteAudience {
    /// The payer of a charge, on the phone.
    Payer,
    /// The recipient of a payout, in the wallet's history.
    Recipient,
    /// The staff of the shop; neither payer nor recipient sees it.
    Shop,
}

/// A note of a transaction, and who reads it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Note<'a> {
    /// The people to whom the note is shown.
    pub audience: NoteAudience,
    /// One line, of at most [`NOTE_MAX_CHARS`] characters.
    pub text: &'a str,
}

impl Details {
    /// The notes of a transaction of this type. What a note is called by the API depends on the
    /// type: only this function decides who reads it. The reason of a refund is for the shop.
    pub(super) fn notes(&self, of: TransactionType) -> Vec<Note<'_>> {
        use NoteAudience::{Payer, Recipient, Shop};
        let (message, note) = match of {
            TransactionType::Charge => (Payer, Shop),
            TransactionType::Payout => (Shop, Recipient),
            TransactionType::Refund => (Shop, Shop),
        };
        let texts = [(message, &self.payer_message), (note, &self.payee_note)];
        let notes = texts
            .into_iter()
            .filter_map(|(audience, text)| text.as_deref().map(|text| Note { audience, text }));
        notes.collect()
    }
}

/// What an operator reports about an order besides its status: its ids, and what it charged.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct OperatorDetails {
    /// The operator's id of the transaction: the one in the payer's SMS, where the operator reports
    /// that one.
    pub transaction_id: Option<String>,
    /// Another id that later calls need, such as for a refund.
    pub order_id: Option<String>,
    /// The operator's fee, in pesewas.
    pub fee_pesewas: Option<i64>,
}

impl OperatorDetails {
    /// The details of an order of which the operator has reported none.
    pub const NONE: Self = Self { transaction_id: None, order_id: None, fee_pesewas: None };

    /// Without ids that have control characters. No operator documents such ids, and with NUL
    /// PostgreSQL would not store the outcome.
    #[must_use]
    pub fn without_unprintable(self) -> Self {
        let printable = |id: Option<String>| id.filter(|id| !id.contains(char::is_control));
        Self {
            transaction_id: printable(self.transaction_id),
            order_id: printable(self.order_id),
            ..self
        }
    }

    /// Takes over from `other` what is not known yet.
    pub fn complete(&mut self, other: &Self) {
        let known = std::mem::replace(self, other.clone());
        self.merge(&known);
    }

    /// Copies the values that are present in `newer`. Returns whether anything changed.
    pub fn merge(&mut self, newer: &Self) -> bool {
        let before = self.clone();
        let Self { transaction_id, order_id, fee_pesewas } = newer.clone();
        self.transaction_id = transaction_id.or_else(|| self.transaction_id.take());
        self.order_id = order_id.or_else(|| self.order_id.take());
        self.fee_pesewas = fee_pesewas.or(self.fee_pesewas);
        *self != before
    }
}
