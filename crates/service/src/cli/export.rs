//! `tua export`: transactions, and sums of the ledger, as tables for the accountant.

use super::{
    arguments::{parse_day, parse_mode},
    context::Common,
    fault::Fault,
    output,
    use_cases::UseCases,
};
use clap::Subcommand;
use jiff::civil::Date;
use serde::Serialize;
use std::{
    fs::File,
    io::{self, Write},
    path::Path,
};
use tempfile::NamedTempFile;
use tua_domain::{AccountId, Mode, audit::Action, reporting::ReportFilter};
use tua_system::private_file;
use tua_tables::export::{
    self, ExportError, ExportFormat,
    columns::{self, Cell},
    summary,
    xlsx::XlsxExport,
};
use tua_use_cases::RecordedExport;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write the transactions of a period to a file, for each account and mode newest first
    Transactions(Export),
    /// Write what the ledger posted on each day of a period, by operator and type of transactions
    Summary(Export),
}

/// What a table has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Contents {
    Transactions,
    Summary,
}

#[derive(clap::Args, Debug)]
pub(super) struct Export {
    /// The first day, in UTC, such as 2026-01-01
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    from: Date,
    /// The last day, in UTC
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    to: Date,
    /// The format of the table: csv or xlsx
    #[arg(long, value_parser = parse_format)]
    format: ExportFormat,
    /// Write CSV for Excel: with a byte order mark, without which Excel does not read UTF-8
    #[arg(long)]
    excel: bool,
    /// Only of this account
    #[arg(long, env = "TUA_ACCOUNT")]
    account: Option<String>,
    /// Only of this mode: test or live
    #[arg(long, env = "TUA_MODE", value_parser = parse_mode)]
    mode: Option<Mode>,
    /// The new file, or - for standard output
    #[arg(long, value_name = "FILE|-", default_value = "-")]
    output: String,
}

#[derive(Serialize)]
struct Exported<'a> {
    file: &'a str,
    /// The number of rows below the header.
    rows: u64,
}

impl Contents {
    const fn action(self) -> Action {
        match self {
            Self::Transactions => Action::TransactionsExported,
            Self::Summary => Action::SummaryExported,
        }
    }

    fn csv_header(self) -> Result<Vec<u8>, ExportError> {
        match self {
            Self::Transactions => export::csv::header(),
            Self::Summary => summary::header(),
        }
    }

    fn xlsx(self) -> Result<XlsxExport, ExportError> {
        match self {
            Self::Transactions => XlsxExport::transactions(),
            Self::Summary => XlsxExport::summary(str::to_owned),
        }
    }
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<(), Fault> {
        match self {
            Self::Transactions(export) => export.run(&common, Contents::Transactions).await,
            Self::Summary(export) => export.run(&common, Contents::Summary).await,
        }
    }
}

impl Export {
    async fn run(self, common: &Common, contents: Contents) -> Result<(), Fault> {
        let is_file = self.output != "-";
        if !is_file && common.json {
            return Err(
                "output: standard output is used for the JSON of --json; name a file".into()
            );
        }
        if self.from > self.to {
            return Err("from: it must not be after --to".into());
        }
        let format = self.format()?;
        let use_cases = UseCases::open(common).await?;
        let account = self.account.clone().map(AccountId::new);
        let exports = &use_cases.exports;
        exports.check_account(account.as_ref()).await?;
        let with_path = |fault: &dyn std::fmt::Display| format!("output {}: {fault}", self.output);
        // Before anything is written, so that there is no export without its entry.
        let by = use_cases.audit_context(common).await?;
        let file = if is_file {
            Some(create(&self.output).map_err(|error| with_path(&error))?)
        } else {
            None
        };
        let period = (Some(self.from), Some(self.to));
        let change = export::audit_change(
            contents.action(),
            account.as_ref(),
            self.mode,
            period,
            false,
            format.as_str(),
        );
        let export = exports.begin(change, &by).await?;
        let handle = file
            .as_ref()
            .map(NamedTempFile::reopen)
            .transpose()
            .map_err(|error| with_path(&error))?;
        let rows = self
            .write(contents, format, &export, account, handle)
            .await
            .map_err(|error| with_path(&error))?;
        if let Some(file) = file {
            file.persist_noclobber(&self.output).map_err(|error| with_path(&error.error))?;
        }
        if is_file {
            let text = format!("{} has {rows} rows.", self.output);
            output::print(common, &Exported { file: &self.output, rows }, &text)
        } else {
            Ok(())
        }
    }

