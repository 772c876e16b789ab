//! The names of columns.

use super::Cell;
use tua_contract::typed_text::is_invisible;

/// How many names of columns an error shows, and how long each may be.
const MAX_SHOWN: usize = 20;
const MAX_SHOWN_CHARS: usize = 40;

/// The header of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The number of its line.
    pub(super) line: u64,
    /// The names, without those at the end that are empty.
    pub(super) names: Vec<String>,
}

/// Two columns with one name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColumnTwice {
    /// The name of the second one.
    pub name: String,
    /// Where they are, from 1.
    pub columns: [usize; 2],
}

impl Header {
    pub(super) fn new(line: u64, cells: &[Cell<'_>]) -> Self {
        let mut names: Vec<String> = cells.iter().map(|cell| name(cell.as_written())).collect();
        let named = names.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        names.truncate(named);
        Self { line, names }
    }

    /// The position of the column whose name is one that is meant, if there is one.
    ///
    /// # Errors
    /// [`ColumnTwice`] if two columns are meant.
    pub fn column(&self, is_meant: impl Fn(&str) -> bool) -> Result<Option<usize>, ColumnTwice> {
        let mut found = (0..self.names.len()).filter(|index| is_meant(&self.names[*index]));
        match (found.next(), found.next()) {
            (Some(first), Some(second)) => Err(ColumnTwice {
                name: self.names[second].clone(),
                columns: [first + 1, second + 1],
            }),
            (found, _) => Ok(found),
        }
    }

    /// The names that there are, for an error.
    pub fn found(&self) -> String {
        quoted_names(&self.names)
    }
}

/// Names in quotation marks, for an error: the first of them, and not more of each than a person
/// reads.
pub fn quoted_names(names: &[String]) -> String {
    let short = |name: &String| match name.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("\"{}…\"", &name[..end]),
        None => format!("\"{name}\""),
    };
    let mut shown: Vec<String> =
        names.iter().filter(|name| !name.is_empty()).take(MAX_SHOWN).map(short).collect();
    if names.len() > MAX_SHOWN {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

/// A name without what nobody sees, and with single spaces.
fn name(text: &str) -> String {
    let seen: String = text.chars().filter(|one| !is_invisible(*one)).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}
