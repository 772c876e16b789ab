//! Callbacks that operators have sent: the [`CallbackLog`] port.

use super::both_engines;
use crate::{in_doubt::InDoubt, queries::callbacks};
use tua_domain::{
    Transaction, TransactionId,
    ports::{AcceptedClaim, CallbackLog, ReceivedCallback, StoreError},
};

both_engines! {
    impl CallbackLog {
        async fn record_callback(
            &self,
            callback: ReceivedCallback,
        ) -> Result<Option<Transaction>, StoreError> {
            self.write(InDoubt::Retry, callback, async |db, callback| {
                callbacks::record(db, callback).await
            })
            .await
        }

        async fn failure_claim(
            &self,
            transaction: &TransactionId,
        ) -> Result<Option<AcceptedClaim>, StoreError> {
            self.read(transaction.clone(), async |db, transaction| {
                callbacks::failure_claim(db, transaction).await
            })
            .await
        }
    }
}
