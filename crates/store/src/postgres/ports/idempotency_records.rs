//! Idempotency keys and the responses to be repeated: the [`IdempotencyRecords`] port.

use crate::{
    fault_injection::port_impl,
    in_doubt::InDoubt,
    postgres::{
        PostgresStore,
        batch_ops::BatchRead,
        idempotency::{self, FindRecord},
    },
};
use jiff::Timestamp;
use tua_domain::{
    idempotency::{Attempt, IdempotencyRecord, ResponseSnapshot, StoredResponse},
    ports::{IdempotencyRecords, StoreError},
};

port_impl! {
    impl IdempotencyRecords for PostgresStore {
        async fn find_attempt(
            &self,
            attempt: &Attempt,
            now: Timestamp,
        ) -> Result<Option<IdempotencyRecord>, StoreError> {
            self.attempts.submit(BatchRead(FindRecord { attempt: attempt.clone(), now })).await
        }

        async fn record_response(
            &self,
            response: StoredResponse,
        ) -> Result<ResponseSnapshot, StoreError> {
            let response = &response;
            self.tx
                .write(InDoubt::Retry, |db| async move {
                    idempotency::record_response(&db, response).await
                })
                .await
        }
    }
}
