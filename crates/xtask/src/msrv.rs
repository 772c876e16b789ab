//! The published libraries, compiled with the lowest Rust version that their Cargo.toml names.

use crate::fault::{Result, fault};
use crate::paths;
use crate::step::Step;
use crate::tools::{WASM_TARGET, capture};
use serde_json::Value;

/// The libraries, and the target of those that run in browsers.
const LIBRARIES: [(&str, Option<&str>); 2] =
    [("tua-contract", None), ("tua-checkout", Some(WASM_TARGET))];

/// Compiles each library, and returns how many there are.
pub fn check() -> Result<u64> {
    for (package, target) in LIBRARIES {
        let version = rust_version(package)?;
        let target = target.map(|target| ["--target", target]).into_iter().flatten();
        Step::new(format!("installing Rust {version}"), "rustup")
            .args([
                "toolchain",
                "install",
                &version,
                "--profile",
                "minimal",
                "--no-self-update",
                "--target",
                WASM_TARGET,
            ])
            .about(20)
            .run()?;
        Step::cargo(format!("compiling {package} with Rust {version}"), "check")
            .args(["--package", package, "--lib"])
            .args(target)
            .env("RUSTUP_TOOLCHAIN", &version)
            .env("CARGO_TARGET_DIR", paths::target().join("msrv"))
            .about(60)
            .run()?;
    }
    Ok(LIBRARIES.len() as u64)
}

/// The `rust-version` of a package of the workspace.
fn rust_version(package: &str) -> Result<String> {
    let metadata =
        capture("cargo", &["metadata", "--locked", "--no-deps", "--format-version", "1"])?;
    let metadata: Value =
        serde_json::from_str(&metadata).map_err(|e| fault!("`cargo metadata`: {e}"))?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let version = packages
        .filter(|found| found["name"] == package)
        .find_map(|found| found["rust_version"].as_str());
    version.map(str::to_owned).ok_or_else(|| fault!("{package}: Cargo.toml has no rust-version"))
}
