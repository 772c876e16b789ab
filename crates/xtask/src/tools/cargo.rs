//! Programs that cargo builds from a crate.

use super::capture;
use crate::fault::{Result, fault};
use crate::paths;
use crate::step::Step;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// A program that cargo builds from its crate, once, into target/tools.
#[derive(Debug)]
pub struct CargoProgram {
    pub name: &'static str,
    pub package: &'static str,
    pub version: &'static str,
    /// Whether cargo uses the lock file of the crate.
    pub locked: bool,
    /// Whether it is compiled with optimisation: worth it only for a program that computes for
    /// long.
    pub optimized: bool,
    /// Roughly how long the installation takes on 2 cores, in seconds.
    pub estimate_s: u32,
}

impl CargoProgram {
    /// Whether this version is on the PATH.
    pub fn is_on_path(&self) -> bool {
        let version = capture(self.name, &["--version"]).unwrap_or_default();
        version.split_whitespace().any(|word| word == self.version)
    }

    /// The folder below target/tools that `cargo install` puts it into.
    fn root(&self) -> PathBuf {
        paths::tools().join(format!("{}-{}", self.package, self.version))
    }

    /// Whether this version is on the PATH or in target/tools. `cargo install` moves a program into
    /// bin/ when it is complete.
    pub fn is_installed(&self) -> bool {
        self.root().join("bin").join(self.name).is_file() || self.is_on_path()
    }

    /// The command that puts it on the PATH.
    pub fn command(&self) -> String {
        let locked = if self.locked { " --locked" } else { "" };
        format!("cargo install {} --version {}{locked}", self.package, self.version)
    }

    /// The program: on the PATH, or installed if missing.
    pub fn program(&self) -> Result<PathBuf> {
        if self.is_on_path() { Ok(self.name.into()) } else { Ok(self.dir()?.join(self.name)) }
    }

    /// The folder in target/tools that contains it, installed if missing.
    pub fn dir(&self) -> Result<PathBuf> {
        let Self { name, package, version, locked, optimized, estimate_s } = *self;
        let dir = self.root().join("bin");
        if !dir.join(name).is_file() {
            Step::new(format!("installing {package} {version}"), "cargo")
                .args(["install", package, "--version", version])
                .args(locked.then_some("--locked"))
                .args((!optimized).then_some("--debug"))
                // Debug information would take longer than the program runs.
                .env("CARGO_PROFILE_DEV_DEBUG", "0")
                .args([OsString::from("--root"), self.root().into_os_string()])
                .args([
                    OsString::from("--target-dir"),
                    paths::tools().join("build").into_os_string(),
                ])
                .without_env("RUSTFLAGS")
                .about(estimate_s)
                .run()?;
        }
        Ok(dir)
    }
}

/// Runs fuzz targets with libFuzzer.
const FUZZ: CargoProgram = CargoProgram {
    name: "cargo-fuzz",
    package: "cargo-fuzz",
    version: "0.13.2",
    locked: true,
    optimized: false,
    estimate_s: 60,
};
/// Finds dependencies that no crate of the workspace uses.
pub const MACHETE: CargoProgram = CargoProgram {
    name: "cargo-machete",
    package: "cargo-machete",
    version: "0.9.2",
    locked: true,
    optimized: false,
    estimate_s: 60,
};
/// Checks the licences, sources and advisories of dependencies.
pub const DENY: CargoProgram = CargoProgram {
    name: "cargo-deny",
    package: "cargo-deny",
    version: "0.20.2",
    locked: true,
    optimized: false,
    estimate_s: 108,
};
/// Makes the Debian packages of a release.
pub const DEB: CargoProgram = CargoProgram {
    name: "cargo-deb",
    package: "cargo-deb",
    version: "3.8.0",
    locked: true,
    optimized: false,
    estimate_s: 60,
};
/// Makes a book of Markdown files.
pub const MDBOOK: CargoProgram = CargoProgram {
    name: "mdbook",
    package: "mdbook",
    version: "0.5.4",
    locked: true,
    optimized: false,
    estimate_s: 120,
};
pub const WASM_PACK: CargoProgram = CargoProgram {
    name: "wasm-pack",
    package: "wasm-pack",
    version: "0.15.1",
    locked: true,
    optimized: false,
    estimate_s: 60,
};
/// The version in Cargo.lock, which `tua-bindgen` and `tua-embed` pin too. Not `--locked`: the lock
/// file of the program names webpki-roots 1.0.11, which the registry does not list.
pub const WASM_BINDGEN: CargoProgram = CargoProgram {
    name: "wasm-bindgen",
    package: "wasm-bindgen-cli",
    version: "0.2.130",
    locked: false,
    optimized: true,
    estimate_s: 130,
};

/// The path of cargo-fuzz, installed if missing.
pub fn cargo_fuzz() -> Result<PathBuf> {
    Ok(FUZZ.dir()?.join(FUZZ.name))
}

/// A PATH on which wasm-pack and wasm-bindgen's test runner are found, installed if missing.
pub fn wasm_test_tools() -> Result<OsString> {
    let mut dirs = Vec::new();
    for program in [WASM_PACK, WASM_BINDGEN] {
        if !program.is_on_path() {
            dirs.push(program.dir()?);
        }
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::join_paths(dirs.into_iter().chain(env::split_paths(&path)))
        .map_err(|e| fault!("PATH: {e}"))
}
