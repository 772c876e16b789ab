//! The layers of ARCHITECTURE.md are those of the code: its tables list every edge between the
//! service's modules and between the workspace's packages, and its picture shows them.

#![expect(clippy::unwrap_used, reason = "a failed assumption must fail the test")]

mod graph;
mod source;
mod table;

use graph::{Crate, circles, within};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MODULES: &str = "### Modules of the service";
const CIRCLES: &str = "### Circles inside a folder";
const PACKAGES: &str = "### Packages";

/// What the rules of payments must not depend on: protocols, formats and engines.
const FOREIGN_TO_THE_DOMAIN: [&str; 8] =
    ["axum", "http", "hyper", "rusqlite", "serde_json", "StatusCode", "tokio_postgres", "utoipa"];

/// Metadata are JSON that merchants send. A repeated request is compared with the first one by
/// their value.
const EXCEPTIONS: [(&str, &str); 1] =
    [("crates/service/src/domain/idempotency/canonical_json.rs", "serde_json")];

fn root() -> PathBuf {
    Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").unwrap())
        .join("../..")
        .canonicalize()
        .unwrap()
}

fn architecture() -> String {
    fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap()
}

fn service() -> Crate {
    Crate(source::modules(&root(), &root().join("crates/service/src")))
}

/// Compares the edges that exist with those that a table allows. Both directions count: an edge
/// that no longer exists leaves the table.
fn compare(
    allowed: &BTreeMap<String, BTreeSet<String>>,
    found: &BTreeMap<(String, String), String>,
) -> String {
    let mut faults = String::new();
    for ((from, to), place) in found {
        if !allowed.get(from).is_some_and(|uses| uses.contains(to)) {
            writeln!(faults, "{place}: {from} → {to} is not in the table").unwrap();
        }
    }
    for (from, uses) in allowed {
        for to in uses.iter().filter(|to| !found.contains_key(&(from.clone(), (*to).clone()))) {
            writeln!(faults, "ARCHITECTURE.md: {from} → {to} no longer exists; remove it").unwrap();
        }
    }
    faults
}

#[test]
fn every_edge_between_the_services_modules_is_in_the_table() {
    let service = service();
    let allowed = table::allowed(&architecture(), MODULES);
    let top: BTreeSet<String> = service.0.keys().filter_map(|path| path.first().cloned()).collect();
    assert_eq!(top, allowed.keys().cloned().collect(), "the table has one row for each top module");
    let place = |edge: &graph::Edge| {
        format!("{}:{} ({})", edge.file.display(), edge.line, edge.to.join("::"))
    };
    let found = within(&[], &service.edges())
        .into_iter()
        .map(|(ends, edge)| (ends, place(&edge)))
        .collect();
    let faults = compare(&allowed, &found);
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn circles_inside_a_folder_are_explained() {
    let service = service();
    let edges = service.edges();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut places = String::new();
    for folder in service.folders().iter().filter(|folder| !folder.is_empty()) {
        let inside = within(folder, &edges);
        for circle in circles(inside.keys().map(|(from, to)| (from.as_str(), to.as_str()))) {
            for ((from, to), edge) in &inside {
                if circle.contains(from.as_str()) && circle.contains(to.as_str()) {
                    writeln!(places, "{}:{}: {from} → {to}", edge.file.display(), edge.line)
                        .unwrap();
                }
            }
            found
                .entry(folder.join("::"))
                .or_default()
                .extend(circle.into_iter().map(str::to_owned));
        }
    }
    assert_eq!(found, table::explained_circles(&architecture(), CIRCLES), "\n{places}");
}

#[test]
fn the_domain_names_no_protocol_format_or_engine() {
    let service = service();
    let mut faults = String::new();
    for (_, module) in
        service.0.iter().filter(|(path, _)| path.first().is_some_and(|first| first == "domain"))
    {
        for reference in &module.references {
            let path = &reference.path;
            let is_foreign = |name: &str| {
                path[0] == name || name == "StatusCode" && path.iter().any(|one| one == name)
            };
            let is_excepted = |name: &str| {
                EXCEPTIONS.iter().any(|(file, one)| module.file == Path::new(file) && *one == name)
            };
            let named = FOREIGN_TO_THE_DOMAIN.into_iter().find(|name| is_foreign(name));
            if let Some(name) = named.filter(|name| !is_excepted(name)) {
                writeln!(faults, "{}:{}: {name}", module.file.display(), reference.line).unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn every_edge_between_packages_is_in_the_table() {
    let allowed = table::allowed(&architecture(), PACKAGES);
    let found = packages();
    let names: BTreeSet<&String> = found.keys().collect();
    assert_eq!(names, allowed.keys().collect(), "the table has one row for each package");
    let place = |from: &String| format!("{from}/Cargo.toml");
    let edges = found.iter().flat_map(|(from, uses)| {
        uses.iter().map(move |to| ((from.clone(), to.clone()), place(from)))
    });
    let faults = compare(&allowed, &edges.collect());
    assert!(faults.is_empty(), "\n{faults}");
    // Also proves that there is no circle.
    table::picture(&allowed);
}

/// What each package of the workspace uses of the others, apart from its tests.
fn packages() -> BTreeMap<String, BTreeSet<String>> {
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&cargo.stdout).unwrap();
    let uses = |package: &serde_json::Value| {
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let local = dependencies.filter(|one| one["path"].is_string() && one["kind"] != "dev");
        local.map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages.map(|package| (package["name"].as_str().unwrap().to_owned(), uses(package))).collect()
}

/// `TUA_BLESS=1 cargo test -p xtask --test layers` draws it again.
#[test]
fn the_picture_shows_the_table() {
    let document = architecture();
    let section = table::section(&document, MODULES);
    let start = section.find("```mermaid").expect("there is no picture");
    let drawn = &section[start..start + section[start..].rfind("```").unwrap() + 3];
    let picture = table::picture(&table::allowed(&document, MODULES));
    if std::env::var_os("TUA_BLESS").is_some() {
        fs::write(root().join("ARCHITECTURE.md"), document.replace(drawn, &picture)).unwrap();
    } else {
        assert_eq!(drawn, picture, "run this test with TUA_BLESS=1");
    }
}
