//! Checks the database, its disk, and whether a service runs on it.

use super::report::Report;
use jiff::Timestamp;
use std::{fs::TryLockError, path::Path};
use tua_config::Config;
use tua_store::{
    database::{Database, lock_path},
    inspection::{Contents, Inspection},
    postgres::{self, PostgresUrl},
    sqlite::inspect::inspect,
};
use tua_system::private_file;

const CHECK: &str = "database";

/// Below this, a day's payments may not fit.
const LOW_DISK_BYTES: u64 = 1 << 30;
/// Below this, the next checkpoint may not fit.
const MIN_DISK_BYTES: u64 = 64 << 20;

/// What the checks after this one need to know about the database.
pub(super) struct DatabaseState {
    /// Whether a service runs on it, as far as that can be determined.
    pub(super) is_served: bool,
    /// What it contains; `None` if it does not exist or cannot be read.
    pub(super) contents: Option<Contents>,
}

/// Checks the database and its disk, and reports whether a service runs on it.
pub(super) async fn check(report: &mut Report, config: &Config, now: Timestamp) -> DatabaseState {
    let state = match &config.database {
        Database::Sqlite(path) => check_file(report, path, now),
        Database::Postgres(url) => check_server(report, url, now).await,
    };
    if let Some(contents) = &state.contents {
        check_waiting(report, contents);
    }
    state
}

fn check_file(report: &mut Report, path: &Path, now: Timestamp) -> DatabaseState {
    let contents = if path.exists() {
        match inspect(path, now) {
            Ok(found) => check_level(report, &path.display().to_string(), found),
            Err(fault) => {
                let remedy = "check --database, or restore the file from a backup";
                report.fault(CHECK, format!("{}: {fault}", path.display()), remedy);
                None
            }
        }
    } else {
        let message = format!("{} does not exist; the service creates it", path.display());
        report.warning(CHECK, message, "check --database");
        None
    };
    check_disk(report, path);
    let is_served = is_served(&lock_path(path));
    report.ok(
        "service",
        if is_served { "runs on this database" } else { "none runs on this database" },
    );
    DatabaseState { is_served, contents }
}

async fn check_server(report: &mut Report, url: &PostgresUrl, now: Timestamp) -> DatabaseState {
    match postgres::inspect::inspect(url, now).await {
        Ok((found, nodes)) => {
            let contents = check_level(report, &url.to_string(), found);
            let message = match nodes {
                0 => "none runs on this database".to_owned(),
                1 => "one node runs on this database".to_owned(),
                nodes => format!("{nodes} nodes run on this database"),
            };
            report.ok("service", message);
            DatabaseState { is_served: nodes > 0, contents }
        }
        Err(fault) => {
            report.fault(CHECK, format!("{url}: {fault}"), "check --database and the server");
            DatabaseState { is_served: false, contents: None }
        }
    }
}

fn check_level(report: &mut Report, label: &str, found: Inspection) -> Option<Contents> {
    let level = format!("{} of {} migrations", found.applied, found.known);
    if found.applied > found.known {
        report.fault(
            CHECK,
            format!("{label} was made by a newer version of tua ({level})"),
            "run that version",
        );
    } else if found.applied < found.known {
        let message = format!("{label} has the schema of an older version ({level})");
        report.warning(CHECK, message, "back it up; the service migrates it when it starts");
    } else {
        report.ok(CHECK, format!("{label}, intact and writable, {level}"));
    }
    found.contents
}

fn check_disk(report: &mut Report, path: &Path) {
    const CHECK: &str = "disk";
    let folder =
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let free = match rustix::fs::statvfs(folder) {
        Ok(disk) => disk.f_bavail.saturating_mul(disk.f_frsize),
        Err(error) => {
            return report.fault(
                CHECK,
                format!("{}: {error}", folder.display()),
                "create the folder of --database",
            );
        }
    };
    let message = format!("{} MiB free in {}", free >> 20, folder.display());
    match free {
        ..MIN_DISK_BYTES => {
            report.fault(CHECK, message, "free disk space: without it no payment can be accepted")
        }
        MIN_DISK_BYTES..LOW_DISK_BYTES => report.warning(CHECK, message, "free disk space"),
        LOW_DISK_BYTES.. => report.ok(CHECK, message),
    }
}

/// Only `tua serve` holds the lock (docs/reference/command-line.md).
fn is_served(lock: &Path) -> bool {
    private_file::open_regular(lock)
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

fn check_waiting(report: &mut Report, contents: &Contents) {
    let Contents { pending, flagged, .. } = contents;
    let message = format!("{pending} pending, {flagged} of them flagged for review");
    match flagged {
        0 => report.ok("transactions", message),
        _ => report.warning(
            "transactions",
            message,
            "look them up in the operators' records, then run `tua review settle`",
        ),
    }
}
