//! The [`Schedules`] port.

use crate::{
    fault_injection::port_impl,
    sqlite::{SqliteStore, leases},
};
use jiff::Timestamp;
use tua_domain::{
    TransactionId,
    ports::{DueTransaction, NextStatusQuery, Schedules, StoreError},
    queue::Queue,
};
use tua_sql::{queries::status_queries, sqlite::sql::ready};

port_impl! {
    impl Schedules for SqliteStore {
        async fn due_queues(
            &self,
            queues: Vec<Queue>,
            now: Timestamp,
        ) -> Result<Vec<Queue>, StoreError> {
            self.readers.read(|db| leases::due_queues(db, queues, now))
        }

        async fn lease_due(
            &self,
            limits: Vec<(Queue, u32)>,
            now: Timestamp,
            leased_until: Timestamp,
        ) -> Result<Vec<DueTransaction>, StoreError> {
            self.writer.write(move |db| leases::lease_due(db, &limits, now, leased_until)).await
        }

        async fn end_leases(&self, now: Timestamp, latest: Timestamp) -> Result<(), StoreError> {
            self.writer.write(move |db| leases::end_leases(db, now, latest)).await
        }

        async fn correct_schedules(&self, now: Timestamp) -> Result<(), StoreError> {
            self.writer.write(move |db| leases::correct_schedules(db, now)).await
        }

        async fn schedule_status_query(
            &self,
            id: &TransactionId,
            query_count: u32,
            next: NextStatusQuery,
            now: Timestamp,
        ) -> Result<bool, StoreError> {
            let id = id.clone();
            self.writer
                .write(move |db| leases::schedule_status_query(db, &id, query_count, next, now))
                .await
        }

        async fn schedule_status_query_of_final(
            &self,
            id: &TransactionId,
            query_count: u32,
            at: Option<Timestamp>,
        ) -> Result<(), StoreError> {
            let id = id.clone();
            self.writer
                .write(move |db| ready(status_queries::schedule_of_final(db, &id, query_count, at)))
                .await
        }
    }
}
