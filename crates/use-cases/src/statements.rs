//! Imports statements of operators, and compares them with the transactions
//! (docs/reference/statements.md).

pub(super) mod comparison;
mod listing;

use comparison::CHUNK;
use jiff::civil::Date;
pub use listing::{ComparedStatement, Differences, ListedDifferences, StatementList, Statements};
use std::ops::RangeInclusive;
use tua_domain::{
    StatementId,
    audit::AuditContext,
    calendar::day_of,
    file_lines::{FileFault, LeftOut, LineCounts},
    ports::{self, StatementImport, StoreError},
    routing::{PinnedOperator, SANDBOX},
    statement::{Statement, StatementLine},
};

/// How many faults of a file are listed; all are counted.
pub const MAX_LISTED_FAULTS: usize = 100;

/// What is wrong with a line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineFault {
    /// The line, from 1.
    pub number: u32,
    /// Its faults, at least one.
    pub faults: Vec<FileFault>,
}

impl LineFault {
    /// All faults, in the words of the command line.
    #[must_use]
    pub fn sentence(&self) -> String {
        self.faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }
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

/// Why an import was not abandoned.
#[derive(Debug, thiserror::Error)]
pub enum AbandonError {
    /// There is no such statement.
    #[error("there is no such statement")]
    NotFound,
    /// All its lines are stored, or people have given it up before.
    #[error("its import has ended, or was abandoned before")]
    Ended,
    /// The store failed. The variant of [`StoreError`] shows whether the import may be abandoned.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Statements {
    /// Checks all lines of a file, and stores nothing. `period`: the days that it may have.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn check(
        &self,
        operator: &PinnedOperator,
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
                            faults: vec![FileFault::new(
                                "period",
                                [("day", day.to_string())],
                                format!("{day} is not in the period"),
                            )],
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
                check_operator(self.statements.as_ref(), operator, &mut referenced, &mut checked)
                    .await?;
            }
        }
        check_operator(self.statements.as_ref(), operator, &mut referenced, &mut checked).await?;
        Ok(checked)
    }

    /// Stores the lines of a file that has no faults. An import that was cut off is completed by
    /// importing the file again. `lines` are those that were checked.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn import(
        &self,
        operator: &PinnedOperator,
        file: FileFacts,
        lines: impl Iterator<Item = ReadLine>,
        by: &AuditContext,
    ) -> Result<ImportedStatement, StoreError> {
        let statements = &self.statements;
        let new = Statement {
            id: StatementId::mint(),
            operator: operator.clone(),
            digest: file.digest,
            created_at: by.at,
            completed_at: None,
            abandoned_at: None,
            covers: file.covers(None),
        };
        let begun = statements.begin_statement(new).await?;
        let is_repeated = matches!(begun, StatementImport::AlreadyImported(_));
        let (StatementImport::Open(statement) | StatementImport::AlreadyImported(statement)) =
            begun;
        let new_days = file.covers(statement.covers).filter(|days| statement.covers != Some(*days));
        if let Some(days) = new_days {
            statements.change_statement_days(&statement, days, by).await?;
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
            let faulty = |_| {
                StoreError::failed("a line of a statement has a fault that its check did not find")
            };
            let ReadRow::Moved(line) = line.map_err(faulty)? else { continue };
            chunk.push(line);
            if chunk.len() == CHUNK {
                let full = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK));
                inserted += statements.insert_statement_lines(&statement, full).await?;
            }
        }
        if !chunk.is_empty() {
            inserted += statements.insert_statement_lines(&statement, chunk).await?;
        }
        let asked = statements.complete_statement(&statement, by).await?;
        Ok(ImportedStatement { id: statement.id, is_repeated, new_days, inserted, asked })
    }

    /// Gives up an import that was cut off and whose file is lost, so that days can be closed
    /// again.
    ///
    /// # Errors
    /// [`AbandonError`].
    pub async fn abandon(&self, id: &StatementId, by: &AuditContext) -> Result<(), AbandonError> {
        let statements = &self.statements;
        let found = statements.statement(id).await?.ok_or(AbandonError::NotFound)?.statement;
        if statements.abandon_statement(&found, by).await? {
            Ok(())
        } else {
            Err(AbandonError::Ended)
        }
    }
}

/// Finds a line about another operator's transaction: then the file is that operator's.
async fn check_operator(
    statements: &dyn ports::Statements,
    operator: &PinnedOperator,
    referenced: &mut Vec<(u32, tua_domain::TransactionId)>,
    checked: &mut CheckedFile,
) -> Result<(), StoreError> {
    let ids = referenced.iter().map(|(_, id)| id.clone()).collect();
    if let Some(other) =
        statements.transaction_of_another_operator(&operator.fingerprint, ids).await?
    {
        let number = referenced
            .iter()
            .find(|(_, id)| *id == other.order.id)
            .map_or(0, |(number, _)| *number);
        let id = other.order.id.as_str();
        let operator = other.operator.as_ref().map_or(SANDBOX, |pin| pin.name.as_str());
        let name = if operator == SANDBOX { "the sandbox" } else { operator };
        // The line was counted as read.
        checked.counts.read -= 1;
        checked.fault(LineFault {
            number,
            faults: vec![FileFault::new(
                "other-operator",
                [("id", id.to_owned()), ("operator", operator.to_owned())],
                format!("{id} is a transaction of {name}"),
            )],
        });
    }
    referenced.clear();
    Ok(())
}
