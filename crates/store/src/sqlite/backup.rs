//! Backups of a database file: one plain SQLite file without the server key (docs/operations.md,
//! "Backups").

use super::{
    connection::{check, connect},
    error::{describe, describe_migration_error},
    migrations::migrate,
};
use rusqlite::{Connection, OpenFlags, Result};
use std::{
    fs::{self, File},
    io,
    path::Path,
};
use tua_domain::{
    audit::AuditContext,
    key_ring::{KeyRing, RegisteredKey},
    secret::ServerKey,
};
use tua_sql::{
    audit_values,
    queries::audit,
    rows,
    sqlite::{record::Record, sql::ready},
};
use tua_system::{
    files::whole,
    private_file::{self, beside, folder},
};

/// Writes a backup to a new file of mode 0600, and returns its size in bytes. A service may run on
/// the database: the backup is a snapshot of one moment, and payments do not wait for it.
///
/// # Errors
/// One line that names the file: it exists, or cannot be written, or the database cannot be read.
pub fn backup(database: &Path, to: &Path) -> std::result::Result<u64, String> {
    let with_context = |error: &dyn std::fmt::Display| format!("backup {}: {error}", to.display());
    private_file::create(to).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => with_context(&"the file exists; choose another name"),
        _ => with_context(&error),
    })?;
    let write = || {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = connect(database, flags).map_err(|error| describe(&error))?;
        // VACUUM INTO writes to an empty file, and reads in one transaction.
        let target = to.to_str().ok_or("its name is not UTF-8")?;
        connection.execute("VACUUM INTO ?1", [target]).map_err(|error| describe(&error))?;
        sync(to).map_err(|error| error.to_string())?;
        fs::metadata(to).map(|file| file.len()).map_err(|error| error.to_string())
    };
    write().map_err(|error: String| {
        // Half a backup is worse than none. Where it cannot be removed, the fault says so already.
        let _ = fs::remove_file(to);
        with_context(&error)
    })
}

/// The result of a restore, which suspends every account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Restored {
    /// How many accounts were suspended.
    pub accounts: u64,
}

/// Restores a backup into a database file that does not exist. It has no effect unless all of it
/// succeeds.
///
/// # Errors
/// One line: the database exists, the backup cannot be read, or was sealed with another server key.
pub fn restore(
    backup: &Path,
    database: &Path,
    keys: &[ServerKey],
    by: impl FnOnce(&KeyRing) -> AuditContext,
) -> std::result::Result<Restored, String> {
    let beside = |extension: &str| beside(database, extension);
    if let Some(found) =
        ["", "-wal", "-shm", "-journal"].map(beside).iter().find(|path| path.exists())
    {
        return Err(format!(
            "database {}: it exists; restore into an empty place",
            whole(found).display()
        ));
    }
    let draft = beside(".restoring");
    let restored = restore_to(backup, &draft, keys, by).and_then(|restored| {
        let moved = fs::rename(&draft, database).and_then(|()| sync_folder(database));
        moved
            .map(|()| restored)
            .map_err(|error| format!("database {}: {error}", whole(database).display()))
    });
    if restored.is_err() {
        for leftover in [".restoring", ".restoring-journal", ".restoring-wal", ".restoring-shm"] {
            let _ = fs::remove_file(beside(leftover));
        }
    }
    restored
}

fn restore_to(
    backup: &Path,
    draft: &Path,
    keys: &[ServerKey],
    by: impl FnOnce(&KeyRing) -> AuditContext,
) -> std::result::Result<Restored, String> {
    let with_context =
        |error: &dyn std::fmt::Display| format!("backup {}: {error}", backup.display());
    let sql = |error: rusqlite::Error| with_context(&describe(&error));
    copy_private(backup, draft).map_err(|error| with_context(&error))?;
    let mut db =
        Connection::open_with_flags(draft, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(sql)?;
    // Without a WAL, so that the file is whole once the connection is closed.
    db.pragma_update(None, "journal_mode", "DELETE").map_err(sql)?;
    db.pragma_update(None, "synchronous", "FULL").map_err(sql)?;
    check(&db).map_err(|error| with_context(&error))?;
    let version: i64 =
        db.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(sql)?;
    if version == 0 {
        return Err(with_context(&"it is not a database of tua"));
    }
    migrate(&mut db).map_err(|error| with_context(&describe_migration_error(&error)))?;
    let found = sort_keys(&db, keys).map_err(sql)?;
    let RestoreKeys { ring, later } = found.ok_or_else(|| {
        with_context(&"it was sealed with another server key; give the key that it was made with")
    })?;
    let by = by(&ring);
    let transaction = db.transaction().map_err(sql)?;
    for key in &later {
        ready(audit::register_next_key(&*transaction, key, &by)).map_err(sql)?;
    }
    let accounts = suspend_all(&transaction, &by).map_err(sql)?;
    let change = audit_values::server::database_restored(accounts);
    ready(audit::append(&*transaction, &by, &change)).map_err(sql)?;
    transaction.commit().map_err(sql)?;
    db.close().map_err(|(_, error)| sql(error))?;
    sync(draft).map_err(|error| with_context(&error))?;
    Ok(Restored { accounts })
}

/// The server keys at a restore.
struct RestoreKeys {
    /// Those that the backup was used with.
    ring: KeyRing,
    /// The versions of the others, oldest first. `tua server-key rotate` made them after the
    /// backup, and a service starts only on a database that has all its keys.
    later: Vec<RegisteredKey>,
}

/// The keys, if the one that the database was last used with is among them.
fn sort_keys(db: &Connection, keys: &[ServerKey]) -> Result<Option<RestoreKeys>> {
    let registered: Vec<RegisteredKey> = db
        .prepare("SELECT version, digest FROM server_keys ORDER BY version")?
        .query_map([], |row| rows::registered_key(&Record::new(row)))?
        .collect::<Result<_>>()?;
    let last: Option<u32> = db.query_row(
        "SELECT max(key_version) FROM audit_log WHERE seq = (SELECT max(seq) FROM audit_log)",
        [],
        |row| row.get(0),
    )?;
    let has_last = |ring: &KeyRing| last.is_none_or(|last| ring.versions().contains(&last));
    let is_registered = |key: &ServerKey| registered.iter().any(|one| one.digest == key.digest());
    let (known, unknown): (Vec<ServerKey>, Vec<ServerKey>) =
        keys.iter().cloned().partition(is_registered);
    let newest = registered.last().map_or(0, |last| last.version);
    // The list has the newest key first.
    let later = (newest + 1..)
        .zip(unknown.iter().rev())
        .map(|(version, key)| RegisteredKey { version, digest: key.digest() })
        .collect();
    let ring = KeyRing::new(&known, &registered).filter(has_last);
    Ok(ring.map(|ring| RestoreKeys { ring, later }))
}

/// Suspends every account: payouts that were sent after the backup look unsent in it.
fn suspend_all(db: &Connection, by: &AuditContext) -> Result<u64> {
    let sql = "UPDATE accounts SET suspended_at = ?1 WHERE suspended_at IS NULL";
    db.execute(sql, [by.at.as_millisecond()]).map(|accounts| accounts as u64)
}

fn copy_private(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let mut target = private_file::create_anew(to)?;
    io::copy(&mut source, &mut target).map(drop)
}

fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(folder(path))?.sync_all()
}
