//! The tables and the picture of ARCHITECTURE.md.

use crate::graph::circles;
use std::collections::{BTreeMap, BTreeSet};

/// The rows below a heading, each as its columns' texts.
fn rows<'a>(document: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    section(document, heading)
        .lines()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'))
        .map(|line| line.split('|').map(str::trim).collect())
        .skip(2)
        .collect()
}

/// What is written between a heading and the next one.
pub fn section<'a>(document: &'a str, heading: &str) -> &'a str {
    let (_, after) = document
        .split_once(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("there is no {heading}"));
    after.split("\n#").next().unwrap()
}

/// The words of a column that are set as code.
fn names(column: &str) -> BTreeSet<String> {
    column.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// What each module or package may use: the first two columns below a heading.
pub fn allowed(document: &str, heading: &str) -> BTreeMap<String, BTreeSet<String>> {
    let row = |row: Vec<&str>| (row[0].trim_matches('`').to_owned(), names(row[1]));
    let table: BTreeMap<_, _> = rows(document, heading).into_iter().map(row).collect();
    let unknown: Vec<&String> =
        table.values().flatten().filter(|name| !table.contains_key(*name)).collect();
    assert!(unknown.is_empty(), "{heading}: these have no row: {unknown:?}");
    table
}

/// The picture of a table without circles, in Mermaid's notation: an arrow for each edge that no
/// other path implies.
pub fn picture(table: &BTreeMap<String, BTreeSet<String>>) -> String {
    let edges =
        table.iter().flat_map(|(from, uses)| uses.iter().map(|to| (from.as_str(), to.as_str())));
    assert_eq!(circles(edges), Vec::<BTreeSet<&str>>::new(), "the table contains circles");
    let mut lines = vec!["```mermaid".to_owned(), "graph TD".to_owned()];
    for (from, uses) in table {
        let implied: BTreeSet<&str> = uses.iter().flat_map(|to| reachable(table, to)).collect();
        for to in uses.iter().filter(|to| !implied.contains(to.as_str())) {
            lines.push(format!("    {from} --> {to}"));
        }
    }
    lines.push("```".to_owned());
    lines.join("\n")
}

fn reachable<'a>(table: &'a BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<&'a str> {
    table[from]
        .iter()
        .flat_map(|to| reachable(table, to).into_iter().chain([to.as_str()]))
        .collect()
}
