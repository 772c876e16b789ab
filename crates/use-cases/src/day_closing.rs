//! Closes days of operators, and verifies closed ones (docs/reference/statements.md).

mod figures;

use super::statements::comparison::Comparison;
use jiff::{Timestamp, civil::Date};
use std::sync::Arc;
use tua_domain::{
    audit::AuditContext,
    ledger::Postings,
    ports::{Accounts, Clock, ClosedDays, Statements, StoreError},
    routing::{OperatorFingerprint, PinnedOperator},
    statement::{
        StatementFilter,
        closing::{
            CloseDayError, ClosedDay, DayFigures, check_ended, closable_from, next_day,
            upcoming_day,
        },
        verification::StatementVerification,
    },
};

/// What a day would be closed with now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DayDraft {
    /// What the ledger and the statements have of the day now.
    pub figures: DayFigures,
    /// How its lines and transactions agree.
    pub found: StatementVerification,
}

/// A closed day, and whether its figures are still those of its entries and lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifiedDay {
    /// The day as it was closed.
    pub closed: ClosedDay,
    /// Whether the figures agree.
    pub agrees: bool,
}

/// The closed days of an operator.
#[derive(Clone, Debug)]
pub struct ClosedDayList {
    /// The closed days, newest first.
    pub closed: Vec<ClosedDay>,
    /// The day that can be closed next, if there is one.
    pub next: Option<Date>,
    /// The day before the first closed one, which can be closed too; `None` where no day is closed,
    /// or not all closed days are listed.
    pub previous: Option<Date>,
    /// The first day that cannot be closed yet.
    pub upcoming: UpcomingDay,
}

/// A day that has not ended an hour ago.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UpcomingDay {
    /// The day, in UTC.
    pub day: Date,
    /// From when on it can be closed.
    pub closable_from: Timestamp,
}

/// What is known of a day.
#[derive(Clone, Debug)]
pub struct DayReport {
    /// The day as it was closed, or what it would be closed with now.
    pub state: DayState,
    /// Whether no day of the operator is closed.
    pub is_first: bool,
    /// Why it cannot be closed now; `None` for a day that can be closed, or is closed.
    pub obstacle: Option<ClosingObstacle>,
}

impl DayReport {
    /// Whether the day can be closed now.
    #[must_use]
    pub const fn can_close(&self) -> bool {
        matches!(self.state, DayState::Open(_)) && self.obstacle.is_none()
    }
}

/// Why an open day cannot be closed now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClosingObstacle {
    /// It has not ended an hour ago. It can be closed from this time on.
    NotEnded(Timestamp),
    /// This day, the one after the last closed one, is closed before it.
    NotNext(Date),
    /// It is before the first closed day, and not the day before it. Earlier days are closed
    /// backwards.
    NotPrevious,
}

/// Whether a day is closed.
#[derive(Clone, Debug)]
pub enum DayState {
    /// The day is closed now.
    Closed(Box<VerifiedDay>),
    /// It is not closed.
    Open(Box<DayDraft>),
}

/// Statements and closed days of a period, computed again.
#[derive(Clone, Debug)]
pub struct VerifiedPeriod {
    /// How the lines and transactions of the days agree.
    pub found: StatementVerification,
    /// The closed ones of these days, oldest first.
    pub closed: Vec<VerifiedDay>,
}

/// Closes days, and reads them.
#[derive(Clone, Debug)]
pub struct DayClosing {
    /// Where closed days are stored, and where the ledger of a day is read.
    pub closed_days: Arc<dyn ClosedDays>,
    /// Has the lines of statements.
    pub statements: Arc<dyn Statements>,
    /// Has the accounts whose transactions are compared with the lines.
    pub accounts: Arc<dyn Accounts>,
    /// Decides which days have ended.
    pub clock: Arc<dyn Clock>,
}

