//! When pending transactions are asked about next: the [`Schedules`] port.

use super::both_engines;
use crate::{in_doubt::InDoubt, lease_sql::LeaseSql, queries::schedules};
use jiff::Timestamp;
use tua_domain::{
    TransactionId,
    ports::{DueTransaction, NextStatusQuery, Schedules, StoreError},
    queue::Queue,
};
use tua_sql::queries::status_queries;

both_engines! {
    impl Schedules {
        async fn due_queues(
            &self,
            queues: Vec<Queue>,
            now: Timestamp,
        ) -> Result<Vec<Queue>, StoreError> {
            self.read(queues, async move |db, queues| db.due_queues(queues, now).await).await
        }

        async fn lease_due(
            &self,
            limits: Vec<(Queue, u32)>,
            now: Timestamp,
            leased_until: Timestamp,
        ) -> Result<Vec<DueTransaction>, StoreError> {
            self.write(InDoubt::Retry, limits, async move |db, limits| {
                db.lease_due(limits, now, leased_until).await
            })
            .await
        }

        async fn end_leases(&self, now: Timestamp, latest: Timestamp) -> Result<(), StoreError> {
            self.write(InDoubt::Retry, (), async move |db, ()| {
                schedules::end_leases(db, now, latest).await
            })
            .await
        }

        async fn correct_schedules(&self, now: Timestamp) -> Result<(), StoreError> {
            self.write(InDoubt::Retry, (), async move |db, ()| db.correct_schedules(now).await)
                .await
        }

        async fn schedule_status_query(
            &self,
            id: &TransactionId,
            query_count: u32,
            next: NextStatusQuery,
            now: Timestamp,
        ) -> Result<bool, StoreError> {
            self.write(InDoubt::Retry, id.clone(), async move |db, id| {
                schedules::schedule_status_query(db, id, query_count, next, now).await
            })
            .await
        }

        async fn schedule_status_query_of_final(
            &self,
            id: &TransactionId,
            query_count: u32,
            at: Option<Timestamp>,
        ) -> Result<(), StoreError> {
            self.write(InDoubt::Retry, id.clone(), async move |db, id| {
                status_queries::schedule_of_final(db, id, query_count, at).await
            })
            .await
        }
    }
}
