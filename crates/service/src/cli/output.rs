//! What verbs print.

use super::Common;
use serde::Serialize;
use std::io::{self, Write};

/// Prints a result: as JSON alone with `--json`, and else as lines for people.
pub(super) fn print(common: &Common, result: &impl Serialize, people: &str) -> Result<(), String> {
    let text = match common.json {
        true => serde_json::to_string(result).map_err(|error| error.to_string())?,
        false => people.trim_end().to_owned(),
    };
    writeln!(io::stdout(), "{text}").map_err(|error| format!("standard output: {error}"))
}
