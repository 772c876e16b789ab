//! The widths of a table's columns. Only the first column breaks its words: a sum that were cut
//! would be read as another sum.

use super::{
    document::PdfTable,
    font::Fonts,
    style::{BOLD_CELL, CELL, CONTENT_WIDTH, MARGIN, Style},
};

/// The space between the columns of a table.
pub(super) const GUTTER: i32 = 600;

/// The first column has at least this width.
const MIN_FIRST_WIDTH: i32 = CONTENT_WIDTH / 5;

/// The smallest text of a table. `−GH₵123,456,789.01` in each of six columns fits at more.
const MIN_SIZE: i32 = 300;

/// The columns of a table and the size of its text.
pub(super) struct Columns {
    /// The left side and the width of each column.
    places: Vec<(i32, i32)>,
    size: i32,
}

impl Columns {
    /// Each column but the first one is as wide as its widest word; the first one has the rest. The
    /// text is smaller than [`CELL`] where there is no rest.
    pub(super) fn of(table: &PdfTable, fonts: &Fonts) -> Self {
        let mut size = CELL.size;
        let mut widths = widths_of_others(table, fonts, size);
        while size > MIN_SIZE && CONTENT_WIDTH - widths.iter().sum::<i32>() < MIN_FIRST_WIDTH {
            size -= 20;
            widths = widths_of_others(table, fonts, size);
        }
        let first = (CONTENT_WIDTH - widths.iter().sum::<i32>()).max(MIN_FIRST_WIDTH);
        let mut left = MARGIN;
        let place = |width| {
            let place = (left, width);
            left += width;
            place
        };
        let places = [first].into_iter().chain(widths).map(place).collect();
        Self { places, size }
    }

    /// The left side and the width of each column.
    pub(super) fn places(&self) -> &[(i32, i32)] {
        &self.places
    }

    /// The style of cells at this table's size.
    pub(super) const fn style(&self, is_bold: bool) -> Style {
        let style = if is_bold { BOLD_CELL } else { CELL };
        Style { size: self.size, ..style }
    }
}

/// The width of each column but the first one at a size of text, with the space before it.
fn widths_of_others(table: &PdfTable, fonts: &Fonts, size: i32) -> Vec<i32> {
    let cells_of = |column: usize| {
        let bodies = table.rows.iter().filter_map(move |row| row.cells.get(column - 1));
        table.columns.get(column).into_iter().chain(bodies)
    };
    let face = fonts.face(BOLD_CELL.weight);
    let width = |word: &str| face.width(&face.drawable(word), size);
    (1..table.columns.len())
        .map(|column| {
            let words = cells_of(column).flat_map(|cell| cell.split(' '));
            words.map(width).max().unwrap_or(0) + GUTTER
        })
        .collect()
}
