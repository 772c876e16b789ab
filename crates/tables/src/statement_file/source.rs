//! A statement file that was read as a table, so that what is stored is what was checked.

use super::{StatementFile, columns::Columns, fault};
use crate::table_file::{Header, TableFile, TableForm};
use sha2::{Digest, Sha256};
use std::io::Read;
use tua_domain::file_lines::FileFault;
use tua_operators::statement_columns::StatementColumns;

/// How many bytes a file may have: some million lines. It is read into memory, because it may need
/// to be decoded, and because there may be no folder for temporary files.
const MAX_BYTES: u64 = 512 << 20;

/// A statement file in memory.
#[derive(Debug)]
pub struct StatementSource {
    pub(super) file: TableFile,
    pub(super) header: Header,
    pub(super) columns: Columns,
    pub(super) form: StatementColumns,
    pub(super) table_form: TableForm,
    digest: [u8; 32],
}

impl StatementSource {
    /// Reads a file, and finds its columns.
    ///
    /// # Errors
    /// What is wrong: it cannot be read, is no table, or lacks columns.
    pub fn read(from: impl Read, form: &StatementColumns) -> Result<Self, FileFault> {
        let mut bytes = Vec::new();
        from.take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| fault::about("unreadable", &error.to_string(), error.to_string()))?;
        if bytes.len() as u64 > MAX_BYTES {
            let mib = MAX_BYTES >> 20;
            let sentence = format!("it has more than {mib} MiB; divide it");
            return Err(FileFault::new("file-too-large", [("mib", mib.to_string())], sentence));
        }
        let of_file: [u8; 32] = Sha256::digest(&bytes).into();
        let table_form = TableForm {
            delimiter: form.delimiter.map(char::from),
            skipped_lines: form.skipped_lines as u64,
            sheet: form.sheet.clone(),
            refuses_short_lines: true,
            ..TableForm::default()
        };
        let table_form = table_form.with_footers(&form.footers);
        let file = TableFile::read(bytes, &table_form).map_err(|fault| fault::of_table(&fault))?;
        let header = file.header(&table_form).map_err(fault::of_header)?;
        let columns = Columns::find(form, &header)?;
        // Each sheet of a workbook is a statement of its own.
        let digest = match file.sheet() {
            Some(sheet) => {
                Sha256::new().chain_update(of_file).chain_update(sheet).finalize().into()
            }
            None => of_file,
        };
        Ok(Self { file, header, columns, form: form.clone(), table_form, digest })
    }

    /// The SHA-256 of a file of text; of a workbook, the SHA-256 of the file's and the name of its
    /// sheet.
    #[must_use]
    pub const fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// Every line from the first one on.
    #[must_use]
    pub fn lines(&self) -> StatementFile<'_> {
        StatementFile::new(self)
    }
}
