//! Inspects a database file for `tua doctor`, without changing it.

use super::{BUSY_TIMEOUT, MIGRATIONS, check, describe, open_file};
use crate::{
    columns::moment,
    inspection::{Contents, Inspection, WEBHOOK_HEALTH, WebhookHealth},
};
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Result};
use std::path::Path;
use tua_domain::{AccountId, Mode};

/// Checks that the file is intact and writable, without writing to it.
///
/// # Errors
/// One line that says what is wrong with the file.
pub fn inspect(path: &Path, now: Timestamp) -> std::result::Result<Inspection, String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let read = || -> Result<(Connection, u32)> {
        let connection = open_file(path, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        let applied = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK")?;
        Ok((connection, applied))
    };
    let (connection, applied) = read().map_err(|error| describe(&error))?;
    check(&connection)?;
    let known = u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX);
    let contents = (applied == known)
        .then(|| contents(&connection, now))
        .transpose()
        .map_err(|error| describe(&error))?;
    Ok(Inspection { applied, known, contents })
}

fn contents(db: &Connection, now: Timestamp) -> Result<Contents> {
    let count = |sql: &str| db.query_row(sql, [], |row| row.get(0));
    // Ids sort by time, so the last id belongs to the newest transaction.
    let newest: Option<i64> = db
        .query_row("SELECT created_at FROM transactions ORDER BY id DESC LIMIT 1", [], |row| {
            row.get(0)
        })
        .optional()?;
    let flagged =
        "SELECT count(*) FROM transactions WHERE review_at IS NOT NULL AND status = 'PENDING'";
    let acme = |name: &str| {
        let sql = "SELECT contents, expires_at FROM acme WHERE name = ?1";
        db.query_row(sql, [name], |row| {
            Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Option<i64>>(1)?))
        })
        .optional()
    };
    Ok(Contents {
        certificate_expires: acme("certificate")?.and_then(|(_, at)| at).and_then(moment),
        acme_orders: acme("order")?.map(|(contents, _)| contents),
        newest: newest.and_then(moment),
        pending: count("SELECT count(*) FROM transactions WHERE status = 'PENDING'")?,
        flagged: count(flagged)?,
        webhooks: webhooks(db)?,
        mail_given_up: count("SELECT count(*) FROM mail_messages WHERE status = 'GIVEN_UP'")?,
        live_keys: db
            .prepare(
                "SELECT account_id FROM api_keys
                 WHERE mode = 'live' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at \
                 > ?1)",
            )?
            .query_map([now.as_millisecond()], |row| row.get::<_, String>(0).map(AccountId::new))?
            .collect::<Result<_>>()?,
    })
}

fn webhooks(db: &Connection) -> Result<Vec<(Mode, WebhookHealth)>> {
    let mut found = Vec::new();
    let mut statement = db.prepare(WEBHOOK_HEALTH)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let health = WebhookHealth {
            disabled_endpoints: row.get(1)?,
            abandoned: row.get(2)?,
            failing: row.get(3)?,
        };
        found.extend(Mode::parse(&row.get::<_, String>(0)?).map(|mode| (mode, health)));
    }
    Ok(found)
}
