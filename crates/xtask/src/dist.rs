//! `cargo xtask dist`: pkg/ as `npm publish` wants it.

use crate::fault::{Result, fault};
use crate::step::{Step, together};
use crate::tools::Missing;
use crate::{paths, wasm};
use std::fs;
use tua_packing::Sdk;

/// What a page needs; a package without one of them is broken.
const NEEDED: [&str; 14] = [
    "package.json",
    "tua-checkout.js",
    "tua-checkout.d.ts",
    "element.js",
    "custom-elements.json",
    "tua_embed_bg.wasm",
    "locales/en.js",
    "locales/fr.js",
    "locales/ar.js",
    "locales/tw.js",
    "locales/ee.js",
    "locales/ha.js",
    LICENCES[0],
    LICENCES[1],
];

/// Copied beside, since a package must carry its own.
const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

#[derive(Debug, clap::Args)]
pub struct Args {
    /// With the toolchain's own std: heavier by about ten thousand bytes, and nothing unstable
    #[arg(long)]
    pub stable: bool,
}

pub fn run(args: &Args) -> Result<()> {
    build(args.stable, &[])?;
    let listing = check()?;
    for line in listing.lines() {
        println!("{line}");
    }
    println!("integrity of /sdk/{}: {}", wasm::LOADER, tua_packing::integrity(&served_loader()?));
    println!("pkg/ is ready: `npm publish ./pkg`");
    Ok(())
}

/// Builds pkg/'s generated half, and beside it these packages of the workspace for this machine.
pub fn build(stable: bool, packages: &[&str]) -> Result<()> {
    Missing::default().rust(!stable)?.npm()?.install()?;
    let title = if packages.is_empty() { "compiling wasm-bindgen" } else { "compiling for this machine" };
    together(vec![wasm::compile(stable), wasm::compile_for_host(title, packages)])?;
    wasm::finish(stable)?;
    for licence in LICENCES {
        let copy = paths::pkg().join(licence);
        fs::copy(paths::root().join(licence), &copy).map_err(|e| fault!("{}: {e}", paths::shown(&copy)))?;
    }
    Ok(())
}

/// The script as the service hands it out at /sdk/, which is not the package's own: it loads from another folder.
pub fn served_loader() -> Result<Vec<u8>> {
    let sdk = Sdk::read(&paths::pkg()).map_err(|e| fault!("{e}"))?;
    sdk.entries.get(wasm::LOADER).map(<[u8]>::to_vec).ok_or_else(|| fault!("pkg/{}: is missing", wasm::LOADER))
}

/// Asks npm what it would publish.
pub fn check() -> Result<String> {
    let pkg = paths::pkg();
    if !pkg.join("package.json").is_file() {
        return Err(fault!("pkg/package.json: is missing; it is tracked, so `git checkout pkg` brings it back"));
    }
    let listing = Step::new("asking npm what it would publish", "npm")
        .args(["pack", "--dry-run", "--ignore-scripts"])
        .dir(&pkg)
        .run()?
        .log;
    for needed in NEEDED {
        let is_listed = listing.lines().any(|line| line.trim_end().ends_with(&format!(" {needed}")));
        if !is_listed {
            return Err(fault!("pkg/package.json: `npm pack` leaves out {needed}: name it under \"files\""));
        }
    }
    Ok(listing.lines().filter(|line| line.starts_with("npm notice")).collect::<Vec<_>>().join("\n"))
}
