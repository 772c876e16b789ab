//! The plug-ins for shops in plugins/, each in the real shop with the real service.

use crate::fault::{Result, fault};
use crate::step::Step;
use crate::{browsers, dist, paths, programs, tools};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What the plug-ins, their packing and their tests read of the repository.
const SOURCES: [&str; 8] = [
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "plugins",
    "sdks/php/src",
    "sdks/python",
    "sdks/typescript",
    "tests/check.mjs",
    "tests/service.mjs",
];

/// The rules of the plug-in for WordPress, without WordPress. The other steps for WordPress run
/// after it.
pub fn wordpress_rules() -> Result<Step> {
    let folder = copy_sources()?.join("wordpress");
    Step::new("copying the SDK into the plug-in for WordPress", "php")
        .args(["scripts/vendor.php"])
        .dir(&folder)
        .run()?;
    Ok(Step::new("the rules of the plug-in for WordPress", "phpunit").dir(&folder))
}

/// Whether every text of the plug-in for WordPress is translated.
pub fn wordpress_texts() -> Step {
    Step::new("the texts of the plug-in for WordPress", "php")
        .args(["scripts/texts.php", "--check"])
        .dir(&plugins().join("wordpress"))
}

/// What payers and merchants do in the real WordPress.
pub fn wordpress_journeys() -> Result<Step> {
    dist::require()?;
    let script = plugins().join("wordpress/tests/wordpress.mjs");
    Ok(Step::node_tests("the plug-in in WordPress", &script)
        .args([tools::wordpress(), browsers::chromium()?.browser])
        .env("NODE_PATH", tools::npm_dir(&tools::LOOKS_PACKAGES))
        .env("PATH", tools::path_of_servers()?)
        .env("TUA_BIN", programs::build()?.join("tua"))
        .about(240))
}

/// What payers and merchants do in a shop into which the packed plug-in is installed, with what the
/// test script of the plug-in runs before.
pub fn shop_journeys(name: &str, estimate_s: u32) -> Result<Step> {
    dist::require()?;
    let script = copy_sources()?.join(name.to_lowercase()).join("tests/run.mjs");
    Ok(Step::new(format!("the plug-in in {name}"), "node")
        .args([script])
        .without_env("FORCE_COLOR")
        .env("CHROMIUM", browsers::chromium()?.browser)
        .env("TUA_BIN", programs::build()?.join("tua"))
        .about(estimate_s))
}

/// Where the plug-ins are packed and tested, so that nothing is written beside their sources.
fn copies() -> PathBuf {
    paths::target().join("shops")
}

fn plugins() -> PathBuf {
    copies().join("plugins")
}

/// Copies the files that git does not ignore, as they are now. Of the last run, only what npm has
/// installed is kept. Returns the folder of the plug-ins.
fn copy_sources() -> Result<PathBuf> {
    let cannot_write = |error| fault!("{}: {error}", paths::shown(&copies()));
    fs::create_dir_all(copies()).and_then(|()| clear(&copies())).map_err(cannot_write)?;
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"];
    let listed = tools::capture("git", &[&list[..], &SOURCES].concat())?;
    for name in listed.split_terminator('\0') {
        copy(&paths::root().join(name), &copies().join(name)).map_err(cannot_write)?;
    }
    Ok(plugins())
}

/// Copies a file, unless it was deleted since git listed it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_file() {
        return Ok(());
    }
    to.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::copy(from, to).map(drop)
}

/// Deletes everything below a folder except the folders `node_modules`.
fn clear(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_name() == "node_modules" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            clear(&path)?;
            // It fails where the folder contains node_modules, which is kept.
            let _ = fs::remove_dir(&path);
        } else {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{SOURCES, clear, copy};
    use crate::paths;
    use std::fs;

    #[test]
    fn of_the_last_run_only_what_npm_installed_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str| folder.path().join(name);
        for name in ["plugin/node_modules/a/index.js", "plugin/old.js", "old/old.js"] {
            copy(&paths::root().join("LICENSE-MIT"), &file(name)).expect("a file");
        }
        clear(folder.path()).expect("the rest is deleted");
        assert!(file("plugin/node_modules/a/index.js").is_file());
        assert!(!file("plugin/old.js").exists());
        assert!(!file("old").exists());
    }

    #[test]
    fn a_deleted_file_is_not_copied() {
        let folder = tempfile::tempdir().expect("a folder");
        copy(&folder.path().join("deleted"), &folder.path().join("copy")).expect("no error");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn every_source_exists() {
        for source in SOURCES {
            assert!(paths::root().join(source).exists(), "{source}");
        }
    }
}
