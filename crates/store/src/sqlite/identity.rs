//! Detects that the database file was moved, deleted or replaced.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// A file's path and inode. In WAL mode SQLite does not notice that its file was deleted or
/// replaced, and continues to write into a file that no process can open again.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    path: PathBuf,
    inode: (u64, u64),
}

/// The path leads to another file, or to none.
#[derive(Debug, thiserror::Error)]
#[error("the database file was moved, deleted or replaced under the service")]
pub(super) struct Moved;

impl Identity {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), inode: inode(path)? })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Fails if the path no longer leads to the same file.
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
