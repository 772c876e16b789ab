//! A report as PDF/A-2a (ISO 19005-2) that is also PDF/UA-1 (ISO 14289-1): fonts are embedded, text
//! can be searched, and headings, paragraphs, lists and tables are tagged for screen readers.
//!
//! | module | does |
//! |---|---|
//! | `document` | what a report consists of |
//! | `font` | glyphs and widths of the embedded fonts |
//! | `style` | the measures of a page and of its texts |
//! | `columns` | the widths of a table's columns |
//! | `layout` | puts lines of text on pages |
//! | `draw` | draws the pages |
//! | `tags` | the structure for screen readers |

mod columns;
mod document;
mod draw;
mod font;
mod layout;
mod style;
mod tags;

pub use document::{PdfBlock, PdfReport, PdfRow, PdfTable};

use super::ExportError;
use font::Fonts;
use layout::Layout;

/// The file of a report.
///
/// # Errors
/// [`ExportError::File`].
pub fn write(report: &PdfReport) -> Result<Vec<u8>, ExportError> {
    let fonts = Fonts::load().ok_or_else(|| ExportError::File("no font".to_owned()))?;
    let layout = Layout::of(report, &fonts);
    draw::draw(report, &layout, &fonts)
}

#[cfg(test)]
mod tests;
