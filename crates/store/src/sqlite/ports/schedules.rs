//! The [`Schedules`] port.

use crate::{
    fault_injection::port_impl,
    sqlite::{SqliteStore, leases},
};
use jiff::Timestamp;
use tua_domain::{
    TransactionId,
    ports::{Due, NextAsk, Schedules, StoreError},
    queue::Queue,
};

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
            places: Vec<(Queue, u32)>,
            now: Timestamp,
            leased_until: Timestamp,
        ) -> Result<Vec<Due>, StoreError> {
            self.writer.write(move |db| leases::lease_due(db, &places, now, leased_until)).await
        }

        async fn end_leases(&self, now: Timestamp, latest: Timestamp) -> Result<(), StoreError> {
            self.writer.write(move |db| leases::end_leases(db, now, latest)).await
        }

        async fn bring_schedules_back(&self, now: Timestamp) -> Result<(), StoreError> {
            self.writer.write(move |db| leases::bring_schedules_back(db, now)).await
        }

        async fn plan_ask(
            &self,
            id: &TransactionId,
            asks: u32,
            next: NextAsk,
            now: Timestamp,
        ) -> Result<bool, StoreError> {
            let id = id.clone();
            self.writer.write(move |db| leases::plan_ask(db, &id, asks, next, now)).await
        }
    }
}
