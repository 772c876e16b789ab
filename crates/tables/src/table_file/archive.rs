//! The archive of a workbook, before it is read: what it unpacks to is bounded, its XML is checked,
//! and the hidden rows of each sheet are found.

use super::{
    TableFault,
    archive_xml::{self, ElementCounts},
};
use std::{
    collections::{BTreeSet, HashMap},
    io::{self, BufReader, Cursor, Read},
};
use zip::{ZipArchive, read::ZipFile};

/// What a workbook may unpack to: 130,000 rows of ten cells. A file of the largest size could
/// unpack to a thousand times its own.
pub(super) const MAX_UNPACKED_BYTES: u64 = 64 << 20;

/// How many files the archive may have. A workbook has about ten, and one for each sheet and
/// picture.
const MAX_FILES: usize = 1_000;

/// A file of an archive in memory.
pub(super) type ArchiveFile<'a, 'b> = ZipFile<'a, Cursor<&'b [u8]>>;

/// An archive that was unpacked once.
pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// Where each file is, by its path in lower case.
    indexes: HashMap<String, usize>,
    /// The hidden rows of each file, by the same path.
    hidden: HashMap<String, BTreeSet<u64>>,
}

impl<'a> Archive<'a> {
    /// Unpacks every file of an archive once.
    ///
    /// # Errors
    /// [`TableFault::NotAWorkbook`], [`TableFault::TooLarge`], [`TableFault::BeyondSheet`].
    pub(super) fn check(bytes: &'a [u8]) -> Result<Self, TableFault> {
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|_| TableFault::NotAWorkbook)?;
        if zip.len() > MAX_FILES {
            return Err(TableFault::TooLarge);
        }
        let mut archive = Self { zip, indexes: HashMap::new(), hidden: HashMap::new() };
        let mut counts = ElementCounts::default();
        let mut unpacked_bytes = 0;
        for index in 0..archive.zip.len() {
            unpacked_bytes +=
                archive.check_file(index, MAX_UNPACKED_BYTES - unpacked_bytes, &mut counts)?;
        }
        Ok(archive)
    }

    /// Unpacks a file of at most `max_bytes`, and returns its number of bytes.
    fn check_file(
        &mut self,
        index: usize,
        max_bytes: u64,
        counts: &mut ElementCounts,
    ) -> Result<u64, TableFault> {
        let damaged = |_| TableFault::NotAWorkbook;
        let file = self.zip.by_index(index).map_err(damaged)?;
        let path = key(&file.name().map_err(damaged)?);
        // The sizes that an archive declares may be wrong, so they are counted.
        let mut file = Counted { file: file.take(max_bytes + 1), count: 0 };
        let hidden = archive_xml::hidden_rows(BufReader::new(&mut file), counts)?;
        io::copy(&mut file, &mut io::sink()).map_err(|_| TableFault::NotAWorkbook)?;
        if file.count > max_bytes {
            return Err(TableFault::TooLarge);
        }
        let count = file.count;
        self.hidden.entry(path.clone()).or_default().extend(hidden);
        self.indexes.insert(path, index);
        Ok(count)
    }

    /// A file by its path, whatever its case.
    pub(super) fn file(&mut self, path: &str) -> Result<ArchiveFile<'_, 'a>, TableFault> {
        let index = *self.indexes.get(&key(path)).ok_or(TableFault::NotAWorkbook)?;
        self.zip.by_index(index).map_err(|_| TableFault::NotAWorkbook)
    }

    /// The hidden rows of a sheet, by its path.
    pub(super) fn hidden_rows(&self, path: &str) -> BTreeSet<u64> {
        self.hidden.get(&key(path)).cloned().unwrap_or_default()
    }
}

/// A path as calamine looks for it.
fn key(path: &str) -> String {
    path.replace('\\', "/").to_ascii_lowercase()
}

/// Counts what is read.
struct Counted<R> {
    file: R,
    count: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.count += read as u64;
        Ok(read)
    }
}
