//! Reads statement files of operators: tables in the form that the settings describe
//! (docs/reference/statements.md).

mod columns;
mod fault;
mod forms;
mod import;
mod line;
mod source;

use crate::table_file::{LineContent, Lines};
use line::LineCells;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use tua_use_cases::statements::{LineFault, ReadLine, ReadRow};

pub use forms::StatementForms;
pub use import::{FileDays, ImportError, SHOWN_FAULTS, import_file};
pub use source::StatementSource;

/// The lines of a file. They need about 40 bytes a line.
#[derive(Debug)]
pub struct StatementFile<'a> {
    source: &'a StatementSource,
    lines: Lines<'a>,
    /// How often a line with the same contents was read.
    seen: HashMap<[u8; 16], u32>,
}

impl<'a> StatementFile<'a> {
    fn new(source: &'a StatementSource) -> Self {
        Self {
            source,
            lines: source.file.lines(&source.header, &source.table_form),
            seen: HashMap::new(),
        }
    }

    /// The same contents twice in a file are two lines; in two files they are one.
    fn with_key(&mut self, row: ReadRow) -> ReadRow {
        let ReadRow::Moved(mut line) = row else { return row };
        let mut short = [0; 16];
        short.copy_from_slice(&line.key[..16]);
        let before = self.seen.entry(short).or_insert(0);
        line.key = Sha256::new()
            .chain_update(line.key)
            .chain_update(before.to_be_bytes())
            .finalize()
            .into();
        *before += 1;
        ReadRow::Moved(line)
    }
}

impl Iterator for StatementFile<'_> {
    type Item = ReadLine;

    fn next(&mut self) -> Option<ReadLine> {
        let line = self.lines.next()?;
        let number = u32::try_from(line.number).unwrap_or(u32::MAX);
        let read = match line.content {
            LineContent::LeftOut(reason) => Ok(ReadRow::LeftOut(reason)),
            LineContent::Refused(fault) => Err(vec![fault::of_row(fault)]),
            LineContent::Record(record) => {
                let StatementSource { columns, form, .. } = self.source;
                LineCells { columns, form, record: &record }.read(number)
            }
        };
        Some(read.map(|row| self.with_key(row)).map_err(|faults| LineFault { number, faults }))
    }
}

#[cfg(test)]
mod tests;
