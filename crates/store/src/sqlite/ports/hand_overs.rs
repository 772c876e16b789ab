//! Orders are handed over to operators under a lease: the [`HandOvers`] port.

use crate::{
    fault_injection::port_impl,
    in_doubt::InDoubt,
    queries,
    sqlite::{SqliteStore, hand_over},
};
use jiff::Timestamp;
use std::time::Duration;
use tua_domain::{
    Transaction, TransactionId,
    ports::{DueTransaction, HandOver, HandOvers, Route, StoreError},
};

port_impl! {
    impl HandOvers for SqliteStore {
        async fn hand_over(
            &self,
            id: &TransactionId,
            route: Route,
            first_query_at: Timestamp,
            now: Timestamp,
            waited: Duration,
        ) -> Result<HandOver, StoreError> {
            let id = id.clone();
            self.writer
                .write(move |db| hand_over::mark(db, &id, route, first_query_at, now, waited))
                .await
        }

        async fn withdraw_hand_over(
            &self,
            marked: &Transaction,
            send_at: Timestamp,
            now: Timestamp,
        ) -> Result<bool, StoreError> {
            self.write(InDoubt::Surface, marked.clone(), async move |db, marked| {
                queries::hand_over::withdraw(db, marked, send_at, now).await
            })
            .await
        }

        async fn permit_repeated_send(
            &self,
            due: &DueTransaction,
            deadline: Timestamp,
        ) -> Result<Option<Timestamp>, StoreError> {
            self.write(InDoubt::Surface, due.clone(), async move |db, due| {
                queries::hand_over::permit_repeat(db, due, deadline).await
            })
            .await
        }
    }
}
