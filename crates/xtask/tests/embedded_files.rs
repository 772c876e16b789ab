//! A document that shows a whole file shows it as it is. A reader of the repository has no tool
//! that includes files, so the text stands in the document, below a comment that names the file:
//!
//! ````md
//! <!-- file: ../examples/shop-node/shop.js -->
//! ```js
//! …
//! ```
//! ````
//!
//! `TUA_BLESS=1 cargo test -p xtask --test embedded_files` writes the texts again.

use std::fs;
use std::path::{Path, PathBuf};

const MARK: &str = "<!-- file: ";
const FENCE: &str = "```";

fn documents() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let entries = fs::read_dir(folder).expect("docs/ exists");
    let files = entries.map(|entry| entry.expect("a readable folder").path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "md")).collect()
}

/// The document with the files as they are now, and how many it shows.
fn refreshed(document: &Path, text: &str) -> (String, usize) {
    let mut written = String::new();
    let mut shown = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        written.push_str(line);
        written.push('\n');
        let Some(name) = line.strip_prefix(MARK).and_then(|rest| rest.strip_suffix(" -->")) else {
            continue;
        };
        let file = document.with_file_name(name);
        let content =
            fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let fence = lines.next().filter(|line| line.starts_with(FENCE));
        let fence = fence.unwrap_or_else(|| panic!("{}: no code below {line}", document.display()));
        assert!(
            lines.any(|line| line == FENCE),
            "{}: the code below {line} has no end",
            document.display()
        );
        written.push_str(&format!("{fence}\n{}\n{FENCE}\n", content.trim_end()));
        shown += 1;
    }
    (written, shown)
}

#[test]
fn documents_show_files_as_they_are() {
    let mut files_shown = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a readable document");
        let (expected, shown) = refreshed(&document, &text);
        files_shown += shown;
        if std::env::var_os("TUA_BLESS").is_some_and(|value| !value.is_empty()) {
            fs::write(&document, expected).expect("a writable document");
        } else {
            assert!(text == expected, "{}: run this test with TUA_BLESS=1", document.display());
        }
    }
    assert_eq!(files_shown, 3, "the pages of the example shops");
}
