//! The one server key of all nodes.

use super::{PostgresStore, doubt::InDoubt};
use crate::{secret::ServerKey, store::StoreError};

/// Keeps the digest of the first key, and says whether this is the same one.
pub(super) async fn is_the_one(store: &PostgresStore, key: &ServerKey) -> Result<bool, StoreError> {
    let digest = &key.digest();
    let kept = store
        .sessions
        .write(InDoubt::Repeat, |db| async move {
            db.run("INSERT INTO server_key VALUES (1, $1) ON CONFLICT DO NOTHING", &[&&digest[..]]).await?;
            let row = db.one("SELECT digest FROM server_key", &[]).await?;
            row.map(|row| Ok(row.try_get::<_, Vec<u8>>(0)?)).transpose()
        })
        .await?;
    Ok(kept.is_some_and(|kept| kept == digest))
}
