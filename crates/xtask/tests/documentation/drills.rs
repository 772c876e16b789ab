//! The drills of `docs/drills`: each page has its sections, names tests that exist, and quotes log
//! lines, metrics and findings that the sources have.

use super::{files, root, test_names};
use std::fs;

const SECTIONS: [&str; 5] = [
    "## What you see",
    "## What Tua does by itself",
    "## What to do",
    "## How to see that it is over",
    "## Tests",
];

/// What the first cell of a row begins with, if the second cell quotes the program.
const QUOTING: [&str; 5] = ["log", "metrics", "the reason", "`/readyz`", "`tua doctor`"];

/// The file name and the text of each page, without the overview.
fn pages() -> Vec<(String, String)> {
    let pages = files().into_iter().filter(|file| {
        file.starts_with("docs/drills") && file.file_name().is_some_and(|name| name != "README.md")
    });
    pages
        .map(|file| {
            let text = fs::read_to_string(root().join(&file)).expect("a page is text");
            (file.display().to_string(), text)
        })
        .collect()
}

/// The code spans of a text.
fn spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The sources of the product as one text, in which a text over several lines is on one.
fn sources() -> String {
    let is_source =
        |name: &str| name.starts_with("crates/") && name.contains("/src/") && name.ends_with(".rs");
    let mut all = String::new();
    for file in files().into_iter().filter(|file| is_source(&file.to_string_lossy())) {
        let text = fs::read_to_string(root().join(file)).expect("a source is text");
        let mut parts = text.split("\\\n");
        all.extend(parts.next());
        parts.for_each(|part| all.push_str(part.trim_start()));
    }
    all
}

/// What a row of the first table quotes: sentences, and names of metrics as they are registered.
fn quotes(page: &str) -> Vec<&str> {
    let table = page.split_once(SECTIONS[0]).map_or("", |(_, after)| after);
    let table = table.split_once("\n## ").map_or(table, |(section, _)| section);
    let cells = table.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let quoting = cells.filter(|(what, _)| QUOTING.iter().any(|start| what.starts_with(start)));
    quoting
        .flat_map(|(_, quoted)| spans(quoted))
        .filter_map(|span| match span.strip_prefix("tua_") {
            Some(metric) => Some(metric.trim_end_matches("_total").trim_end_matches("_seconds")),
            None => span.contains(' ').then_some(span),
        })
        .collect()
}

#[test]
fn every_drill_has_its_sections_in_order() {
    let pages = pages();
    assert_eq!(pages.len(), 7);
    for (name, page) in pages {
        let mut rest = page.as_str();
        for section in SECTIONS {
            let found = rest.split_once(&format!("\n{section}\n"));
            rest = found.unwrap_or_else(|| panic!("{name}: {section} is missing or misplaced")).1;
        }
    }
}

#[test]
fn every_drill_names_tests_that_exist() {
    let tests = test_names();
    for (name, page) in pages() {
        let named = page.split_once("\n## Tests\n").map_or("", |(_, after)| after);
        let named: Vec<&str> = spans(named).filter(|span| !span.contains(' ')).collect();
        assert!(named.len() > 2, "{name} names {named:?}");
        for test in named {
            assert!(tests.contains(test), "{name}: there is no test {test}");
        }
    }
}

#[test]
fn every_text_that_a_drill_quotes_is_in_the_sources() {
    let sources = sources();
    let mut checked = 0;
    for (name, page) in pages() {
        for quote in quotes(&page) {
            checked += 1;
            assert!(sources.contains(quote), "{name}: no source has {quote:?}");
        }
    }
    assert!(checked > 20, "only {checked} quotes were found");
}
