//! Verifies that the ledger agrees with the transactions.

use super::Postings;
use crate::{Transaction, TransactionId};
use jiff::civil::Date;

/// How many faults are listed; all are counted.
pub const MAX_LISTED_FAULTS: usize = 1_000;

/// A transaction with the sums of its postings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PostedTransaction {
    /// The transaction as its events leave it.
    pub transaction: Transaction,
    /// The sums of its entries in the ledger, which [`Postings::of`] must equal.
    pub posted: Postings,
    /// How many of its entries have debits that are not equal to their credits, or name another
    /// account, mode or operator than the transaction.
    pub bad_entries: u64,
}

/// What does not agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LedgerFault {
    /// Entries whose debits and credits differ, or which name another account, mode or operator.
    BadEntries {
        /// The transaction that the entries belong to.
        id: TransactionId,
        /// How many of its entries are bad, at least 1.
        entries: u64,
    },
    /// The postings of a transaction do not sum up to what its state requires.
    Disagrees {
        /// The transaction whose postings are wrong.
        id: TransactionId,
        /// The sums of its entries, as the ledger has them.
        posted: Postings,
        /// What the state requires.
        required: Postings,
    },
    /// Entries of transactions that do not exist.
    Orphans {
        /// How many such entries the ledger has, at least 1.
        entries: u64,
    },
    /// The sums that are kept of a day, for the books of a month, are not those of its entries.
    DaySums {
        /// The day on which the entries were posted, in UTC.
        day: Date,
    },
}

/// What a verification found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LedgerVerification {
    /// How many transactions were compared.
    pub transactions: u64,
    /// How many faults there are.
    pub faults: u64,
    /// The first of them, at most [`MAX_LISTED_FAULTS`].
    pub listed: Vec<LedgerFault>,
}

impl LedgerVerification {
    /// Compares one more transaction with its postings.
    pub fn add(&mut self, one: &PostedTransaction) {
        self.transactions += 1;
        let id = || one.transaction.order.id.clone();
        if one.bad_entries > 0 {
            self.fault(LedgerFault::BadEntries { id: id(), entries: one.bad_entries });
        }
        let required = Postings::of(&one.transaction);
        if one.posted != required {
            self.fault(LedgerFault::Disagrees { id: id(), posted: one.posted, required });
        }
    }

    /// Takes in how many entries have no transaction.
    pub fn add_orphans(&mut self, entries: u64) {
        if entries > 0 {
            self.fault(LedgerFault::Orphans { entries });
        }
    }

    /// Takes in the days whose kept sums are not those of their entries.
    pub fn add_wrong_days(&mut self, days: Vec<Date>) {
        for day in days {
            self.fault(LedgerFault::DaySums { day });
        }
    }

    fn fault(&mut self, fault: LedgerFault) {
        self.faults += 1;
        if self.listed.len() < MAX_LISTED_FAULTS {
            self.listed.push(fault);
        }
    }
}
