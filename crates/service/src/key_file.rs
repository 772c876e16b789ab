//! Secrets in files of mode 0600: the server key beside a SQLite database, keys that the command line writes.

use crate::{
    domain::{
        audit::AuditKey,
        key_ring::KeyRing,
        ports::Store,
        secret::{ServerKey, random_bytes},
    },
    files::{describe_fault, whole},
};
use std::{
    fmt,
    fs::{self, File, OpenOptions},
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// Reads the server keys from their file, newest first. Empty where there is no file.
///
/// # Errors
/// A sentence that names the file and what is wrong with it. It never repeats the file's contents.
pub fn load(path: &Path) -> Result<Vec<ServerKey>, String> {
    match fs::read_to_string(path) {
        Ok(text) => ServerKey::parse_list(&text).map_err(|error| named(path, &error)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(io_fault(path, &error)),
    }
}

/// Creates the file, of mode 0600, with a new key. If another process has just created it, its key counts.
fn create(path: &Path) -> Result<Vec<ServerKey>, String> {
    match write_private(path, &ServerKey::from_bytes(random_bytes()).to_text()) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(io_fault(path, &error)),
        _ => load(path),
    }
}

fn named(path: &Path, error: &dyn fmt::Display) -> String {
    format!("server key file {}: {error}", whole(path).display())
}

fn io_fault(path: &Path, error: &std::io::Error) -> String {
    format!("server key file {}", describe_fault(path, error))
}

/// Where the server keys of a database are.
#[derive(Clone, Copy, Debug)]
pub enum KeySource<'a> {
    /// In `TUA_SERVER_KEY`.
    Given(&'a [ServerKey]),
    /// In a file, which is created with a new key for a database that was never used with one.
    File(&'a Path),
}

/// Reads the server keys, and compares them with those that the database was used with. A database that was never used
/// with a key is from now on used with this one.
///
/// # Errors
/// A sentence: a key is missing or is not one of the database, or the store failed.
pub async fn open_key_ring(source: KeySource<'_>, store: &dyn Store) -> Result<KeyRing, String> {
    let registered = async || store.server_keys().await.map_err(|error| error.to_string());
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
            store.register_first_key(first.digest(), &audit_key).await.map_err(|error| error.to_string())?;
        }
        known = registered().await?;
    }
    KeyRing::new(&keys, &known).ok_or_else(|| match source {
        KeySource::Given(_) => "TUA_SERVER_KEY: it is not the key that this database was first used with, or one that \
             `tua server-key rotate` made; all nodes need the same"
            .to_owned(),
        KeySource::File(path) if keys.is_empty() => named(
            path,
            &"there is no such file, but the database was used with a server key; restore the file from where you \
              keep its copy",
        ),
        KeySource::File(path) => named(path, &"it is not the key that this database was used with"),
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
        let lock = || {
            let lock =
                OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(beside(path, ".lock"))?;
            lock.try_lock()?;
            Ok::<_, std::io::Error>(lock)
        };
        Ok(Self { path: path.to_owned(), _lock: lock().map_err(|error| io_fault(path, &error))? })
    }

    /// Writes the keys to a draft next to the file, which is on disk when this returns.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub fn write_draft(&self, keys: &[ServerKey]) -> Result<(), String> {
        let write = || {
            let draft = beside(&self.path, ".next");
            let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(draft)?;
            file.write_all(to_text(keys).as_bytes())?;
            file.sync_all()
        };
        write().map_err(|error| io_fault(&self.path, &error))
    }

    /// Puts the draft in the file's place.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub fn commit_draft(self) -> Result<(), String> {
        let replace = || {
            fs::rename(beside(&self.path, ".next"), &self.path)?;
            // The folder's entry, too, must survive a power failure: new secrets depend on the new key.
            let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
            File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
        };
        replace().map_err(|error| io_fault(&self.path, &error))
    }
}

fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(extension);
    PathBuf::from(name)
}

/// How often a running service looks for a new key in its file.
const RELOAD_INTERVAL: Duration = Duration::from_secs(1);

/// Uses the keys of the file whenever it was replaced, until the task is dropped. It runs on real time, because the file
/// is replaced by another process.
pub async fn watch(path: PathBuf, keys: KeyRing, store: Arc<dyn Store>) {
    let mut last = fs::read(&path).ok();
    loop {
        tokio::time::sleep(RELOAD_INTERVAL).await;
        let now = fs::read(&path).ok();
        if now.is_none() || now == last {
            continue;
        }
        match open_key_ring(KeySource::File(&path), store.as_ref()).await {
            Ok(replaced) => {
                keys.replace(&replaced);
                tracing::info!(versions = ?keys.versions(), "server keys reloaded");
            }
            Err(error) => tracing::error!(error, "the new server key file cannot be used; keeping the old keys"),
        }
        last = now;
    }
}

/// Writes a secret to a new file of mode 0600.
///
/// The secret is written to a draft, synced, then linked into place. So a crash leaves the whole secret or none, and of
/// two processes that start at once the second fails with `AlreadyExists`.
///
/// # Errors
/// Those of the file system.
pub fn write_private(path: &Path, secret: &str) -> std::io::Result<()> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}", std::process::id()));
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    file.write_all(secret.as_bytes())?;
    file.sync_all()?;
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    linked
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_key_file_is_private_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tua.db.key");
        let made = create(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(load(&path).unwrap()[0].digest(), made[0].digest());
        assert_eq!(create(&path).unwrap()[0].digest(), made[0].digest(), "an existing file stays as it is");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
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
