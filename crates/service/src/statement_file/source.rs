//! A private copy of a file, so that what is stored is what was checked.

use super::StatementFile;
use crate::operators::statement_columns::StatementColumns;
use sha2::{Digest, Sha256};
use std::{
    fs::File,
    io::{self, Read, Write},
};

/// A copy of a statement file in a temporary file without a name.
#[derive(Debug)]
pub struct StatementSource {
    file: File,
    digest: [u8; 32],
}

impl StatementSource {
    /// Copies a file.
    ///
    /// # Errors
    /// Those of reading it, and of writing the copy.
    pub fn copy(mut from: impl Read) -> io::Result<Self> {
        let (mut file, mut digest, mut buffer) = (tempfile::tempfile()?, Sha256::new(), vec![0; 64 << 10]);
        loop {
            match from.read(&mut buffer)? {
                0 => return Ok(Self { file, digest: digest.finalize().into() }),
                read => {
                    digest.update(&buffer[..read]);
                    file.write_all(&buffer[..read])?;
                }
            }
        }
    }

    /// The SHA-256 of the file.
    #[must_use]
    pub const fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// The lines from the first one on. Earlier readers of the same copy must not be used any more.
    ///
    /// # Errors
    /// As [`StatementFile::open`].
    pub fn lines(&self, form: &StatementColumns) -> Result<StatementFile, String> {
        StatementFile::open(self.file.try_clone().map_err(|error| error.to_string())?, form)
    }
}