    fn format(&self) -> Result<ExportFormat, String> {
        match (self.format, self.excel) {
            (ExportFormat::Xlsx, true) => {
                Err("excel: it is about csv; Excel opens xlsx as it is".to_owned())
            }
            (ExportFormat::Csv, true) => Ok(ExportFormat::ExcelCsv),
            (format, _) => Ok(format),
        }
    }

    async fn write(
        &self,
        contents: Contents,
        format: ExportFormat,
        export: &RecordedExport,
        account: Option<AccountId>,
        file: Option<File>,
    ) -> Result<u64, ExportError> {
        let mut table = Table::new(format, contents, file)?;
        if contents == Contents::Summary {
            let days = export.ledger_days(self.from..=self.to, account.as_ref(), self.mode).await?;
            table.add(days.iter().map(summary::cells))?;
            return table.finish();
        }
        for scope in export.scopes(account, self.mode).await? {
            let filter = ReportFilter {
                from: Some(self.from),
                to: Some(self.to),
                ..ReportFilter::default()
            };
            let mut batches = export.transactions(scope, filter);
            while let Some(transactions) = batches.next().await? {
                table.add(transactions.iter().map(columns::cells))?;
            }
        }
        table.finish()
    }
}

/// The table that is being written.
struct Table {
    output: Box<dyn Write + Send>,
    /// The file of `output`, and the workbook, of XLSX.
    xlsx: Option<XlsxExport>,
    file: Option<File>,
    rows: u64,
}

impl Table {
    fn new(
        format: ExportFormat,
        contents: Contents,
        file: Option<File>,
    ) -> Result<Self, ExportError> {
        let output: Box<dyn Write + Send> = match &file {
            Some(file) => Box::new(file.try_clone().map_err(fault)?),
            None => Box::new(io::stdout()),
        };
        let mut table = Self { output, xlsx: None, file, rows: 0 };
        match format {
            ExportFormat::Csv | ExportFormat::ExcelCsv => {
                table.output.write_all(format.prefix().as_bytes()).map_err(fault)?;
                table.output.write_all(&contents.csv_header()?).map_err(fault)?;
            }
            ExportFormat::Xlsx => table.xlsx = Some(contents.xlsx()?),
        }
        Ok(table)
    }

    fn add<const N: usize>(
        &mut self,
        rows: impl ExactSizeIterator<Item = [Cell; N]>,
    ) -> Result<(), ExportError> {
        self.rows += rows.len() as u64;
        match &mut self.xlsx {
            Some(xlsx) => xlsx.add(rows),
            None => self.output.write_all(&export::csv::lines(rows)?).map_err(fault),
        }
    }

    fn finish(mut self) -> Result<u64, ExportError> {
        match (self.xlsx, self.file) {
            (Some(xlsx), Some(file)) => xlsx.finish(file)?,
            (Some(xlsx), None) => {
                // Standard output has no positions to go back to.
                let mut whole = io::Cursor::new(Vec::new());
                xlsx.finish(&mut whole)?;
                self.output.write_all(whole.get_ref()).map_err(fault)?;
            }
            (None, _) => {}
        }
        self.output.flush().map_err(fault)?;
        Ok(self.rows)
    }
}

/// A new file beside `path`, which gets this name once it is complete: an incomplete file would
/// look complete. Only its owner can read it, because it contains payers' numbers.
fn create(path: &str) -> io::Result<NamedTempFile> {
    if std::fs::exists(path)? {
        let exists = "it exists already; name another file, or remove this one";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, exists));
    }
    let folder = private_file::folder(Path::new(path));
    let file = NamedTempFile::new_in(folder)?;
    private_file::give_to_owner_of(file.as_file(), folder);
    Ok(file)
}

#[expect(clippy::needless_pass_by_value, reason = "the signature of map_err")]
fn fault(error: io::Error) -> ExportError {
    ExportError::File(error.to_string())
}

fn parse_format(text: &str) -> Result<ExportFormat, String> {
    let format = ExportFormat::parse(text).filter(|format| *format != ExportFormat::ExcelCsv);
    format.ok_or_else(|| "it must be csv or xlsx".to_owned())
}
