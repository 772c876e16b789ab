//! The ledger: double-entry postings of every transaction (docs/reference/ledger.md).
//!
//! How a transaction stands decides what its postings must sum up to ([`Postings::of`]). An event
//! posts the difference between before and after, in the database transaction of the event. So
//! postings are never changed: a correction is the next difference.

pub mod verification;

use super::{
    Scope, Transaction,
    pinned_operator::{OperatorName, PinnedOperator},
    refund_values::TransactionType,
    string_enum,
};
use jiff::civil::Date;
use tua_contract::{Amount, State, Status};

string_enum! {
    /// An account of the ledger. There is one of each kind for each merchant account, mode and
    /// operator.
    pub enum LedgerAccount {
        /// The merchant's money at the operator.
        OperatorFloat = "operatorFloat",
        /// Payouts and refunds that were handed over to the operator, and whose outcome is not
        /// known.
        InTransit = "inTransit",
        /// What operators charged the merchant: their fees, less what payers paid for them.
        Fees = "fees",
        /// What the merchant earned, less what was paid out.
        Merchant = "merchant",
        /// What was returned to payers.
        Refunds = "refunds",
        /// Money about which the operator contradicts a final state, until a review has decided.
        Suspense = "suspense",
    }
}

/// Amounts posted to the accounts of the ledger, in pesewas. Debits are positive, credits negative.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Postings([i64; LedgerAccount::ALL.len()]);

/// What was posted to the accounts of a merchant account, mode and operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LedgerBalance {
    /// The account and mode.
    pub scope: Scope,
    /// The operator; `None` for the sandbox.
    pub operator: Option<OperatorName>,
    /// The sum of all entries by account of the ledger, in pesewas.
    pub postings: Postings,
}

/// What was posted on a day to the accounts of a merchant account, mode and operator, by one type
/// of transactions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LedgerDay {
    /// The day, in UTC.
    pub day: Date,
    /// The account and mode.
    pub scope: Scope,
    /// The operator; `None` for the sandbox.
    pub operator: Option<OperatorName>,
    /// What the transactions are.
    pub transaction_type: TransactionType,
    /// How many transactions moved an amount. An entry of noughts moves none.
    pub transactions: u64,
    /// Of how many transactions whose money moved the operator's fee is not known, less those whose
    /// fee became known on the day after their money had moved.
    pub unknown_fees: i64,
    /// The sum of the day's entries by account of the ledger, in pesewas.
    pub postings: Postings,
}

/// What was posted for a transaction before its last event; nothing before the first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PostedBefore {
    /// The sums of its entries.
    pub postings: Postings,
    is_successful: bool,
    has_known_fee: bool,
}

impl PostedBefore {
    /// What has been posted for the transaction as it is.
    #[must_use]
    pub fn of(transaction: &Transaction) -> Self {
        Self {
            postings: Postings::of(transaction),
            is_successful: transaction.state == State::Successful,
            has_known_fee: has_known_fee(transaction),
        }
    }

    /// The entry of the event that followed; `None` where it posts nothing. An event that moves
    /// nothing and makes the fee known posts an entry of noughts, so that the sums of its day count
    /// the fee: the operator charged none, or just what the payer paid for it.
    #[must_use]
    pub fn entry_after(&self, transaction: &Transaction) -> Option<Postings> {
        let difference = Postings::of(transaction).minus(self.postings);
        let is_posted = difference != Postings::default() || self.makes_fee_known(transaction);
        is_posted.then_some(difference)
    }

    /// Whether the event that followed made the transaction's fee known: it succeeded with a
    /// known fee, or the fee was reported afterwards.
    #[must_use]
    pub fn makes_fee_known(&self, transaction: &Transaction) -> bool {
        !self.has_known_fee && has_known_fee(transaction)
    }

    /// Whether the event that followed made the fee known after the transaction had succeeded, as a
    /// reversal or a contradiction does that is the first to name it.
    #[must_use]
    pub fn makes_fee_known_late(&self, transaction: &Transaction) -> bool {
        self.is_successful && self.makes_fee_known(transaction)
    }
}

/// The operator's fee of a transaction, in pesewas; `None` while it is not known. The sandbox
/// reports none: the fee is what the payer bore of it, which may be nought. SQL has the same rule of
/// what is known (`is_fee_known` of `tua-sql`).
#[must_use]
pub fn known_fee_pesewas(transaction: &Transaction) -> Option<i64> {
    let is_of_sandbox = transaction.operator.as_ref().is_none_or(PinnedOperator::is_sandbox);
    transaction
        .details
        .fee_pesewas
        .or_else(|| is_of_sandbox.then(|| payers_fee_pesewas(transaction)))
}

/// Whether it succeeded, and its fee is known.
fn has_known_fee(transaction: &Transaction) -> bool {
    transaction.state == State::Successful && known_fee_pesewas(transaction).is_some()
}

impl Postings {
    /// Postings with these amounts, in the order of [`LedgerAccount::ALL`].
    #[must_use]
    pub const fn new(amounts: [i64; LedgerAccount::ALL.len()]) -> Self {
        Self(amounts)
    }

