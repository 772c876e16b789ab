//! Transactions begin, change and are read: the [`Transactions`] port.

use crate::{
    fault_injection::port_impl,
    sqlite::{SqliteStore, transaction_rows, transactions},
};
use jiff::Timestamp;
use std::sync::Arc;
use tua_domain::{
    Event, Transaction, TransactionId, TransactionOrder,
    idempotency::{Attempt, StoredResponse},
    persistent_bucket::PersistentBucket,
    ports::{BeginError, Finding, Observed, StoreError, Transactions},
    transaction::Sending,
};

port_impl! {
    impl Transactions for SqliteStore {
        async fn begin(
            &self,
            new: Arc<TransactionOrder>,
            sending: Sending,
            attempt: Option<Attempt>,
            prompts: Vec<PersistentBucket>,
            now: Timestamp,
        ) -> Result<Transaction, BeginError> {
            self.writer
                .write(move |db| {
                    transactions::begin(db, &new, &sending, attempt.as_ref(), &prompts, now)
                })
                .await?
        }

        async fn transaction(&self, id: &TransactionId) -> Result<Option<Transaction>, StoreError> {
            self.readers.read(|db| transaction_rows::by_id(db, id))
        }

        async fn events(&self, id: &TransactionId) -> Result<Vec<(Timestamp, Event)>, StoreError> {
            self.readers.read(|db| transaction_rows::events(db, id))
        }

        async fn observe(
            &self,
            asked: &Transaction,
            finding: Finding,
            response: Option<StoredResponse>,
            now: Timestamp,
        ) -> Result<Observed, StoreError> {
            let asked = asked.clone();
            self.writer
                .write(move |db| {
                    transactions::observe(db, &asked, &finding, response.as_ref(), now)
                })
                .await
        }
    }
}
