//! The figures of a day: what the ledger posted on it, and the lines of its statements.

use super::{super::statements::comparison::CHUNK, DayClosing, filter};
use jiff::civil::Date;
use tua_domain::{
    ledger::Postings,
    ports::StoreError,
    routing::{OperatorFingerprint, PinnedOperator},
    statement::{
        LinePosition,
        closing::{DayFigures, DaySum, EntryPosition},
    },
};

impl DayClosing {
    /// The figures of a day of an operator, as its entries and lines are now.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn figures(
        &self,
        operator: &PinnedOperator,
        day: Date,
    ) -> Result<DayFigures, StoreError> {
        let limit = u32::try_from(CHUNK).unwrap_or(u32::MAX);
        let opening = self.opening(&operator.fingerprint, day).await?;
        let mut sum = DaySum::new(&operator.name, day, opening);
        for name in self.closed_days.ledger_operators().await? {
            let pin = PinnedOperator { name, fingerprint: operator.fingerprint.clone() };
            let mut after = None;
            loop {
                let page = self.closed_days.day_entries(&pin, day, after.as_ref(), limit).await?;
                page.iter().for_each(|entry| sum.add_entry(entry));
                let Some(last) = page.into_iter().next_back() else { break };
                after = Some(EntryPosition {
                    at: last.at,
                    transaction: last.transaction,
                    version: last.version,
                });
            }
        }
        let filter = filter(&operator.fingerprint, day);
        let mut after = None;
        loop {
            let page = self.statements.statement_lines(&filter, after.as_ref(), limit).await?;
            page.iter().for_each(|line| sum.add_line(line));
            let Some(last) = page.into_iter().next_back() else { break };
            after = Some(LinePosition { statement: last.statement, number: last.line.number });
        }
        Ok(sum.finish())
    }

    /// The balances before a day: those after the day before if that is closed, else the sums of
    /// all earlier entries.
    async fn opening(
        &self,
        operator: &OperatorFingerprint,
        day: Date,
    ) -> Result<Postings, StoreError> {
        if let Ok(before) = day.yesterday()
            && let Some(closed) =
                self.closed_days.closed_days(Some(operator), Some((before, before)), 1).await?.pop()
        {
            return Ok(closed.figures.closing());
        }
        self.closed_days.postings_before(operator, day).await
    }
}
