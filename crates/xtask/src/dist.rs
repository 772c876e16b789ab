//! `cargo xtask dist`: builds pkg/ for `npm publish`.

use crate::fault::{Result, fault};
use crate::step::{Step, together};
use crate::tools::{self, Missing};
use crate::{paths, sbom, wasm};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tua_packing::Sdk;

/// All files of the package. A missing file breaks pages, and everybody downloads a superfluous
/// one.
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

/// Copied into the package, which must contain them.
const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Use the toolchain's own std, without unstable features: about ten thousand bytes more
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

/// Builds the generated files of pkg/, and these packages of the workspace for this machine.
pub fn build(stable: bool, packages: &[&str]) -> Result<()> {
    Missing::default().rust(tools::WASM_TARGET, !stable)?.npm()?.install()?;
    if !packages.is_empty() {
        tools::make()?;
    }
    let title =
        if packages.is_empty() { "compiling wasm-bindgen" } else { "compiling for this machine" };
    together(vec![wasm::compile(stable), wasm::compile_for_host(title, packages)])?;
    wasm::finish(stable)?;
    LICENCES.iter().try_for_each(|licence| {
        copy_if_changed(&paths::root().join(licence), &paths::pkg().join(licence))
    })
}

/// Checks that pkg/ is built. Steps that show it in a browser need it.
pub fn require() -> Result<()> {
    if let Some(file) = CONTENTS.iter().find(|file| !paths::pkg().join(file).is_file()) {
        return Err(fault!("pkg/{file} is missing: build the package with `cargo xtask dist`"));
    }
    Ok(())
}

/// Does not write a file that is the same: cargo would compile the service again, which contains
/// files of pkg/.
fn copy_if_changed(from: &Path, to: &Path) -> Result<()> {
    let text = fs::read(from).map_err(|e| fault!("{}: {e}", paths::shown(from)))?;
    if fs::read(to).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(to, text).map_err(|e| fault!("{}: {e}", paths::shown(to)))
}

/// The integrity hash of the script, for pages that pin it (Subresource Integrity).
pub fn integrity() -> Result<String> {
    Ok(tua_packing::integrity(&served_loader()?))
}

/// The script as the service serves it at /sdk/.
pub fn served_loader() -> Result<Vec<u8>> {
    loader(&served_sdk()?).map(<[u8]>::to_vec)
}

/// The files as the service serves them at /sdk/.
pub fn served_sdk() -> Result<Sdk> {
    Sdk::read(&paths::pkg()).map_err(|e| fault!("{e}"))
}

/// The script among these files. It differs from the package's: it loads its files from another
/// folder.
pub fn loader(sdk: &Sdk) -> Result<&[u8]> {
    sdk.entries.get(wasm::LOADER).ok_or_else(|| fault!("pkg/{}: is missing", wasm::LOADER))
}

/// Lists the files that npm would publish.
///
/// # Errors
/// A file is missing or superfluous.
pub fn check() -> Result<String> {
    let listing = npm_pack("asking npm what it would publish", &["--dry-run"])?;
    let packed: BTreeSet<&str> = contents(&listing).collect();
    let wanted = BTreeSet::from(CONTENTS);
    if let Some(missing) = wanted.difference(&packed).next() {
        return Err(fault!(
            "pkg/package.json: `npm pack` does not contain {missing}: add it under \"files\""
        ));
    }
    if let Some(extra) = packed.difference(&wanted).next() {
        return Err(fault!("pkg/{extra}: `npm pack` contains it, and no page needs it"));
    }
    Ok(listing.lines().filter(|line| line.starts_with("npm notice")).collect::<Vec<_>>().join("\n"))
}

/// Packs the package into this folder, as `npm publish` would, under a name without the version.
pub fn pack(into: &Path) -> Result<PathBuf> {
    fs::create_dir_all(into).map_err(|e| fault!("{}: {e}", paths::shown(into)))?;
    let listing =
        npm_pack("packing the package", &["--pack-destination", &into.display().to_string()])?;
    // The last line is the file's name, and nothing else is on it.
    let named = listing
        .lines()
        .rfind(|line| line.ends_with(".tgz"))
        .ok_or_else(|| fault!("npm pack named no file"))?;
    let packed = into.join("tua-checkout.tgz");
    fs::rename(into.join(named), &packed).map_err(|e| fault!("{}: {e}", paths::shown(&packed)))?;
    Ok(packed)
}

fn npm_pack(title: &str, args: &[&str]) -> Result<String> {
    let pkg = paths::pkg();
    if !pkg.join("package.json").is_file() {
        return Err(fault!(
            "pkg/package.json: is missing; it is tracked, so `git checkout pkg` brings it back"
        ));
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
    use super::{contents, copy_if_changed};
    use std::fs;
    use std::time::SystemTime;

    #[test]
    fn files_are_read_from_what_npm_prints() {
        let listing = "npm notice\nnpm notice Tarball Contents\nnpm notice 11.4kB LICENSE-APACHE\n\
            npm notice 3.6kB locales/en.js\nnpm notice Tarball Details\n\
            npm notice name: tua-checkout\n";
        assert_eq!(contents(listing).collect::<Vec<_>>(), ["LICENSE-APACHE", "locales/en.js"]);
    }

    #[test]
    fn a_copy_is_written_only_where_it_differs() {
        let dir = tempfile::tempdir().expect("a folder");
        let from = dir.path().join("from");
        let to = dir.path().join("to");
        let copied_at = || fs::metadata(&to).and_then(|found| found.modified()).expect("the copy");
        fs::write(&from, "a").expect("write");
        copy_if_changed(&from, &to).expect("copy");
        fs::File::options()
            .write(true)
            .open(&to)
            .and_then(|copy| copy.set_modified(SystemTime::UNIX_EPOCH))
            .expect("date");

        copy_if_changed(&from, &to).expect("copy");
        assert_eq!(copied_at(), SystemTime::UNIX_EPOCH);

        fs::write(&from, "b").expect("write");
        copy_if_changed(&from, &to).expect("copy");
        assert_eq!(fs::read(&to).expect("read"), b"b");
    }
}
