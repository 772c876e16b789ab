//! The database file, the disk that it is on, and who serves it.

use super::report::Report;
use crate::{
    Config,
    store::sqlite::inspect::{Contents, inspect},
};
use jiff::Timestamp;
use std::{
    fs::{File, TryLockError},
    path::Path,
};

/// Below this a day's payments may not fit any more.
const SCARCE_BYTES: u64 = 1 << 30;
/// Below this the next checkpoint may not fit any more.
const FULL_BYTES: u64 = 64 << 20;

/// Returns whether a service runs on the file, and what the file holds.
pub(super) fn check(report: &mut Report, config: &Config, now: Timestamp) -> (bool, Option<Contents>) {
    let contents = check_file(report, &config.database, now);
    check_disk(report, &config.database);
    let served = is_served(&config.lock_path());
    report.ok("service", if served { "runs on this database" } else { "none runs on this database" });
    if let Some(contents) = &contents {
        check_waiting(report, contents);
    }
    (served, contents)
}

fn check_file(report: &mut Report, path: &Path, now: Timestamp) -> Option<Contents> {
    const CHECK: &str = "database";
    let shown = path.display();
    if !path.exists() {
        report.warning(CHECK, format!("{shown} does not exist; the service makes it"), "check --database");
        return None;
    }
    let found = match inspect(path, now) {
        Ok(found) => found,
        Err(fault) => {
            report.fault(CHECK, format!("{shown}: {fault}"), "check --database, or restore the file from a backup");
            return None;
        }
    };
    let level = format!("{} of {} migrations", found.applied, found.known);
    if found.applied > found.known {
        report.fault(CHECK, format!("{shown} was made by a newer version of tua ({level})"), "run that version");
    } else if found.applied < found.known {
        let said = format!("{shown} is of an older version ({level})");
        report.warning(CHECK, said, "back it up; the service brings it up to date when it starts");
    } else {
        report.ok(CHECK, format!("{shown}, whole and writable, {level}"));
    }
    found.contents
}

fn check_disk(report: &mut Report, path: &Path) {
    const CHECK: &str = "disk";
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let free = match rustix::fs::statvfs(folder) {
        Ok(disk) => disk.f_bavail.saturating_mul(disk.f_frsize),
        Err(error) => {
            return report.fault(CHECK, format!("{}: {error}", folder.display()), "make the folder of --database");
        }
    };
    let said = format!("{} MiB free in {}", free >> 20, folder.display());
    match free {
        ..FULL_BYTES => report.fault(CHECK, said, "free some: without it no payment is taken"),
        FULL_BYTES..SCARCE_BYTES => report.warning(CHECK, said, "free some"),
        SCARCE_BYTES.. => report.ok(CHECK, said),
    }
}

/// Only `tua serve` holds the lock (contract section 10).
fn is_served(lock: &Path) -> bool {
    File::open(lock).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

fn check_waiting(report: &mut Report, contents: &Contents) {
    let Contents { pending, flagged, .. } = contents;
    let said = format!("{pending} pending, {flagged} of them flagged for review");
    match flagged {
        0 => report.ok("transactions", said),
        _ => report.warning("transactions", said, "look them up at their operators, then `tua review settle`"),
    }
}
