//! What a report consists of.

use jiff::Timestamp;

/// A report, with all its texts in one language.
#[derive(Clone, Debug)]
pub struct PdfReport {
    /// The tag of the language of all texts, such as `en`.
    pub language: &'static str,
    /// The title of the file, which is the first heading too.
    pub title: String,
    /// Whose report it is.
    pub author: String,
    /// What stands above each page after the first.
    pub running_head: String,
    /// What stands below each page on the left: when the report was made.
    pub made: String,
    /// When the report was made.
    pub made_at: Timestamp,
    /// What stands below each page on the right, with `{page}` and `{pages}` in it.
    pub page_number: String,
    /// The contents in the order in which they are read.
    pub blocks: Vec<PdfBlock>,
}

/// A part of a report.
#[derive(Clone, Debug)]
pub enum PdfBlock {
    /// The heading of a section.
    Heading(String),
    /// The heading of a part of a section.
    Subheading(String),
    /// A paragraph, which is broken into lines.
    Paragraph(String),
    /// A list of short paragraphs.
    List(Vec<String>),
    /// A table of figures.
    Table(PdfTable),
}

/// A table whose first column has labels. All other columns are aligned to the right.
#[derive(Clone, Debug)]
pub struct PdfTable {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows in their order.
    pub rows: Vec<PdfRow>,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct PdfRow {
    /// What the row is about.
    pub label: String,
    /// One for each column after the first.
    pub cells: Vec<String>,
    /// Whether it sums up the rows above, and is bold.
    pub is_total: bool,
}
