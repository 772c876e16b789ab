//! The audit log, and the versions of the server key.

use crate::{
    audit_values,
    columns::number,
    rows,
    sql::{MissingRow, RowLock, Sql},
};
use tua_domain::{
    audit::{Action, AuditChange, AuditContext, AuditEntry, AuditHead, AuditKey},
    key_ring::RegisteredKey,
};

macro_rules! columns {
    () => {
        "seq, at, actor, source, action, subject, before, after, key_version, mac"
    };
}

/// Entries after this number.
pub async fn entries<S: Sql>(db: &S, after: u64, limit: u32) -> Result<Vec<AuditEntry>, S::Error> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let sql =
        concat!("SELECT ", columns!(), " FROM audit_log WHERE seq > $1 ORDER BY seq LIMIT $2");
    db.query(sql, &[&after, &limit]).await?.iter().map(rows::audit_entry).collect()
}

/// The last entry of an action.
pub async fn last_of<S: Sql>(db: &S, action: Action) -> Result<Option<AuditEntry>, S::Error> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM audit_log WHERE action = $1 ORDER BY seq DESC LIMIT 1"
    );
    db.query_opt(sql, &[&action.as_str()]).await?.as_ref().map(rows::audit_entry).transpose()
}

/// The newest entry of the log, from which the next one follows.
pub async fn head<S: Sql>(db: &S) -> Result<Option<AuditHead>, S::Error> {
    let sql = "SELECT seq, seal FROM audit_head";
    db.query_opt(sql, &[]).await?.as_ref().map(rows::audit_head).transpose()
}

/// The versions of the server key that were registered.
pub async fn server_keys<S: Sql>(db: &S) -> Result<Vec<RegisteredKey>, S::Error> {
    let sql = "SELECT version, digest FROM server_keys ORDER BY version";
    db.query(sql, &[]).await?.iter().map(rows::registered_key).collect()
}

/// Begins the audit log with the first server key. Of two nodes that start at once, the second
/// waits for the first, and inserts nothing.
pub async fn register_first_key<S: Sql>(
    db: &S,
    digest: &[u8; 32],
    audit_key: &AuditKey,
) -> Result<(), S::Error> {
    let sql = "INSERT INTO server_keys (version, digest) VALUES (1, $1) ON CONFLICT DO NOTHING";
    if db.execute(sql, &[digest]).await? > 0 {
        let sql = "INSERT INTO audit_head (one, seq, seal) VALUES (1, 0, $1)";
        db.execute(sql, &[&AuditHead::first(audit_key).seal]).await?;
    }
    Ok(())
}

/// Returns `false` if the version exists.
pub async fn register_next_key<S: Sql>(
    db: &S,
    next: &RegisteredKey,
    by: &AuditContext,
) -> Result<bool, S::Error> {
    let sql = "INSERT INTO server_keys (version, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    if db.execute(sql, &[&next.version, &next.digest]).await? == 0 {
        return Ok(false);
    }
    append(db, by, &audit_values::server::server_key_rotated(next.version)).await?;
    Ok(true)
}

/// Appends an entry, in the transaction of the change that it is about. The lock on the head makes
/// appending transactions wait for each other, so it is taken last.
pub async fn append<S: Sql>(
    db: &S,
    by: &AuditContext,
    change: &AuditChange,
) -> Result<(), S::Error> {
    // An entry that was cut off, or a head that was set back or deleted, must not stop changes: the
    // chain goes on from there, and does not verify any more.
    let locked = "SELECT seq, seal FROM audit_head WHERE one = 1";
    let last = "SELECT coalesce(max(seq), 0) AS seq FROM audit_log";
    let (heads, last) = tokio::try_join!(
        biased;
        db.query_locked(locked, RowLock::Update, &[]),
        db.query_opt(last, &[]),
    )?;
    let mut head = heads.first().map(rows::audit_head).transpose()?.unwrap_or_default();
    head.seq = head.seq.max(number(&last.ok_or(MissingRow)?, "seq")?);
    let (entry, head) = by.append(&head, change);
    let seq = i64::try_from(entry.seq).map_err(|_| MissingRow)?;
    let insert = concat!(
        "INSERT INTO audit_log (",
        columns!(),
        ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
    );
    db.execute(
        insert,
        &[
            &seq,
            &entry.at,
            &entry.actor,
            &entry.source,
            &entry.action,
            &entry.subject,
            &entry.before,
            &entry.after,
            &entry.key_version,
            &entry.mac,
        ],
    )
    .await?;
    let update = "INSERT INTO audit_head (one, seq, seal) VALUES (1, $1, $2)
                  ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, seal = excluded.seal";
    db.execute(update, &[&seq, &head.seal]).await.map(drop)
}

/// As [`append`], of several entries.
pub(crate) async fn append_all<S: Sql>(
    db: &S,
    by: &AuditContext,
    changes: &[AuditChange],
) -> Result<(), S::Error> {
    for change in changes {
        append(db, by, change).await?;
    }
    Ok(())
}
