//! The [`EventRecord`] port: each use case is one transaction.

use super::both_engines;
use crate::{in_doubt::InDoubt, queries::event_record};
use jiff::Timestamp;
use tua_domain::{
    Scope,
    audit::AuditContext,
    ports::{EventRecord, StoreError},
    webhook::{
        Delivery,
        record::{EventBarrier, EventFilter, EventRange, RecordState},
    },
};

both_engines! {
    impl EventRecord {
        async fn begin_record(
            &self,
            scope: &Scope,
            by: &AuditContext,
        ) -> Result<RecordState, StoreError> {
            let state = self.read(scope.clone(), async |db, scope| {
                event_record::state(db, scope).await
            });
            if let Some(state) = state.await? {
                return Ok(state);
            }
            let input = (scope.clone(), by.clone());
            self.write(InDoubt::Retry, input, async |db, (scope, by)| {
                event_record::begin(db, scope, by).await
            })
            .await?;
            Ok(RecordState::Incomplete)
        }

        async fn complete_record(
            &self,
            scope: &Scope,
            now: Timestamp,
        ) -> Result<RecordState, StoreError> {
            let state = self.await_concurrent().await?;
            self.write(InDoubt::Retry, scope.clone(), async move |db, scope| {
                event_record::fill(db, scope, now, state).await
            })
            .await?;
            Ok(state)
        }

        async fn recorded_events(
            &self,
            scope: &Scope,
            filter: EventFilter,
            range: EventRange,
            limit: u32,
        ) -> Result<Vec<Delivery>, StoreError> {
            let input = (scope.clone(), filter, range);
            self.read_many(input, async move |db, (scope, filter, range)| {
                event_record::list(db, scope, filter, range, limit).await
            })
            .await
        }

        async fn recorded_event(
            &self,
            scope: &Scope,
            id: &str,
        ) -> Result<Option<Delivery>, StoreError> {
            self.read((scope.clone(), id.to_owned()), async |db, (scope, id)| {
                event_record::find(db, scope, id).await
            })
            .await
        }

        async fn event_barrier(&self) -> Result<EventBarrier, StoreError> {
            self.make_event_barrier().await
        }

        async fn is_complete(&self, barrier: &EventBarrier) -> Result<bool, StoreError> {
            self.is_event_barrier_complete(barrier).await
        }
    }
}
