//! Imports statements of operators, and compares them with the transactions
//! (docs/reference/statements.md).

use crate::{
    AccountId, Mode, Scope, StatementId,
    audit::AuditContext,
    file_lines::{LeftOut, LineCounts},
    listing::Cursor,
    ports::{BegunStatement, Store, StoreError},
    reporting::filter::day_of,
    routing::OperatorPin,
    statement::{
        LinePosition, MatchedLine, Statement, StatementFilter, StatementLine, StatementSummary,
        verification::{StatementException, StatementVerification},
    },
};
use jiff::civil::Date;
use std::ops::RangeInclusive;

/// Lines and transactions per read and per write. A write is short, so that payments wait only
/// briefly.
pub(super) const CHUNK: usize = 2_000;

/// How many faults of a file are listed; all are counted.
pub const MAX_LISTED_FAULTS: usize = 100;

/// What is wrong with a line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineFault {
    /// The line, from 1.
    pub number: u32,
    /// Its faults, as a sentence.
    pub fault: String,
}

/// What a line of a file has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadRow {
    /// The line is about money that moved, and is compared with a transaction.
    Moved(StatementLine),
    /// The line has nothing to compare, for this reason.
    LeftOut(LeftOut),
}

/// A line of a file, or what is wrong with it. A file has one for each of its lines.
pub type ReadLine = Result<ReadRow, LineFault>;

/// What the check of a whole file found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CheckedFile {
    /// How many lines are about money that moved, are left out, and have faults.
    pub counts: LineCounts,
    /// The first and the last day of the lines.
    pub days: Option<(Date, Date)>,
    /// The first faults, at most [`MAX_LISTED_FAULTS`].
    pub listed: Vec<LineFault>,
}

/// What is known of a file besides its lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileFacts {
    /// Its SHA-256; of a workbook, with the name of the sheet.
    pub digest: [u8; 32],
    /// The days that it covers, first and last, where the person or the fetch has said so.
    pub given_days: Option<(Date, Date)>,
    /// The first and the last day of its lines.
    pub line_days: Option<(Date, Date)>,
}

impl FileFacts {
    /// The days that it covers, if these were known before. What was said last counts most, and
    /// what was said before counts more than the lines.
    fn covers(&self, before: Option<(Date, Date)>) -> Option<(Date, Date)> {
        self.given_days.or(before).or(self.line_days)
    }
}

/// What an import did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportedStatement {
    /// The id of the statement, new or of the earlier import of the same file.
    pub id: StatementId,
    /// Whether the same file was imported before, so that no line is new.
    pub is_repeated: bool,
    /// The days that the statement covers now, where it covered others before.
    pub new_days: Option<(Date, Date)>,
    /// Lines that are new. The others are in earlier statements.
    pub inserted: u64,
    /// Transactions that are now due to be asked about: pending ones, and failed ones that a line
    /// shows as paid.
    pub asked: u64,
}

impl CheckedFile {
    fn fault(&mut self, fault: LineFault) {
        self.counts.refused += 1;
        if self.listed.len() < MAX_LISTED_FAULTS {
            self.listed.push(fault);
        }
    }
}

/// Checks all lines of a file, and stores nothing. `period`: the days that it may have.
///
/// # Errors
/// Those of the store.
pub async fn check_statement(
    store: &dyn Store,
    operator: &OperatorPin,
    period: Option<RangeInclusive<Date>>,
    lines: impl Iterator<Item = ReadLine>,
) -> Result<CheckedFile, StoreError> {
    let mut checked = CheckedFile::default();
    let mut referenced = Vec::new();
    for line in lines {
        match line {
            Ok(ReadRow::Moved(line)) => {
                let day = day_of(line.at);
                if period.as_ref().is_some_and(|period| !period.contains(&day)) {
                    checked.fault(LineFault {
                        number: line.number,
                        fault: format!("{day} is not in the period"),
                    });
                    continue;
                }
                checked.counts.read += 1;
                checked.days = Some(
                    checked.days.map_or((day, day), |(from, to)| (from.min(day), to.max(day))),
                );
                referenced.extend(line.referenced.map(|id| (line.number, id)));
            }
            Ok(ReadRow::LeftOut(reason)) => checked.counts.leave_out(reason),
            Err(fault) => checked.fault(fault),
        }
        if referenced.len() >= CHUNK {
            check_operator(store, operator, &mut referenced, &mut checked).await?;
        }
    }
    check_operator(store, operator, &mut referenced, &mut checked).await?;
    Ok(checked)
}

