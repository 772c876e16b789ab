//! Secrets in files of mode 0600: the server key beside a SQLite database, keys that the command
//! line writes.

use std::{
    fmt,
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tua_domain::{
    audit::AuditKey,
    key_ring::KeyRing,
    ports::AuditLog,
    secret::{ServerKey, random_bytes},
};
use tua_system::{
    files::{describe_fault, whole},
    private_file::{self, beside},
};

/// Reads the server keys from their file, newest first. Empty where there is no file.
///
/// # Errors
/// A sentence that names the file and what is wrong with it. It never repeats the file's contents.
pub fn load(path: &Path) -> Result<Vec<ServerKey>, String> {
    match private_file::read_to_string(path) {
        Ok(text) => ServerKey::parse_list(&text).map_err(|error| with_path(path, &error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(io_fault(path, &error)),
    }
}

/// Creates the file, of mode 0600, with a new key. If another process has just created it, its key
/// counts.
fn create(path: &Path) -> Result<Vec<ServerKey>, String> {
    match private_file::write_new(path, &ServerKey::from_bytes(random_bytes()).to_text()) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(io_fault(path, &error)),
        _ => Some(load(path)?).filter(|keys| !keys.is_empty()).ok_or_else(|| {
            with_path(
                path,
                &"it is a symbolic link to a file that does not exist; make that file, or \
                    remove the link",
            )
        }),
    }
}

/// The text of an error, with the path of the key file.
fn with_path(path: &Path, error: &dyn fmt::Display) -> String {
    format!("server key file {}: {error}", whole(path).display())
}

fn io_fault(path: &Path, error: &io::Error) -> String {
    format!("server key file {}", describe_fault(path, error))
}

/// Where the server keys of a database are.
#[derive(Clone, Copy, Debug)]
pub enum KeySource<'a> {
    /// The keys of `TUA_SERVER_KEY`, newest first.
    Given(&'a [ServerKey]),
    /// In a file, which is created with a new key for a database that was never used with one.
    File(&'a Path),
}

/// Reads the server keys, and compares them with those that the database was used with. A database
/// that was never used with a key is from now on used with this one.
///
/// # Errors
/// A sentence: a key is missing or is not one of the database, or the store failed.
pub async fn open_key_ring(source: KeySource<'_>, log: &dyn AuditLog) -> Result<KeyRing, String> {
    let registered = async || log.server_keys().await.map_err(|error| error.to_string());
    // Before the file is read: another process that makes the first key writes the file first.
    let mut known = registered().await?;
    let mut keys = match source {
        KeySource::Given(keys) => keys.to_vec(),
        KeySource::File(path) => load(path)?,
    };
    if known.is_empty() {
        if let (true, KeySource::File(path)) = (keys.is_empty(), source) {
            keys = create(path)?;
        }
        if let Some(first) = keys.last() {
            let audit_key = AuditKey::derive(1, first);
            log.register_first_key(first.digest(), &audit_key)
                .await
                .map_err(|error| error.to_string())?;
        }
        known = registered().await?;
    }
    KeyRing::new(&keys, &known).ok_or_else(|| match source {
        KeySource::Given(_) => "TUA_SERVER_KEY: it is not the key that this database was first \
            used with, or one that `tua server-key rotate` made; all nodes need the same"
            .to_owned(),
        KeySource::File(path) if keys.is_empty() => with_path(
            path,
            &"there is no such file, but the database was used with a server key; restore the file \
                from where you keep its copy",
        ),
        KeySource::File(path) => {
            with_path(path, &"it is not the key that this database was used with")
        }
    })
}

/// The content of a key file, or of `TUA_SERVER_KEY`, with these keys.
#[must_use]
pub fn to_text(keys: &[ServerKey]) -> String {
    keys.iter().map(ServerKey::to_text).collect::<Vec<_>>().join(",")
}

/// A key file that no other process replaces as long as this exists.
#[derive(Debug)]
pub struct LockedKeyFile {
    path: PathBuf,
    _lock: File,
}

impl LockedKeyFile {
    /// Locks the file.
    ///
    /// # Errors
    /// A sentence that names the file: another process replaces it, or it cannot be locked.
    pub fn lock(path: &Path) -> Result<Self, String> {
        let lock_path = beside(path, ".lock");
        let lock =
            private_file::open_lock(&lock_path).map_err(|error| io_fault(&lock_path, &error))?;
        lock.try_lock().map_err(|error| io_fault(path, &error.into()))?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    /// Writes the keys to a draft next to the file, which is on disk when this returns. It has the
    /// owner and the mode of the file, so that the users who can read the file can read the next
    /// one, too.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub fn write_draft(&self, keys: &[ServerKey]) -> Result<(), String> {
        let written = private_file::write_replacement(&self.path, &self.draft(), &to_text(keys));
        written.map_err(|error| io_fault(&self.path, &error))
    }

    /// Puts the draft in the file's place. It survives a power failure, because new secrets depend
    /// on the new key.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub fn commit_draft(self) -> Result<(), String> {
        private_file::replace(&self.path, &self.draft())
            .map_err(|error| io_fault(&self.path, &error))
    }

    fn draft(&self) -> PathBuf {
        beside(&self.path, ".next")
    }
}

/// The interval at which a running service reads its key file again.
const RELOAD_INTERVAL: Duration = Duration::from_secs(1);

/// Uses the keys of the file whenever it was replaced, until the task is dropped. It runs on real
/// time, because the file is replaced by another process.
pub async fn watch(path: PathBuf, keys: KeyRing, log: Arc<dyn AuditLog>) {
    let mut last = read(&path);
    loop {
        tokio::time::sleep(RELOAD_INTERVAL).await;
        let now = read(&path);
        if now == last {
            continue;
        }
        match &now {
            Ok(_) => match open_key_ring(KeySource::File(&path), log.as_ref()).await {
                Ok(replaced) => {
                    keys.replace(&replaced);
                    tracing::info!(versions = ?keys.versions(), "server keys reloaded");
                }
                Err(error) => tracing::error!(
                    error,
                    "the new server key file cannot be used; keeping the old keys"
                ),
            },
            Err(error) => tracing::error!(
                file = %path.display(), error,
                "the server key file cannot be read: the service keeps its keys, and its next \
                 start will fail"
            ),
        }
        last = now;
    }
}

/// The content of the file, or why it cannot be read.
fn read(path: &Path) -> Result<String, String> {
    private_file::read_to_string(path).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::PermissionsExt};

    #[test]
    fn the_key_file_is_private_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tua.db.key");
        let made = create(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(load(&path).unwrap()[0].digest(), made[0].digest());
        assert_eq!(
            create(&path).unwrap()[0].digest(),
            made[0].digest(),
            "an existing file stays as it is"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_key_that_cannot_be_stored_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tua.db.key");
        std::os::unix::fs::symlink(folder.path().join("nothing"), &path).unwrap();
        assert!(create(&path).unwrap_err().contains("symbolic link"));
        assert!(!folder.path().join("nothing").exists());
    }

    #[test]
    fn a_broken_key_file_is_named_and_not_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tua.db.key");
        fs::write(&path, "hunter2").unwrap();
        let error = load(&path).unwrap_err();
        assert!(error.contains("tua.db.key") && !error.contains("hunter2"), "{error}");
    }
}
