//! Statements of operators: the money that an operator reports as moved, line by line
//! (docs/reference/statements.md).

pub mod closing;
pub mod period;
pub mod verification;

use super::{
    StatementId, Transaction, TransactionId,
    ledger::{final_pesewas, moved_pesewas},
    pinned_operator::{OperatorFingerprint, PinnedOperator},
    string_enum,
};
use jiff::{Timestamp, civil::Date};
use tua_contract::{Network, State};

string_enum! {
    /// What a line is about.
    pub enum LineKind {
        /// Money from a payer.
        Charge = "CHARGE",
        /// Money to a recipient. Refunds by payout are payouts for the operator.
        Payout = "PAYOUT",
        /// Money of a charge, back to its payer, by the operator's own refund.
        Refund = "REFUND",
    }
}

string_enum! {
    /// How a line and a transaction agree.
    pub enum Outcome {
        /// The line and the transaction agree.
        Matched = "matched",
        /// A successful transaction that no line is about.
        MissingAtTheOperator = "missing-at-the-operator",
        /// A line about no transaction, or about one that is not successful.
        MissingWithUs = "missing-with-us",
        /// Line and transaction moved different sums.
        AmountDiffers = "amount-differs",
        /// The sums agree, but the fee is not that of the tariff.
        FeeDiffers = "fee-differs",
        /// Another line is about the same transaction.
        Duplicate = "duplicate",
        /// The operator returned the money.
        Reversed = "reversed",
    }
}

/// A statement that was imported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// `stm_…`, minted when the import of the file first began.
    pub id: StatementId,
    /// The operator whose statement it is, as the settings named it at the import.
    pub operator: PinnedOperator,
    /// SHA-256 of the file; of a workbook, with the name of the sheet.
    pub digest: [u8; 32],
    /// When its import began.
    pub created_at: Timestamp,
    /// When its import ended; `None` where it was cut off.
    pub completed_at: Option<Timestamp>,
    /// When people gave up the import, because the file is lost. The file may be imported all the
    /// same.
    pub abandoned_at: Option<Timestamp>,
    /// The first and the last day that the file covers: those that it was imported for, or those of
    /// its lines. `None` for a file without lines, and for statements of earlier versions.
    pub covers: Option<(Date, Date)>,
}

/// A statement with what it added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementSummary {
    /// The statement as it is stored now.
    pub statement: Statement,
    /// How many lines it added. Lines of earlier statements are not stored again.
    pub lines: u64,
    /// How many of them are of a closed day, and were posted to the day after the last closed one.
    pub late: u64,
    /// The first and the last day to which these lines were posted.
    pub days: Option<(Date, Date)>,
}

impl StatementSummary {
    /// The days whose transactions must have a line, if they are known.
    #[must_use]
    pub fn covered_days(&self) -> Option<(Date, Date)> {
        self.statement.covers.or(self.days)
    }
}

/// Which page of the list of statements to read, newest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementPageRequest {
    /// Only those of this operator.
    pub operator: Option<OperatorFingerprint>,
    /// The last statement of the page before. Ids sort by time.
    pub after: Option<StatementId>,
    /// The maximum number of statements.
    pub limit: u32,
}

/// A line about money that moved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementLine {
    /// The line of the file, from 1.
    pub number: u32,
    /// What distinguishes the line from all others of the operator.
    pub key: [u8; 32],
    /// When the money moved.
    pub at: Timestamp,
    /// What it is about.
    pub kind: LineKind,
    /// Whether the operator returned the money.
    pub is_reversal: bool,
    /// The operator's id of the transaction.
    pub operator_transaction_id: Option<String>,
    /// The network of the wallet, where the file has it. An aggregator's ids are those of its
    /// networks, so two networks may have one id.
    pub network: Option<Network>,
    /// The transaction of the reference. It may not exist.
    pub referenced: Option<TransactionId>,
    /// The sum that moved, in pesewas.
    pub pesewas: i64,
    /// The operator's fee, in pesewas; `None` where the statement has none.
    pub fee_pesewas: Option<i64>,
}

/// A stored line with the transaction that it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchedLine {
    /// The statement that has it.
    pub statement: StatementId,
    /// The line as the statement has it.
    pub line: StatementLine,
    /// The transaction, as it stands.
    pub transaction: Option<Transaction>,
    /// Whether an earlier line is about the same transaction.
    pub is_repeated: bool,
    /// Whether another line reports that the operator returned the transaction's money.
    pub is_returned: bool,
}

/// Which lines and transactions are compared.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct StatementFilter {
    /// The first and the last day, in UTC: of a line its own, of a transaction that of its
    /// creation.
    pub days: Option<(Date, Date)>,
    /// Only of this operator.
    pub operator: Option<OperatorFingerprint>,
    /// Only the lines of this statement.
    pub statement: Option<StatementId>,
}

/// The place of a line in the order of all lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinePosition {
    /// The statement that the line belongs to.
    pub statement: StatementId,
    /// The number of the line in its file, from 1.
    pub number: u32,
}

impl MatchedLine {
    /// How the line and the transaction agree.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let Some(transaction) = &self.transaction else { return Outcome::MissingWithUs };
        let line = &self.line;
        let moved = moved_pesewas(transaction);
        let fee = self.real_fee_pesewas().zip(expected_fee_pesewas(transaction));
        match moved {
            _ if self.is_repeated => Outcome::Duplicate,
            _ if line.is_reversal => Outcome::Reversed,
            // The payout moved, and came back by a line of its own.
            None if transaction.reversed_at.is_some() => Outcome::Matched,
            // So did a charge that succeeded and then came back.
            None if self.is_returned && transaction.state == State::Successful => {
                if final_pesewas(transaction) == line.pesewas {
                    Outcome::Matched
                } else {
                    Outcome::AmountDiffers
                }
            }
            None => Outcome::MissingWithUs,
            Some(pesewas) if pesewas != line.pesewas => Outcome::AmountDiffers,
            Some(_) if fee.is_some_and(|(real, expected)| real != expected) => Outcome::FeeDiffers,
            Some(_) => Outcome::Matched,
        }
    }

    /// The fee that the operator took: the statement's, or what it reported of the transaction
    /// where the statement has none.
    #[must_use]
    pub fn real_fee_pesewas(&self) -> Option<i64> {
        let reported =
            self.transaction.as_ref().and_then(|transaction| transaction.details.fee_pesewas);
        self.line.fee_pesewas.or(reported)
    }

    /// Whether nothing is left to clear up: the line matches, or the operator returned money that
    /// is not the merchant's here either.
    #[must_use]
    pub fn agrees(&self) -> bool {
        match self.outcome() {
            Outcome::Matched => true,
            Outcome::Reversed => {
                self.transaction.as_ref().is_some_and(|one| moved_pesewas(one).is_none())
            }
            _ => false,
        }
    }
}

/// The fee that a transaction must cost: that of the tariff when it began, or what the operator
/// reported where there was no tariff.
fn expected_fee_pesewas(transaction: &Transaction) -> Option<i64> {
    transaction.order.price.fee_pesewas.or(transaction.details.fee_pesewas)
}

#[cfg(test)]
mod tests;
