//! `cargo xtask dist`: pkg/ as `npm publish` wants it.

use crate::fault::{Result, fault};
use crate::step::{Step, together};
use crate::tools::{self, Missing};
use crate::{paths, sbom, wasm};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tua_packing::Sdk;

/// The package, to the file: what is missing breaks a page, what is more is downloaded by everybody.
const CONTENTS: [&str; 15] = [
    "package.json",
    "README.md",
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
    println!("integrity of /sdk/{}: {}", wasm::LOADER, integrity()?);
    for list in sbom::write()? {
        println!("parts: {}", paths::shown(&list));
    }
    println!("pkg/ is ready: `npm publish ./pkg`");
    Ok(())
}

/// Builds pkg/'s generated half, and beside it these packages of the workspace for this machine.
pub fn build(stable: bool, packages: &[&str]) -> Result<()> {
    Missing::default().rust(!stable)?.npm()?.install()?;
    if !packages.is_empty() {
        tools::make()?;
    }
    let title = if packages.is_empty() { "compiling wasm-bindgen" } else { "compiling for this machine" };
    together(vec![wasm::compile(stable), wasm::compile_for_host(title, packages)])?;
    wasm::finish(stable)?;
    for licence in LICENCES {
        let copy = paths::pkg().join(licence);
        fs::copy(paths::root().join(licence), &copy).map_err(|e| fault!("{}: {e}", paths::shown(&copy)))?;
    }
    Ok(())
}

/// What a page may pin that script by (Subresource Integrity).
pub fn integrity() -> Result<String> {
    Ok(tua_packing::integrity(&served_loader()?))
}

/// The script as the service hands it out at /sdk/, which is not the package's own: it loads from another folder.
pub fn served_loader() -> Result<Vec<u8>> {
    let sdk = Sdk::read(&paths::pkg()).map_err(|e| fault!("{e}"))?;
    sdk.entries.get(wasm::LOADER).map(<[u8]>::to_vec).ok_or_else(|| fault!("pkg/{}: is missing", wasm::LOADER))
}

/// Asks npm what it would publish, and refuses anything missing or extra.
pub fn check() -> Result<String> {
    let listing = npm_pack("asking npm what it would publish", &["--dry-run"])?;
    let packed: BTreeSet<&str> = contents(&listing).collect();
    let wanted = BTreeSet::from(CONTENTS);
    if let Some(missing) = wanted.difference(&packed).next() {
        return Err(fault!("pkg/package.json: `npm pack` leaves out {missing}: name it under \"files\""));
    }
    if let Some(extra) = packed.difference(&wanted).next() {
        return Err(fault!("pkg/{extra}: `npm pack` takes it along, and no page needs it"));
    }
    Ok(listing.lines().filter(|line| line.starts_with("npm notice")).collect::<Vec<_>>().join("\n"))
}

/// Packs the package into this folder, as `npm publish` would, under a name without the version.
pub fn pack(into: &Path) -> Result<PathBuf> {
    fs::create_dir_all(into).map_err(|e| fault!("{}: {e}", paths::shown(into)))?;
    let listing = npm_pack("packing the package", &["--pack-destination", &into.display().to_string()])?;
    // The last line is the file's name, and nothing else is on it.
    let named = listing.lines().rfind(|line| line.ends_with(".tgz")).ok_or_else(|| fault!("npm pack named no file"))?;
    let packed = into.join("tua-checkout.tgz");
    fs::rename(into.join(named), &packed).map_err(|e| fault!("{}: {e}", paths::shown(&packed)))?;
    Ok(packed)
}

fn npm_pack(title: &str, args: &[&str]) -> Result<String> {
    let pkg = paths::pkg();
    if !pkg.join("package.json").is_file() {
        return Err(fault!("pkg/package.json: is missing; it is tracked, so `git checkout pkg` brings it back"));
    }
    Ok(Step::new(title, "npm").args(["pack", "--ignore-scripts"]).args(args).dir(&pkg).run()?.log)
}

/// The files that `npm pack` lists: `npm notice 3.6kB locales/en.js`, between two titles.
fn contents(listing: &str) -> impl Iterator<Item = &str> {
    let after = listing.lines().skip_while(|line| !line.contains("Tarball Contents")).skip(1);
    let files = after.take_while(|line| !line.contains("Tarball Details"));
    files.filter_map(|line| line.split_whitespace().nth(3))
}

#[cfg(test)]
mod tests {
    use super::contents;

    #[test]
    fn files_are_read_from_what_npm_prints() {
        let listing = "npm notice\nnpm notice Tarball Contents\nnpm notice 11.4kB LICENSE-APACHE\n\
            npm notice 3.6kB locales/en.js\nnpm notice Tarball Details\nnpm notice name: tua-checkout\n";
        assert_eq!(contents(listing).collect::<Vec<_>>(), ["LICENSE-APACHE", "locales/en.js"]);
    }
}
