//! Tables that are downloaded: for programs as the reference specifies them, and for people in the
//! words and the notation of the page's language.

use super::{language::Language, texts};
use fluent_bundle::FluentArgs;
use tua_domain::{Transaction, statement::verification::StatementException};
use tua_tables::export::{
    ExportError, ExportFormat,
    columns::{self, Cell},
    csv::lines_in,
    differences,
    notation::Notation,
};

/// The format of a table, and the language of the page that offers it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableStyle {
    pub(super) format: ExportFormat,
    pub(super) language: Language,
}

impl TableStyle {
    /// Whether people read the table. CSV without a mark is for programs.
    pub(super) const fn is_for_people(self) -> bool {
        !matches!(self.format, ExportFormat::Csv)
    }

    /// A word of a table, such as the name of a column, as this table has it. Words without a text
    /// stay as they are.
    pub(super) fn word(self, word: &str) -> String {
        if !self.is_for_people() {
            return word.to_owned();
        }
        let text = |key: &str| texts::text(self.language, key, &FluentArgs::new());
        let key = |kind: &str| format!("{kind}-{}", word.replace(' ', "-"));
        let kinds = ["export", "failure", "outcome", "network"];
        kinds.iter().find_map(|kind| text(&key(kind))).unwrap_or_else(|| word.to_owned())
    }

    const fn notation(self) -> Notation {
        match (self.format, self.language) {
            (ExportFormat::ExcelCsv, Language::French) => Notation::ExcelComma,
            (ExportFormat::ExcelCsv, Language::English) => Notation::ExcelPoint,
            (ExportFormat::Csv | ExportFormat::Xlsx, _) => Notation::Programs,
        }
    }

    /// The beginning of a file of CSV: its mark, and the line with the names of the columns.
    ///
    /// # Errors
    /// [`ExportError::File`].
    pub(super) fn csv_header(self, names: &[&str]) -> Result<Vec<u8>, ExportError> {
        let names = names.iter().map(|name| Cell::Text(self.word(name)));
        let line = lines_in(self.notation(), [names])?;
        Ok([self.format.prefix().as_bytes(), &line].concat())
    }

    /// The lines of these rows as CSV.
    ///
    /// # Errors
    /// [`ExportError::File`].
    pub(super) fn csv_lines(
        self,
        rows: impl IntoIterator<Item = impl IntoIterator<Item = Cell>>,
    ) -> Result<Vec<u8>, ExportError> {
        lines_in(self.notation(), rows)
    }

    /// The beginning of a file of CSV with transactions.
    ///
    /// # Errors
    /// [`ExportError::File`].
    pub(super) fn transactions_header(self) -> Result<Vec<u8>, ExportError> {
        if self.is_for_people() {
            self.csv_header(&columns::people_header())
        } else {
            self.csv_header(&columns::HEADER)
        }
    }

    /// Lines of CSV with transactions.
    ///
    /// # Errors
    /// [`ExportError::File`].
    pub(super) fn transaction_lines(self, rows: &[Transaction]) -> Result<Vec<u8>, ExportError> {
        if self.is_for_people() {
            self.csv_lines(rows.iter().map(|row| columns::people_cells(row, |one| self.word(one))))
        } else {
            self.csv_lines(rows.iter().map(columns::cells))
        }
    }

    /// The beginning of a file of CSV with differences of statements.
    ///
    /// # Errors
    /// [`ExportError::File`].
    pub(super) fn differences_header(self) -> Result<Vec<u8>, ExportError> {
        if self.is_for_people() {
            self.csv_header(&differences::people_header())
        } else {
            self.csv_header(&differences::HEADER)
        }
    }

    /// Lines of CSV with differences of statements.
    ///
    /// # Errors
    /// [`ExportError::File`].
    pub(super) fn difference_lines(
        self,
        rows: &[StatementException],
    ) -> Result<Vec<u8>, ExportError> {
        if self.is_for_people() {
            let cells = |one| differences::people_cells(one, |word| self.word(word));
            self.csv_lines(rows.iter().map(cells))
        } else {
            self.csv_lines(rows.iter().map(differences::cells))
        }
    }

    /// A row of a table with this header, whose texts in the columns of these names are words.
    pub(super) fn with_words<const N: usize>(
        self,
        mut row: [Cell; N],
        header: &[&str; N],
        of_words: &[&str],
    ) -> [Cell; N] {
        for (name, cell) in header.iter().zip(&mut row) {
            if let Cell::Text(text) = cell
                && of_words.contains(name)
            {
                *text = self.word(text);
            }
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tua_domain::statement::Outcome;
    use tua_tables::export::{books, summary};

    /// Every column of every table has a word in both languages: a person reads no `moneyIn`.
    #[test]
    fn every_column_has_a_word_in_each_language() {
        let people = columns::people_header();
        let tables: [&[&str]; 4] =
            [&people, &summary::HEADER, &books::HEADER, &differences::people_header()];
        for language in [Language::English, Language::French] {
            for name in tables.into_iter().flatten() {
                let key = format!("export-{name}");
                assert!(texts::text(language, &key, &FluentArgs::new()).is_some(), "{key}");
            }
        }
    }

    #[test]
    fn a_difference_is_said_in_words_and_keeps_its_code() {
        let one = StatementException {
            outcome: Outcome::MissingAtTheOperator,
            line: None,
            operator_transaction_id: None,
            transaction: None,
            scope: None,
            theirs: None,
            ours: None,
        };
        let lines = |format, language| {
            let style = TableStyle { format, language };
            String::from_utf8(style.difference_lines(std::slice::from_ref(&one)).unwrap()).unwrap()
        };
        let code = "missing-at-the-operator";
        let french = lines(ExportFormat::ExcelCsv, Language::French);
        assert_eq!(french, format!("Absent chez l’opérateur;;;;;;;;;;{code}\r\n"));
        let english = lines(ExportFormat::ExcelCsv, Language::English);
        assert_eq!(english, format!("Missing at the operator,,,,,,,,,,{code}\r\n"));
        let programs = lines(ExportFormat::Csv, Language::French);
        assert_eq!(programs, format!("{code},,,,,,,,,\r\n"));
    }

    #[test]
    fn csv_for_programs_has_no_words_of_a_language() {
        let style = TableStyle { format: ExportFormat::Csv, language: Language::French };
        let header = style.csv_header(&["moneyIn", "refunds"]).unwrap();
        assert_eq!(header, b"moneyIn,refunds\r\n");
        let excel = TableStyle { format: ExportFormat::ExcelCsv, ..style };
        let header = String::from_utf8(excel.csv_header(&["moneyIn", "refunds"]).unwrap()).unwrap();
        assert_eq!(header, "\u{feff}Encaissé;Remboursements\r\n");
    }
}
