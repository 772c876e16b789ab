//! Orders are handed over to operators under a lease: the [`HandOvers`] port.

use super::both_engines;
use crate::{in_doubt::InDoubt, queries::hand_over};
use jiff::Timestamp;
use std::time::Duration;
use tua_domain::{
    Transaction, TransactionId,
    ports::{DueTransaction, HandOver, HandOvers, Route, StoreError},
};

both_engines! {
    impl HandOvers {
        async fn hand_over(
            &self,
            id: &TransactionId,
            route: Route,
            first_query_at: Timestamp,
            now: Timestamp,
            waited: Duration,
        ) -> Result<HandOver, StoreError> {
            self.write(InDoubt::Surface, id.clone(), async move |db, id| {
                hand_over::mark(db, id, route, first_query_at, now, waited).await
            })
            .await
        }

        async fn withdraw_hand_over(
            &self,
            marked: &Transaction,
            send_at: Timestamp,
            now: Timestamp,
        ) -> Result<bool, StoreError> {
            self.write(InDoubt::Surface, marked.clone(), async move |db, marked| {
                hand_over::withdraw(db, marked, send_at, now).await
            })
            .await
        }

        async fn permit_repeated_send(
            &self,
            due: &DueTransaction,
            deadline: Timestamp,
        ) -> Result<Option<Timestamp>, StoreError> {
            self.write(InDoubt::Surface, due.clone(), async move |db, due| {
                hand_over::permit_repeat(db, due, deadline).await
            })
            .await
        }
    }
}
