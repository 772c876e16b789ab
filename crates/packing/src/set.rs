//! Files that belong together.

use crate::{BROTLI_SUFFIX, GZIP_SUFFIX, brotli, gzip};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fmt::Write, fs, io, path::Path};

/// How many hexadecimal digits name a set: 48 bits, to tell versions apart and not to vouch for them.
const NAME_LENGTH: usize = 12;

/// Files that refer to each other, by their paths.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileSet(BTreeMap<String, Vec<u8>>);

impl FileSet {
    /// Adds a file, or puts it in the place of another.
    pub fn insert(&mut self, path: &str, bytes: Vec<u8>) {
        self.0.insert(path.to_owned(), bytes);
    }

    /// Adds the files of a folder, and of no folder in it, whose extension is one of these. A folder that is missing
    /// has none.
    ///
    /// # Errors
    /// Where a file cannot be read.
    pub fn insert_folder(&mut self, at: &str, folder: &Path, extensions: &[&str]) -> io::Result<()> {
        let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
        for entry in entries {
            let path = entry?.path();
            let Some((name, (_, extension))) =
                path.file_name().and_then(|name| name.to_str()).and_then(|name| Some((name, name.rsplit_once('.')?)))
            else {
                continue;
            };
            if path.is_file() && extensions.contains(&extension) {
                self.insert(&format!("{at}{name}"), fs::read(&path)?);
            }
        }
        Ok(())
    }

    /// A file of it.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.0.get(path).map(Vec::as_slice)
    }

    /// Another name for other contents: each path and its bytes, with their lengths before them.
    #[must_use]
    pub fn name(&self) -> String {
        let mut hash = Sha256::new();
        for part in self.0.iter().flat_map(|(path, bytes)| [path.as_bytes(), bytes]) {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        let mut name = hash.finalize().iter().fold(String::new(), |mut name, byte| {
            // A string takes every write.
            let _ = write!(name, "{byte:02x}");
            name
        });
        name.truncate(NAME_LENGTH);
        name
    }

    /// Writes every file, and beside it what of it is smaller compressed.
    ///
    /// # Errors
    /// Where the folder cannot be written to.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        for (path, bytes) in &self.0 {
            let file = folder.join(path);
            fs::create_dir_all(file.parent().unwrap_or(folder))?;
            fs::write(&file, bytes)?;
            for (suffix, small) in [(BROTLI_SUFFIX, brotli(bytes)?), (GZIP_SUFFIX, gzip(bytes)?)] {
                if small.len() < bytes.len() {
                    fs::write(folder.join(format!("{path}{suffix}")), small)?;
                }
            }
        }
        Ok(())
    }
}
