//! Codes that payers have submitted: the [`CodeAttempts`] port.

use crate::{
    fault_injection::port_impl,
    sqlite::{SqliteStore, transactions},
};
use jiff::Timestamp;
use tua_domain::{
    Transaction, TransactionId,
    idempotency::Attempt,
    persistent_bucket::PersistentBucket,
    ports::{CodeAttemptError, CodeAttempts, SettledCode, StoreError},
};

port_impl! {
    impl CodeAttempts for SqliteStore {
        async fn count_code_attempt(
            &self,
            id: &TransactionId,
            attempt: Option<Attempt>,
            guesses: Vec<PersistentBucket>,
            now: Timestamp,
        ) -> Result<Transaction, CodeAttemptError> {
            let id = id.clone();
            self.writer
                .write(move |db| {
                    transactions::count_code_attempt(db, &id, attempt.as_ref(), &guesses, now)
                })
                .await?
        }

        async fn settle_code(&self, id: &TransactionId) -> Result<SettledCode, StoreError> {
            let id = id.clone();
            self.writer.write(move |db| transactions::settle_code(db, &id)).await
        }
    }
}
