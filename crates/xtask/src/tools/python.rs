//! Programs from Python packages, in a virtual environment in target/tools.

use super::{apt_install, capture, make_empty};
use crate::fault::{Result, fault};
use crate::paths;
use crate::step::Step;
use std::fs;
use std::path::PathBuf;

fn environment() -> PathBuf {
    paths::tools().join("python")
}

fn requirements() -> PathBuf {
    paths::root().join("tests/requirements.txt")
}

/// Whether the environment contains what tests/requirements.txt lists. A copy of that file is written when the
/// environment is complete.
pub fn is_installed() -> bool {
    let installed = fs::read(environment().join("requirements.txt"));
    installed.is_ok_and(|installed| fs::read(requirements()).is_ok_and(|wanted| wanted == installed))
}

/// The path of `python`, installed with its packages if missing.
pub fn python() -> Result<PathBuf> {
    let environment = environment();
    let python = environment.join("bin/python");
    if is_installed() {
        return Ok(python);
    }
    // Debian has a package of its own for what `venv` needs.
    if capture("python3", &["-c", "import venv, ensurepip"]).is_err() {
        apt_install("Python's venv", &["python3-venv"])?;
    }
    make_empty(&environment)?;
    Step::new("creating a Python environment", "python3").args(["-m", "venv"]).args([&environment]).about(5).run()?;
    Step::new("installing schemathesis and typos", &python)
        .args(["-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--requirement"])
        .args([requirements()])
        .about(20)
        .run()?;
    fs::copy(requirements(), environment.join("requirements.txt"))
        .map_err(|e| fault!("{}: {e}", paths::shown(&environment)))?;
    Ok(python)
}

/// A program of the environment, installed if missing.
pub fn python_program(name: &str) -> Result<PathBuf> {
    Ok(python()?.with_file_name(name))
}
