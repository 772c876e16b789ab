//! A file of payouts, as the commands about batches take it.

use crate::cli::arguments::parse_mode;
use clap::Args;
use std::{fs::File, io::Read, path::PathBuf};
use tua_domain::{AccountId, Mode, Scope};
use tua_tables::{
    payout_file::{CheckedLine, FILE_MAX_BYTES, FileFault, NetworkNames, PayoutFile},
    table_file::{TableFile, TableForm},
};

/// How many faults the line of an error names.
const MAX_NAMED: usize = 20;

/// The flags that name a file, and who pays.
#[derive(Args, Debug)]
pub(super) struct FileFlags {
    /// The account that pays
    #[arg(long, env = "TUA_ACCOUNT")]
    account: String,
    /// The mode: test or live
    #[arg(long, env = "TUA_MODE", value_parser = parse_mode)]
    mode: Mode,
    /// The sheet of a workbook; needed if several sheets have rows
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// How lines below the table begin, such as Total, which are left out [repeatable]
    #[arg(long, value_name = "TEXT")]
    footer: Vec<String>,
    /// The file: CSV or .xlsx with the columns phoneNumber, network and amount, and perhaps
    /// reference, note and name
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl FileFlags {
    pub(super) fn scope(&self) -> Scope {
        Scope { account: AccountId::new(self.account.clone()), mode: self.mode }
    }

    /// An error about the file.
    pub(super) fn fault(&self, fault: &str) -> String {
        format!("file {}: {fault}", self.file.display())
    }

    /// Reads the file.
    ///
    /// # Errors
    /// One line: it cannot be read, is too large, or is no file of payouts.
    pub(super) fn read(&self) -> Result<PayoutFile, String> {
        let mut bytes = Vec::new();
        // One byte more shows that it is too large, without reading all of it.
        let read = File::open(&self.file)
            .and_then(|file| file.take(FILE_MAX_BYTES as u64 + 1).read_to_end(&mut bytes))
            .map_err(|error| self.fault(&error.to_string()))?;
        if read > FILE_MAX_BYTES {
            return Err(self.fault("it has more than 1 MiB; divide it"));
        }
        let form = TableForm { sheet: self.sheet.clone(), ..TableForm::default() }
            .with_footers(&self.footer);
        let table = TableFile::read(bytes, &form).map_err(FileFault::from);
        // Nobody confirms on a page how a name of a network was read.
        let file = table.and_then(|table| PayoutFile::read(&table, &form, NetworkNames::Exact));
        file.map_err(|fault| self.fault(&fault.to_string()))
    }
}

/// The faults of all lines, as one line; `None` if there is none.
pub(super) fn line_faults(lines: &[CheckedLine<'_>]) -> Option<String> {
    let faults = |one: &CheckedLine<'_>| {
        let explanations: Vec<_> =
            one.faults.iter().map(|fault| fault.code_and_explanation().1).collect();
        format!("line {}: {}", one.line.number, explanations.join(", and "))
    };
    let faulty: Vec<String> =
        lines.iter().filter(|line| !line.faults.is_empty()).map(faults).collect();
    let more = match faulty.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!("; and {more} more lines, which `tua payout batch check` lists"),
    };
    let named: Vec<&str> = faulty.iter().take(MAX_NAMED).map(String::as_str).collect();
    (!faulty.is_empty()).then(|| format!("{}{more}. Nothing was begun", named.join("; ")))
}
