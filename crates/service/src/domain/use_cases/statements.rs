//! Imports statements of operators, and compares them with the transactions (docs/reference/statements.md).

use crate::domain::{
    AccountId, Mode, Scope, StatementId,
    audit::AuditContext,
    listing::Cursor,
    ports::{BegunStatement, Store, StoreError},
    reporting::filter::day_of,
    routing::OperatorPin,
    statement::{
        LinePosition, MatchedLine, Statement, StatementFilter, StatementLine,
        verification::{StatementException, StatementVerification},
    },
};
use jiff::civil::Date;
use std::ops::RangeInclusive;

/// Lines and transactions per read and per write. A write is short, so that payments wait only briefly.
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

/// A line of a file: one about money that moved, or `None` for one that is left out, such as a failed payment.
pub type ReadLine = Result<Option<StatementLine>, LineFault>;

/// What the check of a whole file found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CheckedFile {
    /// Lines about money that moved.
    pub lines: u64,
    /// Lines that are left out.
    pub left_out: u64,
    /// The first and the last day of the lines.
    pub days: Option<(Date, Date)>,
    /// How many lines have faults.
    pub faults: u64,
    /// The first of them, at most [`MAX_LISTED_FAULTS`].
    pub listed: Vec<LineFault>,
}

/// What an import did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportedStatement {
    /// The statement.
    pub id: StatementId,
    /// Whether the same file was imported before, so that nothing changed.
    pub is_repeated: bool,
    /// Lines that are new. The others are in earlier statements.
    pub inserted: u64,
    /// Transactions that are now due to be asked about: pending ones, and failed ones that a line shows as paid.
    pub asked: u64,
}

impl CheckedFile {
    fn fault(&mut self, fault: LineFault) {
        self.faults += 1;
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
            Ok(Some(line)) => {
                let day = day_of(line.at);
                if period.as_ref().is_some_and(|period| !period.contains(&day)) {
                    checked.fault(LineFault { number: line.number, fault: format!("{day} is not in the period") });
                }
                checked.lines += 1;
                checked.days = Some(checked.days.map_or((day, day), |(from, to)| (from.min(day), to.max(day))));
                referenced.extend(line.referenced.map(|id| (line.number, id)));
            }
            Ok(None) => checked.left_out += 1,
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
    referenced: &mut Vec<(u32, crate::domain::TransactionId)>,
    checked: &mut CheckedFile,
) -> Result<(), StoreError> {
    let ids = referenced.iter().map(|(_, id)| id.clone()).collect();
    if let Some(other) = store.transaction_of_another_operator(&operator.fingerprint, ids).await? {
        let number = referenced.iter().find(|(_, id)| *id == other.begun.id).map_or(0, |(number, _)| *number);
        let name = other.operator.as_ref().map_or("the sandbox", |pin| pin.name.as_str());
        checked.fault(LineFault { number, fault: format!("{} is a transaction of {name}", other.begun.id) });
    }
    referenced.clear();
    Ok(())
}

/// Stores the lines of a file that has no faults. An import that was cut off is completed by importing the file again.
/// `lines` are those that were checked, of the file with this digest.
///
/// # Errors
/// [`StoreError`].
pub async fn import_statement(
    store: &dyn Store,
    operator: &OperatorPin,
    digest: [u8; 32],
    lines: impl Iterator<Item = ReadLine>,
    by: &AuditContext,
) -> Result<ImportedStatement, StoreError> {
    let new = Statement {
        id: StatementId::mint(),
        operator: operator.clone(),
        digest,
        created_at: by.at,
        completed_at: None,
        abandoned_at: None,
    };
    let statement = match store.begin_statement(new).await? {
        BegunStatement::Open(statement) => statement,
        BegunStatement::Completed(statement) => {
            return Ok(ImportedStatement { id: statement.id, is_repeated: true, inserted: 0, asked: 0 });
        }
    };
    let (mut inserted, mut chunk) = (0, Vec::with_capacity(CHUNK));
    for line in lines {
        let faulty = |_| StoreError::failed("a line of a statement has a fault that its check did not find");
        chunk.extend(line.map_err(faulty)?);
        if chunk.len() == CHUNK {
            let full = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK));
            inserted += store.insert_statement_lines(&statement, full).await?;
        }
    }
    if !chunk.is_empty() {
        inserted += store.insert_statement_lines(&statement, chunk).await?;
    }
    let asked = store.complete_statement(&statement, by).await?;
    Ok(ImportedStatement { id: statement.id, is_repeated: false, inserted, asked })
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
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Gives up an import that was cut off and whose file is lost, so that days can be closed again.
///
/// # Errors
/// [`AbandonError`].
pub async fn abandon_statement(store: &dyn Store, id: &StatementId, by: &AuditContext) -> Result<(), AbandonError> {
    let found = store.statement(id).await?.ok_or(AbandonError::NotFound)?.statement;
    match store.abandon_statement(&found, by).await? {
        true => Ok(()),
        false => Err(AbandonError::Ended),
    }
}

/// Compares the lines of a filter with the transactions, and, unless it names one statement, the transactions of its days
/// with the lines. A service may run meanwhile.
///
/// # Errors
/// Those of the store.
pub async fn verify_statements(
    store: &dyn Store,
    filter: &StatementFilter,
) -> Result<StatementVerification, StoreError> {
    let mut comparison = Comparison::begin(store, filter.clone()).await?;
    while comparison.next(store).await?.is_some() {}
    Ok(comparison.found)
}

/// A comparison that is read page by page, in constant memory.
#[derive(Debug)]
pub struct Comparison {
    filter: StatementFilter,
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
    /// Matches the lines that had no transaction, and begins.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn begin(store: &dyn Store, filter: StatementFilter) -> Result<Self, StoreError> {
        store.match_statement_lines(&filter).await?;
        // The lines of one statement say nothing about transactions without a line.
        let accounts = if filter.statement.is_none() { store.accounts().await? } else { Vec::new() };
        let modes = |account: AccountId| [Mode::Live, Mode::Test].map(|mode| Scope { account: account.clone(), mode });
        let scopes = accounts.into_iter().flat_map(|account| modes(account.id)).collect();
        let found = StatementVerification::default();
        Ok(Self { filter, found, lines_after: None, has_lines: true, scopes, transactions_after: None })
    }

    /// The next lines and transactions that do not agree, perhaps none of a page; `None` at the end.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn next(&mut self, store: &dyn Store) -> Result<Option<Vec<StatementException>>, StoreError> {
        let most = u32::try_from(CHUNK).unwrap_or(u32::MAX);
        if self.has_lines {
            let page = store.statement_lines(&self.filter, self.lines_after.as_ref(), most).await?;
            let exceptions = page.iter().filter_map(|line| self.found.add_line(line)).collect();
            self.has_lines = page.len() == CHUNK;
            let position = |last: MatchedLine| LinePosition { statement: last.statement, number: last.line.number };
            self.lines_after = page.into_iter().next_back().map(position);
            return Ok(Some(exceptions));
        }
        let Some(scope) = self.scopes.last() else { return Ok(None) };
        let after = self.transactions_after.as_ref();
        let page = store.transactions_without_line(&self.filter, scope, after, most).await?;
        let exceptions = page.iter().filter_map(|transaction| self.found.add_missing(transaction)).collect();
        self.transactions_after = page.last().filter(|_| page.len() == CHUNK).map(Cursor::after);
        if self.transactions_after.is_none() {
            self.scopes.pop();
        }
        Ok(Some(exceptions))
    }
}
