//! The [`ExchangeLog`] port.

use crate::{
    fault_injection::port_impl,
    in_doubt::InDoubt,
    postgres::{PostgresStore, exchanges},
};
use tua_domain::{
    TransactionId,
    exchange::Exchange,
    ports::{ExchangeLog, StoreError},
};
use tua_sql::rows;

port_impl! {
    impl ExchangeLog for PostgresStore {
        async fn insert_exchanges(&self, exchanges: Vec<Exchange>) -> Result<(), StoreError> {
            let all = exchanges.as_slice();
            self.tx
                .write(InDoubt::Retry, |db| async move { exchanges::insert(&db, all).await })
                .await
        }

        async fn exchanges(
            &self,
            transaction: &TransactionId,
        ) -> Result<Vec<Exchange>, StoreError> {
            let sql = "SELECT id, transaction_id, operator, at, method, path, http_status, \
            duration_ms, request, response
                   FROM operator_exchanges WHERE transaction_id = $1 ORDER BY at, id";
            self.tx
                .read(|db| async move {
                    let found = db.query(sql, &[&transaction.as_str()]).await?;
                    found.iter().map(rows::exchange).collect()
                })
                .await
        }
    }
}
