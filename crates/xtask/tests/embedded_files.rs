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
//! Between the comments `<!-- request: createCharge -->` and `<!-- /request -->` stand the files
//! `docs/requests/createCharge.*`, the one for curl first. On GitHub and in the book a reader
//! unfolds the other languages. `/docs` shows tabs.
//!
//! `TUA_BLESS=1 cargo test -p xtask --test embedded_files` writes the texts again.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

const FILE: &str = "<!-- file: ";
const REQUEST: &str = "<!-- request: ";
const REQUEST_END: &str = "<!-- /request -->";
const FENCE: &str = "```";
/// The ending of a file, the name of its code in Markdown, and the name of the language.
const LANGUAGES: [(&str, &str, &str); 4] = [
    ("sh", "sh", "curl"),
    ("mjs", "js", "Node.js"),
    ("py", "python", "Python"),
    ("php", "php", "PHP"),
];

/// What the documents show.
#[derive(Default)]
struct Shown {
    files: usize,
    requests: HashSet<String>,
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The documents in a folder and below it.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.expect("a readable folder").path()) {
        if path.is_dir() {
            found.extend(documents(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// What a comment names, such as the file in `<!-- file: shop.js -->`.
fn named<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    line.strip_prefix(mark)?.strip_suffix(" -->")
}

/// The document with the files as they are now.
fn refreshed(document: &Path, text: &str, shown: &mut Shown) -> String {
    let mut written = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        written.push_str(line);
        written.push('\n');
        if let Some(name) = named(line, FILE) {
            let content = read(&document.with_file_name(name));
            let fence = lines.next().filter(|line| line.starts_with(FENCE));
            let fence =
                fence.unwrap_or_else(|| panic!("{}: no code below {line}", document.display()));
            assert!(lines.any(|line| line == FENCE), "{}: {line} has no end", document.display());
            written.push_str(&format!("{fence}\n{}\n{FENCE}\n", content.trim_end()));
            shown.files += 1;
        }
        if let Some(name) = named(line, REQUEST) {
            assert!(
                lines.any(|line| line == REQUEST_END),
                "{}: {line} has no end",
                document.display()
            );
            written.push_str(&request(name));
            written.push_str(REQUEST_END);
            written.push('\n');
            shown.requests.insert(name.to_owned());
        }
    }
    written
}

/// A request in all the languages that it has.
fn request(name: &str) -> String {
    let mut written = String::new();
    for (ending, code, language) in LANGUAGES {
        let file = docs().join(format!("requests/{name}.{ending}"));
        let block = || format!("{FENCE}{code}\n{}\n{FENCE}\n", read(&file).trim_end());
        if ending == "sh" {
            written.push_str(&block());
        } else if file.is_file() {
            let summary = format!("<summary>{language}</summary>");
            written.push_str(&format!("\n<details>\n{summary}\n\n{}\n</details>\n", block()));
        }
    }
    written.push('\n');
    written
}

#[test]
fn documents_show_files_as_they_are() {
    let mut shown = Shown::default();
    for document in documents(&docs()) {
        let text = read(&document);
        let expected = refreshed(&document, &text, &mut shown);
        if std::env::var_os("TUA_BLESS").is_some_and(|value| !value.is_empty()) {
            fs::write(&document, expected).expect("a writable document");
        } else {
            assert!(text == expected, "{}: run this test with TUA_BLESS=1", document.display());
        }
    }
    assert_eq!(shown.files, 6, "the pages of the example shops, and the requests by hand");
    assert!(shown.requests.len() >= 18, "{:?}", shown.requests);
}

/// The programs of a shop use an SDK, or stand in `by-hand.md`: a page shows a request to the API
/// in all languages or not at all.
#[test]
fn no_document_shows_a_request_in_curl_alone() {
    for document in documents(&docs()) {
        let text = read(&document);
        let mut in_request = false;
        for line in text.lines() {
            in_request = named(line, REQUEST).is_some() || in_request && line != REQUEST_END;
            // `$url` is the hosted page, whose form a payer sends.
            let is_request = line.starts_with("curl ")
                && ["/readyz", "/healthz", "\"$url\""].iter().all(|path| !line.contains(path));
            assert!(in_request || !is_request, "{}: {line}", document.display());
        }
    }
}
