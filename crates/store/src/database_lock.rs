//! The lock that one service holds on a database file.

use std::{
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};
use tua_system::{
    files::describe_fault,
    private_file::{self, beside, folder},
};

/// A database file that is one service's, until this is dropped.
///
/// The lock is on a file beside the database file and not on itself: closing any copy of that would
/// end the POSIX locks of SQLite in this process.
#[derive(Debug)]
pub struct DatabaseLock {
    file: File,
    /// The lock file, where it did not exist before and is not kept.
    made: Option<PathBuf>,
}

/// Why a database file was not locked.
#[derive(Debug, thiserror::Error)]
enum LockError {
    #[error(
        "another `tua serve` runs on it; stop that one, or choose another file with --database"
    )]
    Held,
    #[error("the file has {0} names (hard links); SQLite needs one name, so remove the others")]
    HardLinks(u64),
    #[error("its folder does not exist; create it first")]
    NoFolder,
    #[error("lock file {0}")]
    LockFile(String),
    #[error(transparent)]
    ForeignLink(#[from] private_file::ForeignLink),
}

impl DatabaseLock {
    /// Locks a database file, which need not exist. Symbolic links lead to one lock. Of a file with
    /// several hard links nobody knows where another process looks for the lock, nor for the
    /// write-ahead log of SQLite, so it is refused.
    pub(crate) fn lock(database: &Path) -> Result<Self, String> {
        Self::try_lock(database).map_err(|fault| fault.to_string())
    }

    fn try_lock(database: &Path) -> Result<Self, LockError> {
        let real = private_file::resolve(database)?;
        let path = beside(&real, ".lock");
        let with_path = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound if !folder(&real).exists() => LockError::NoFolder,
            _ => LockError::LockFile(describe_fault(&path, &error)),
        };
        loop {
            let is_new = !path.exists();
            let file = private_file::open_lock(&path).map_err(with_path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(LockError::Held),
                Err(TryLockError::Error(error)) => return Err(with_path(error)),
            }
            let lock = Self { file, made: is_new.then(|| path.clone()) };
            // Another process has removed the file after this one had opened it.
            if !is_at(&lock.file, &path) {
                continue;
            }
            // A folder has several names too; that it is none of SQLite's files is found later.
            return match fs::metadata(&real) {
                Ok(file) if file.is_file() && file.nlink() > 1 => {
                    Err(LockError::HardLinks(file.nlink()))
                }
                _ => Ok(lock),
            };
        }
    }

    /// Keeps the lock file. Without this, a lock file that did not exist before is removed again,
    /// so that a start that fails leaves nothing.
    pub fn keep_file(&mut self) {
        self.made = None;
    }
}

impl Drop for DatabaseLock {
    /// Unlocks by name: closing would leave it locked as long as a process that is being started
    /// beside this one still holds a copy of the open file. What cannot be unlocked ends with the
    /// process.
    fn drop(&mut self) {
        // While it is locked: who has opened it already finds that it is gone, and tries again.
        if let Some(path) = self.made.take().filter(|path| is_at(&self.file, path)) {
            let _ = fs::remove_file(path);
        }
        let _ = self.file.unlock();
    }
}

/// Whether the path leads to this open file.
fn is_at(file: &File, path: &Path) -> bool {
    let inode = |file: fs::Metadata| (file.dev(), file.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(found)) => inode(open) == inode(found),
        _ => false,
    }
}

/// The file whose lock shows that a service runs on a database file. It is beside the file that
/// symbolic links lead to.
#[must_use]
pub fn lock_path(database: &Path) -> PathBuf {
    let real = private_file::resolve(database).unwrap_or_else(|_| database.to_owned());
    beside(&real, ".lock")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_lock_ends_though_a_copy_of_the_open_file_lives_on() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("tua.db");
        let lock = DatabaseLock::lock(&database).unwrap();
        let _copy = lock.file.try_clone().unwrap();
        assert!(DatabaseLock::lock(&database).is_err());
        drop(lock);
        DatabaseLock::lock(&database).unwrap();
    }

    #[test]
    fn a_file_has_one_lock_under_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let [database, link, other] =
            ["tua.db", "link.db", "other.db"].map(|name| folder.path().join(name));
        symlink("tua.db", &link).unwrap();
        // Before the file exists and afterwards.
        for _ in 0..2 {
            let lock = DatabaseLock::lock(&link).unwrap();
            let fault = DatabaseLock::lock(&database).unwrap_err();
            assert!(fault.contains("another `tua serve` runs on it"), "{fault}");
            drop(lock);
            let lock = DatabaseLock::lock(&database).unwrap();
            assert!(DatabaseLock::lock(&link).is_err());
            drop(lock);
            fs::write(&database, "").unwrap();
        }
        fs::hard_link(&database, &other).unwrap();
        for name in [&database, &link, &other] {
            let fault = DatabaseLock::lock(name).unwrap_err();
            assert!(fault.contains("2 names"), "{fault}");
        }
    }

    #[test]
    fn only_a_kept_lock_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("tua.db");
        let file = lock_path(&database);
        let mut lock = DatabaseLock::lock(&database).unwrap();
        assert!(file.exists());
        drop(lock);
        assert!(!file.exists());
        lock = DatabaseLock::lock(&database).unwrap();
        lock.keep_file();
        drop(lock);
        assert!(file.exists());
        drop(DatabaseLock::lock(&database).unwrap());
        assert!(file.exists(), "it was there before");
    }
}
