//! The server key that all nodes must share.

use super::{PostgresStore, in_doubt::InDoubt};
use crate::domain::{ports::StoreError, secret::ServerKey};

/// Stores the digest of the first node's key; returns whether this key has the same digest.
pub(super) async fn is_same_key(store: &PostgresStore, key: &ServerKey) -> Result<bool, StoreError> {
    let digest = &key.digest();
    let kept = store
        .tx
        .write(InDoubt::Retry, |db| async move {
            db.execute("INSERT INTO server_key VALUES (1, $1) ON CONFLICT DO NOTHING", &[&&digest[..]]).await?;
            let row = db.query_opt("SELECT digest FROM server_key", &[]).await?;
            row.map(|row| Ok(row.try_get::<_, Vec<u8>>(0)?)).transpose()
        })
        .await?;
    Ok(kept.is_some_and(|kept| kept == digest))
}
