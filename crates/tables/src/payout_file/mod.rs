//! A file of payouts: CSV or `.xlsx` with a header (docs/reference/payouts.md#upload-a-file).
//!
//! Every line is read, and each gets its payout or what is wrong with it.

mod check;
mod columns;
mod fault;
mod values;
mod write;

pub use check::{CheckedLine, Repeated, line_counts};
pub use fault::{FileFault, LineFault};
pub use values::NetworkNames;
pub use write::write_payouts;

use crate::table_file::{DecimalSign, LineContent, Record, TableFile, TableForm};
use columns::{Columns, cell, value};
use std::collections::HashMap;
use tua_contract::{Network, Phone};
use tua_domain::{
    Details, Kind, Transfer,
    file_lines::LineCounts,
    instruction::Instruction,
    payout_batch::MAX_LINES,
    transfer::{NOTE_MAX_CHARS, REFERENCE_MAX_CHARS},
    wallet_tiers::TierWarning,
};
use tua_use_cases::payees::metadata_of_line;
use values::{NetworkSource, ReadNetwork, amount, network, phone, recipient_name, text};

/// How many bytes a file may have.
pub const FILE_MAX_BYTES: usize = 1 << 20;

/// A file that could be read.
#[derive(Debug)]
pub struct PayoutFile {
    /// Its payouts, and the lines with faults.
    pub lines: Vec<FileLine>,
    /// The lines that are left out, such as empty ones. The others are counted when they are
    /// checked.
    pub left_out: LineCounts,
}

/// A line of the file.
#[derive(Debug)]
pub struct FileLine {
    /// The number of the line in the file, from 1.
    pub number: u64,
    /// What was written in the columns.
    pub cells: Cells,
    /// The payout of the line; `None` if the line has faults.
    pub payout: Option<Instruction>,
    /// What is wrong with the line; empty if it has a payout.
    pub faults: Vec<LineFault>,
    /// Whether the prefix of the number usually belongs to another network. It is a hint: numbers
    /// are portable.
    pub has_other_prefix: bool,
    /// The network, where the file has another name of it, so that a person must confirm the
    /// reading.
    pub renamed_network: Option<Network>,
    /// Whether the file has no network for the line, so that it is the one of the number's prefix
    /// and a person must confirm it.
    pub is_network_guessed: bool,
}

/// The cells of a line.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// The recipient's phone number as the file has it.
    pub phone: String,
    /// The name of the network as the file has it.
    pub network: String,
    /// The amount in GHS as the file has it.
    pub amount: String,
    /// The merchant's reference; empty where the file has none.
    pub reference: String,
    /// The note to the recipient; empty where the file has none.
    pub note: String,
    /// The recipient's name, to be compared with the registered one.
    pub name: String,
}

impl PayoutFile {
    /// Reads the payouts of a table that has this form.
    ///
    /// # Errors
    /// [`FileFault`].
    pub fn read(
        file: &TableFile,
        form: &TableForm,
        names: NetworkNames,
    ) -> Result<Self, FileFault> {
        let header = file.header(form).map_err(|fault| match fault {
            Some((line, fault)) => FileFault::Header { line, fault },
            None => FileFault::Empty,
        })?;
        let columns = Columns::find(&header, names)?;
        let decimal_sign = decimal_sign(file);
        let mut lines = Vec::new();
        let mut left_out = LineCounts::default();
        for line in file.lines(&header, form) {
            let read = match line.content {
                LineContent::LeftOut(reason) => {
                    left_out.leave_out(reason);
                    continue;
                }
                LineContent::Refused(fault) => {
                    FileLine::refused(line.number, LineFault::Row(fault))
                }
                LineContent::Record(record) => {
                    FileLine::read(line.number, &columns, &record, names, decimal_sign)
                }
            };
            if lines.len() == MAX_LINES {
                return Err(FileFault::TooMany);
            }
            lines.push(read);
        }
        if lines.is_empty() { Err(FileFault::Empty) } else { Ok(Self { lines, left_out }) }
    }

    /// For each line, the number in the file of the latest line before it with the same amount and
    /// wallet.
    fn repeats(&self) -> Vec<Option<u64>> {
        let mut latest = HashMap::new();
        let lines = self.lines.iter().map(|line| {
            let Transfer { amount, network, phone, .. } = &line.payout.as_ref()?.transfer;
            latest.insert((amount, network, phone), line.number)
        });
        lines.collect()
    }

