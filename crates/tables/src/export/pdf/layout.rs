//! Puts the lines of a report on pages of A4. Places are measured from the upper left corner.

use super::{
    columns::{Columns, GUTTER},
    document::{PdfBlock, PdfReport, PdfTable},
    font::Fonts,
    style::{BODY, BOTTOM, HEADING, MARGIN, PAGE_WIDTH, SUBHEADING, Style, TITLE},
    tags::Element,
};

/// A line of text at a place. It is drawn with its number as its identity in the structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    pub(super) x: i32,
    /// Of the baseline.
    pub(super) y: i32,
    pub(super) style: Style,
    pub(super) text: String,
    pub(super) role: Role,
}

/// Whether a screen reader reads a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// It is part of the structure, with this number.
    Content(usize),
    /// It repeats the names of columns on a further page.
    Repeated,
}

/// A page with its lines of text and the heights of its rules.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Page {
    pub(super) lines: Vec<Line>,
    pub(super) rules: Vec<i32>,
}

/// The pages of a report, and its structure.
pub(super) struct Layout<'a> {
    fonts: &'a Fonts,
    pub(super) pages: Vec<Page>,
    pub(super) elements: Vec<Element>,
    /// Where the headings are: page, height and text.
    pub(super) outline: Vec<(usize, i32, String)>,
    contents: usize,
    y: i32,
}

/// The lines of a row, and its height.
struct BrokenRow {
    cells: Vec<Vec<String>>,
    height: i32,
    style: Style,
}

impl<'a> Layout<'a> {
    /// The pages of a report.
    pub(super) fn of(report: &PdfReport, fonts: &'a Fonts) -> Self {
        let mut layout = Self {
            fonts,
            pages: vec![Page::default()],
            elements: Vec::new(),
            outline: Vec::new(),
            contents: 0,
            y: MARGIN,
        };
        layout.heading(&report.title, 1, TITLE, 0);
        for block in &report.blocks {
            layout.add(block);
        }
        layout
    }

    fn add(&mut self, block: &PdfBlock) {
        match block {
            PdfBlock::Heading(text) => self.heading(text, 2, HEADING, 900),
            PdfBlock::Subheading(text) => self.heading(text, 3, SUBHEADING, 500),
            PdfBlock::Paragraph(text) => {
                let lines = self.paragraph(text, BODY, MARGIN);
                self.elements.push(Element::Paragraph(lines));
                self.y += 300;
            }
            PdfBlock::List(items) => {
                let items = items.iter().map(|one| self.paragraph(one, BODY, MARGIN + 800));
                let items = items.collect();
                self.elements.push(Element::List(items));
                self.y += 300;
            }
            PdfBlock::Table(table) => self.table(table),
        }
    }

    /// A heading, which stays with what follows it.
    fn heading(&mut self, text: &str, level: u16, style: Style, space: i32) {
        self.y += space;
        self.need(style.line + 6_000);
        self.outline.push((self.pages.len() - 1, self.y, text.to_owned()));
        let lines = self.paragraph(text, style, MARGIN);
        self.elements.push(Element::Heading { level, text: text.to_owned(), lines });
    }

    fn paragraph(&mut self, text: &str, style: Style, x: i32) -> Vec<usize> {
        let lines = self.broken(text, style, PAGE_WIDTH - MARGIN - x);
        let mut written = Vec::new();
        for line in lines {
            self.need(style.line);
            let baseline = self.y + style.size;
            written.push(self.content(line, style, x, baseline));
            self.y += style.line;
        }
        written
    }

    /// Begins a page unless this height is left on the current one. Returns whether it did.
    fn need(&mut self, height: i32) -> bool {
        let is_full = self.y + height > BOTTOM;
        if is_full {
            self.pages.push(Page::default());
            self.y = MARGIN + 1_600;
        }
        is_full
    }

    /// A line of the structure. Returns its number.
    fn content(&mut self, text: String, style: Style, x: i32, y: i32) -> usize {
        let number = self.contents;
        self.contents += 1;
        self.line(Line { x, y, style, text, role: Role::Content(number) });
        number
    }

