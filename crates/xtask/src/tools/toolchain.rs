//! What a first build downloads: parts of the Rust toolchain, and packages from npm.

use super::npm::{BUILD_PACKAGES, npm_dir};
use super::{capture, make_empty};
use crate::fault::{Result, fault};
use crate::paths;
use crate::step::{Step, together};
use std::fs;
use std::path::{Path, PathBuf};

pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Downloads that run concurrently.
#[derive(Debug, Default)]
pub struct Missing {
    steps: Vec<Step>,
    /// Where each package is unpacked, and where it is moved to when it is complete.
    renames: Vec<(PathBuf, PathBuf)>,
}

/// The `rustup` arguments that add what the toolchain lacks: the target, and with `with_source` the
/// source of the standard library.
pub fn missing_rustup_parts(target: &str, with_source: bool) -> Result<Vec<String>> {
    let sysroot = capture("rustc", &["--print", "sysroot"])?;
    let lib = Path::new(sysroot.trim()).join("lib/rustlib");
    let mut missing = Vec::new();
    if !lib.join(target).join("lib").is_dir() {
        missing.push(format!("target add {target}"));
    }
    if with_source && !lib.join("src/rust/library/Cargo.lock").is_file() {
        missing.push("component add rust-src".to_owned());
    }
    Ok(missing)
}

impl Missing {
    /// A target of the toolchain, and with `with_source` the source of the standard library.
    pub fn rust(mut self, target: &str, with_source: bool) -> Result<Self> {
        let missing: Vec<String> = missing_rustup_parts(target, with_source)?
            .iter()
            .map(|part| format!("rustup {part}"))
            .collect();
        if missing.is_empty() {
            return Ok(self);
        }
        if capture("rustup", &["--version"]).is_err() {
            return Err(fault!(
                "the toolchain lacks {target} or rust-src, and there is no rustup to add them: \
                 install Rust from https://rustup.rs, then run `{}`",
                missing.join(" && ")
            ));
        }
        // In sequence, because rustup locks its folder.
        let step = Step::new(format!("adding {target} to the toolchain"), "sh");
        self.steps.push(step.args(["-c", &missing.join(" && ")]).about(10));
        Ok(self)
    }

    /// wasm-opt and the minifier.
    pub fn npm(self) -> Result<Self> {
        self.npm_packages("installing wasm-opt and esbuild", &BUILD_PACKAGES)
    }

    /// These packages from npm, in a folder of their own below target/tools.
    pub fn npm_packages(mut self, title: &str, packages: &[&str]) -> Result<Self> {
        let complete = npm_dir(packages);
        if complete.is_dir() {
            return Ok(self);
        }
        if let Some(program) = missing_node() {
            return Err(fault!("`{program}` is not on the PATH: {INSTALL_NODE}"));
        }
        let partial = complete.with_extension("partial");
        make_empty(&partial)?;
        self.steps.push(
            Step::new(title, "npm")
                .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"])
                .args([&partial])
                .args(packages)
                .dir(&partial)
                .about(15),
        );
        self.renames.push((partial, complete));
        Ok(self)
    }

    pub fn install(self) -> Result<()> {
        if self.steps.is_empty() {
            return Ok(());
        }
        together(self.steps)?;
        for (from, to) in self.renames {
            fs::rename(&from, &to).map_err(|e| fault!("{}: {e}", paths::shown(&to)))?;
        }
        Ok(())
    }
}

pub const INSTALL_NODE: &str =
    "install Node.js 20 or later with npm (https://nodejs.org, or `apt-get install nodejs npm`)";

/// Which of Node.js's programs does not run.
pub fn missing_node() -> Option<&'static str> {
    ["node", "npm"].into_iter().find(|program| capture(program, &["--version"]).is_err())
}
