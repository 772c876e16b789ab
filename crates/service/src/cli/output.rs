//! Prints the results of commands.

use super::{context::Common, fault::Fault};
use jiff::Timestamp;
use serde::Serialize;
use std::io::{self, Write};

/// Prints a result: as JSON with `--json`, else as text.
///
/// # Errors
/// One line: standard output cannot be written.
pub(super) fn print(common: &Common, result: &impl Serialize, text: &str) -> Result<(), Fault> {
    let text = if common.json {
        serde_json::to_string(result).map_err(|error| Fault::from(error.to_string()))?
    } else {
        text.trim_end().to_owned()
    };
    writeln!(io::stdout(), "{text}").map_err(|error| format!("standard output: {error}").into())
}

/// A time as all of JSON has it: RFC 3339 in UTC with milliseconds, `2026-11-27T12:00:00.000Z`.
pub(super) fn time(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// Prints a list: as a JSON array with `--json`, else one line for each row, or `none` if there is
/// no row.
///
/// # Errors
/// As [`print`].
pub(super) fn print_list<T: Serialize>(
    common: &Common,
    rows: &[T],
    line: impl FnMut(&T) -> String,
    none: &str,
) -> Result<(), Fault> {
    let text = rows.iter().map(line).collect::<Vec<_>>().join("\n");
    print(common, &rows, if rows.is_empty() { none } else { &text })
}

/// Prints bytes as they are.
///
/// # Errors
/// As [`print`].
pub(super) fn print_bytes(bytes: &[u8]) -> Result<(), Fault> {
    let mut out = io::stdout();
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(|error| format!("standard output: {error}").into())
}
