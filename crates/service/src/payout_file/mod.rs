//! A file of payouts as spreadsheet programs write it: CSV with a header line (docs/reference/payouts.md#upload-a-file).
//!
//! Every line is read, and each gets its payout or what is wrong with it.

mod check;
mod fault;

pub(crate) use check::{CheckedLine, Repeated};
pub(crate) use fault::{FileFault, LineFault};

use crate::domain::{
    Details, Kind, Transfer,
    instruction::Instruction,
    payout_batch::MAX_LINES,
    transfer::{NOTE_MAX_CHARS, REFERENCE_MAX_CHARS},
    wallet_tiers::TierWarning,
};
use std::collections::HashMap;
use tua_contract::{Amount, Network, Phone};

/// How many bytes a file may have.
pub(crate) const FILE_MAX_BYTES: usize = 1 << 20;

/// A file that could be read.
#[derive(Debug)]
pub(crate) struct PayoutFile {
    /// Its lines, without those that are empty.
    pub(crate) lines: Vec<FileLine>,
}

/// A line of the file.
#[derive(Debug)]
pub(crate) struct FileLine {
    /// The number of the line in the file, from 1.
    pub(crate) number: u64,
    /// What was written in the columns.
    pub(crate) cells: Cells,
    /// The payout.
    pub(crate) payout: Option<Instruction>,
    /// Its faults.
    pub(crate) faults: Vec<LineFault>,
    /// Whether the prefix of the number usually belongs to another network. It is a hint: numbers are portable.
    pub(crate) has_other_prefix: bool,
}

/// The cells of a line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    pub(crate) phone: String,
    pub(crate) network: String,
    pub(crate) amount: String,
    pub(crate) reference: String,
    pub(crate) note: String,
    /// The recipient's name, to be compared with the registered one. It is not stored.
    pub(crate) name: String,
}

/// Where each column is.
#[derive(Debug)]
struct Columns {
    phone: usize,
    network: usize,
    amount: usize,
    reference: Option<usize>,
    note: Option<usize>,
    name: Option<usize>,
}

impl PayoutFile {
    /// Reads a file.
    ///
    /// # Errors
    /// [`FileFault`].
    pub(crate) fn read(text: &str) -> Result<Self, FileFault> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter(text))
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let columns = Columns::find(reader.headers().map_err(|_| FileFault::NotCsv)?)?;
        let mut lines = Vec::new();
        let mut numbers = LineNumbers { text, offset: 0, number: 1 };
        for record in reader.records() {
            let record = record.map_err(|_| FileFault::NotCsv)?;
            if record.iter().all(str::is_empty) {
                continue;
            }
            if lines.len() == MAX_LINES {
                return Err(FileFault::TooMany);
            }
            let offset = record.position().and_then(|position| usize::try_from(position.byte()).ok());
            let number = numbers.at(offset.unwrap_or_default());
            lines.push(FileLine::read(number, columns.cells(&record)));
        }
        if lines.is_empty() { Err(FileFault::Empty) } else { Ok(Self { lines }) }
    }

    /// For each line, the number in the file of the latest line before it with the same amount and wallet.
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
    pub(crate) fn payouts(&self) -> Option<Vec<Instruction>> {
        self.lines.iter().map(|line| line.payout.clone()).collect()
    }
}

/// Counts the lines of a text from its beginning. The reader's own count is one less after CRLF, and before empty lines.
struct LineNumbers<'a> {
    text: &'a str,
    offset: usize,
    number: u64,
}

impl LineNumbers<'_> {
    /// The number of the line that begins at this offset, or after the line ends there.
    fn at(&mut self, offset: usize) -> u64 {
        let bytes = self.text.as_bytes();
        let is_line_end = |byte: &&u8| matches!(**byte, b'\r' | b'\n');
        let skipped = bytes.get(offset..).map_or(0, |rest| rest.iter().take_while(is_line_end).count());
        let passed = bytes.get(self.offset..offset + skipped).unwrap_or_default();
        self.number += passed.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.offset = offset + skipped;
        self.number
    }
}

/// The delimiter of the header line: a comma, or a semicolon where the decimal sign of the spreadsheet program is a comma,
/// or a tab where cells were pasted.
fn delimiter(text: &str) -> u8 {
    let header = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |delimiter: u8| header.bytes().filter(|byte| *byte == delimiter).count();
    // The last of equal ones is taken.
    [b'\t', b';', b','].into_iter().max_by_key(|delimiter| count(*delimiter)).unwrap_or(b',')
}

