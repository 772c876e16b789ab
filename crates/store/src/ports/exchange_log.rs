//! Requests to operators and their responses, as evidence: the [`ExchangeLog`] port.

use super::both_engines;
use crate::{in_doubt::InDoubt, payment_sql::PaymentSql, queries::callbacks};
use tua_domain::{
    TransactionId,
    exchange::Exchange,
    ports::{ExchangeLog, StoreError},
};

both_engines! {
    impl ExchangeLog {
        async fn insert_exchanges(&self, exchanges: Vec<Exchange>) -> Result<(), StoreError> {
            self.write(InDoubt::Retry, exchanges, async |db, exchanges| {
                db.insert_exchanges(exchanges).await
            })
            .await
        }

        async fn exchanges(
            &self,
            transaction: &TransactionId,
        ) -> Result<Vec<Exchange>, StoreError> {
            self.read(transaction.clone(), async |db, transaction| {
                callbacks::exchanges(db, transaction).await
            })
            .await
        }
    }
}
