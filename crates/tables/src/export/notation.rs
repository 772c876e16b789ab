//! How the cells of CSV are written: for programs, or as Excel reads them in a language.

use super::columns::{Cell, cedis};
use crate::table_file::{marked, marked_beside_semicolons};
use jiff::tz::TimeZone;

/// The notation of a file of CSV.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// RFC 4180, with times in RFC 3339 and decimal points.
    Programs,
    /// As Excel in English reads it: commas between cells, and decimal points.
    ExcelPoint,
    /// As Excel in French reads it: semicolons between cells, and decimal commas.
    ExcelComma,
}

impl Notation {
    /// What divides cells.
    pub(super) const fn delimiter(self) -> u8 {
        match self {
            Self::Programs | Self::ExcelPoint => b',',
            Self::ExcelComma => b';',
        }
    }

    /// A cell as the text of a field, without the quotation marks that it may need.
    pub(super) fn field(self, cell: &Cell) -> String {
        match cell {
            Cell::Empty => String::new(),
            Cell::Text(text) if self != Self::Programs && is_digits(text) => {
                // Without it, Excel takes the text for a number: it drops zeros before it, and
                // rounds ids. The reader of files takes it off.
                format!("=\"{text}\"")
            }
            Cell::Text(text) if self == Self::ExcelComma => {
                marked_beside_semicolons(text).into_owned()
            }
            Cell::Text(text) => marked(text).into_owned(),
            Cell::Money(pesewas) if self == Self::ExcelComma => cedis(*pesewas).replace('.', ","),
            Cell::Money(pesewas) => cedis(*pesewas),
            Cell::Count(count) => count.to_string(),
            Cell::Number(number) => number.to_string(),
            Cell::Time(at) if self == Self::Programs => at.to_string(),
            // Excel reads it as a time in every language. The heading says that it is UTC.
            Cell::Time(at) => {
                TimeZone::UTC.to_datetime(*at).strftime("%Y-%m-%d %H:%M:%S").to_string()
            }
            Cell::Day(day) => day.to_string(),
        }
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Notation; 3] = [Notation::Programs, Notation::ExcelPoint, Notation::ExcelComma];

    /// What people write as names, notes and answers, in every width of the characters with which
    /// Excel begins a formula.
    #[test]
    fn no_text_of_a_person_is_a_formula() {
        for text in
            ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r@A1", "＝1", "\u{2212}1", " =1", "=1"]
        {
            for notation in ALL {
                let field = notation.field(&Cell::Text(text.to_owned()));
                assert!(field.trim_start_matches(' ').starts_with('\''), "{notation:?} {field:?}");
            }
        }
        // The only cells that begin as formulas are digits, of which Excel would make a number.
        assert_eq!(Notation::ExcelPoint.field(&Cell::Text("007".to_owned())), "=\"007\"");
        assert_eq!(Notation::ExcelPoint.field(&Cell::Text("=\"007\"".to_owned())), "'=\"007\"");
    }

    proptest! {
        #[test]
        fn a_field_begins_as_a_formula_only_around_digits(text in "[=+@\\-0-9a\"';, \t]{0,8}") {
            for notation in ALL {
                let field = notation.field(&Cell::Text(text.clone()));
                let digits = field.strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"'));
                let is_only_digits = digits.is_some_and(is_digits);
                let begins = field.trim_start().starts_with(['=', '+', '-', '@', '\t']);
                prop_assert!(!begins || is_only_digits, "{notation:?} {text:?} {field:?}");
            }
        }
    }

    #[test]
    fn excel_keeps_numbers_of_wallets_and_reads_sums_and_times() {
        let phone = Cell::Text("0241234567".to_owned());
        let formula = Cell::Text("=1+1".to_owned());
        let at = Cell::Time("2026-11-28T09:06:50.817Z".parse().unwrap());
        let fields = |notation: Notation| {
            [&phone, &Cell::Money(-123_456), &at, &formula].map(|cell| notation.field(cell))
        };
        let excel = ["=\"0241234567\"", "-1234,56", "2026-11-28 09:06:50", "'=1+1"];
        assert_eq!(fields(Notation::ExcelComma), excel);
        assert_eq!(fields(Notation::ExcelPoint)[1], "-1234.56");
        assert_eq!(fields(Notation::ExcelPoint)[0], excel[0]);
        let behind_comma = Cell::Text("x,=1+1".to_owned());
        assert_eq!(Notation::ExcelComma.field(&behind_comma), "x,'=1+1");
        assert_eq!(Notation::Programs.field(&behind_comma), "x,=1+1");
        let programs = ["0241234567", "-1234.56", "2026-11-28T09:06:50.817Z", "'=1+1"];
        assert_eq!(fields(Notation::Programs), programs);
    }
}
