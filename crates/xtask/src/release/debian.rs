//! The Debian package: the programs with their manual pages and completions, the hardened unit of
//! systemd, an empty settings file.

use super::binaries::Processor;
use crate::fault::{Result, fault};
use crate::step::Step;
use crate::{paths, tools};
use std::ffi::OsString;
use std::fs;
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

/// Writes the manual pages and the completions of shells, which the program makes itself, to the
/// folder that crates/service/Cargo.toml names.
pub fn write_manual() -> Result<()> {
    let folder = paths::target().join("release-manual");
    let _ = fs::remove_dir_all(&folder);
    Step::cargo("writing the manual pages", "run")
        .args(["--package", "tua-service", "--", "manual"])
        .args([&folder])
        .about(240)
        .run()?;
    let program = paths::target().join("debug/tua");
    for shell in ["bash", "zsh", "fish"] {
        let file = folder.join(shell);
        let script = tools::capture(&program.display().to_string(), &["completions", shell])?;
        fs::write(&file, script).map_err(|e| fault!("{}: {e}", paths::shown(&file)))?;
    }
    Ok(())
}

/// The package's name, as Debian writes it.
pub fn file_name(version: &str, processor: &Processor) -> String {
    format!("tua_{version}_{}.deb", processor.debian)
}
