//! The lists of parts (SBOM) in the CycloneDX format: what is compiled into the service and into
//! the component.

use crate::fault::{Result, fault};
use crate::paths;
use crate::step::Step;
use crate::tools::{WASM_TARGET, host};
use std::fs;
use std::path::PathBuf;

/// Packages with lists, and the files.
const LISTS: [(&str, &str); 3] = [
    ("tua-service", "tua.cdx.json"),
    ("tua-companion", "tua-companion.cdx.json"),
    ("tua-embed", "tua-checkout.cdx.json"),
];

/// Writes the lists to target/sbom/.
pub fn write() -> Result<Vec<PathBuf>> {
    let dir = paths::target().join("sbom");
    fs::create_dir_all(&dir).map_err(|e| fault!("{}: {e}", paths::shown(&dir)))?;
    Step::cargo("compiling what lists the parts", "build")
        .args(["--package", "tua-sbom"])
        .about(40)
        .run()?;
    let host = host()?;
    let list = |(package, file): (&str, &str)| {
        let target = if package == "tua-embed" { WASM_TARGET } else { &host };
        let path = dir.join(file);
        Step::new(
            format!("listing the parts of {package}"),
            paths::target().join("debug/tua-sbom"),
        )
        .args([package, target])
        .args([&path])
        .run()?;
        Ok(path)
    };
    LISTS.into_iter().map(list).collect()
}