impl Columns {
    fn find(header: &csv::StringRecord) -> Result<Self, FileFault> {
        let name = |text: &str| -> String {
            text.chars().filter(|letter| letter.is_ascii_alphanumeric()).collect::<String>().to_ascii_lowercase()
        };
        let names: Vec<String> = header.iter().map(name).collect();
        let find = |wanted: &[&str]| {
            let mut found = (0..names.len()).filter(|index| wanted.contains(&names[*index].as_str()));
            match (found.next(), found.next()) {
                (Some(_), Some(_)) => Err(FileFault::ColumnTwice),
                (found, _) => Ok(found),
            }
        };
        Ok(Self {
            phone: find(&["phonenumber", "phone", "number", "msisdn"])?.ok_or(FileFault::NoHeader)?,
            network: find(&["network"])?.ok_or(FileFault::NoHeader)?,
            amount: find(&["amount", "amountghs"])?.ok_or(FileFault::NoHeader)?,
            reference: find(&["reference"])?,
            note: find(&["payeenote", "note"])?,
            name: find(&["name", "recipient", "recipientname"])?,
        })
    }

    fn cells(&self, record: &csv::StringRecord) -> Cells {
        let cell = |index: Option<usize>| index.and_then(|index| record.get(index)).unwrap_or_default().to_owned();
        Cells {
            phone: cell(Some(self.phone)),
            network: cell(Some(self.network)),
            amount: cell(Some(self.amount)),
            reference: cell(self.reference),
            note: cell(self.note),
            name: cell(self.name),
        }
    }
}

impl FileLine {
    fn read(number: u64, cells: Cells) -> Self {
        let (phone, network, amount) = (phone(&cells.phone), network(&cells.network), amount(&cells.amount));
        let reference = text(&cells.reference, REFERENCE_MAX_CHARS, LineFault::Reference);
        let note = text(&cells.note, NOTE_MAX_CHARS, LineFault::Note);
        let faults = [
            phone.as_ref().err(),
            network.as_ref().err(),
            amount.as_ref().err(),
            reference.as_ref().err(),
            note.as_ref().err(),
        ];
        let faults: Vec<LineFault> = faults.into_iter().flatten().copied().collect();
        let usual = phone.as_ref().ok().and_then(Network::hinted_by);
        let has_other_prefix = usual.is_some_and(|usual| network.as_ref().is_ok_and(|network| *network != usual));
        let payout = || {
            Some(Instruction {
                transfer: Transfer {
                    kind: Kind::Payout,
                    amount: amount.ok()?,
                    network: network.ok()?,
                    phone: phone.ok()?,
                },
                reference: reference.ok()?,
                details: Details { payee_note: note.ok()?, ..Details::default() },
                payer_pays: None,
            })
        };
        Self { number, payout: payout(), cells, faults, has_other_prefix }
    }
}

/// A number in any spelling that the form of a payer takes. A spreadsheet program drops the leading zero of a number that
/// it takes for an integer, and writes a long one as `2.33E+11`, whose last digits are lost.
fn phone(text: &str) -> Result<Phone, LineFault> {
    let is_shortened =
        text.contains(['e', 'E']) && text.starts_with(|first: char| first == '+' || first.is_ascii_digit());
    if is_shortened {
        return Err(LineFault::PhoneShortened);
    }
    // An apostrophe marks a cell as text.
    Phone::parse_typed(text.trim_start_matches('\'')).map_err(|_| LineFault::Phone)
}

fn network(text: &str) -> Result<Network, LineFault> {
    let name: String = text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_uppercase();
    Network::parse(&name).ok_or(LineFault::Network)
}

/// Cedis with a point and without separators. A comma may be a decimal sign or a separator, so it is refused.
fn amount(text: &str) -> Result<Amount, LineFault> {
    if text.contains(',') {
        return Err(LineFault::AmountComma);
    }
    if text.contains(['e', 'E']) {
        return Err(LineFault::Amount);
    }
    Amount::parse(text).map_err(|_| LineFault::Amount)
}

fn text(text: &str, max_chars: usize, fault: LineFault) -> Result<Option<String>, LineFault> {
    // A quoted cell may have line ends, which no recipient's phone shows.
    let line = text.split(['\r', '\n']).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    if line.chars().count() > max_chars || line.contains(char::is_control) {
        return Err(fault);
    }
    Ok((!line.is_empty()).then_some(line))
}

#[cfg(test)]
mod tests;
