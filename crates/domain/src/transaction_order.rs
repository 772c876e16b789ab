//! What a transaction is begun with.

use crate::{
    BatchId, CheckoutId, KeyId, Kind, LinkId, Scope, TransactionId,
    refund_values::{RefundMethod, RefundOf, TransactionType},
    tariff::Price,
    transfer::{Details, Note, Transfer},
};

/// Everything that a transaction is begun with. Afterwards only an approval changes it: with the
/// operator it chooses the fee, how a refund returns the money, and the network, where its own has
/// become a part of another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TransactionOrder {
    /// `txn_…`, minted before the transaction is stored.
    pub id: TransactionId,
    /// The account and mode that it belongs to.
    pub scope: Scope,
    /// The merchant's reference, 1 to 64 characters; not unique.
    pub reference: String,
    /// The session that it pays, if any.
    pub checkout: Option<CheckoutId>,
    /// The payment link that opened the session, if any.
    pub link: Option<LinkId>,
    /// The money. Its amount is the merchant's price.
    pub transfer: Transfer,
    /// What the payer pays, and the fee that the operator should charge.
    pub price: Price,
    /// What the merchant adds.
    pub details: Details,
    /// What it refunds; of a refund only. Its transfer is that of a payout.
    pub refund: Option<RefundOf>,
    /// The key that asked for it; none where a person did, and of a session's charge.
    pub key: Option<KeyId>,
    /// The batch that it is a line of; of a payout only.
    pub batch: Option<BatchId>,
    /// Whether a person must approve it before it is sent (docs/reference/payouts.md#approval).
    pub needs_approval: bool,
}

impl TransactionOrder {
    /// What the operator is asked for, and what its report is compared with: the transfer, with the
    /// fee where the payer bears it.
    #[must_use]
    pub fn requested_transfer(&self) -> Transfer {
        Transfer { amount: self.price.payer_pays, ..self.transfer.clone() }
    }

    /// The part of the fee that the payer bears, in pesewas.
    #[must_use]
    pub const fn payers_fee_pesewas(&self) -> i64 {
        self.price.payers_fee_pesewas(self.transfer.amount)
    }

    /// The part of a moved sum that the payer paid for the fee, in pesewas: what it has above the
    /// amount, but not more than was asked for.
    #[must_use]
    pub fn payers_fee_in(&self, moved_pesewas: i64) -> i64 {
        (moved_pesewas - self.transfer.amount.pesewas()).clamp(0, self.payers_fee_pesewas())
    }

    /// Its notes, each with who reads it.
    #[must_use]
    pub fn notes(&self) -> Vec<Note<'_>> {
        self.details.notes(self.transaction_type())
    }

    /// What it is for merchants.
    #[must_use]
    pub const fn transaction_type(&self) -> TransactionType {
        match (&self.refund, self.transfer.kind) {
            (Some(_), _) => TransactionType::Refund,
            (None, Kind::Charge) => TransactionType::Charge,
            (None, Kind::Payout) => TransactionType::Payout,
        }
    }

    /// Whether it spends the merchant's float, so that it counts towards the limits of payouts.
    #[must_use]
    pub fn counts_as_payout(&self) -> bool {
        self.transfer.kind == Kind::Payout
            && self.refund.as_ref().is_none_or(|of| of.method == RefundMethod::Payout)
    }

    /// The charge that the operator itself refunds by this transaction.
    #[must_use]
    pub fn native_refund_of(&self) -> Option<&TransactionId> {
        self.refund.as_ref().filter(|of| of.method == RefundMethod::Native).map(|of| &of.charge)
    }
}
