//! The archive of a workbook, before it is read: what it unpacks to is bounded, and hidden rows are found.

use super::TableFault;
use quick_xml::{Reader, events::Event};
use std::{
    collections::BTreeSet,
    io::{self, BufReader, Cursor, Read},
};
use zip::ZipArchive;

/// What a workbook may unpack to: 130,000 rows of ten cells. A file of the largest size could unpack to a thousand times
/// its own.
pub(super) const MAX_UNPACKED_BYTES: u64 = 64 << 20;

/// How many files the archive may have. A workbook has about ten, and one for each sheet and picture.
const MAX_FILES: usize = 1_000;

/// Unpacks every file of an archive once, and returns the numbers of all rows that are hidden in a sheet.
///
/// # Errors
/// [`TableFault::NotAWorkbook`], [`TableFault::TooLarge`].
pub(super) fn hidden_rows(bytes: &[u8]) -> Result<BTreeSet<u64>, TableFault> {
    let unreadable = |_| TableFault::NotAWorkbook;
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(unreadable)?;
    if archive.len() > MAX_FILES {
        return Err(TableFault::TooLarge);
    }
    let mut hidden = BTreeSet::new();
    let mut unpacked_bytes = 0;
    for index in 0..archive.len() {
        let file = archive.by_index(index).map_err(unreadable)?;
        let is_sheet = file.name().is_ok_and(|name| name.starts_with("xl/worksheets/") && name.ends_with(".xml"));
        // The sizes that an archive declares may be wrong, so they are counted.
        let mut file = Counted { file: file.take(MAX_UNPACKED_BYTES - unpacked_bytes + 1), count: 0 };
        if is_sheet {
            hidden.extend(hidden_in(BufReader::new(&mut file))?);
        }
        io::copy(&mut file, &mut io::sink()).map_err(|_| TableFault::NotAWorkbook)?;
        unpacked_bytes += file.count;
        if unpacked_bytes > MAX_UNPACKED_BYTES {
            return Err(TableFault::TooLarge);
        }
    }
    Ok(hidden)
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

/// The hidden rows of a sheet. Where it cannot be read, the reader of cells says so.
fn hidden_in(sheet: impl io::BufRead) -> Result<Vec<u64>, TableFault> {
    let (mut xml, mut buffer, mut hidden, mut number) = (Reader::from_reader(sheet), Vec::new(), Vec::new(), 0);
    loop {
        buffer.clear();
        match xml.read_event_into(&mut buffer) {
            Ok(Event::Start(row) | Event::Empty(row)) if row.local_name().as_ref() == "row" => {
                let value = |name: &str| row.try_get_attribute(name).ok().flatten().map(|one| one.value.to_string());
                number = value("r").and_then(|number| number.parse().ok()).unwrap_or(number + 1);
                hidden.extend(value("hidden").filter(|hidden| matches!(&**hidden, "1" | "true")).map(|_| number));
            }
            Ok(Event::Eof) | Err(_) => return Ok(hidden),
            Ok(_) => {}
        }
    }
}
