//! The packages that are not published, compiled once for all stages.
//!
//! Cargo unites the features of the packages that a command names, and compiles a crate again where
//! other features are united. So the stages that test these packages or run their programs name all
//! of them.

use crate::fault::{Result, fault};
use crate::step::Step;
use crate::{paths, tools};
use serde::Deserialize;
use std::path::PathBuf;

/// Packages that are compiled alone: those for browsers, and `tua-e2e`, whose WebDriver client
/// makes JSON keep the order of its members, which the released service does not do.
const ALONE: [&str; 3] = ["tua-e2e", "tua-embed", "tua-example-yew"];

/// A small test. Where a command compiles one, cargo unites the features of the dependencies of all
/// tests too, as it does where they run.
const SMALL_TEST: &str = "layers";

/// A package of the workspace, as `cargo metadata` describes it.
#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    /// The registries to which it may be published: none, or any where this is absent.
    publish: Option<Vec<String>>,
}

impl Package {
    fn is_published(&self) -> bool {
        self.publish.as_ref().is_none_or(|registries| !registries.is_empty())
    }
}

/// The names of the packages that are published.
pub fn published() -> Result<Vec<String>> {
    names(Package::is_published)
}

/// A step of cargo for the packages that are not published.
pub fn cargo(title: impl Into<String>, subcommand: &str) -> Result<Step> {
    let names = names(|package| !package.is_published())?;
    let packages = names.iter().filter(|name| !ALONE.contains(&name.as_str()));
    let packages = packages.flat_map(|name| ["--package", name]);
    Ok(Step::cargo(title, subcommand).args(packages))
}

/// Compiles the programs, where they are not as the sources are now. Returns their folder. They
/// have the features of the tests too, which the released ones lack: `fuzzing` of `tua-web`, and
/// `test-util` of tokio.
pub fn build() -> Result<PathBuf> {
    cargo("building the programs", "build")?
        .args(["--bins", "--test", SMALL_TEST])
        .about(240)
        .run()?;
    Ok(paths::target().join("debug"))
}

fn names(is_wanted: impl Fn(&Package) -> bool) -> Result<Vec<String>> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    let listed =
        tools::capture("cargo", &["metadata", "--locked", "--no-deps", "--format-version", "1"])?;
    let Metadata { packages } = serde_json::from_str(&listed)
        .map_err(|error| fault!("cargo metadata: its output cannot be read: {error}"))?;
    Ok(packages.into_iter().filter(is_wanted).map(|package| package.name).collect())
}
