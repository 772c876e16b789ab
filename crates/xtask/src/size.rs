//! `cargo xtask size`: the bytes that an embedding page downloads from the service, compared with
//! Adyen's checkout.

use crate::fault::{Result, fault};
use crate::tools::{self, Missing};
use crate::{dist, paths, wasm};
use std::fs;
use std::path::{Path, PathBuf};

/// The maximum of all parts together, in bytes after brotli 11: the size that was reached, rounded
/// up to 100. The aim is 60,000.
const BUDGET: usize = 65_400;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Measure what is in pkg/ now instead of building it first
    #[arg(long)]
    no_build: bool,
}

pub fn run(args: &Args) -> Result<()> {
    if !args.no_build {
        dist::build(false, &[])?;
    }
    check()
}

/// Prints the size of each part.
///
/// # Errors
/// The sum is above the budget.
pub fn check() -> Result<()> {
    println!("{:<16} {:>9} {:>9}  brotli 11, bytes", "part", "raw", "brotli");
    let pkg = paths::pkg();
    let ours = sum(&[
        ("script + styles", dist::served_loader()?),
        ("wasm", read(&pkg.join(wasm::WASM))?),
        ("English", read(&pkg.join("locales/en.js"))?),
    ])?;
    let (script, styles) = rival()?;
    let theirs = sum(&[("Adyen: script", read(&script)?), ("Adyen: styles", read(&styles)?)])?;
    println!(
        "ours {ours}, Adyen Core + MBWay in English {theirs}: {} %",
        ours * 100 / theirs.max(1)
    );
    if ours > BUDGET {
        return Err(fault!(
            "pkg/: has {ours} bytes, {} above the budget of {BUDGET}",
            ours - BUDGET
        ));
    }
    println!("{} bytes are left of the budget of {BUDGET}", BUDGET - ours);
    Ok(())
}

/// Adyen's Core with MBWay, the smallest comparable checkout that we found, bundled by the same
/// tool as ours.
pub fn rival() -> Result<(PathBuf, PathBuf)> {
    Missing::default()
        .npm()?
        .npm_packages("installing Adyen's checkout", &tools::RIVAL_PACKAGES)?
        .install()?;
    let dir = tools::npm_dir(&tools::RIVAL_PACKAGES);
    let entries = [
        (
            "rival.js",
            "import { AdyenCheckout, MBWay } from '@adyen/adyen-web'; window.rival = \
             [AdyenCheckout, MBWay];",
        ),
        ("rival.css", "@import '@adyen/adyen-web/styles/adyen.css';"),
    ];
    for (name, text) in entries {
        let entry = dir.join(name);
        let built = dir.join("built").join(name);
        if built.is_file() {
            continue;
        }
        fs::write(&entry, text).map_err(|e| fault!("{}: {e}", paths::shown(&entry)))?;
        tools::npm_tool("bundling Adyen's checkout", tools::ESBUILD)
            .args([
                "--bundle",
                "--minify",
                "--format=esm",
                "--target=es2020",
                "--legal-comments=none",
            ])
            .args(["--log-level=warning", "--define:process.env.NODE_ENV=\"production\""])
            .args([entry.display().to_string(), format!("--outfile={}", built.display())])
            .dir(&dir)
            .run()?;
    }
    Ok((dir.join("built/rival.js"), dir.join("built/rival.css")))
}

fn sum(parts: &[(&str, Vec<u8>)]) -> Result<usize> {
    let mut total = 0;
    for (part, bytes) in parts {
        let small = tua_packing::brotli(bytes).map_err(|e| fault!("{part}: {e}"))?.len();
        total += small;
        println!("{part:<16} {:>9} {small:>9}", bytes.len());
    }
    println!("{:<16} {:>9} {total:>9}", "", "");
    Ok(total)
}

fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).map_err(|e| fault!("{}: {e}", paths::shown(file)))
}