/// Finds a line about another operator's transaction: then the file is that operator's.
async fn check_operator(
    store: &dyn Store,
    operator: &OperatorPin,
    referenced: &mut Vec<(u32, crate::TransactionId)>,
    checked: &mut CheckedFile,
) -> Result<(), StoreError> {
    let ids = referenced.iter().map(|(_, id)| id.clone()).collect();
    if let Some(other) = store.transaction_of_another_operator(&operator.fingerprint, ids).await? {
        let number = referenced
            .iter()
            .find(|(_, id)| *id == other.begun.id)
            .map_or(0, |(number, _)| *number);
        let name = other.operator.as_ref().map_or("the sandbox", |pin| pin.name.as_str());
        // The line was counted as read.
        checked.counts.read -= 1;
        checked.fault(LineFault {
            number,
            fault: format!("{} is a transaction of {name}", other.begun.id),
        });
    }
    referenced.clear();
    Ok(())
}

/// Stores the lines of a file that has no faults. An import that was cut off is completed by
/// importing the file again. `lines` are those that were checked.
///
/// # Errors
/// [`StoreError`].
pub async fn import_statement(
    store: &dyn Store,
    operator: &OperatorPin,
    file: FileFacts,
    lines: impl Iterator<Item = ReadLine>,
    by: &AuditContext,
) -> Result<ImportedStatement, StoreError> {
    let new = Statement {
        id: StatementId::mint(),
        operator: operator.clone(),
        digest: file.digest,
        created_at: by.at,
        completed_at: None,
        abandoned_at: None,
        covers: file.covers(None),
    };
    let begun = store.begin_statement(new).await?;
    let is_repeated = matches!(begun, BegunStatement::Completed(_));
    let (BegunStatement::Open(statement) | BegunStatement::Completed(statement)) = begun;
    let new_days = file.covers(statement.covers).filter(|days| statement.covers != Some(*days));
    if let Some(days) = new_days {
        store.change_statement_days(&statement, days, by).await?;
    }
    if is_repeated {
        return Ok(ImportedStatement {
            id: statement.id,
            is_repeated,
            new_days,
            inserted: 0,
            asked: 0,
        });
    }
    let mut inserted = 0;
    let mut chunk = Vec::with_capacity(CHUNK);
    for line in lines {
        let faulty =
            |_| StoreError::failed("a line of a statement has a fault that its check did not find");
        let ReadRow::Moved(line) = line.map_err(faulty)? else { continue };
        chunk.push(line);
        if chunk.len() == CHUNK {
            let full = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK));
            inserted += store.insert_statement_lines(&statement, full).await?;
        }
    }
    if !chunk.is_empty() {
        inserted += store.insert_statement_lines(&statement, chunk).await?;
    }
    let asked = store.complete_statement(&statement, by).await?;
    Ok(ImportedStatement { id: statement.id, is_repeated, new_days, inserted, asked })
}

