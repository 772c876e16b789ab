//! The records of the ACME client.

use super::SqliteStore;
use crate::columns::moment;
use async_trait::async_trait;
use rusqlite::{OptionalExtension, params};
use tua_domain::ports::{AcmeRecord, AcmeRecords, StoreError};

#[async_trait]
impl AcmeRecords for SqliteStore {
    async fn acme_record(&self, name: &str) -> Result<Option<AcmeRecord>, StoreError> {
        self.readers.read(|db| {
            db.prepare_cached("SELECT contents, expires_at FROM acme WHERE name = ?1")?
                .query_row([name], |row| {
                    let expires_at: Option<i64> = row.get(1)?;
                    let expires_at = expires_at.and_then(moment);
                    Ok(AcmeRecord { name: name.to_owned(), contents: row.get(0)?, expires_at })
                })
                .optional()
        })
    }

    async fn put_acme_record(&self, record: AcmeRecord) -> Result<(), StoreError> {
        self.writer
            .write(move |db| {
                let AcmeRecord { name, contents, expires_at } = &record;
                db.prepare_cached(
                "INSERT INTO acme (name, contents, expires_at) VALUES (?1, ?2, ?3) ON CONFLICT \
                 (name)
                 DO UPDATE SET contents = excluded.contents, expires_at = excluded.expires_at",
            )?
            .execute(params![name, contents, expires_at.map(|at| at.as_millisecond())])
            .map(drop)
            })
            .await
    }

    async fn swap_acme_record(
        &self,
        seen: Option<AcmeRecord>,
        record: AcmeRecord,
    ) -> Result<bool, StoreError> {
        self.writer
            .write(move |db| {
                let AcmeRecord { name, contents, expires_at } = &record;
                let expires_at = expires_at.map(|at| at.as_millisecond());
                let written = match &seen {
                    None => db
                        .prepare_cached(
                            "INSERT INTO acme VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
                        )?
                        .execute(params![name, contents, expires_at])?,
                    Some(seen) => db
                        .prepare_cached(
                            "UPDATE acme SET contents = ?2, expires_at = ?3 WHERE name = \
                         ?1 AND contents = ?4",
                        )?
                        .execute(params![name, contents, expires_at, seen.contents])?,
                };
                Ok(written == 1)
            })
            .await
    }

    async fn remove_acme_record(&self, name: &str) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.writer
            .write(move |db| {
                db.prepare_cached("DELETE FROM acme WHERE name = ?1")?.execute([&name]).map(drop)
            })
            .await
    }
}
