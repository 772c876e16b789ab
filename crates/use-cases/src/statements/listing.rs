//! Lists statements, and how each agrees with the transactions.

use super::comparison::Comparison;
use jiff::civil::Date;
use std::sync::Arc;
use tua_domain::{
    StatementId,
    ports::{self, Accounts, Books, ClosedDays, StoreError},
    routing::{OperatorFingerprint, OperatorName},
    statement::{
        Outcome, StatementPageRequest, StatementSummary,
        verification::{MAX_LISTED_EXCEPTIONS, StatementException, StatementVerification},
    },
};

/// Imports, lists and compares statements.
#[derive(Clone, Debug)]
pub struct Statements {
    /// Where statements and their lines are stored.
    pub statements: Arc<dyn ports::Statements>,
    /// Has the accounts whose transactions are compared with the lines.
    pub accounts: Arc<dyn Accounts>,
    /// Has the days that statements cover.
    pub books: Arc<dyn Books>,
    /// Has the days that are closed, and the operators of the ledger.
    pub closed_days: Arc<dyn ClosedDays>,
}

/// A longer statement is not compared in a list, so that the list stays fast.
const MAX_COMPARED_LINES: u64 = 10_000;

/// How many statements of an operator are compared to find those that do not agree, and how many
/// lines each of them may have: so few that a page can compare them whenever it is shown.
const MAX_NEWEST: u32 = 5;
const MAX_LINES_OF_NEWEST: u64 = 2_000;

/// A statement of a list, and how its lines agree.
#[derive(Clone, Debug)]
pub struct ComparedStatement {
    /// The statement, with the number of its lines.
    pub summary: StatementSummary,
    /// How its lines agree, and the transactions of its days; `None` for a statement of more than
    /// 10,000 lines.
    pub found: Option<StatementVerification>,
}

/// A page of statements.
#[derive(Clone, Debug)]
pub struct StatementList {
    /// The statements, newest first.
    pub statements: Vec<ComparedStatement>,
    /// The last one of the page, if there are older ones.
    pub next: Option<StatementId>,
}

/// How a statement agrees, with the first exceptions.
#[derive(Clone, Debug)]
pub struct ListedDifferences {
    /// How lines and transactions agree.
    pub found: StatementVerification,
    /// The first exceptions of the wanted outcome, at most [`MAX_LISTED_EXCEPTIONS`].
    pub listed: Vec<StatementException>,
    /// Whether there are more exceptions of this outcome.
    pub is_cut: bool,
}

/// The exceptions of a statement, which are read page by page in constant memory.
#[derive(Debug)]
pub struct Differences {
    statements: Arc<dyn ports::Statements>,
    comparison: Comparison,
}

impl Differences {
    /// The next exceptions, perhaps none of a page; `None` at the end.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn next(&mut self) -> Result<Option<Vec<StatementException>>, StoreError> {
        self.comparison.next(self.statements.as_ref()).await
    }
}

