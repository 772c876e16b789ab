//! What can be wrong with a file of payouts, and with its lines.

use crate::table_file::{CellFault, ColumnTwice, RowFault, TableFault};
use std::{borrow::Cow, fmt};
use tua_contract::Network;

/// Why a file is no file of payouts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileFault {
    /// No table can be read from it.
    Table(TableFault),
    /// The header cannot be read.
    Header {
        /// The line of the header, from 1.
        line: u64,
        /// What is wrong with it.
        fault: RowFault,
    },
    /// The header lacks columns.
    MissingColumns {
        /// The required columns that it lacks, by their names.
        missing: Vec<&'static str>,
        /// The names that it has, for a person.
        found: String,
    },
    /// Two columns have one name.
    ColumnTwice(ColumnTwice),
    /// It has more lines than a batch may have.
    TooMany,
    /// It has no lines.
    Empty,
}

/// What is wrong with a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineFault {
    /// It is no row of the table.
    Row(RowFault),
    /// It is a row of a workbook that the person does not see.
    Hidden,
    /// No mobile number of Ghana.
    Phone,
    /// A number that a spreadsheet program has shortened, such as `2.33E+11`.
    PhoneShortened,
    /// A decimal or negative number.
    PhoneDecimal,
    /// The network is missing, or is none of Ghana's.
    Network,
    /// Another name of this network.
    NetworkName(Network),
    /// The amount is missing, negative, or no sum of whole pesewas.
    Amount,
    /// An amount with a comma or point, which may be a decimal sign or a separator of thousands.
    AmountSeparator,
    /// An amount with an exponent.
    AmountShortened,
    /// A cell has no value.
    Cell {
        /// The column, from 1.
        column: usize,
        /// Why it has none.
        fault: CellFault,
    },
    /// A reference that is too long.
    Reference,
    /// A note that is too long.
    Note,
    /// More than one payout of the account may be.
    Limit,
    /// Outside what the operators pay out at once.
    AmountRange,
    /// No operator takes payouts to the network now.
    NoOperator,
    /// The network is retired.
    NetworkEnded,
}

impl From<TableFault> for FileFault {
    fn from(fault: TableFault) -> Self {
        Self::Table(fault)
    }
}

impl FileFault {
    /// Its name, for the texts of the dashboard.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Table(fault) => fault.code(),
            Self::Header { .. } => "unreadable-header",
            Self::MissingColumns { .. } => "no-header",
            Self::ColumnTwice(_) => "column-twice",
            Self::TooMany => "too-many",
            Self::Empty => "empty",
        }
    }
}

/// What it means, in the words of the command line.
impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(fault) => fault.fmt(f),
            Self::Header { line, fault } => write!(f, "line {line}, the header: {fault}"),
            Self::MissingColumns { missing, found } => write!(
                f,
                "the first line must name the columns phoneNumber, network and amount; it lacks \
                 {}, and has {found}",
                missing.join(" and ")
            ),
            Self::ColumnTwice(ColumnTwice { name, columns: [first, second] }) => write!(
                f,
                "two columns have the same name or meaning: columns {first} and {second} \
                 ({name:?}); delete one"
            ),
            Self::TooMany => f.write_str("it has more than 1000 lines; divide it"),
            Self::Empty => f.write_str("it has no lines"),
        }
    }
}

impl LineFault {
    /// Its name, and what it means, in the words of the command line. The dashboard has texts under
    /// these names.
    pub fn code_and_explanation(self) -> (&'static str, Cow<'static, str>) {
        let (code, sentence) = self.code_and_sentence();
        let explanation = match self {
            Self::Row(fault) => Cow::Owned(fault.to_string()),
            Self::Cell { column, fault } => {
                Cow::Owned(format!("column {column} {}", fault.explanation()))
            }
            _ => Cow::Borrowed(sentence),
        };
        (code, explanation)
    }

    /// The column, from 1, where the fault alone does not say it; 0 otherwise.
    pub const fn column(self) -> usize {
        match self {
            Self::Row(fault) => fault.column(),
            Self::Cell { column, .. } => column,
            _ => 0,
        }
    }

    /// Its name, and what it means where this is always the same.
    const fn code_and_sentence(self) -> (&'static str, &'static str) {
        match self {
            Self::Row(fault) => (fault.code(), ""),
            Self::Cell { fault: CellFault::Formula, .. } => ("formula", ""),
            Self::Cell { fault: CellFault::Error, .. } => ("cell-error", ""),
            Self::Hidden => ("hidden", "this row is hidden in the workbook; show it, or delete it"),
            Self::Phone => ("phone", "this is no mobile number of Ghana"),
            Self::PhoneShortened => (
                "phone-shortened",
                "a spreadsheet program has shortened this number, and its last digits are lost; \
                 format the column as text",
            ),
            Self::PhoneDecimal => (
                "phone-decimal",
                "this is a decimal or negative number; format the column as text, and type the \
                 phone number again",
            ),
            Self::Network => ("network", "the network must be MTN, TELECEL or AIRTELTIGO"),
            Self::NetworkName(Network::Mtn) => ("network-name", "write MTN"),
            Self::NetworkName(Network::Telecel) => ("network-name", "write TELECEL"),
            Self::NetworkName(Network::AirtelTigo) => ("network-name", "write AIRTELTIGO"),
            Self::Amount => (
                "amount",
                "the amount must be more than 0 and at most 1000000000, with at most 2 decimals",
            ),
            Self::AmountSeparator => (
                "amount-comma",
                "the comma or point may begin decimals or group thousands; write the amount with \
                 two decimals, such as 1234.50",
            ),
            Self::AmountShortened => (
                "amount-shortened",
                "a spreadsheet program has shortened this amount; format the column as a number \
                 with two decimals",
            ),
            Self::Reference => ("reference", "the reference may have at most 64 characters"),
            Self::Note => ("note", "the note may have at most 160 characters"),
            Self::Limit => ("limit", "it is more than one payout of this account may be"),
            Self::AmountRange => {
                ("amount-range", "it is outside what the operators pay out at once")
            }
            Self::NetworkEnded => (
                "network-ended",
                "this network has ended; ask the recipient which network the number is with now",
            ),
            Self::NoOperator => {
                ("no-operator", "no operator takes payouts to this network now; see --config")
            }
        }
    }
}
