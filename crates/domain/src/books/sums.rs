//! The sums of a day in the ledger.

use crate::{
    Scope, ledger::Postings, pinned_operator::PinnedOperator, refund_values::TransactionType,
};
use jiff::civil::Date;
use tua_contract::Network;

/// What was posted on a day to the accounts of a merchant account, mode and operator, by one type
/// of transactions on one network. Entries are only inserted, with the time at which they are
/// written, so the sums of a day that has ended stay as they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LedgerDaySum {
    /// The day on which the entries were posted, in UTC.
    pub day: Date,
    /// The account and mode.
    pub scope: Scope,
    /// The operator, with its name in the settings at that time; `None` for the sandbox.
    pub operator: Option<PinnedOperator>,
    /// What the transactions are.
    pub transaction_type: TransactionType,
    /// The network of the wallets that were charged or paid.
    pub network: Network,
    /// How many transactions began to move the merchant's money on the day, less those whose whole
    /// sum was posted back. So the sum over days counts each transaction once.
    pub payments: i64,
    /// Of how many of these transactions the operator's fee is not known, less those whose fee
    /// became known on the day after their money had moved.
    pub unknown_fees: i64,
    /// How many entries the ledger has of the day.
    pub entries: u64,
    /// The sum of these entries by account of the ledger, in pesewas.
    pub postings: Postings,
}

/// The sums of all entries before a day to the accounts of a merchant account, mode and operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningBalance {
    /// The operator, with its name in the settings at that time; `None` for the sandbox. An
    /// operator that was renamed has one balance under each name.
    pub operator: Option<PinnedOperator>,
    /// The sum of the entries by account of the ledger, in pesewas.
    pub postings: Postings,
}

/// What was posted on a day to an operator's accounts, of all merchant accounts and modes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PostedDay {
    /// The day, in UTC.
    pub day: Date,
    /// How many entries the ledger has of the day.
    pub entries: u64,
    /// The sum of these entries by account of the ledger, in pesewas.
    pub postings: Postings,
}