    fn line(&mut self, line: Line) {
        if let Some(page) = self.pages.last_mut() {
            page.lines.push(line);
        }
    }

    fn rule(&mut self, y: i32) {
        if let Some(page) = self.pages.last_mut() {
            page.rules.push(y);
        }
    }

    fn table(&mut self, table: &PdfTable) {
        let columns = Columns::of(table, self.fonts);
        let places = columns.places();
        let header = self.broken_row(&table.columns, places, columns.style(true));
        let rows: Vec<BrokenRow> = table
            .rows
            .iter()
            .map(|row| {
                let cells = [std::slice::from_ref(&row.label), &row.cells].concat();
                self.broken_row(&cells, places, columns.style(row.is_total))
            })
            .collect();
        let first = rows.first().map_or(0, |row| row.height);
        self.need(header.height + first);
        let named = self.row(&header, places, Some(()));
        let mut body = Vec::new();
        for row in &rows {
            if self.need(row.height) {
                self.row(&header, places, None);
            }
            body.push(self.row(row, places, Some(())));
        }
        self.elements.push(Element::Table { header: named, rows: body });
        self.y += 600;
    }

    fn broken_row(&self, cells: &[String], places: &[(i32, i32)], style: Style) -> BrokenRow {
        let broken = cells
            .iter()
            .zip(places)
            .map(|(text, (_, width))| self.broken(text, style, width - GUTTER));
        let cells: Vec<Vec<String>> = broken.collect();
        let lines = cells.iter().map(Vec::len).max().unwrap_or(1);
        let height = i32::try_from(lines).unwrap_or(i32::MAX).saturating_mul(style.line) + 300;
        BrokenRow { cells, height, style }
    }

    /// Writes a row at the current height. Without `content` it repeats the names of columns.
    fn row(
        &mut self,
        row: &BrokenRow,
        places: &[(i32, i32)],
        content: Option<()>,
    ) -> Vec<Vec<usize>> {
        let mut numbers = Vec::new();
        for (column, (lines, (left, width))) in row.cells.iter().zip(places).enumerate() {
            let mut written = Vec::new();
            let mut y = self.y + row.style.size;
            for text in lines {
                let drawn =
                    self.fonts.face(row.style.weight).width(text.trim_end(), row.style.size);
                let x = if column == 0 { *left } else { left + width - drawn };
                let text = text.clone();
                if content.is_some() {
                    written.push(self.content(text, row.style, x, y));
                } else {
                    self.line(Line { x, y, style: row.style, text, role: Role::Repeated });
                }
                y += row.style.line;
            }
            numbers.push(written);
        }
        self.y += row.height;
        self.rule(self.y - 100);
        numbers
    }

    /// The lines of a text that are not wider than this. Each but the last one ends with a space,
    /// so that readers find the ends of words. A word that is too wide is cut.
    fn broken(&self, text: &str, style: Style, width: i32) -> Vec<String> {
        let face = self.fonts.face(style.weight);
        let text = face.drawable(text);
        let mut lines = vec![String::new()];
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            for part in parts_of(word, |part| face.width(part, style.size) <= width) {
                let is_first = lines.last().is_none_or(String::is_empty);
                let last = lines.last().map_or("", String::as_str);
                let joined = if is_first { part.clone() } else { format!("{last} {part}") };
                if is_first || face.width(&joined, style.size) <= width {
                    lines.pop();
                    lines.push(joined);
                } else {
                    if let Some(last) = lines.last_mut() {
                        last.push(' ');
                    }
                    lines.push(part);
                }
            }
        }
        lines
    }
}

/// A word, in parts that fit.
fn parts_of(word: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut parts = vec![String::new()];
    for one in word.chars() {
        let last = parts.last().map_or("", String::as_str);
        let longer = format!("{last}{one}");
        if last.is_empty() || fits(&longer) {
            parts.pop();
            parts.push(longer);
        } else {
            parts.push(one.to_string());
        }
    }
    parts
}
