//! Which file a database was opened from.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// A file by its path and its inode. In WAL mode SQLite itself does not notice that the file was deleted or
/// replaced, and goes on writing into what nobody will ever open again.
#[derive(Debug)]
pub(super) struct Identity {
    path: PathBuf,
    inode: (u64, u64),
}

/// Another file, or none, is where the database was.
#[derive(Debug, thiserror::Error)]
#[error("the database file was moved, deleted or replaced under the service")]
pub(super) struct Moved;

impl Identity {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), inode: inode(path)? })
    }

    /// Whether the path still leads to the same file.
    pub(super) fn check(&self) -> Result<(), Moved> {
        match inode(&self.path) {
            Ok(inode) if inode == self.inode => Ok(()),
            _ => Err(Moved),
        }
    }
}

fn inode(path: &Path) -> io::Result<(u64, u64)> {
    fs::metadata(path).map(|file| (file.dev(), file.ino()))
}
