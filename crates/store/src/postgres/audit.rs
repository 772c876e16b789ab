//! The audit log, and the versions of the server key.

use super::{
    PostgresStore,
    db::Db,
    error::{Error, Result},
    in_doubt::InDoubt,
    record::at,
};
use crate::{audit_values, rows};
use async_trait::async_trait;
use tua_domain::{
    NewTransaction,
    audit::{Action, AuditChange, AuditContext, AuditEntry, AuditHead, AuditKey},
    key_ring::RegisteredKey,
    ports::{AuditLog, StoreError},
};

macro_rules! columns {
    () => {
        "seq, at, actor, source, action, subject, before, after, key_version, mac"
    };
}

#[async_trait]
impl AuditLog for PostgresStore {
    async fn append_audit(
        &self,
        change: AuditChange,
        by: &AuditContext,
    ) -> std::result::Result<(), StoreError> {
        let change = &change;
        self.tx.write(InDoubt::Surface, |db| async move { append(&db, by, change).await }).await
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
        let most = i64::from(most);
        let sql =
            concat!("SELECT ", columns!(), " FROM audit_log WHERE seq > $1 ORDER BY seq LIMIT $2");
        let read = |db: Db| async move {
            db.query(sql, &[&after, &most]).await?.iter().map(rows::audit_entry).collect()
        };
        self.tx.read(read).await
    }

    async fn last_audit_entry(
        &self,
        action: Action,
    ) -> std::result::Result<Option<AuditEntry>, StoreError> {
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM audit_log WHERE action = $1 ORDER BY seq DESC LIMIT 1"
        );
        let action = &action.as_str();
        let read = |db: Db| async move {
            db.query_opt(sql, &[action]).await?.as_ref().map(rows::audit_entry).transpose()
        };
        self.tx.read(read).await
    }

    async fn audit_head(&self) -> std::result::Result<Option<AuditHead>, StoreError> {
        let sql = "SELECT seq, seal FROM audit_head";
        let read = |db: Db| async move {
            db.query_opt(sql, &[]).await?.as_ref().map(rows::audit_head).transpose()
        };
        self.tx.read(read).await
    }

    async fn server_keys(&self) -> std::result::Result<Vec<RegisteredKey>, StoreError> {
        let sql = "SELECT version, digest FROM server_keys ORDER BY version";
        let read = |db: Db| async move {
            db.query(sql, &[]).await?.iter().map(rows::registered_key).collect()
        };
        self.tx.read(read).await
    }

    async fn register_first_key(
        &self,
        digest: [u8; 32],
        audit_key: &AuditKey,
    ) -> std::result::Result<(), StoreError> {
        let digest = &digest;
        let first = &AuditHead::first(audit_key);
        self.tx
            .write(InDoubt::Retry, |db| async move {
                // Of two nodes that start at once, the second waits here and inserts nothing.
                let sql = "INSERT INTO server_keys (version, digest) VALUES (1, $1) ON CONFLICT DO \
                    NOTHING";
                if db.execute(sql, &[&&digest[..]]).await? > 0 {
                    let sql = "INSERT INTO audit_head (one, seq, seal) VALUES (1, 0, $1)";
                    db.execute(sql, &[&first.seal]).await?;
                }
                Ok(())
            })
            .await
    }

    async fn register_next_key(
        &self,
        next: RegisteredKey,
        by: &AuditContext,
    ) -> std::result::Result<bool, StoreError> {
        let next = &next;
        self.tx
            .write(InDoubt::Surface, |db| async move {
                let sql = "INSERT INTO server_keys (version, digest) VALUES ($1, $2) ON CONFLICT \
                    DO NOTHING";
                if db.execute(sql, &[&i64::from(next.version), &&next.digest[..]]).await? == 0 {
                    return Ok(false);
                }
                append(&db, by, &audit_values::server::server_key_rotated(next.version)).await?;
                Ok(true)
            })
            .await
    }
}

/// Appends an entry, in the transaction of the change that it is about. The lock on the head makes
/// appending transactions wait for each other, so it is taken last.
pub(super) async fn append(db: &Db, by: &AuditContext, change: &AuditChange) -> Result<()> {
    // An entry that was cut off, or a head that was set back, must not stop changes: the chain goes
    // on from there, and does not verify any more.
    let sql = "SELECT greatest(seq, (SELECT max(seq) FROM audit_log)) AS seq, seal FROM audit_head
               WHERE one = 1 FOR UPDATE";
    let row = db.query_opt(sql, &[]).await?;
    let head = row.as_ref().map(rows::audit_head).transpose()?;
    let (entry, head) = by.append(&head.unwrap_or_default(), change);
    let number = |seq: u64| i64::try_from(seq).map_err(|_| Error::MissingRow);
    let seq = number(entry.seq)?;
    let insert = concat!(
        "INSERT INTO audit_log (",
        columns!(),
        ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
    );
    db.execute(
        insert,
        &[
            &seq,
            &at(entry.at),
            &entry.actor,
            &entry.source,
            &entry.action,
            &entry.subject,
            &entry.before,
            &entry.after,
            &i64::from(entry.key_version),
            &entry.mac,
        ],
    )
    .await?;
    let update = "INSERT INTO audit_head (one, seq, seal) VALUES (1, $1, $2)
                  ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, seal = excluded.seal";
    db.execute(update, &[&seq, &head.seal]).await.map(drop)
}
