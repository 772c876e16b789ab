//! The records of the ACME client, which all nodes share.

use super::{PostgresStore, record::maybe_at};
use crate::columns::moment;
use crate::in_doubt::InDoubt;
use async_trait::async_trait;
use tua_domain::ports::{AcmeRecord, AcmeRecords, StoreError};

#[async_trait]
impl AcmeRecords for PostgresStore {
    async fn acme_record(&self, name: &str) -> Result<Option<AcmeRecord>, StoreError> {
        let sql = "SELECT contents, expires_at FROM acme WHERE name = $1";
        self.tx
            .read(|db| async move {
                let Some(row) = db.query_opt(sql, &[&name]).await? else { return Ok(None) };
                let expires_at = row.try_get::<_, Option<i64>>(1)?.and_then(moment);
                Ok(Some(AcmeRecord {
                    name: name.to_owned(),
                    contents: row.try_get(0)?,
                    expires_at,
                }))
            })
            .await
    }

    async fn put_acme_record(&self, record: AcmeRecord) -> Result<(), StoreError> {
        let AcmeRecord { name, contents, expires_at } = &record;
        let sql =
            "INSERT INTO acme (name, contents, expires_at) VALUES ($1, $2, $3) ON CONFLICT (name)
                   DO UPDATE SET contents = excluded.contents, expires_at = excluded.expires_at";
        let expires_at = &maybe_at(*expires_at);
        self.tx
            .write(InDoubt::Retry, |db| async move {
                db.execute(sql, &[name, contents, expires_at]).await.map(drop)
            })
            .await
    }

    async fn swap_acme_record(
        &self,
        seen: Option<AcmeRecord>,
        record: AcmeRecord,
    ) -> Result<bool, StoreError> {
        let AcmeRecord { name, contents, expires_at } = &record;
        let seen = &seen;
        let expires_at = &maybe_at(*expires_at);
        let written = self
            .tx
            .write(InDoubt::Surface, |db| async move {
                match seen {
                    None => {
                        let sql = "INSERT INTO acme VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
                        db.execute(sql, &[name, contents, expires_at]).await
                    }
                    Some(seen) => {
                        let sql = "UPDATE acme SET contents = $2, expires_at = $3 WHERE name = $1 \
                            AND contents = $4";
                        db.execute(sql, &[name, contents, expires_at, &seen.contents]).await
                    }
                }
            })
            .await?;
        Ok(written == 1)
    }

    async fn remove_acme_record(&self, name: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM acme WHERE name = $1";
        self.tx
            .write(InDoubt::Retry, |db| async move { db.execute(sql, &[&name]).await.map(drop) })
            .await
    }
}
