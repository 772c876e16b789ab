//! The [`Schedules`] port.

use crate::{
    fault_injection::port_impl,
    in_doubt::InDoubt,
    postgres::{PostgresStore, leases},
};
use jiff::Timestamp;
use tua_domain::{
    TransactionId,
    ports::{Due, NextAsk, Schedules, StoreError},
    queue::Queue,
};

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
            places: Vec<(Queue, u32)>,
            now: Timestamp,
            leased_until: Timestamp,
        ) -> Result<Vec<Due>, StoreError> {
            let places = &places;
            self.tx
                .write(InDoubt::Retry, |db| async move {
                    leases::lease_due(&db, places, now, leased_until).await
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

        async fn bring_schedules_back(&self, now: Timestamp) -> Result<(), StoreError> {
            self.tx
                .write(
                    InDoubt::Retry,
                    |db| async move { leases::bring_schedules_back(&db, now).await },
                )
                .await
        }

        async fn plan_ask(
            &self,
            id: &TransactionId,
            asks: u32,
            next: NextAsk,
            now: Timestamp,
        ) -> Result<bool, StoreError> {
            self.tx
                .write(InDoubt::Retry, |db| async move {
                    leases::plan_ask(&db, id, asks, next, now).await
                })
                .await
        }
    }
}
