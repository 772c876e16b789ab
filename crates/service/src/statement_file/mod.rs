//! Reads statement files of operators: CSV in the form that the settings describe (docs/reference/statements.md).

mod cells;
mod forms;
mod import;
mod source;

use crate::{
    domain::{
        statement::StatementLine,
        use_cases::statements::{LineFault, ReadLine},
    },
    operators::statement_columns::StatementColumns,
};
use cells::{Cells, Columns};
use csv::{ReaderBuilder, StringRecord, Trim};
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
};

pub use forms::StatementForms;
pub use import::{ImportError, SHOWN_FAULTS, import_file};
pub use source::StatementSource;

/// The longest header that is read to find the delimiter.
const MAX_HEADER_BYTES: u64 = 64 << 10;

/// A file that is read line by line, in constant memory except for 40 bytes a line.
#[derive(Debug)]
pub struct StatementFile {
    records: csv::Reader<BufReader<File>>,
    columns: Columns,
    first_line: u64,
    /// How often a line with the same contents was read.
    seen: HashMap<[u8; 16], u32>,
    record: StringRecord,
}

impl StatementFile {
    /// Reads the header of a file from its beginning.
    ///
    /// # Errors
    /// One line that says what is wrong: it cannot be read, it is no UTF-8, it lacks columns, or its end is missing.
    pub fn open(mut file: File, form: &StatementColumns) -> Result<Self, String> {
        let readable = |error: io::Error| error.to_string();
        check_end(&mut file)?;
        let mut file = BufReader::new(file);
        skip_byte_order_mark(&mut file)?;
        let mut line = Vec::new();
        for _ in 0..form.skipped_lines {
            line.clear();
            file.by_ref().take(MAX_HEADER_BYTES).read_until(b'\n', &mut line).map_err(readable)?;
        }
        let start = file.stream_position().map_err(readable)?;
        line.clear();
        file.by_ref().take(MAX_HEADER_BYTES).read_until(b'\n', &mut line).map_err(readable)?;
        file.seek(SeekFrom::Start(start)).map_err(readable)?;
        let delimiter = form.delimiter.unwrap_or_else(|| most_frequent_delimiter(&line));
        let mut records = ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .trim(Trim::All)
            .has_headers(true)
            .from_reader(file);
        let header = records.headers().map_err(|error| format!("the header cannot be read: {error}"))?;
        let columns = Columns::find(form.clone(), header)?;
        // After a line that ends with CR and LF the reader counts the LF with the next line.
        let first_line = form.skipped_lines as u64 + u64::from(line.ends_with(b"\r\n"));
        Ok(Self { records, columns, first_line, seen: HashMap::new(), record: StringRecord::new() })
    }

    fn read(&mut self, number: u32) -> Result<Option<StatementLine>, String> {
        let cells = Cells { columns: &self.columns, record: &self.record };
        let Some(mut line) = cells.line(number)? else { return Ok(None) };
        // The same contents twice in a file are two lines; in two files they are one.
        let mut contents = Sha256::new();
        contents.update(format!(
            "{}\n{}\n{}\n{}\n{:?}\n{:?}\n{:?}",
            line.kind.as_str(),
            line.is_reversal,
            line.at.as_microsecond(),
            line.pesewas,
            line.fee_pesewas,
            line.operator_transaction_id,
            cells.reference(),
        ));
        let contents: [u8; 32] = contents.finalize().into();
        let mut short = [0; 16];
        short.copy_from_slice(&contents[..16]);
        let before = self.seen.entry(short).or_insert(0);
        line.key = Sha256::new().chain_update(contents).chain_update(before.to_be_bytes()).finalize().into();
        *before += 1;
        Ok(Some(line))
    }
}

impl Iterator for StatementFile {
    type Item = ReadLine;

    fn next(&mut self) -> Option<ReadLine> {
        let at = self.records.position().line() + self.first_line;
        let number = u32::try_from(at).unwrap_or(u32::MAX);
        let fault = |number, fault: String| Err(LineFault { number, fault });
        match self.records.read_record(&mut self.record) {
            Ok(false) => None,
            Ok(true) => {
                let at = self.record.position().map_or(at, |position| position.line() + self.first_line);
                let number = u32::try_from(at).unwrap_or(u32::MAX);
                Some(self.read(number).or_else(|error| fault(number, error)))
            }
            Err(error) if error.is_io_error() => Some(fault(number, error.to_string())),
            Err(_) => Some(fault(number, "it is not UTF-8".to_owned())),
        }
    }
}

/// Refuses an empty file, and one that does not end with a line break: its end may be missing.
fn check_end(file: &mut File) -> Result<(), String> {
    let readable = |error: io::Error| error.to_string();
    let length = file.seek(SeekFrom::End(0)).map_err(readable)?;
    if length == 0 {
        return Err("the file is empty".to_owned());
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1)).map_err(readable)?;
    file.read_exact(&mut last).map_err(readable)?;
    file.seek(SeekFrom::Start(0)).map_err(readable)?;
    match last {
        [b'\n' | b'\r'] => Ok(()),
        _ => Err("the last line has no line break, so the end of the file may be missing; download it again, or add \
                  the line break if it is complete"
            .to_owned()),
    }
}

/// Skips the byte order mark of UTF-8.
fn skip_byte_order_mark(file: &mut BufReader<File>) -> Result<(), String> {
    let start = file.fill_buf().map_err(|error| error.to_string())?;
    if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
        return Err("the file is UTF-16; save it as CSV in UTF-8".to_owned());
    }
    if start.starts_with(b"PK") {
        return Err("the file is a workbook; save it as CSV in UTF-8".to_owned());
    }
    if start.starts_with(&[0xef, 0xbb, 0xbf]) {
        file.consume(3);
    }
    Ok(())
}

/// The delimiter that the header has most often.
fn most_frequent_delimiter(header: &[u8]) -> u8 {
    let count = |delimiter: &u8| header.iter().filter(|byte| *byte == delimiter).count();
    // Of equal counts `max_by_key` takes the last one.
    [b'|', b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',')
}

#[cfg(test)]
mod tests;
