//! The largest rows and columns.

/// The last row and column of a sheet, as spreadsheet programs number them.
pub(super) const MAX_ROW: u64 = 1_048_576;
pub(super) const MAX_COLUMN: u64 = 16_384;

/// The columns that a table may have. A cell far to the right would need all those before it.
pub(super) const MAX_COLUMNS: usize = 256;
