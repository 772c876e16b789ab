//! The [`CallbackLog`] port.

use crate::{
    fault_injection::port_impl,
    sqlite::{SqliteStore, callbacks},
};
use rusqlite::OptionalExtension;
use tua_domain::{
    Transaction, TransactionId,
    ports::{AcceptedClaim, CallbackLog, ReceivedCallback, StoreError},
};
use tua_sql::{rows, sqlite::record::Record};

port_impl! {
    impl CallbackLog for SqliteStore {
        async fn record_callback(
            &self,
            callback: ReceivedCallback,
        ) -> Result<Option<Transaction>, StoreError> {
            self.writer.write(move |db| callbacks::record(db, &callback)).await
        }

        async fn failure_claim(
            &self,
            transaction: &TransactionId,
        ) -> Result<Option<AcceptedClaim>, StoreError> {
            self.readers.read(|db| {
                db.prepare_cached(
                    "SELECT claimed_failure, claim_is_decisive FROM transactions WHERE id = ?1",
                )?
                .query_row([transaction.as_str()], |row| rows::failure_claim(&Record::new(row)))
                .optional()
                .map(Option::flatten)
            })
        }
    }
}
