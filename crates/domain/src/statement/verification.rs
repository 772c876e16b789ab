//! Verifies that statements and transactions agree.

use super::{MatchedLine, Outcome, expected_fee_pesewas};
use crate::{Scope, StatementId, Transaction, TransactionId, ledger::moved_pesewas};
use jiff::civil::Date;

/// How many exceptions are listed; all are counted.
pub const MAX_LISTED_EXCEPTIONS: usize = 1_000;

/// A line or a transaction that does not agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementException {
    /// How the line and the transaction differ, or which of them is missing.
    pub outcome: Outcome,
    /// The statement and the line; `None` for a transaction without one.
    pub line: Option<(StatementId, u32)>,
    /// The operator's id of the transaction.
    pub operator_transaction_id: Option<String>,
    /// The transaction, if there is one.
    pub transaction: Option<TransactionId>,
    /// The account and mode of the transaction.
    pub scope: Option<Scope>,
    /// What moved by the statement, and the fee that the operator took, in pesewas.
    pub theirs: Option<(i64, Option<i64>)>,
    /// What moved by the transaction, and the fee that it must cost, in pesewas.
    pub ours: Option<(i64, Option<i64>)>,
}

/// What the lines and transactions of one outcome move, in pesewas.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OutcomeSums {
    /// The sum of the statement's lines.
    pub theirs: i64,
    /// The sum of our transactions.
    pub ours: i64,
    /// The fees by the statement, of transactions whose fee is known from both sides.
    pub their_fees: i64,
    /// The fees by the tariff, of the same transactions.
    pub our_fees: i64,
}

impl OutcomeSums {
    fn add(&mut self, one: &StatementException) {
        let moved = |side: Option<(i64, Option<i64>)>| side.map_or(0, |(pesewas, _)| pesewas);
        self.theirs += moved(one.theirs);
        self.ours += moved(one.ours);
        let fees = one.theirs.and_then(|(_, fee)| fee).zip(one.ours.and_then(|(_, fee)| fee));
        if let Some((their_fee, our_fee)) = fees {
            self.their_fees += their_fee;
            self.our_fees += our_fee;
        }
    }
}

/// What a verification found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct StatementVerification {
    /// How many lines were compared.
    pub lines: u64,
    /// How many lines and transactions have each outcome, in the order of [`Outcome::ALL`].
    pub outcomes: [u64; Outcome::ALL.len()],
    /// What those that do not agree move, in the same order.
    pub sums: [OutcomeSums; Outcome::ALL.len()],
    /// How many lines and transactions do not agree.
    pub exceptions: u64,
    /// The first of them, at most [`MAX_LISTED_EXCEPTIONS`].
    pub listed: Vec<StatementException>,
    /// The first and the last day whose transactions were looked for among the lines; `None` where
    /// only lines were looked for among the transactions.
    pub transaction_days: Option<(Date, Date)>,
}

impl StatementVerification {
    /// Whether both sides were compared, and nothing differs.
    #[must_use]
    pub const fn agrees(&self) -> bool {
        self.transaction_days.is_some() && self.exceptions == 0
    }

    /// Whether more do not agree than are listed.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.exceptions > self.listed.len() as u64
    }

    /// Whether there was nothing to compare: no line, and no transaction that needs one.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.lines == 0 && self.exceptions == 0
    }

    /// How many transactions no line is about.
    #[must_use]
    pub const fn missing_transactions(&self) -> u64 {
        self.outcomes[Outcome::MissingAtTheOperator as usize]
    }

    /// How many lines do not agree.
    #[must_use]
    pub const fn differing_lines(&self) -> u64 {
        self.exceptions - self.missing_transactions()
    }

    /// Takes in one more line. Returns it if it does not agree.
    pub fn add_line(&mut self, one: &MatchedLine) -> Option<StatementException> {
        let outcome = one.outcome();
        self.lines += 1;
        self.outcomes[outcome as usize] += 1;
        if one.agrees() {
            return None;
        }
        let transaction = one.transaction.as_ref();
        Some(self.exception(StatementException {
            outcome,
            line: Some((one.statement.clone(), one.line.number)),
            operator_transaction_id: one.line.operator_transaction_id.clone(),
            transaction: transaction.map(|transaction| transaction.order.id.clone()),
            scope: transaction.map(|transaction| transaction.order.scope.clone()),
            theirs: Some((one.line.pesewas, one.real_fee_pesewas())),
            ours: transaction.and_then(ours),
        }))
    }

    /// Takes in one more transaction that no line is about. Returns it unless it moved nothing.
    pub fn add_missing(&mut self, transaction: &Transaction) -> Option<StatementException> {
        let moved = ours(transaction)?;
        let outcome = Outcome::MissingAtTheOperator;
        self.outcomes[outcome as usize] += 1;
        Some(self.exception(StatementException {
            outcome,
            line: None,
            operator_transaction_id: transaction.details.transaction_id.clone(),
            transaction: Some(transaction.order.id.clone()),
            scope: Some(transaction.order.scope.clone()),
            theirs: None,
            ours: Some(moved),
        }))
    }

    fn exception(&mut self, exception: StatementException) -> StatementException {
        self.exceptions += 1;
        self.sums[exception.outcome as usize].add(&exception);
        if self.listed.len() < MAX_LISTED_EXCEPTIONS {
            self.listed.push(exception.clone());
        }
        exception
    }
}

/// What moved by a transaction, and the fee that it must cost.
fn ours(transaction: &Transaction) -> Option<(i64, Option<i64>)> {
    moved_pesewas(transaction).map(|pesewas| (pesewas, expected_fee_pesewas(transaction)))
}