/// Why an import was not abandoned.
#[derive(Debug, thiserror::Error)]
pub enum AbandonError {
    /// There is no such statement.
    #[error("there is no such statement")]
    NotFound,
    /// All its lines are stored, or people have given it up before.
    #[error("its import has ended, or was abandoned before")]
    Ended,
    /// The store failed; [`StoreError`] tells whether the import may be abandoned.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Gives up an import that was cut off and whose file is lost, so that days can be closed again.
///
/// # Errors
/// [`AbandonError`].
pub async fn abandon_statement(
    store: &dyn Store,
    id: &StatementId,
    by: &AuditContext,
) -> Result<(), AbandonError> {
    let found = store.statement(id).await?.ok_or(AbandonError::NotFound)?.statement;
    if store.abandon_statement(&found, by).await? { Ok(()) } else { Err(AbandonError::Ended) }
}

/// Compares the lines of a filter with the transactions, and the transactions of its days with the
/// lines. A service may run meanwhile.
///
/// # Errors
/// Those of the store.
pub async fn verify_statements(
    store: &dyn Store,
    filter: &StatementFilter,
) -> Result<StatementVerification, StoreError> {
    Comparison::of_days(store, filter.clone()).await?.finish(store).await
}

/// Compares a statement both ways: its lines with the transactions, and the operator's transactions
/// of the days that it covers with the lines of all statements.
///
/// # Errors
/// Those of the store.
pub async fn verify_statement(
    store: &dyn Store,
    statement: &StatementSummary,
) -> Result<StatementVerification, StoreError> {
    Comparison::of_statement(store, statement).await?.finish(store).await
}

/// Compares the lines of a statement with the transactions. It says nothing about transactions
/// without a line.
///
/// # Errors
/// Those of the store.
pub async fn verify_lines(
    store: &dyn Store,
    statement: &Statement,
) -> Result<StatementVerification, StoreError> {
    Comparison::begin(store, of_statement(statement), None).await?.finish(store).await
}

fn of_statement(statement: &Statement) -> StatementFilter {
    StatementFilter { statement: Some(statement.id.clone()), ..StatementFilter::default() }
}

/// A comparison that is read page by page, in constant memory.
#[derive(Debug)]
pub struct Comparison {
    /// Which lines are compared.
    lines: StatementFilter,
    /// Which transactions are compared.
    transactions: StatementFilter,
    /// What was found so far.
    pub found: StatementVerification,
    lines_after: Option<LinePosition>,
    /// Whether every line was read.
    has_lines: bool,
    /// The accounts and modes whose transactions are still to be read.
    scopes: Vec<Scope>,
    transactions_after: Option<Cursor>,
}

impl Comparison {
    /// The lines and the transactions of some days.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn of_days(store: &dyn Store, filter: StatementFilter) -> Result<Self, StoreError> {
        Self::begin(store, filter.clone(), Some(filter)).await
    }

    /// The lines of a statement, and the operator's transactions of the days that it covers. Where
    /// these are not known, nothing is said about transactions.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn of_statement(
        store: &dyn Store,
        summary: &StatementSummary,
    ) -> Result<Self, StoreError> {
        let operator = Some(summary.statement.operator.fingerprint.clone());
        let transactions = summary.covered_days().map(|days| StatementFilter {
            days: Some(days),
            operator,
            statement: None,
        });
        Self::begin(store, of_statement(&summary.statement), transactions).await
    }

    /// Matches the lines that had no transaction, and begins.
    async fn begin(
        store: &dyn Store,
        lines: StatementFilter,
        transactions: Option<StatementFilter>,
    ) -> Result<Self, StoreError> {
        store.match_statement_lines(&lines).await?;
        let accounts = if transactions.is_some() { store.accounts().await? } else { Vec::new() };
        let modes = |account: AccountId| {
            [Mode::Live, Mode::Test].map(|mode| Scope { account: account.clone(), mode })
        };
        let scopes = accounts.into_iter().flat_map(|account| modes(account.id)).collect();
        let transactions = transactions.unwrap_or_default();
        let found = StatementVerification {
            transaction_days: transactions.days,
            ..StatementVerification::default()
        };
        Ok(Self {
            lines,
            transactions,
            found,
            lines_after: None,
            has_lines: true,
            scopes,
            transactions_after: None,
        })
    }

    /// Reads everything that is left.
    async fn finish(mut self, store: &dyn Store) -> Result<StatementVerification, StoreError> {
        while self.next(store).await?.is_some() {}
        Ok(self.found)
    }

    /// The next lines and transactions that do not agree, perhaps none of a page; `None` at the
    /// end.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn next(
        &mut self,
        store: &dyn Store,
    ) -> Result<Option<Vec<StatementException>>, StoreError> {
        let most = u32::try_from(CHUNK).unwrap_or(u32::MAX);
        if self.has_lines {
            let page = store.statement_lines(&self.lines, self.lines_after.as_ref(), most).await?;
            let exceptions = page.iter().filter_map(|line| self.found.add_line(line)).collect();
            self.has_lines = page.len() == CHUNK;
            let position = |last: MatchedLine| LinePosition {
                statement: last.statement,
                number: last.line.number,
            };
            self.lines_after = page.into_iter().next_back().map(position);
            return Ok(Some(exceptions));
        }
        let Some(scope) = self.scopes.last() else { return Ok(None) };
        let after = self.transactions_after.as_ref();
        let page = store.transactions_without_line(&self.transactions, scope, after, most).await?;
        let exceptions =
            page.iter().filter_map(|transaction| self.found.add_missing(transaction)).collect();
        self.transactions_after = page.last().filter(|_| page.len() == CHUNK).map(Cursor::after);
        if self.transactions_after.is_none() {
            self.scopes.pop();
        }
        Ok(Some(exceptions))
    }
}
