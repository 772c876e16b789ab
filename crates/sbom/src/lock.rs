//! The checksums in Cargo.lock.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::{collections::HashMap, fs, path::Path};

/// SHA-256 checksums of the crates from registries, by name and version.
#[derive(Debug)]
pub struct Checksums(HashMap<(String, String), String>);

#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
    checksum: Option<String>,
}

impl Checksums {
    /// Reads the file.
    ///
    /// # Errors
    /// It does not exist, or is not a lock file.
    pub fn read(path: &Path) -> Result<Self> {
        let named = || path.display().to_string();
        let lock: Lock = toml::from_str(&fs::read_to_string(path).with_context(named)?).with_context(named)?;
        let checksum = |locked: Locked| Some(((locked.name, locked.version), locked.checksum?));
        Ok(Self(lock.package.into_iter().filter_map(checksum).collect()))
    }

    /// The checksum of a crate; `None` for a package of this workspace.
    pub fn get(&self, name: &str, version: &str) -> Option<&str> {
        self.0.get(&(name.to_owned(), version.to_owned())).map(String::as_str)
    }
}
