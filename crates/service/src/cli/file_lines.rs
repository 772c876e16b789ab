//! What became of the lines of a file, as it is printed.

use serde::Serialize;
use serde_json::{Map, Value};
use tua_domain::file_lines::LineCounts;

/// How many lines of a file were read, left out and refused. The three are all its lines.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FileLinesReport {
    in_file: u64,
    read: u64,
    left_out: u64,
    refused: u64,
    /// Why lines were left out, each reason with its number of lines.
    left_out_because: Map<String, Value>,
    #[serde(skip)]
    text: String,
}

impl FileLinesReport {
    pub(super) fn new(counts: &LineCounts) -> Self {
        let reasons =
            counts.reasons().map(|(reason, count)| (reason.as_str().to_owned(), count.into()));
        Self {
            in_file: counts.in_file(),
            read: counts.read,
            left_out: counts.left_out(),
            refused: counts.refused,
            left_out_because: reasons.collect(),
            text: counts.to_string(),
        }
    }

    pub(super) fn text(&self) -> String {
        self.text.clone()
    }
}
