//! How a table is written.

/// How a table is written, where its header cannot say it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TableForm {
    /// What separates columns; `None`: the one that the header has most often.
    pub delimiter: Option<char>,
    /// The lines before the header.
    pub skipped_lines: u64,
    /// How lines below the table begin.
    pub footers: Vec<String>,
    /// The sheet of a workbook; `None`: the only one with rows.
    pub sheet: Option<String>,
    /// Whether a line of CSV with fewer cells than the header is refused. A program writes all
    /// cells of a line, so such a line is cut off; people omit the last ones.
    pub refuses_short_lines: bool,
}

impl TableForm {
    /// This form with footers that begin so, whatever spaces are around them.
    pub fn with_footers(self, footers: &[String]) -> Self {
        let footers = footers.iter().map(|footer| footer.trim().to_owned());
        Self { footers: footers.filter(|footer| !footer.is_empty()).collect(), ..self }
    }
}
