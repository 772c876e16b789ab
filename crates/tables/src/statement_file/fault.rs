//! What is wrong with a statement file, or with a line of it: the sentence of the command line, and
//! the code and the values of the dashboard's text.

use crate::table_file::{CellFault, ColumnTwice, RowFault, SumFault, TableFault};
use tua_domain::file_lines::FileFault;

/// The currency of all amounts.
pub(super) const CURRENCY: &str = "GHS";

/// A cell of a line, as faults name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellName {
    Status,
    Kind,
    Currency,
    Time,
    Amount,
    MoneyIn,
    MoneyOut,
    Fee,
    Network,
    Id,
}

impl CellName {
    /// The end of the key of its name in the dashboard.
    const fn code(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Kind => "type",
            Self::Currency => "currency",
            Self::Time => "time",
            Self::Amount => "amount",
            Self::MoneyIn => "money-in",
            Self::MoneyOut => "money-out",
            Self::Fee => "fee",
            Self::Network => "network",
            Self::Id => "id",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::MoneyIn => "money in",
            Self::MoneyOut => "money out",
            _ => self.code(),
        }
    }
}

/// A fault that names nothing.
pub(super) fn plain(code: &'static str, sentence: &str) -> FileFault {
    FileFault::new(code, [], sentence)
}

/// A fault about a text of the file.
pub(super) fn about(code: &'static str, text: &str, sentence: String) -> FileFault {
    FileFault::new(code, [("text", text.to_owned())], sentence)
}

/// A text that is not among those of the settings.
pub(super) fn not_in_settings(cell: CellName, text: &str) -> FileFault {
    let sentence = format!("the {} {text:?} is not in the settings", cell.words());
    let values = [("cell", cell.code().to_owned()), ("text", text.to_owned())];
    FileFault::new("not-in-settings", values, sentence)
}

/// A cell without a value.
pub(super) fn of_cell(cell: CellName, fault: CellFault) -> FileFault {
    let code = match fault {
        CellFault::Formula => "formula",
        CellFault::Error => "cell-error",
    };
    let sentence = format!("the {} {}", cell.words(), fault.explanation());
    FileFault::new(code, [("cell", cell.code().to_owned())], sentence)
}

/// A text that is no sum.
pub(super) fn of_sum(cell: CellName, text: &str, fault: SumFault) -> FileFault {
    let name = cell.words();
    let values = [("cell", cell.code().to_owned()), ("text", text.to_owned())];
    match fault {
        SumFault::NotASum | SumFault::Ambiguous => {
            let sentence = format!("the {name} {text:?} is not a sum of whole pesewas");
            FileFault::new("not-a-sum", values, sentence)
        }
        SumFault::Shortened => {
            let sentence = format!(
                "the {name} {text:?} was rounded by a spreadsheet program; format the column as a \
                 number with two decimals"
            );
            FileFault::new("sum-rounded", values, sentence)
        }
    }
}

/// Another currency than that of all amounts.
pub(super) fn of_currency(currency: &str) -> FileFault {
    about("currency", currency, format!("the currency is {currency:?}, not {CURRENCY}"))
}

/// A row that is none of the table.
pub(super) fn of_row(fault: RowFault) -> FileFault {
    FileFault::new(fault.code(), [("column", fault.column().to_string())], fault.to_string())
}

/// A header that cannot be read, with its line; `None` where there is no header.
pub(super) fn of_header(found: Option<(u64, RowFault)>) -> FileFault {
    match found {
        Some((line, fault)) => FileFault::new(
            "unreadable-header",
            [("line", line.to_string())],
            format!("line {line}, the header: {fault}"),
        ),
        None => plain("no-header", "the file has no header"),
    }
}

/// A file that is no table.
pub(super) fn of_table(fault: &TableFault) -> FileFault {
    let names = fault.sheets().join(", ");
    FileFault::new(fault.code(), [("names", names)], fault.to_string())
}

/// Two columns with one name.
pub(super) fn of_column_twice(
    ColumnTwice { name, columns: [first, second] }: &ColumnTwice,
) -> FileFault {
    let sentence =
        format!("columns {first} and {second} have the same name {name:?}; delete the wrong one");
    let values =
        [("first", first.to_string()), ("second", second.to_string()), ("name", name.clone())];
    FileFault::new("column-twice", values, sentence)
}
