//! The [`CodeAttempts`] port.

use crate::{
    fault_injection::port_impl,
    in_doubt::InDoubt,
    postgres::{PostgresStore, transactions},
};
use jiff::Timestamp;
use tua_domain::{
    Transaction, TransactionId,
    idempotency::Attempt,
    persistent_bucket::PersistentBucket,
    ports::{CodeAttemptError, CodeAttempts, SettledCode, StoreError},
};
use tua_sql::write_error::WriteError;

port_impl! {
    impl CodeAttempts for PostgresStore {
        async fn count_code_attempt(
            &self,
            id: &TransactionId,
            attempt: Option<Attempt>,
            guesses: Vec<PersistentBucket>,
            now: Timestamp,
        ) -> Result<Transaction, CodeAttemptError> {
            let attempt = attempt.as_ref();
            let guesses = guesses.as_slice();
            self.tx
                .try_write(InDoubt::Surface, |db| async move {
                    transactions::count_code_attempt(&db, id, attempt, guesses, now).await
                })
                .await
.map_err(WriteError::into_error)
        }

        /// Not repeated: a verdict that is counted twice would hide a code that is in flight.
        async fn settle_code(&self, id: &TransactionId) -> Result<SettledCode, StoreError> {
            self.tx
                .write(
                    InDoubt::Surface,
                    |db| async move { transactions::settle_code(&db, id).await },
                )
                .await
        }
    }
}
