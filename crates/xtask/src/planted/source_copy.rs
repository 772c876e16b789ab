//! A copy of the workspace that faults are planted in. The sources themselves never change.

use super::list::PlantedFault;
use crate::fault::{Result, fault};
use crate::step::Step;
use crate::{paths, tools};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Without debug information a crate compiles faster. Nobody looks at its stack frames.
const PROFILE: (&str, &str) = ("CARGO_PROFILE_DEV_DEBUG", "0");

/// A copy of the sources, with a target folder of its own, so that no faulty program is where other
/// commands look for programs.
#[derive(Debug)]
pub struct SourceCopy {
    root: PathBuf,
    target: PathBuf,
}

impl SourceCopy {
    /// Copies the files that Git has, or would take. A file that is the same already is left, so
    /// that cargo compiles only the packages that have changed.
    pub fn update() -> Result<Self> {
        let folder = paths::target().join("planted-faults");
        let copy = Self { root: folder.join("source"), target: folder.join("build") };
        let args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let listed = tools::capture("git", &args)?;
        let wanted: BTreeSet<PathBuf> = listed.split_terminator('\0').map(PathBuf::from).collect();
        for file in &wanted {
            let from = paths::root().join(file);
            // A file that is deleted and not committed, a link, or a repository inside this one.
            if !from.symlink_metadata().is_ok_and(|about| about.is_file()) {
                continue;
            }
            let content = fs::read(&from).map_err(|e| fault!("{}: {e}", paths::shown(&from)))?;
            copy.write(file, &content)?;
        }
        copy.delete_others(&copy.root, &wanted)?;
        Ok(copy)
    }

    /// Plants a fault.
    pub fn plant(&self, planted: &PlantedFault) -> Result<()> {
        let changed = planted.apply(&original(&planted.file)?)?;
        self.write(Path::new(&planted.file), changed.as_bytes())
    }

    /// Takes a fault out again.
    pub fn restore(&self, planted: &PlantedFault) -> Result<()> {
        self.write(Path::new(&planted.file), original(&planted.file)?.as_bytes())
    }

    /// A command of cargo in the copy.
    pub fn cargo(&self, title: String, command: &str) -> Step {
        let step = Step::cargo(title, command).dir(&self.root);
        step.env("CARGO_TARGET_DIR", &self.target).env(PROFILE.0, PROFILE.1)
    }

    /// A program that cargo has built in the copy.
    pub fn program(&self, name: &str) -> PathBuf {
        self.target.join("debug").join(name)
    }

    fn write(&self, file: &Path, content: &[u8]) -> Result<()> {
        let to = self.root.join(file);
        if fs::read(&to).is_ok_and(|present| present == content) {
            return Ok(());
        }
        let folder = to.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&to, content))
            .map_err(|e| fault!("{}: {e}", paths::shown(&to)))
    }

    /// Deletes the files that the workspace has no longer.
    fn delete_others(&self, folder: &Path, wanted: &BTreeSet<PathBuf>) -> Result<()> {
        let listed = fs::read_dir(folder).map_err(|e| fault!("{}: {e}", paths::shown(folder)))?;
        for path in listed.flatten().map(|entry| entry.path()) {
            let is_wanted =
                path.strip_prefix(&self.root).is_ok_and(|relative| wanted.contains(relative));
            if path.is_dir() {
                self.delete_others(&path, wanted)?;
            } else if !is_wanted {
                fs::remove_file(&path).map_err(|e| fault!("{}: {e}", paths::shown(&path)))?;
            }
        }
        Ok(())
    }
}

fn original(file: &str) -> Result<String> {
    fs::read_to_string(paths::root().join(file)).map_err(|e| fault!("{file}: {e}"))
}
