//! Whether the database takes writes: the [`Readiness`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use jiff::Timestamp;
use tua_domain::ports::{Readiness, StoreError};
use tua_sql::sql::Sql;

both_engines! {
    impl Readiness {
        async fn is_ready(&self, now: Timestamp) -> Result<(), StoreError> {
            self.write(InDoubt::Retry, now, async |db, now| {
                let sql = "INSERT INTO readiness (one, at) VALUES (1, $1)
                           ON CONFLICT (one) DO UPDATE SET at = excluded.at";
                Sql::execute(db, sql, &[now]).await.map(drop)
            })
            .await
        }
    }
}
