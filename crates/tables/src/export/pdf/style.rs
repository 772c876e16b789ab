//! The measures of a page and of its texts. Lengths are hundredths of a point: integers, because
//! floating-point sums are denied everywhere.

use super::font::Weight;

/// The size of a page, and the space around its contents.
pub(super) const PAGE_WIDTH: i32 = 59_500;
pub(super) const PAGE_HEIGHT: i32 = 84_200;
pub(super) const MARGIN: i32 = 4_200;
pub(super) const CONTENT_WIDTH: i32 = PAGE_WIDTH - 2 * MARGIN;
pub(super) const BOTTOM: i32 = PAGE_HEIGHT - MARGIN - 2_000;

/// A size of text, with the height of its lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Style {
    pub(super) size: i32,
    pub(super) line: i32,
    pub(super) weight: Weight,
}

pub(super) const TITLE: Style = Style { size: 1_800, line: 2_600, weight: Weight::Bold };
pub(super) const HEADING: Style = Style { size: 1_200, line: 1_700, weight: Weight::Bold };
pub(super) const SUBHEADING: Style = Style { size: 1_000, line: 1_450, weight: Weight::Bold };
pub(super) const BODY: Style = Style { size: 900, line: 1_300, weight: Weight::Regular };
pub(super) const CELL: Style = Style { size: 800, line: 1_150, weight: Weight::Regular };
pub(super) const BOLD_CELL: Style = Style { weight: Weight::Bold, ..CELL };

/// The text of the head and the foot of pages.
pub(super) const FOOT: Style = Style { size: 750, line: 1_000, weight: Weight::Regular };
