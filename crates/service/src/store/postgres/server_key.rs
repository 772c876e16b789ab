//! The one server key of all nodes.

use super::PostgresStore;
use crate::secret::ServerKey;

impl PostgresStore {
    /// Agrees with the other nodes about the server key: the first one's digest is kept, and every
    /// other key is refused. With two keys, tokens would open nothing on half of the nodes.
    ///
    /// # Errors
    /// One line.
    pub async fn agree_on(&self, key: &ServerKey) -> Result<(), String> {
        let digest = key.digest();
        let kept = self
            .sessions
            .write(|db| async move {
                db.run("INSERT INTO server_key VALUES (1, $1) ON CONFLICT DO NOTHING", &[&&digest[..]]).await?;
                let row = db.one("SELECT digest FROM server_key", &[]).await?;
                row.map(|row| Ok(row.try_get::<_, Vec<u8>>(0)?)).transpose()
            })
            .await
            .map_err(|error| format!("database {}: {error}", self.name))?;
        match kept {
            Some(kept) if kept == digest => Ok(()),
            _ => Err(format!(
                "TUA_SERVER_KEY: it is not the key that database {} was first used with; all nodes need the same",
                self.name
            )),
        }
    }
}
