//! The tools that tests and builds need. Each is pinned, and installed completely or not at all.

mod apt;
mod cargo;
mod npm;
mod python;
mod requirement;
mod toolchain;
mod wordpress;

pub use self::apt::{apt_install, apt_program, make};
pub use self::cargo::{CargoProgram, DEB, DENY, MACHETE, MDBOOK, cargo_fuzz, wasm_test_tools};
pub use self::npm::{
    ESBUILD, LOOKS_PACKAGES, RIVAL_PACKAGES, WASM_OPT, npm_dir, npm_tool, npm_versions,
};
pub use self::python::{CLIENTS, FOREIGN, RELEASE, SDK, TESTS};
pub use self::requirement::{ROOT_CERTIFICATES, Requirement, container};
pub use self::toolchain::{Missing, WASM_TARGET};
pub use self::wordpress::{path_of_servers, wordpress};

use crate::fault::{Result, fault};
use crate::paths;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The path of a program, if it is on the PATH.
pub fn on_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(program)).find(|path| path.is_file())
}

/// The standard output of a program that ends within a second or so.
pub fn capture(program: &str, args: &[&str]) -> Result<String> {
    let out = Command::new(program)
        .args(args)
        .current_dir(paths::root())
        .stdin(Stdio::null())
        .output()
        .map_err(|e| fault!("`{program}`: {e}"))?;
    if out.status.success() {
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    } else {
        let stderr = String::from_utf8_lossy(&out.stderr);
        Err(fault!(
            "`{program} {}`: {}",
            args.join(" "),
            stderr.trim().lines().last().unwrap_or("failed")
        ))
    }
}

/// The target of this machine.
pub fn host() -> Result<String> {
    let version = capture("rustc", &["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| fault!("`rustc -vV` names no host"))
}

/// Makes an empty folder; what was in it is deleted.
fn make_empty(dir: &Path) -> Result<()> {
    if dir.exists() {
        fs::remove_dir_all(dir).map_err(|e| fault!("{}: {e}", paths::shown(dir)))?;
    }
    fs::create_dir_all(dir).map_err(|e| fault!("{}: {e}", paths::shown(dir)))
}
