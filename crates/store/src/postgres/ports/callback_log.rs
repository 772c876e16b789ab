//! The [`CallbackLog`] port.

use crate::{
    fault_injection::port_impl,
    in_doubt::InDoubt,
    postgres::{PostgresStore, callbacks},
};
use tua_domain::{
    Transaction, TransactionId,
    ports::{AcceptedClaim, CallbackLog, ReceivedCallback, StoreError},
};
use tua_sql::rows;

port_impl! {
    impl CallbackLog for PostgresStore {
        async fn record_callback(
            &self,
            callback: ReceivedCallback,
        ) -> Result<Option<Transaction>, StoreError> {
            let callback = &callback;
            self.tx
                .write(InDoubt::Retry, |db| async move { callbacks::record(&db, callback).await })
                .await
        }

        async fn failure_claim(
            &self,
            transaction: &TransactionId,
        ) -> Result<Option<AcceptedClaim>, StoreError> {
            let sql = "SELECT claimed_failure, claim_is_decisive FROM transactions WHERE id = $1";
            self.tx
                .read(|db| async move {
                    let found = db.query_opt(sql, &[&transaction.as_str()]).await?;
                    Ok(found.as_ref().map(rows::failure_claim).transpose()?.flatten())
                })
                .await
        }
    }
}
