//! Orders are handed over to operators under a lease: the [`HandOvers`] port.

use crate::{
    fault_injection::port_impl,
    in_doubt::InDoubt,
    postgres::{PostgresStore, hand_over},
    queries,
};
use jiff::Timestamp;
use std::time::Duration;
use tua_domain::{
    Transaction, TransactionId,
    ports::{DueTransaction, HandOver, HandOvers, Route, StoreError},
};

port_impl! {
    impl HandOvers for PostgresStore {
        async fn hand_over(
            &self,
            id: &TransactionId,
            route: Route,
            first_query_at: Timestamp,
            now: Timestamp,
            waited: Duration,
        ) -> Result<HandOver, StoreError> {
            self.tx
                .write(InDoubt::Surface, |db| async move {
                    hand_over::mark(&db, id, route, first_query_at, now, waited).await
                })
                .await
        }

        async fn withdraw_hand_over(
            &self,
            marked: &Transaction,
            send_at: Timestamp,
            now: Timestamp,
        ) -> Result<bool, StoreError> {
            self.tx
                .write(InDoubt::Surface, |db| async move {
                    queries::hand_over::withdraw(&db, marked, send_at, now).await
                })
                .await
        }

        async fn permit_repeated_send(
            &self,
            due: &DueTransaction,
            deadline: Timestamp,
        ) -> Result<Option<Timestamp>, StoreError> {
            self.tx
                .write(InDoubt::Surface, |db| async move {
                    queries::hand_over::permit_repeat(&db, due, deadline).await
                })
                .await
        }
    }
}
