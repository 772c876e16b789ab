//! What the page and the PDF of a month show, in the language of the reader.

use crate::{language::Language, money::Cedis, texts::grouped};
use tua_domain::books::agreement::OperatorAgreement;

/// A table of figures.
pub(super) struct Table {
    /// What it is about.
    pub(super) heading: String,
    /// The keys of the names of its columns. The first column has the labels of the rows.
    pub(super) columns: Vec<&'static str>,
    pub(super) rows: Vec<Row>,
    /// What a reader must know of the figures.
    pub(super) notes: Vec<String>,
}

/// A row of a table.
pub(super) struct Row {
    pub(super) label: String,
    /// One for each column after the first.
    pub(super) cells: Vec<String>,
    /// Whether it sums up the rows above.
    pub(super) is_total: bool,
}

/// What is known of the days of an operator.
pub(super) enum OperatorStatements {
    /// The sandbox, which has no statements.
    Sandbox,
    /// The operator has this name. It also serves accounts that the person may not see.
    Hidden(String),
    /// The operator had this name, and is no longer in the settings.
    Former(String),
    /// What was compared.
    Known(OperatorAgreement),
}

/// What a line about days says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tone {
    Good,
    Bad,
    Neutral,
}

impl Tone {
    /// The class of the line on the page.
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Good => "badge good",
            Self::Bad => "badge bad",
            Self::Neutral => "soft",
        }
    }
}

/// A line about days of an operator.
pub(super) struct DayLine {
    pub(super) tone: Tone,
    pub(super) text: String,
    /// The page of the day, below the account's address.
    pub(super) href: Option<String>,
}

/// The lines about the days of an operator.
pub(super) struct OperatorLines {
    pub(super) operator: String,
    pub(super) lines: Vec<DayLine>,
    /// The page that compares the month now, below the account's address.
    pub(super) compare: Option<String>,
}

/// A sum such as `GH₵1,234.50`.
pub(super) fn money(pesewas: i64, language: Language) -> String {
    Cedis::of_pesewas(pesewas).signed(language)
}

/// A difference such as `+GH₵5.00`.
pub(super) fn change(pesewas: i64, language: Language) -> String {
    let sign = if pesewas > 0 { "+" } else { "" };
    format!("{sign}{}", money(pesewas, language))
}

/// A number of things such as `1,234`.
pub(super) fn count(number: i64, language: Language) -> String {
    let sign = if number < 0 { "−" } else { "" };
    format!("{sign}{}", grouped(&number.unsigned_abs().to_string(), language))
}
