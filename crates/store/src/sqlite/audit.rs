//! The audit log, and the versions of the server key.

use super::{SqliteStore, record::Record};
use crate::{audit_values, rows};
use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, Result, params};
use tua_domain::{
    NewTransaction,
    audit::{Action, AuditChange, AuditContext, AuditEntry, AuditHead, AuditKey},
    key_ring::RegisteredKey,
    ports::{AuditLog, StoreError},
};

#[async_trait]
impl AuditLog for SqliteStore {
    async fn append_audit(
        &self,
        change: AuditChange,
        by: &AuditContext,
    ) -> std::result::Result<(), StoreError> {
        let by = by.clone();
        self.write(move |db| append(db, &by, &change)).await
    }

    async fn append_request(
        &self,
        new: &NewTransaction,
        by: &AuditContext,
    ) -> std::result::Result<(), StoreError> {
        self.append_audit(audit_values::payments::payment_requested(new), by).await
    }

    async fn audit_entries(
        &self,
        after: u64,
        most: u32,
    ) -> std::result::Result<Vec<AuditEntry>, StoreError> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        self.readers
            .read_many(move |db| {
                db.prepare_cached("SELECT * FROM audit_log WHERE seq > ?1 ORDER BY seq LIMIT ?2")?
                    .query_map((after, most), |row| rows::audit_entry(&Record::new(row)))?
                    .collect()
            })
            .await
    }

    async fn last_audit_entry(
        &self,
        action: Action,
    ) -> std::result::Result<Option<AuditEntry>, StoreError> {
        self.readers
            .read_many(move |db| {
                db.prepare_cached(
                    "SELECT * FROM audit_log WHERE action = ?1 ORDER BY seq DESC LIMIT 1",
                )?
                .query_row([action.as_str()], |row| rows::audit_entry(&Record::new(row)))
                .optional()
            })
            .await
    }

    async fn audit_head(&self) -> std::result::Result<Option<AuditHead>, StoreError> {
        self.readers.read(head)
    }

    async fn server_keys(&self) -> std::result::Result<Vec<RegisteredKey>, StoreError> {
        self.readers.read(|db| {
            db.prepare_cached("SELECT version, digest FROM server_keys ORDER BY version")?
                .query_map([], |row| rows::registered_key(&Record::new(row)))?
                .collect()
        })
    }

    async fn register_first_key(
        &self,
        digest: [u8; 32],
        audit_key: &AuditKey,
    ) -> std::result::Result<(), StoreError> {
        let first = AuditHead::first(audit_key);
        self.write(move |db| {
            let sql =
                "INSERT INTO server_keys (version, digest) SELECT 1, ?1 WHERE NOT EXISTS (SELECT 1 \
                 FROM server_keys)";
            match db.prepare_cached(sql)?.execute([digest])? {
                0 => Ok(()),
                _ => db
                    .prepare_cached("INSERT INTO audit_head (one, seq, seal) VALUES (1, 0, ?1)")?
                    .execute([&first.seal])
                    .map(drop),
            }
        })
        .await
    }

    async fn register_next_key(
        &self,
        next: RegisteredKey,
        by: &AuditContext,
    ) -> std::result::Result<bool, StoreError> {
        let by = by.clone();
        self.write(move |db| {
            let sql =
                "INSERT INTO server_keys (version, digest) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            if db.prepare_cached(sql)?.execute((next.version, next.digest))? == 0 {
                return Ok(false);
            }
            append(db, &by, &audit_values::server::server_key_rotated(next.version))?;
            Ok(true)
        })
        .await
    }
}

/// Appends an entry, in the transaction of the change that it is about.
pub(super) fn append(db: &Connection, by: &AuditContext, change: &AuditChange) -> Result<()> {
    let (entry, head) = by.append(&head_to_append(db)?, change);
    let seq = i64::try_from(entry.seq).unwrap_or(i64::MAX);
    db.prepare_cached(
        "INSERT INTO audit_log (seq, at, actor, source, action, subject, before, after, \
         key_version, mac)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        seq,
        entry.at.as_millisecond(),
        entry.actor,
        entry.source,
        entry.action,
        entry.subject,
        entry.before,
        entry.after,
        entry.key_version,
        entry.mac,
    ])?;
    db.prepare_cached("INSERT OR REPLACE INTO audit_head (one, seq, seal) VALUES (1, ?1, ?2)")?
        .execute((seq, &head.seal))
        .map(drop)
}

/// The head to append to. An entry that was cut off, or a head that was set back or deleted, must
/// not stop changes: the chain goes on from there, and does not verify any more.
fn head_to_append(db: &Connection) -> Result<AuditHead> {
    let mut head = head(db)?.unwrap_or_default();
    let last: i64 = db
        .prepare_cached("SELECT coalesce(max(seq), 0) FROM audit_log")?
        .query_row([], |row| row.get(0))?;
    head.seq = head.seq.max(last.unsigned_abs());
    Ok(head)
}

fn head(db: &Connection) -> Result<Option<AuditHead>> {
    db.prepare_cached("SELECT seq, seal FROM audit_head")?
        .query_row([], |row| rows::audit_head(&Record::new(row)))
        .optional()
}
