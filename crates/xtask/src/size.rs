//! `cargo xtask size`: the bytes that an embedding page downloads from the service, compared with
//! Adyen's checkout.

use crate::fault::{Result, fault};
use crate::tools::{self, Missing};
use crate::{dist, paths, wasm};
use std::fs;
use std::path::{Path, PathBuf};

/// The maximum of all parts together, in bytes after brotli 11: the size that was reached, rounded
/// up to 100. The aim is 60,000.
const BUDGET: usize = 63_000;

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

/// Prints the size of each part, and what is downloaded later.
///
/// # Errors
/// The sum is above the budget, or a second visit or a payment downloads a file later.
pub fn check() -> Result<()> {
    let sdk = dist::served_sdk()?;
    let loader = dist::loader(&sdk)?;
    println!("{:<16} {:>9} {:>9}  brotli 11, bytes", "part", "raw", "brotli");
    let pkg = paths::pkg();
    let ours = sum(&[
        ("script + styles", loader.to_vec()),
        ("wasm", read(&pkg.join(wasm::WASM))?),
        ("English", read(&pkg.join("locales/en.js"))?),
    ])?;
    let (script, styles) = rival()?;
    let theirs = sum(&[("Adyen: script", read(&script)?), ("Adyen: styles", read(&styles)?)])?;
    let script = String::from_utf8_lossy(loader);
    let later = LaterDownloads::of(&script, &sdk.files.name());
    println!(
        "first visit {ours}; downloaded again at the second visit: {} files; after Pay: {} files",
        later.second_visit.len(),
        later.after_pay.len()
    );
    later.check()?;
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

/// The files that a script loads and that are downloaded again, or late.
#[derive(Debug, PartialEq, Eq)]
struct LaterDownloads<'a> {
    /// Files outside the folder that is named by the content, which browsers keep for a year.
    second_visit: Vec<&'a str>,
    /// Files other than the WebAssembly and the texts, which are loaded with the form.
    after_pay: Vec<&'a str>,
}

impl<'a> LaterDownloads<'a> {
    /// `folder` is named by the content of the files in it. The script itself has a fixed address,
    /// so browsers ask whether it has changed (`304 Not Modified`, without content).
    fn of(script: &'a str, folder: &str) -> Self {
        let files: Vec<&str> = script
            .split('"')
            .filter(|text| text.ends_with(".js") || text.ends_with(".wasm"))
            .filter(|text| !text.contains([' ', '(']))
            .collect();
        let is_kept = |file: &str| file.trim_start_matches("./").split('/').next() == Some(folder);
        let is_early = |file: &str| file.ends_with(wasm::WASM) || file.contains("/locales/");
        Self {
            second_visit: files.iter().copied().filter(|file| !is_kept(file)).collect(),
            after_pay: files.iter().copied().filter(|file| !is_early(file)).collect(),
        }
    }

    fn check(&self) -> Result<()> {
        if let Some(file) = self.second_visit.first() {
            return Err(fault!(
                "pkg/{}: loads {file}, which every visit downloads again: its address is not named \
                 by its content",
                wasm::LOADER
            ));
        }
        match self.after_pay.first() {
            None => Ok(()),
            Some(file) => Err(fault!(
                "pkg/{}: loads {file}, which is neither the WebAssembly nor the texts: a payment \
                 would download it after Pay",
                wasm::LOADER
            )),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::LaterDownloads;

    #[test]
    fn files_of_the_named_folder_are_downloaded_once() {
        let script = r#"import("./0a1b/locales/en.js"),new URL("0a1b/tua_embed_bg.wasm",at)"#;
        let later = LaterDownloads::of(script, "0a1b");
        assert_eq!(later, LaterDownloads { second_visit: vec![], after_pay: vec![] });
        assert!(later.check().is_ok());
    }

    #[test]
    fn other_files_are_errors() {
        let unnamed = LaterDownloads::of(r#"import("./locales/en.js")"#, "0a1b");
        assert_eq!(unnamed.second_visit, ["./locales/en.js"]);
        assert!(unnamed.check().is_err());
        let late = LaterDownloads::of(r#"import("./0a1b/outcome.js")"#, "0a1b");
        assert_eq!(late.after_pay, ["./0a1b/outcome.js"]);
        assert!(late.check().is_err());
    }
}
