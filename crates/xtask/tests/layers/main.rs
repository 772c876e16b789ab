//! The layers of ARCHITECTURE.md are those of the code: its table lists every edge between the
//! packages of the workspace, and its picture shows them. Cargo enforces them.

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

const PACKAGES: &str = "### Packages";

/// What the rules of payments must not depend on: protocols, formats of the wire and engines.
const FOREIGN_TO_THE_DOMAIN: [&str; 6] =
    ["axum", "http", "hyper", "rusqlite", "tokio-postgres", "utoipa"];

/// The crates that may name the trait of all ports: the first defines it, the second implements it,
/// the third builds everything else with it.
const NAME_ALL_PORTS: [&str; 3] = ["domain", "store", "service"];

/// How many lines of Rust a crate has at most. A larger one is cut in two.
const MOST_LINES: usize = 25_000;

fn root() -> PathBuf {
    Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").unwrap())
        .join("../..")
        .canonicalize()
        .unwrap()
}

fn architecture() -> String {
    fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap()
}

/// The crates of the repository, by the name of their folder.
fn crates() -> Vec<(String, Crate)> {
    let folders = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let libraries = folders.filter(|folder| folder.join("src/lib.rs").exists());
    let named = libraries.map(|folder| {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        (name, Crate(source::modules(&root(), &folder.join("src"))))
    });
    named.collect()
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

/// The lines of the Rust files in a folder and in the folders below it.
fn lines(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let count = |path: PathBuf| match path.extension() {
        _ if path.is_dir() => lines(&path),
        Some(extension) if extension == "rs" => fs::read_to_string(path).unwrap().lines().count(),
        _ => 0,
    };
    entries.map(count).sum()
}

#[test]
fn no_crate_is_too_large() {
    let folders = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let sizes = folders.map(|folder| (lines(&folder), folder));
    let large: Vec<_> = sizes.filter(|(lines, _)| *lines > MOST_LINES).collect();
    assert!(large.is_empty(), "more than {MOST_LINES} lines: {large:?}");
}

#[test]
fn there_is_no_circle_inside_a_crate() {
    let mut edges_of_circles = String::new();
    for (name, one) in crates() {
        let edges = one.edges();
        for folder in one.folders() {
            let inside = within(&folder, &edges);
            for circle in circles(inside.keys().map(|(from, to)| (from.as_str(), to.as_str()))) {
                for ((from, to), edge) in &inside {
                    if circle.contains(from.as_str()) && circle.contains(to.as_str()) {
                        let place = edge.file.display();
                        writeln!(edges_of_circles, "{name}: {place}:{}: {from} → {to}", edge.line)
                            .unwrap();
                    }
                }
            }
        }
    }
    assert!(edges_of_circles.is_empty(), "\n{edges_of_circles}");
}

/// All ports together would allow everything. So a use case, a worker or a listener names the
/// ports that it uses.
#[test]
fn only_what_puts_the_service_together_names_the_trait_of_all_ports() {
    let mut faults = String::new();
    for (name, one) in crates().iter().filter(|(name, _)| !NAME_ALL_PORTS.contains(&&**name)) {
        for module in one.0.values() {
            for found in module.references.iter().filter(|found| names_all_ports(&found.path)) {
                writeln!(faults, "{name}: {}:{}", module.file.display(), found.line).unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "name the ports instead of `ports::Store`:\n{faults}");
}

/// Whether a path is that of the trait, also with a `use` of the module `ports` before it.
fn names_all_ports(path: &[String]) -> bool {
    matches!(path, [.., module, name] if module == "ports" && name == "Store")
}

#[test]
fn the_domain_depends_on_no_protocol_and_no_engine() {
    let metadata = metadata();
    for rules in ["tua-accounts", "tua-domain"] {
        let uses = metadata[rules]["dependencies"].as_array().unwrap().iter();
        let names = uses.map(|one| one["name"].as_str().unwrap());
        let foreign: Vec<&str> =
            names.filter(|name| FOREIGN_TO_THE_DOMAIN.contains(name)).collect();
        assert_eq!(foreign, Vec::<&str>::new(), "{rules}");
    }
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

/// The packages of the workspace by their names, as cargo describes them.
fn metadata() -> BTreeMap<String, serde_json::Value> {
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&cargo.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages.map(|one| (one["name"].as_str().unwrap().to_owned(), one.clone())).collect()
}

/// What each package of the workspace uses of the others, apart from its tests.
fn packages() -> BTreeMap<String, BTreeSet<String>> {
    let uses = |package: &serde_json::Value| {
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let local = dependencies.filter(|one| one["path"].is_string() && one["kind"] != "dev");
        local.map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    metadata().iter().map(|(name, package)| (name.clone(), uses(package))).collect()
}

/// `TUA_BLESS=1 cargo test -p xtask --test layers` draws it again.
#[test]
fn the_picture_shows_the_table() {
    let document = architecture();
    let section = table::section(&document, PACKAGES);
    let start = section.find("```mermaid").expect("there is no picture");
    let drawn = &section[start..start + section[start..].rfind("```").unwrap() + 3];
    let picture = table::picture(&table::allowed(&document, PACKAGES));
    if std::env::var_os("TUA_BLESS").is_some_and(|value| !value.is_empty()) {
        fs::write(root().join("ARCHITECTURE.md"), document.replace(drawn, &picture)).unwrap();
    } else {
        assert_eq!(drawn, picture, "run this test with TUA_BLESS=1");
    }
}