impl Statements {
    /// Whether an imported statement covers the day, also one without a line of it.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn is_covered(
        &self,
        operator: &OperatorFingerprint,
        day: Date,
    ) -> Result<bool, StoreError> {
        Ok(!self.books.covered_days(operator, day..=day).await?.is_empty())
    }

    /// A page of the statements of these operators, each compared with the transactions. It begins
    /// after a statement, or with the newest one.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(
        &self,
        operators: &[OperatorFingerprint],
        after: Option<&StatementId>,
        limit: u32,
    ) -> Result<StatementList, StoreError> {
        let mut found = Vec::new();
        for operator in operators {
            let page = StatementPageRequest {
                operator: Some(operator.clone()),
                after: after.cloned(),
                limit: limit + 1,
            };
            found.extend(self.statements.statements(&page).await?);
        }
        found.sort_by(|one, other| other.statement.id.as_str().cmp(one.statement.id.as_str()));
        let has_more = found.len() > limit as usize;
        found.truncate(limit as usize);
        let next = found.last().filter(|_| has_more).map(|last| last.statement.id.clone());
        let mut statements = Vec::new();
        for summary in found {
            let found = if summary.lines <= MAX_COMPARED_LINES {
                Some(self.verify(&summary).await?)
            } else {
                None
            };
            statements.push(ComparedStatement { summary, found });
        }
        Ok(StatementList { statements, next })
    }

    /// Of the newest five statements of each of these operators, those that do not agree and that
    /// have a day that is not closed: closing a day accepts what differs. Statements of more than
    /// 2,000 lines and imports that were cut off are left out.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn unresolved(
        &self,
        operators: &[OperatorFingerprint],
    ) -> Result<Vec<StatementId>, StoreError> {
        let mut unresolved = Vec::new();
        for operator in operators {
            let closed = self.closed_days.closed_days(Some(operator), None, 1).await?;
            let closed_until = closed.first().map(|closed| closed.day);
            let page = StatementPageRequest {
                operator: Some(operator.clone()),
                after: None,
                limit: MAX_NEWEST,
            };
            for summary in self.statements.statements(&page).await? {
                let is_open = summary.covered_days().is_some_and(|(_, last)| {
                    closed_until.is_none_or(|closed_until| closed_until < last)
                });
                let is_compared = summary.statement.completed_at.is_some()
                    && summary.lines <= MAX_LINES_OF_NEWEST;
                if !is_open || !is_compared {
                    continue;
                }
                // Nothing is written for a page that is shown often.
                let comparison = Comparison::of_statement(self.accounts.as_ref(), &summary).await?;
                if !comparison.finish(self.statements.as_ref()).await?.agrees() {
                    unresolved.push(summary.statement.id);
                }
            }
        }
        Ok(unresolved)
    }

    /// The newest statements of all operators, at most so many.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn newest(&self, limit: u32) -> Result<Vec<StatementSummary>, StoreError> {
        self.statements
            .statements(&StatementPageRequest { operator: None, after: None, limit })
            .await
    }

    /// The statement with this id.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(&self, id: &StatementId) -> Result<Option<StatementSummary>, StoreError> {
        self.statements.statement(id).await
    }

    /// Compares a statement both ways: its lines with the transactions, and the operator's
    /// transactions of the days that it covers with the lines of all statements.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn verify(
        &self,
        statement: &StatementSummary,
    ) -> Result<StatementVerification, StoreError> {
        self.comparison(statement).await?.finish(self.statements.as_ref()).await
    }

    /// As [`Self::verify`], with the first exceptions, of one outcome if one is wanted.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list_differences(
        &self,
        statement: &StatementSummary,
        wanted: Option<Outcome>,
    ) -> Result<ListedDifferences, StoreError> {
        let mut differences = self.differences(statement).await?;
        let mut listed = Vec::new();
        let mut count = 0;
        while let Some(mut page) = differences.next().await? {
            page.retain(|one| wanted.is_none_or(|outcome| one.outcome == outcome));
            count += page.len();
            page.truncate(MAX_LISTED_EXCEPTIONS - listed.len());
            listed.append(&mut page);
        }
        let is_cut = count > listed.len();
        Ok(ListedDifferences { found: differences.comparison.found, listed, is_cut })
    }

    /// Every exception of a statement, page by page.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn differences(
        &self,
        statement: &StatementSummary,
    ) -> Result<Differences, StoreError> {
        let comparison = self.comparison(statement).await?;
        Ok(Differences { statements: self.statements.clone(), comparison })
    }

    /// A comparison whose lines are matched again.
    async fn comparison(&self, statement: &StatementSummary) -> Result<Comparison, StoreError> {
        let comparison = Comparison::of_statement(self.accounts.as_ref(), statement).await?;
        comparison.match_again(self.statements.as_ref()).await
    }

    /// The operators that statements, closed days or the newest entry of the ledger have under this
    /// name.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn operators_named(
        &self,
        name: &OperatorName,
    ) -> Result<Vec<OperatorFingerprint>, StoreError> {
        self.closed_days.operators_named(name).await
    }
}
