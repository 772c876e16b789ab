//! The [`ExchangeLog`] port.

use crate::{
    fault_injection::port_impl,
    sqlite::{SqliteStore, exchanges},
};
use tua_domain::{
    TransactionId,
    exchange::Exchange,
    ports::{ExchangeLog, StoreError},
};
use tua_sql::{rows, sqlite::record::Record};

port_impl! {
    impl ExchangeLog for SqliteStore {
        async fn insert_exchanges(&self, exchanges: Vec<Exchange>) -> Result<(), StoreError> {
            self.writer
                .write(move |db| {
                    exchanges.iter().try_for_each(|exchange| exchanges::insert(db, exchange))
                })
                .await
        }

        async fn exchanges(
            &self,
            transaction: &TransactionId,
        ) -> Result<Vec<Exchange>, StoreError> {
            self.readers.read(|db| {
                db.prepare_cached(
                    "SELECT * FROM operator_exchanges WHERE transaction_id = ?1 ORDER BY at, id",
                )?
                .query_map([transaction.as_str()], |row| rows::exchange(&Record::new(row)))?
                .collect()
            })
        }
    }
}
