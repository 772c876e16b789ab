//! Idempotency keys and the responses to be repeated: the [`IdempotencyRecords`] port.

use crate::{
    fault_injection::port_impl,
    sqlite::{SqliteStore, idempotency},
};
use jiff::Timestamp;
use tua_domain::{
    idempotency::{Attempt, IdempotencyRecord, ResponseSnapshot, StoredResponse},
    ports::{IdempotencyRecords, StoreError},
};

port_impl! {
    impl IdempotencyRecords for SqliteStore {
        async fn find_attempt(
            &self,
            attempt: &Attempt,
            now: Timestamp,
        ) -> Result<Option<IdempotencyRecord>, StoreError> {
            self.readers.read(|db| idempotency::find(db, attempt, now))
        }

        async fn record_response(
            &self,
            response: StoredResponse,
        ) -> Result<ResponseSnapshot, StoreError> {
            self.writer.write(move |db| idempotency::record_response(db, &response)).await
        }
    }
}
