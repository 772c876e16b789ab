//! Whether the database takes writes: the [`Readiness`] port.

use crate::{fault_injection::port_impl, sqlite::SqliteStore};
use jiff::Timestamp;
use tua_domain::ports::{Readiness, StoreError};

port_impl! {
    impl Readiness for SqliteStore {
        async fn is_ready(&self, now: Timestamp) -> Result<(), StoreError> {
            self.writer
                .write(move |db| {
                    db.prepare_cached("INSERT OR REPLACE INTO readiness (one, at) VALUES (1, ?1)")?
                        .execute([now.as_millisecond()])
                        .map(drop)
                })
                .await
        }
    }
}
