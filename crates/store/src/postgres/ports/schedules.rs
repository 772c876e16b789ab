//! The [`Schedules`] port.

use crate::{
    fault_injection::port_impl,
    in_doubt::InDoubt,
    postgres::{PostgresStore, leases},
};
use jiff::Timestamp;
use tua_domain::{
    TransactionId,
    ports::{DueTransaction, NextStatusQuery, Schedules, StoreError},
    queue::Queue,
};
use tua_sql::queries::status_queries;

port_impl! {
    impl Schedules for PostgresStore {
        async fn due_queues(
            &self,
            queues: Vec<Queue>,
            now: Timestamp,
        ) -> Result<Vec<Queue>, StoreError> {
            let queues = &queues;
            self.tx.read(|db| async move { leases::due_queues(&db, queues, now).await }).await
        }

        async fn lease_due(
            &self,
            limits: Vec<(Queue, u32)>,
            now: Timestamp,
            leased_until: Timestamp,
        ) -> Result<Vec<DueTransaction>, StoreError> {
            let limits = &limits;
            self.tx
                .write(InDoubt::Retry, |db| async move {
                    leases::lease_due(&db, limits, now, leased_until).await
                })
                .await
        }

        async fn end_leases(&self, now: Timestamp, latest: Timestamp) -> Result<(), StoreError> {
            self.tx
                .write(
                    InDoubt::Retry,
                    |db| async move { leases::end_leases(&db, now, latest).await },
                )
                .await
        }

        async fn correct_schedules(&self, now: Timestamp) -> Result<(), StoreError> {
            self.tx
                .write(
                    InDoubt::Retry,
                    |db| async move { leases::correct_schedules(&db, now).await },
                )
                .await
        }

        async fn schedule_status_query(
            &self,
            id: &TransactionId,
            query_count: u32,
            next: NextStatusQuery,
            now: Timestamp,
        ) -> Result<bool, StoreError> {
            self.tx
                .write(InDoubt::Retry, |db| async move {
                    leases::schedule_status_query(&db, id, query_count, next, now).await
                })
                .await
        }

        async fn schedule_status_query_of_final(
            &self,
            id: &TransactionId,
            query_count: u32,
            at: Option<Timestamp>,
        ) -> Result<(), StoreError> {
            self.tx
                .write(InDoubt::Retry, |db| async move {
                    status_queries::schedule_of_final(&db, id, query_count, at).await
                })
                .await
        }
    }
}