    /// What all postings of a transaction must sum up to, by how it stands.
    ///
    /// The float follows the operator's last final status, and the merchant's accounts follow the
    /// state. Where these differ, the difference is in suspense. A review's decision moves both.
    #[must_use]
    pub fn of(transaction: &Transaction) -> Self {
        let kind = transaction.order.transaction_type();
        if let State::Pending(_) = transaction.state {
            let is_in_transit =
                kind != TransactionType::Charge && transaction.handed_over_at.is_some();
            let amount =
                if is_in_transit { transaction.order.transfer.amount.pesewas() } else { 0 };
            return Self::default()
                .with(LedgerAccount::InTransit, amount)
                .balanced_by(LedgerAccount::OperatorFloat);
        }
        let decision = transaction.decision();
        let is_successful = transaction.state == State::Successful;
        let observed = transaction
            .conflict
            .map_or(is_successful, |conflict| conflict.observed == Status::Successful);
        // The decision of an earlier dispute is not about what the operator reported since.
        let about_float = decision.filter(|_| transaction.open_conflict().is_none());
        let has_moved = about_float.map_or(observed, |decision| decision == Status::Successful);
        let is_the_merchants =
            decision.map_or(is_successful, |decision| decision == Status::Successful);
        let sum = final_pesewas(transaction);
        let payers_fee = payers_fee_pesewas(transaction);
        let fee = if has_moved { transaction.details.fee_pesewas.unwrap_or(payers_fee) } else { 0 };
        // The money of a payout that the operator sent back is in the float again; its fee is not.
        let is_returned = kind != TransactionType::Charge && transaction.reversed_at.is_some();
        let (account, sign) = match kind {
            TransactionType::Charge => (LedgerAccount::Merchant, -1),
            TransactionType::Payout => (LedgerAccount::Merchant, 1),
            TransactionType::Refund => (LedgerAccount::Refunds, 1),
        };
        let float = if has_moved && !is_returned { -sign * sum } else { 0 };
        let earned = if is_the_merchants && !is_returned { sign * (sum - payers_fee) } else { 0 };
        Self::default()
            .with(LedgerAccount::OperatorFloat, float - fee)
            .with(LedgerAccount::Fees, fee - if has_moved { payers_fee } else { 0 })
            .with(account, earned)
            .balanced_by(LedgerAccount::Suspense)
    }

    /// The amount that is posted to an account.
    #[must_use]
    pub const fn amount(&self, account: LedgerAccount) -> i64 {
        self.0[account as usize]
    }

    /// The amounts by account.
    pub fn iter(&self) -> impl Iterator<Item = (LedgerAccount, i64)> + '_ {
        LedgerAccount::ALL.iter().copied().zip(self.0)
    }

    /// Whether debits and credits are equal.
    #[must_use]
    pub fn is_balanced(&self) -> bool {
        self.0.iter().map(|amount| i128::from(*amount)).sum::<i128>() == 0
    }

    /// These postings, less others.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        let mut difference = self.0;
        difference.iter_mut().zip(other.0).for_each(|(amount, less)| *amount -= less);
        Self(difference)
    }

    /// These postings, and others.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let mut sum = self.0;
        sum.iter_mut().zip(other.0).for_each(|(amount, more)| *amount += more);
        Self(sum)
    }

    /// The amounts in the order of [`LedgerAccount::ALL`].
    #[must_use]
    pub const fn amounts(&self) -> [i64; LedgerAccount::ALL.len()] {
        self.0
    }

    fn with(mut self, account: LedgerAccount, amount: i64) -> Self {
        self.0[account as usize] = amount;
        self
    }

    /// Posts the other side of all amounts to one account.
    fn balanced_by(self, account: LedgerAccount) -> Self {
        let others: i64 =
            self.iter().filter(|(other, _)| *other != account).map(|(_, amount)| amount).sum();
        self.with(account, -others)
    }
}

/// The sum that a transaction moved at its operator and that did not come back, in pesewas, by the
/// operator's last final status or by a review's decision. `None` where nothing moved.
#[must_use]
pub fn moved_pesewas(transaction: &Transaction) -> Option<i64> {
    let is_final = transaction.state.is_final();
    let postings = Postings::of(transaction);
    let moved = (postings.amount(LedgerAccount::OperatorFloat)
        + postings.amount(LedgerAccount::Fees))
    .abs();
    // The payer's fee is in neither: it went through the operator's hands only.
    (is_final && moved > 0).then(|| moved + payers_fee_pesewas(transaction))
}

/// The part of the sum that moved which the payer paid for the fee, in pesewas.
fn payers_fee_pesewas(transaction: &Transaction) -> i64 {
    transaction.order.payers_fee_in(final_pesewas(transaction))
}

/// The sum that an operator moved for a final transaction: what a review found; of a failed one
/// what the operator contradicted it with; else what the operator was asked for. Zero where the
/// operator named no sum in our currency.
pub(super) fn final_pesewas(transaction: &Transaction) -> i64 {
    let asked = transaction.order.price.payer_pays.pesewas();
    match (transaction.state, transaction.settled_amount, transaction.mismatch) {
        (State::Failed(_), None, Some(mismatch)) => mismatch.received.map_or(0, Amount::pesewas),
        (_, settled, _) => settled.map_or(asked, Amount::pesewas),
    }
}

#[cfg(test)]
mod tests;
