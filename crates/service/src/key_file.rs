//! Secrets in files of mode 0600: the server key beside a SQLite database, keys that the command line writes.

use crate::domain::secret::{ServerKey, random_bytes};
use std::{
    fmt,
    fs::{self, OpenOptions},
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

/// Reads the server key from its file. Where there is no file, creates one of mode 0600 with a new key.
///
/// # Errors
/// A sentence that names the file and what is wrong with it. It never repeats the file's contents.
pub fn load_or_create(path: &Path) -> Result<ServerKey, String> {
    let named = |error: &dyn fmt::Display| format!("server key file {}: {error}", path.display());
    let read = || {
        let text = fs::read_to_string(path)?;
        Ok::<_, std::io::Error>(ServerKey::parse(&text))
    };
    let found = match read() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            match write_private(path, &ServerKey::from_bytes(random_bytes()).to_text()) {
                // Another process has just created it: its key counts.
                Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
                _ => read(),
            }
        }
        found => found,
    };
    found.map_err(|error| named(&error))?.map_err(|error| named(&error))
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
        let made = load_or_create(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(load_or_create(&path).unwrap().digest(), made.digest());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_broken_key_file_is_named_and_not_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tua.db.key");
        fs::write(&path, "hunter2").unwrap();
        let error = load_or_create(&path).unwrap_err();
        assert!(error.contains("tua.db.key") && !error.contains("hunter2"), "{error}");
    }
}
