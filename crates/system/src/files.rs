//! The files of this process: where temporary ones are, and the error of one that cannot be
//! written.

use crate::private_file::folder;
use rustix::{
    fs::{Access, access},
    io::Errno,
};
use std::{
    io,
    path::{Path, PathBuf},
};

/// Chooses the folder of temporary files: the system's (`TMPDIR`, `/tmp`), otherwise that of the
/// data, otherwise the working directory. An image without a base has no `/tmp`.
///
/// The files have no name and end with the process. They contain payers' data, as the data folder
/// does.
pub fn choose_temporary_folder(data: &Path) {
    let system = std::env::temp_dir();
    if can_hold_temporary_files(&system) {
        return;
    }
    let others = [folder(data), Path::new(".")];
    match others.into_iter().find(|folder| can_hold_temporary_files(folder)) {
        // The choice of an earlier call stands.
        Some(folder) => drop(tempfile::env::override_temp_dir(&whole(folder))),
        None => tracing::warn!(
            system = %system.display(),
            data = %whole(folder(data)).display(),
            "no folder can hold temporary files, so exports as XLSX and statement files fail; set \
             TMPDIR"
        ),
    }
}

fn can_hold_temporary_files(folder: &Path) -> bool {
    tempfile::tempfile_in(folder).is_ok()
}

/// The whole path, as a person finds it.
#[must_use]
pub fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Why a file cannot be used: its whole path, the reason, and where access was denied the user that
/// this process runs as.
#[must_use]
pub fn describe_fault(path: &Path, error: &io::Error) -> String {
    let path = whole(path);
    let user = rustix::process::geteuid().as_raw();
    match error.kind() {
        io::ErrorKind::PermissionDenied => {
            format!(
                "{}: {error}; this process runs as user id {user}, which may not use the file",
                path.display()
            )
        }
        io::ErrorKind::ReadOnlyFilesystem => {
            format!("{}: {error}; this process runs as user id {user}", path.display())
        }
        _ => format!("{}: {error}", path.display()),
    }
}

/// Checks that a file can be written, or created where it does not exist. Nothing is opened:
/// closing a database file would release the locks that another connection of this process has on
/// it.
///
/// # Errors
/// [`describe_fault`].
pub fn check_writable(path: &Path) -> Result<(), String> {
    match access(path, Access::WRITE_OK) {
        Err(Errno::NOENT) => {
            let folder = folder(path);
            access(folder, Access::WRITE_OK | Access::EXEC_OK)
                .map_err(|error| describe_fault(folder, &error.into()))
        }
        checked => checked.map_err(|error| describe_fault(path, &error.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_written_is_named_with_its_whole_path_and_the_user() {
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        let fault = describe_fault(Path::new("tua.db"), &denied);
        let folder = std::env::current_dir().unwrap();
        assert!(fault.starts_with(&folder.join("tua.db").display().to_string()), "{fault}");
        assert!(
            fault.contains(&format!("user id {}", rustix::process::geteuid().as_raw())),
            "{fault}"
        );
        let missing = check_writable(Path::new("/no/such/folder/tua.db")).unwrap_err();
        assert!(
            missing.starts_with("/no/such/folder: ") && !missing.contains("user id"),
            "{missing}"
        );
    }
}