    /// For each line, what all payouts of the file to its wallet mean for the wallet.
    fn tier_warnings(&self) -> Vec<Option<TierWarning>> {
        let mut sums: HashMap<(&Network, &Phone), i64> = HashMap::new();
        for payout in self.lines.iter().filter_map(|line| line.payout.as_ref()) {
            let Transfer { amount, network, phone, .. } = &payout.transfer;
            *sums.entry((network, phone)).or_default() += amount.pesewas();
        }
        let warning = |line: &FileLine| {
            let Transfer { network, phone, .. } = &line.payout.as_ref()?.transfer;
            TierWarning::about(*sums.get(&(network, phone))?)
        };
        self.lines.iter().map(warning).collect()
    }

    /// The payouts; `None` where a line has a fault.
    pub fn payouts(&self) -> Option<Vec<Instruction>> {
        self.lines.iter().map(|line| line.payout.clone()).collect()
    }
}

impl FileLine {
    /// A line that cannot be read at all.
    fn refused(number: u64, fault: LineFault) -> Self {
        Self {
            number,
            cells: Cells::default(),
            payout: None,
            faults: vec![fault],
            has_other_prefix: false,
            renamed_network: None,
            is_network_guessed: false,
        }
    }

    fn read(
        number: u64,
        columns: &Columns,
        record: &Record<'_>,
        names: NetworkNames,
        decimal_sign: DecimalSign,
    ) -> Self {
        let is_number = record.cell(columns.amount).is_number();
        let decimal_sign = if is_number { DecimalSign::Point } else { decimal_sign };
        let phone = value(record, Some(columns.phone)).and_then(phone);
        let phone_number = phone.as_ref().map_err(|fault| *fault);
        let network =
            value(record, columns.network).and_then(|one| network(one, names, phone_number));
        let amount = value(record, Some(columns.amount)).and_then(|one| amount(one, decimal_sign));
        let reference = value(record, columns.reference);
        let reference =
            reference.and_then(|one| text(one, REFERENCE_MAX_CHARS, LineFault::Reference));
        let note =
            value(record, columns.note).and_then(|one| text(one, NOTE_MAX_CHARS, LineFault::Note));
        let name = value(record, columns.name).ok().and_then(recipient_name);
        let hidden = if record.is_hidden { Some(&LineFault::Hidden) } else { None };
        let faults = [
            hidden,
            phone.as_ref().err(),
            network.as_ref().err(),
            amount.as_ref().err(),
            reference.as_ref().err(),
            note.as_ref().err(),
        ];
        let mut faults: Vec<LineFault> = faults.into_iter().flatten().copied().collect();
        faults.dedup();
        let read = network.as_ref().ok();
        let usual = phone.as_ref().ok().and_then(Network::hinted_by);
        let has_other_prefix =
            usual.is_some_and(|usual| read.is_some_and(|read| read.network != usual));
        let from = |source| read.filter(|read| read.source == source).map(|read| read.network);
        let renamed_network = from(NetworkSource::OtherName);
        let is_network_guessed = from(NetworkSource::Prefix).is_some();
        let payout = || {
            let ReadNetwork { network, .. } = network.ok()?;
            Some(Instruction {
                transfer: Transfer {
                    kind: Kind::Payout,
                    amount: amount.ok()?,
                    network,
                    phone: phone.ok()?,
                },
                reference: reference.ok()?,
                details: Details {
                    payee_note: note.ok()?,
                    metadata: Some(metadata_of_line(number, name.as_deref())),
                    ..Details::default()
                },
                payer_pays: None,
            })
        };
        let payout = payout().filter(|_| !record.is_hidden);
        Self {
            number,
            payout,
            cells: Cells::of(record, columns),
            faults,
            has_other_prefix,
            renamed_network,
            is_network_guessed,
        }
    }
}

impl Cells {
    fn of(record: &Record<'_>, columns: &Columns) -> Self {
        let written = |column| cell(record, column).as_written().to_owned();
        Self {
            phone: written(Some(columns.phone)),
            network: written(columns.network),
            amount: written(Some(columns.amount)),
            reference: written(columns.reference),
            note: written(columns.note),
            name: written(columns.name),
        }
    }
}

/// How the amounts of a file that are texts are read.
fn decimal_sign(file: &TableFile) -> DecimalSign {
    if file.has_semicolons() { DecimalSign::UnknownBesideSemicolons } else { DecimalSign::Unknown }
}

#[cfg(test)]
mod tests;
