//! Programs from Python packages, in virtual environments in target/tools.

use super::{apt_install, capture, make_empty};
use crate::fault::{Result, fault};
use crate::paths;
use crate::step::Step;
use std::fs;
use std::path::PathBuf;

/// A virtual environment with the packages of one file.
#[derive(Debug)]
pub struct PythonEnvironment {
    /// Its folder in target/tools.
    name: &'static str,
    /// The list of packages, below the repository.
    requirements: &'static str,
    /// What is installed, for the line of progress.
    title: &'static str,
}

/// What the tests use.
pub const TESTS: PythonEnvironment = PythonEnvironment {
    name: "python",
    requirements: "tests/requirements.txt",
    title: "schemathesis and typos",
};

/// What the SDK for Python and its tests use.
pub const SDK: PythonEnvironment = PythonEnvironment {
    name: "python-sdk",
    requirements: "sdks/python/requirements-dev.txt",
    title: "what the SDK for Python is made with",
};

/// openapi-generator, and what the client needs that it writes for Python.
pub const CLIENTS: PythonEnvironment = PythonEnvironment {
    name: "clients",
    requirements: "tests/clients/requirements.txt",
    title: "openapi-generator",
};

/// Published clients of the operators.
pub const FOREIGN: PythonEnvironment = PythonEnvironment {
    name: "foreign",
    requirements: "tests/foreign/requirements.txt",
    title: "foreign clients for Python",
};

/// What compiles a release.
pub const RELEASE: PythonEnvironment = PythonEnvironment {
    name: "zig",
    requirements: "tests/release-requirements.txt",
    title: "zig and cargo-zigbuild",
};

impl PythonEnvironment {
    fn dir(&self) -> PathBuf {
        paths::tools().join(self.name)
    }

    /// What is missing and how to get it.
    pub fn missing(&self) -> Option<String> {
        let line = format!("the packages of {} are missing in target/tools", self.requirements);
        (!self.is_installed()).then_some(line)
    }

    /// Whether the environment contains what the file lists. A copy of that file is written when
    /// the environment is complete.
    fn is_installed(&self) -> bool {
        let installed = fs::read(self.dir().join("requirements.txt"));
        let wanted = || fs::read(paths::root().join(self.requirements));
        installed.is_ok_and(|installed| wanted().is_ok_and(|wanted| wanted == installed))
    }

    /// The path of `python`, installed with its packages if missing.
    pub fn python(&self) -> Result<PathBuf> {
        let dir = self.dir();
        let python = dir.join("bin/python");
        if self.is_installed() {
            return Ok(python);
        }
        // Debian has a package of its own for what `venv` needs.
        if capture("python3", &["-c", "import venv, ensurepip"]).is_err() {
            apt_install("Python's venv", &["python3-venv"])?;
        }
        make_empty(&dir)?;
        Step::new("creating a Python environment", "python3")
            .args(["-m", "venv"])
            .args([&dir])
            .about(5)
            .run()?;
        let requirements = paths::root().join(self.requirements);
        Step::new(format!("installing {}", self.title), &python)
            .args([
                "-m",
                "pip",
                "install",
                "--no-input",
                "--disable-pip-version-check",
                "--requirement",
            ])
            .args([&requirements])
            .about(20)
            .run()?;
        fs::copy(&requirements, dir.join("requirements.txt"))
            .map_err(|e| fault!("{}: {e}", paths::shown(&dir)))?;
        Ok(python)
    }

    /// A program of the environment, installed if missing.
    pub fn program(&self, name: &str) -> Result<PathBuf> {
        Ok(self.python()?.with_file_name(name))
    }
}