impl DayClosing {
    /// The newest closed days of an operator, at most so many.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(
        &self,
        operator: &OperatorFingerprint,
        limit: u32,
    ) -> Result<ClosedDayList, StoreError> {
        let closed = self.closed_days.closed_days(Some(operator), None, limit).await?;
        let next = next_day(closed.first().map(|last| last.day), self.clock.now());
        let is_whole = closed.len() < limit as usize;
        let first = closed.last().filter(|_| is_whole);
        let previous = first.and_then(|first| first.day.yesterday().ok());
        let day = upcoming_day(self.clock.now());
        let upcoming = UpcomingDay { day, closable_from: closable_from(day) };
        Ok(ClosedDayList { closed, next, previous, upcoming })
    }

    /// The figures of a day: those that it was closed with, or those of now.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn report(
        &self,
        operator: &PinnedOperator,
        day: Date,
    ) -> Result<DayReport, StoreError> {
        let state = match self.find(&operator.fingerprint, day).await? {
            Some(verified) => DayState::Closed(Box::new(verified)),
            None => DayState::Open(Box::new(self.draft(operator, day).await?)),
        };
        let last = self.last_closed(&operator.fingerprint).await?.map(|last| last.day);
        let obstacle = match state {
            DayState::Closed(_) => None,
            DayState::Open(_) => self.obstacle(&operator.fingerprint, day, last).await?,
        };
        Ok(DayReport { state, is_first: last.is_none(), obstacle })
    }

    /// Why an open day cannot be closed now. `last` is the last closed day.
    async fn obstacle(
        &self,
        operator: &OperatorFingerprint,
        day: Date,
        last: Option<Date>,
    ) -> Result<Option<ClosingObstacle>, StoreError> {
        if check_ended(day, self.clock.now()).is_err() {
            return Ok(Some(ClosingObstacle::NotEnded(closable_from(day))));
        }
        let Some(last) = last else { return Ok(None) };
        if day > last {
            let next = last.tomorrow().unwrap_or(Date::MAX);
            return Ok((day > next).then_some(ClosingObstacle::NotNext(next)));
        }
        // Closed days have no gaps, so an open day before the last one is before all of them.
        let is_previous = match day.tomorrow() {
            Ok(tomorrow) => self.is_closed(operator, tomorrow).await?,
            Err(_) => false,
        };
        Ok((!is_previous).then_some(ClosingObstacle::NotPrevious))
    }

    /// The closed day of an operator, with its figures computed again; `None` if it is not closed.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        operator: &OperatorFingerprint,
        day: Date,
    ) -> Result<Option<VerifiedDay>, StoreError> {
        Ok(self.verify(Some(operator), (day, day)).await?.pop())
    }

    /// What a day would be closed with now.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn draft(
        &self,
        operator: &PinnedOperator,
        day: Date,
    ) -> Result<DayDraft, StoreError> {
        let found = self.compare(filter(&operator.fingerprint, day)).await?;
        Ok(DayDraft { figures: self.figures(operator, day).await?, found })
    }

    /// Closes a day. It has ended an hour ago, and is the day after the last closed one, the day
    /// before the first closed one, or the first one to be closed. `seen` is the digest of the
    /// figures that the person has seen; `None` where the person sees those that are closed.
    ///
    /// # Errors
    /// [`CloseDayError`], among them [`CloseDayError::Changed`] for figures with another digest.
    /// Then nothing was closed, unless the store is uncertain.
    pub async fn close(
        &self,
        operator: &PinnedOperator,
        day: Date,
        seen: Option<[u8; 32]>,
        by: &AuditContext,
    ) -> Result<ClosedDay, CloseDayError> {
        check_ended(day, by.at)?;
        let DayDraft { figures, found } = self.draft(operator, day).await?;
        // Lines that were imported between the two reads have no outcome.
        if found.lines != figures.lines || seen.is_some_and(|seen| seen != figures.digest) {
            return Err(CloseDayError::Changed);
        }
        if figures.lines == 0 && figures.entries == 0 && figures.opening == Postings::default() {
            self.last_closed(&operator.fingerprint).await?.ok_or(CloseDayError::Nothing)?;
        }
        let closed = ClosedDay {
            operator: operator.clone(),
            day,
            closed_at: by.at,
            closed_by: by.actor.clone(),
            figures,
            outcomes: found.outcomes,
            exceptions: found.exceptions,
        };
        self.closed_days.close_day(closed.clone(), by).await?;
        Ok(closed)
    }

    /// Computes the figures of closed days again, of one operator or all, oldest day first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn verify(
        &self,
        operator: Option<&OperatorFingerprint>,
        days: (Date, Date),
    ) -> Result<Vec<VerifiedDay>, StoreError> {
        let mut verified = Vec::new();
        let closed = self.closed_days.closed_days(operator, Some(days), u32::MAX).await?;
        for closed in closed.into_iter().rev() {
            let figures = self.figures(&closed.operator, closed.day).await?;
            verified.push(VerifiedDay { agrees: figures == closed.figures, closed });
        }
        Ok(verified)
    }

    /// Compares the statements of some days with the transactions, and computes the figures of the
    /// closed days among them again; of one operator or all.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn verify_period(
        &self,
        operator: Option<&OperatorFingerprint>,
        days: (Date, Date),
    ) -> Result<VerifiedPeriod, StoreError> {
        let filter =
            StatementFilter { days: Some(days), operator: operator.cloned(), statement: None };
        let found = self.compare(filter).await?;
        Ok(VerifiedPeriod { found, closed: self.verify(operator, days).await? })
    }

    /// Compares the lines and the transactions of a day as they are matched. Nothing is written.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn differences(
        &self,
        operator: &OperatorFingerprint,
        day: Date,
    ) -> Result<StatementVerification, StoreError> {
        let comparison = Comparison::of_days(self.accounts.as_ref(), filter(operator, day)).await?;
        comparison.finish(self.statements.as_ref()).await
    }

    /// Compares the lines and the transactions of some days.
    async fn compare(&self, filter: StatementFilter) -> Result<StatementVerification, StoreError> {
        let statements = self.statements.as_ref();
        let comparison = Comparison::of_days(self.accounts.as_ref(), filter).await?;
        comparison.match_again(statements).await?.finish(statements).await
    }

    async fn is_closed(
        &self,
        operator: &OperatorFingerprint,
        day: Date,
    ) -> Result<bool, StoreError> {
        Ok(!self.closed_days.closed_days(Some(operator), Some((day, day)), 1).await?.is_empty())
    }

    async fn last_closed(
        &self,
        operator: &OperatorFingerprint,
    ) -> Result<Option<ClosedDay>, StoreError> {
        Ok(self.closed_days.closed_days(Some(operator), None, 1).await?.pop())
    }
}

fn filter(operator: &OperatorFingerprint, day: Date) -> StatementFilter {
    StatementFilter { days: Some((day, day)), operator: Some(operator.clone()), statement: None }
}
