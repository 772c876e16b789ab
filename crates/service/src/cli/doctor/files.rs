//! Checks that the service can open the files of the data folder, also those that a command of
//! another user has made.

use super::report::Report;
use std::{fs, fs::Metadata, os::unix::fs::MetadataExt, path::Path};
use tua_config::Config;
use tua_store::database::Database;
use tua_system::private_file::{beside, folder};

const CHECK: &str = "data folder";

/// What the service needs of a file, as the mode bits of others.
const READ: u32 = 0o004;
const READ_AND_WRITE: u32 = 0o006;

/// The files beside a database, by what their names end with, and what the service needs of each.
const FILES: [(&str, u32); 6] = [
    ("", READ_AND_WRITE),
    ("-wal", READ_AND_WRITE),
    ("-shm", READ_AND_WRITE),
    (".key", READ),
    (".lock", READ),
    (".key.lock", READ),
];

/// Compares the owners of the files with the owner of the folder, as whom the service runs. The
/// doctor itself often runs as root, who can open every file.
pub(super) fn check(report: &mut Report, config: &Config) {
    let Database::Sqlite(database) = &config.database else { return };
    let Ok(service) = owner(database) else { return };
    let mut foreign = FILES.into_iter().filter_map(|(extension, needed)| {
        let path = beside(database, extension);
        let file = fs::metadata(&path).ok()?;
        (!is_open_to(&file, &service, needed)).then_some((path, file.uid()))
    });
    let Some((path, uid)) = foreign.next() else {
        return report.ok(CHECK, format!("its files can be opened by user {}", service.uid()));
    };
    let others = foreign.count();
    let others = if others == 0 { String::new() } else { format!(" (and {others} more)") };
    let label = path.display();
    let runs_as = service.uid();
    let message = format!(
        "{label}{others} belongs to user {uid}: a service that runs as user {runs_as}, who owns \
         the folder, cannot open it"
    );
    let remedy = format!("run `chown {runs_as}:{} {}*`", service.gid(), database.display());
    report.fault(CHECK, message, remedy);
}

/// The owner of the folder, or of the database where the folder is root's.
fn owner(database: &Path) -> std::io::Result<Metadata> {
    let folder = fs::metadata(folder(database))?;
    if folder.uid() == 0 { fs::metadata(database) } else { Ok(folder) }
}

fn is_open_to(file: &Metadata, service: &Metadata, needed: u32) -> bool {
    let of_group = file.gid() == service.gid() && file.mode() >> 3 & needed == needed;
    service.uid() == 0 || file.uid() == service.uid() || of_group || file.mode() & needed == needed
}
