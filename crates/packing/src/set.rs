//! A set of files with one name.

use crate::{BROTLI_SUFFIX, GZIP_SUFFIX, brotli, gzip};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fmt::Write, fs, io, path::Path};

/// The number of hexadecimal digits in a set's name: 48 bits distinguish versions. The name is not
/// a proof of integrity.
const NAME_LENGTH: usize = 12;

/// Files that refer to each other, with their relative paths.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileSet(BTreeMap<String, Vec<u8>>);

impl FileSet {
    /// Adds or replaces a file.
    pub fn insert(&mut self, path: &str, bytes: Vec<u8>) {
        self.0.insert(path.to_owned(), bytes);
    }

    /// Adds the files of a folder that have one of these extensions, without its subfolders. A
    /// missing folder counts as empty.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn insert_folder(
        &mut self,
        at: &str,
        folder: &Path,
        extensions: &[&str],
    ) -> io::Result<()> {
        let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
        for entry in entries {
            let path = entry?.path();
            let Some((name, (_, extension))) = path
                .file_name()
                .and_then(|name| name.to_str())
                .and_then(|name| Some((name, name.rsplit_once('.')?)))
            else {
                continue;
            };
            if path.is_file() && extensions.contains(&extension) {
                self.insert(&format!("{at}{name}"), fs::read(&path)?);
            }
        }
        Ok(())
    }

    /// The content of a file. `None` if the set does not contain it.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.0.get(path).map(Vec::as_slice)
    }

    /// The set's name: a hash of all paths and contents, each preceded by its length.
    #[must_use]
    pub fn name(&self) -> String {
        let mut hash = Sha256::new();
        for part in self.0.iter().flat_map(|(path, bytes)| [path.as_bytes(), bytes]) {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        let mut name = hash.finalize().iter().fold(String::new(), |mut name, byte| {
            // Writing to a string cannot fail.
            let _ = write!(name, "{byte:02x}");
            name
        });
        name.truncate(NAME_LENGTH);
        name
    }

    /// Writes every file, and its compressed forms if they are smaller than the file.
    ///
    /// # Errors
    /// The folder or a file cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        for (path, bytes) in &self.0 {
            let file = folder.join(path);
            fs::create_dir_all(file.parent().unwrap_or(folder))?;
            fs::write(&file, bytes)?;
            for (suffix, compressed) in
                [(BROTLI_SUFFIX, brotli(bytes)?), (GZIP_SUFFIX, gzip(bytes)?)]
            {
                if compressed.len() < bytes.len() {
                    fs::write(folder.join(format!("{path}{suffix}")), compressed)?;
                }
            }
        }
        Ok(())
    }
}
