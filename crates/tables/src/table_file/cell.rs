//! The cells of a spreadsheet, read as text.

use super::formula::{kept, unmarked};
use std::borrow::Cow;
use tua_contract::typed_text::is_invisible;

/// A cell. Its text has no space at its ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell<'a> {
    text: Cow<'a, str>,
    kind: CellKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CellKind {
    Text,
    /// A number of a sheet, written with a decimal point and without an exponent.
    Number,
    /// A date or time of a sheet, as [`Cell::time`] writes it.
    Time,
    /// A formula whose value the file does not have.
    Formula,
    /// An error of a formula, or a column that was too narrow.
    Error,
}

/// Why a cell has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellFault {
    /// It is a formula whose value the file does not have.
    Formula,
    /// It is an error of a formula, such as `#N/A`, or was too narrow (`####`).
    Error,
}

/// What a cell that is not in the file has.
static NO_CELL: Cell<'static> = Cell { text: Cow::Borrowed(""), kind: CellKind::Text };

impl<'a> Cell<'a> {
    /// A cell that is not in the file.
    pub fn missing() -> &'static Cell<'static> {
        &NO_CELL
    }

    /// A cell of a file of text. Programs write `="0241234567"` for a text that looks like a
    /// number; an apostrophe before the beginning of a formula marks a text, as our own exports do.
    pub(super) fn of_text(field: Cow<'a, str>) -> Self {
        let text = trimmed(field);
        let quoted = text.strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"'));
        if let Some(quoted) = quoted.filter(|quoted| !quoted.replace("\"\"", "").contains('"')) {
            return Self::text(Cow::Owned(quoted.replace("\"\"", "\"")));
        }
        if text.starts_with('=') {
            return Self { text, kind: CellKind::Formula };
        }
        if is_error(&text) {
            return Self { text, kind: CellKind::Error };
        }
        Self::text(without_marks(text))
    }

    /// A text of a sheet. It has the marks of our exports where a program has made the sheet from
    /// CSV.
    pub(super) fn of_sheet(text: &str) -> Self {
        Self::text(Cow::Owned(unmarked(text.trim()).into_owned()))
    }

    /// A cell with this text, without the white space at its ends.
    pub(super) fn text(text: Cow<'a, str>) -> Self {
        Self { text: trimmed(text), kind: CellKind::Text }
    }

    /// A number of a sheet, as a decimal text.
    pub(super) const fn number(decimal: String) -> Self {
        Self { text: Cow::Owned(decimal), kind: CellKind::Number }
    }

    /// A date or time of a sheet, as `2026-01-31 10:00:00`.
    pub(super) const fn time(text: String) -> Self {
        Self { text: Cow::Owned(text), kind: CellKind::Time }
    }

    /// A formula of a sheet without a value.
    pub(super) const fn formula() -> Self {
        Self { text: Cow::Borrowed("="), kind: CellKind::Formula }
    }

    /// An error of a sheet.
    pub(super) const fn error(name: String) -> Self {
        Self { text: Cow::Owned(name), kind: CellKind::Error }
    }

    /// Whether it has nothing that a person sees.
    pub fn is_empty(&self) -> bool {
        self.text.chars().all(|one| one.is_whitespace() || is_invisible(one))
    }

    /// Whether it is a number of a sheet, so that its decimal sign is a point.
    pub const fn is_number(&self) -> bool {
        matches!(self.kind, CellKind::Number)
    }

    /// Whether it is a date or time of a sheet, so that it does not have the form of the file's
    /// texts.
    pub const fn is_time(&self) -> bool {
        matches!(self.kind, CellKind::Time)
    }

    /// What is written in it.
    pub fn as_written(&self) -> &str {
        &self.text
    }

    /// Its text.
    ///
    /// # Errors
    /// [`CellFault`] where it has no value.
    pub fn value(&self) -> Result<&str, CellFault> {
        match self.kind {
            CellKind::Text | CellKind::Number | CellKind::Time => Ok(&self.text),
            CellKind::Formula => Err(CellFault::Formula),
            CellKind::Error => Err(CellFault::Error),
        }
    }

    /// As a field of CSV, from which [`Self::of_text`] reads the same text. A line break becomes a
    /// space, because a line of CSV is a row.
    pub(super) fn to_field(&self) -> String {
        let line = self.text.replace("\r\n", " ").replace(['\r', '\n'], " ");
        let is_text = self.kind == CellKind::Text;
        let field = if is_text && (line.starts_with('=') || is_error(&line)) {
            format!("=\"{}\"", line.replace('"', "\"\""))
        } else if is_text {
            kept(&line).into_owned()
        } else {
            line
        };
        if field.contains(['"', ',', ';', '|', '\t']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field
        }
    }
}

impl CellFault {
    /// What it means, in the words of the command line.
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::Formula => {
                "has a formula without its value; open the file in a spreadsheet program, and save \
                 it again"
            }
            Self::Error => {
                "has an error of a formula, or was too narrow for its text; correct it in the \
                 spreadsheet program"
            }
        }
    }
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) if text.trim().len() == text.len() => Cow::Owned(text),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

fn without_marks(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => unmarked(text),
        Cow::Owned(text) => Cow::Owned(unmarked(&text).into_owned()),
    }
}

/// Whether a text is what spreadsheet programs show instead of a value: `#N/A`, `#DIV/0!`,
/// `#NAME?`, `########`.
fn is_error(text: &str) -> bool {
    let Some(name) = text.strip_prefix('#') else { return false };
    let is_name = |name: &str| {
        name.bytes().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'/' | b'0' | b'_'))
    };
    let is_hashes = name.len() >= 2 && name.bytes().all(|byte| byte == b'#');
    name == "N/A"
        || is_hashes
        || name.strip_suffix(['!', '?']).is_some_and(|name| !name.is_empty() && is_name(name))
}
