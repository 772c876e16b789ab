//! A file of payouts, as the commands about batches take it.

use crate::{
    cli::key::parse_mode,
    domain::{AccountId, Mode, Scope},
    payout_file::{CheckedLine, FILE_MAX_BYTES, FileFault, PayoutFile},
};
use clap::Args;
use std::{fs::File, io::Read, path::PathBuf};

/// How many faults the line of an error names.
const MAX_NAMED: usize = 20;

/// The flags that name a file, and who pays.
#[derive(Args, Debug)]
pub(super) struct FileFlags {
    /// The account that pays
    #[arg(long, env = "TUA_ACCOUNT")]
    account: String,
    /// test or live
    #[arg(long, env = "TUA_MODE", value_parser = parse_mode)]
    mode: Mode,
    /// The file: CSV in UTF-8 with the columns phoneNumber, network and amount, and perhaps reference, note and name
    #[arg(value_name = "FILE.csv")]
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
        let text = String::from_utf8(bytes).map_err(|_| FileFault::NotUtf8);
        text.and_then(|text| PayoutFile::read(&text)).map_err(|fault| self.fault(fault.code_and_explanation().1))
    }
}

/// The faults of all lines, as one line; `None` if there is none.
pub(super) fn line_faults(lines: &[CheckedLine<'_>]) -> Option<String> {
    let faults = |one: &CheckedLine<'_>| {
        let explanations: Vec<&str> = one.faults.iter().map(|fault| fault.code_and_explanation().1).collect();
        format!("line {}: {}", one.line.number, explanations.join(", and "))
    };
    let faulty: Vec<String> = lines.iter().filter(|line| !line.faults.is_empty()).map(faults).collect();
    let more = match faulty.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!("; and {more} more lines, which `tua payout batch check` lists"),
    };
    let named: Vec<&str> = faulty.iter().take(MAX_NAMED).map(String::as_str).collect();
    (!faulty.is_empty()).then(|| format!("{}{more}. Nothing was begun", named.join("; ")))
}
