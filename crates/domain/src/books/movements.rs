//! The sums of some days by what moved.

use super::sums::LedgerDaySum;
use crate::{
    ledger::{LedgerAccount, Postings},
    refund_values::TransactionType,
};

/// Transactions of one type whose money moved.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CountedSum {
    /// How many there are, less those that were posted back.
    pub count: i64,
    /// What they moved, in pesewas.
    pub pesewas: i64,
}

/// The fees of some transactions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FeeSum {
    /// The sum of those that are known, in pesewas.
    pub pesewas: i64,
    /// Of how many transactions it is that sum.
    pub known: i64,
    /// Of how many transactions the fee is not known.
    pub unknown: i64,
}

impl FeeSum {
    /// The sum of the known fees, in pesewas; `None` if none is known.
    #[must_use]
    pub const fn known_pesewas(self) -> Option<i64> {
        if self.known <= 0 && self.unknown > 0 { None } else { Some(self.pesewas) }
    }

    /// Whether sums with these fees and with others can be compared: all fees are known of both, or
    /// none is.
    #[must_use]
    pub const fn is_comparable_with(self, other: Self) -> bool {
        let are_all_known = self.unknown <= 0 && other.unknown <= 0;
        are_all_known || self.known <= 0 && other.known <= 0
    }

    fn add(&mut self, sum: &LedgerDaySum) {
        self.pesewas += sum.postings.amount(LedgerAccount::Fees);
        self.known += sum.payments - sum.unknown_fees;
        self.unknown += sum.unknown_fees;
    }
}

/// What the ledger posted on some days, in pesewas.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Movements {
    /// What payers paid to the merchant.
    pub charges: CountedSum,
    /// The part of the fees that is for the charges.
    pub charge_fees: FeeSum,
    /// What was returned to payers.
    pub refunds: CountedSum,
    /// What was paid out.
    pub payouts: CountedSum,
    /// What the operators charged the merchant, less what payers paid for it.
    pub fees: FeeSum,
    /// By how much the sum of payouts and refunds grew that are handed over to an operator and
    /// whose outcome is not known.
    pub in_transit_pesewas: i64,
    /// By how much the sum grew about which the operator contradicts a final state, and a review
    /// must decide.
    pub suspense_pesewas: i64,
    /// By how much the merchant's money at the operator grew, by the ledger's own account of it.
    pub float_pesewas: i64,
}

impl Movements {
    /// Adds the sums of a day.
    pub fn add(&mut self, sum: &LedgerDaySum) {
        let amount = |account| sum.postings.amount(account);
        let (counted, pesewas) = match sum.transaction_type {
            TransactionType::Charge => {
                self.charge_fees.add(sum);
                (&mut self.charges, -amount(LedgerAccount::Merchant))
            }
            TransactionType::Payout => (&mut self.payouts, amount(LedgerAccount::Merchant)),
            TransactionType::Refund => (&mut self.refunds, amount(LedgerAccount::Refunds)),
        };
        counted.count += sum.payments;
        counted.pesewas += pesewas;
        self.fees.add(sum);
        self.in_transit_pesewas += amount(LedgerAccount::InTransit);
        self.suspense_pesewas += amount(LedgerAccount::Suspense);
        self.float_pesewas += amount(LedgerAccount::OperatorFloat);
    }

    /// The movements of all these sums.
    #[must_use]
    pub fn of<'a>(sums: impl IntoIterator<Item = &'a LedgerDaySum>) -> Self {
        let mut movements = Self::default();
        sums.into_iter().for_each(|sum| movements.add(sum));
        movements
    }

    /// What is left of the payments after the fees that are known.
    #[must_use]
    pub const fn kept_pesewas(&self) -> i64 {
        self.charges.pesewas - self.charge_fees.pesewas
    }

    /// What is left of the payments after their fees; `None` if no fee is known.
    #[must_use]
    pub const fn known_kept(&self) -> Option<i64> {
        if self.charge_fees.known_pesewas().is_some() { Some(self.kept_pesewas()) } else { None }
    }

    /// What the merchant has more: the payments, less refunds, payouts and known fees.
    #[must_use]
    pub const fn net_pesewas(&self) -> i64 {
        self.charges.pesewas - self.refunds.pesewas - self.payouts.pesewas - self.fees.pesewas
    }
}

/// The merchant's money at an operator before and after some days, by the ledger. The ledger begins
/// at nought: what a wallet contained before, and what the merchant moves without Tua, is not in
/// it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatMovement {
    /// Before the first day, in pesewas.
    pub opening_pesewas: i64,
    /// After the last day, in pesewas.
    pub closing_pesewas: i64,
}

impl FloatMovement {
    /// The movement from an opening balance by these postings.
    #[must_use]
    pub fn new(opening: &Postings, movements: &Movements) -> Self {
        let opening_pesewas = opening.amount(LedgerAccount::OperatorFloat);
        Self { opening_pesewas, closing_pesewas: opening_pesewas + movements.float_pesewas }
    }

    /// What the closing balance has more than the opening balance and these movements explain, in
    /// pesewas. Entries are balanced, so it is nought unless the ledger was damaged.
    #[must_use]
    pub const fn difference_pesewas(&self, movements: &Movements) -> i64 {
        let explained = self.opening_pesewas + movements.net_pesewas()
            - movements.in_transit_pesewas
            - movements.suspense_pesewas;
        self.closing_pesewas - explained
    }
}
