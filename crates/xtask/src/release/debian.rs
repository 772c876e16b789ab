//! The Debian package: the programs, the hardened unit of systemd, an empty settings file.

use super::binaries::Processor;
use crate::fault::Result;
use crate::step::Step;
use crate::tools;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Packs the compiled programs of a processor. What the package contains is in
/// crates/service/Cargo.toml.
pub fn package(processor: &Processor, version: &str, into: &Path) -> Result<PathBuf> {
    let file = into.join(file_name(version, processor));
    Step::new(format!("packing {}", file_name(version, processor)), tools::DEB.program()?)
        .args([
            "--package",
            "tua-service",
            "--no-build",
            "--no-strip",
            "--target",
            processor.target,
        ])
        .args(["--deb-version", version, "--output"])
        .args([OsString::from(&file)])
        .about(10)
        .run()?;
    Ok(file)
}

/// The package's name, as Debian writes it.
pub fn file_name(version: &str, processor: &Processor) -> String {
    format!("tua_{version}_{}.deb", processor.debian)
}
