//! The [`ClosedDays`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use jiff::civil::Date;
use tua_domain::{
    audit::AuditContext,
    ledger::Postings,
    ports::{ClosedDays, StoreError},
    routing::{OperatorFingerprint, OperatorName, PinnedOperator},
    statement::closing::{CloseDayError, ClosedDay, EntryPosition, LedgerEntry},
};
use tua_sql::queries::closed_days;

both_engines! {
    impl ClosedDays {
        async fn ledger_operators(&self) -> Result<Vec<OperatorName>, StoreError> {
            self.read_many((), async |db, ()| closed_days::operator_names(db).await).await
        }

        async fn operators_named(
            &self,
            name: &OperatorName,
        ) -> Result<Vec<OperatorFingerprint>, StoreError> {
            self.read(name.clone(), async |db, name| closed_days::operators_named(db, name).await)
                .await
        }

        async fn postings_before(
            &self,
            operator: &OperatorFingerprint,
            day: Date,
        ) -> Result<Postings, StoreError> {
            self.read_long(operator.clone(), async move |db, operator| {
                closed_days::postings_before(db, operator, day).await
            })
            .await
        }

        async fn day_entries(
            &self,
            operator: &PinnedOperator,
            day: Date,
            after: Option<&EntryPosition>,
            limit: u32,
        ) -> Result<Vec<LedgerEntry>, StoreError> {
            let input = (operator.clone(), after.cloned());
            self.read_many(input, async move |db, (operator, after)| {
                closed_days::entries(db, operator, day, after.as_ref(), limit).await
            })
            .await
        }

        async fn close_day(
            &self,
            day: ClosedDay,
            by: &AuditContext,
        ) -> Result<(), CloseDayError> {
            self.try_write(InDoubt::Surface, (day, by.clone()), async |db, (day, by)| {
                closed_days::close(db, day, by).await
            })
            .await
        }

        async fn closed_days(
            &self,
            operator: Option<&OperatorFingerprint>,
            days: Option<(Date, Date)>,
            limit: u32,
        ) -> Result<Vec<ClosedDay>, StoreError> {
            self.read_many(operator.cloned(), async move |db, operator| {
                closed_days::list(db, operator.as_ref(), days, limit).await
            })
            .await
        }
    }
}
