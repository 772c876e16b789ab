//! The rules of deny.toml that can be checked at once. `cargo deny` checks all of them in `cargo
//! xtask test --all`: to compile it takes longer than the rest of a daily run may.

#![expect(clippy::unwrap_used, reason = "a failed assumption must fail the test")]

use cargo_lock::Lockfile;
use cargo_metadata::{Metadata, MetadataCommand};
use serde::Deserialize;
use spdx::{Expression, LicenseReq, ParseMode};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The targets of deny.toml that a developer has.
const TARGETS: [&str; 2] = ["x86_64-unknown-linux-gnu", "wasm32-unknown-unknown"];

#[derive(Deserialize)]
struct Rules {
    licenses: Licences,
    sources: Sources,
}

#[derive(Deserialize)]
struct Licences {
    allow: BTreeSet<String>,
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: Vec<String>,
}

fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)
}

fn rules() -> Rules {
    toml::from_str(&fs::read_to_string(path("deny.toml")).unwrap()).unwrap()
}

/// What cargo resolves for a target.
fn metadata(target: &str) -> Metadata {
    let options = ["--locked".to_owned(), "--filter-platform".to_owned(), target.to_owned()];
    MetadataCommand::new().other_options(options).exec().unwrap()
}

#[test]
fn every_crate_comes_from_the_registry_with_a_checksum() {
    let lock = Lockfile::load(path("Cargo.lock")).unwrap();
    let rules = rules();
    let registries: BTreeSet<String> =
        rules.sources.allow_registry.iter().map(|url| format!("registry+{url}")).collect();
    let others = lock.packages.iter().filter(|package| package.source.is_some());
    let foreign = others.filter(|package| {
        let is_known =
            package.source.as_ref().is_some_and(|source| registries.contains(&source.to_string()));
        package.checksum.is_none() || !is_known
    });
    let foreign: Vec<&str> = foreign.map(|package| package.name.as_str()).collect();
    assert!(foreign.is_empty(), "from elsewhere, or without a checksum: {foreign:?}");
    assert!(lock.packages.len() > 100, "Cargo.lock was not read");
}

#[test]
fn every_licence_is_one_that_deny_toml_allows() {
    let rules = rules();
    let mut refused = BTreeSet::new();
    for target in TARGETS {
        let metadata = metadata(target);
        let resolved: BTreeSet<_> =
            metadata.resolve.as_ref().unwrap().nodes.iter().map(|node| &node.id).collect();
        for package in metadata.packages.iter().filter(|package| resolved.contains(&package.id)) {
            let exception =
                rules.licenses.exceptions.iter().find(|exception| exception.name == *package.name);
            let allows = |requirement: &LicenseReq| {
                let name = requirement.to_string();
                rules.licenses.allow.contains(&name)
                    || exception.is_some_and(|found| found.allow.contains(&name))
            };
            let licence = package.license.as_deref().unwrap_or_default();
            let parsed = Expression::parse_mode(licence, ParseMode::LAX);
            let is_allowed = parsed.is_ok_and(|expression| expression.evaluate(allows));
            if !is_allowed {
                refused.insert(format!("{}: {licence:?}", package.name));
            }
        }
    }
    assert!(refused.is_empty(), "{refused:#?}");
}
