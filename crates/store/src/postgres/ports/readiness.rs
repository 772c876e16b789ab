//! Whether the database takes writes: the [`Readiness`] port.

use crate::{fault_injection::port_impl, in_doubt::InDoubt, postgres::PostgresStore};
use jiff::Timestamp;
use tua_domain::ports::{Readiness, StoreError};

port_impl! {
    impl Readiness for PostgresStore {
        async fn is_ready(&self, now: Timestamp) -> Result<(), StoreError> {
            let sql = "INSERT INTO readiness (one, at) VALUES (1, $1) ON CONFLICT (one) DO UPDATE \
                SET at = excluded.at";
            let at = &now.as_millisecond();
            self.tx
                .write(InDoubt::Retry, |db| async move { db.execute(sql, &[at]).await })
                .await
                .map(drop)
        }
    }
}
