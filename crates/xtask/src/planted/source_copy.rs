//! A copy of the workspace that faults are planted in. The sources themselves never change.

use super::list::PlantedFault;
use super::switches::{self, SwitchedText};
use crate::fault::{Result, fault};
use crate::step::Step;
use crate::{paths, tools};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Without debug information a crate compiles faster. Nobody looks at its stack frames.
const PROFILE: (&str, &str) = ("CARGO_PROFILE_DEV_DEBUG", "0");

/// SQLite is most of what a simulation executes, and no fault changes it.
const OPTIMISED_SQLITE: &str = "profile.dev.package.libsqlite3-sys.opt-level=3";

/// A copy of the sources, with a target folder of its own, so that no faulty program is where other
/// commands look for programs.
#[derive(Debug)]
pub struct SourceCopy {
    root: PathBuf,
    target: PathBuf,
    /// The files with switches, by their paths below the root.
    switched: BTreeMap<String, SwitchedText>,
}

impl SourceCopy {
    /// Copies the files that Git has, or would take, with switches for these faults. A file that is
    /// the same already is left, so that cargo compiles only the packages that have changed.
    pub fn update(faults: &[PlantedFault]) -> Result<Self> {
        let folder = paths::target().join("planted-faults");
        let switched = with_switches(faults)?;
        let copy = Self { root: folder.join("source"), target: folder.join("build"), switched };
        let args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let listed = tools::capture("git", &args)?;
        let wanted: BTreeSet<PathBuf> = listed.split_terminator('\0').map(PathBuf::from).collect();
        for file in &wanted {
            let from = paths::root().join(file);
            // A file that is deleted and not committed, a link, or a repository inside this one.
            if !from.symlink_metadata().is_ok_and(|about| about.is_file()) {
                continue;
            }
            match file.to_str().and_then(|file| copy.switched.get(file)) {
                Some(switched) => copy.write(file, switched.text.as_bytes())?,
                None => {
                    let content =
                        fs::read(&from).map_err(|e| fault!("{}: {e}", paths::shown(&from)))?;
                    copy.write(file, &content)?;
                }
            }
        }
        copy.delete_others(&copy.root, &wanted)?;
        Ok(copy)
    }

    /// Whether the copy has a switch for a fault.
    pub fn has_switch(&self, planted: &PlantedFault) -> bool {
        let switched = self.switched.get(&planted.file);
        switched.is_some_and(|switched| switched.names.contains(&planted.name))
    }

    /// Plants a fault that has no switch.
    pub fn plant(&self, planted: &PlantedFault) -> Result<()> {
        let changed = planted.apply(&original(&planted.file)?)?;
        self.write(Path::new(&planted.file), changed.as_bytes())
    }

    /// Takes a fault that has no switch out again.
    pub fn restore(&self, planted: &PlantedFault) -> Result<()> {
        let original = match self.switched.get(&planted.file) {
            Some(switched) => switched.text.clone(),
            None => original(&planted.file)?,
        };
        self.write(Path::new(&planted.file), original.as_bytes())
    }

    /// A command of cargo in the copy.
    pub fn cargo(&self, title: String, command: &str) -> Step {
        let step = Step::cargo(title, command).args(["--config", OPTIMISED_SQLITE]);
        let step = step.dir(&self.root);
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

fn with_switches(faults: &[PlantedFault]) -> Result<BTreeMap<String, SwitchedText>> {
    let mut of_files: BTreeMap<&str, Vec<&PlantedFault>> = BTreeMap::new();
    for planted in faults {
        of_files.entry(&planted.file).or_default().push(planted);
    }
    let switched = of_files.into_iter().map(|(file, faults)| {
        Ok((file.to_owned(), switches::add(file, &original(file)?, &faults)?))
    });
    switched.collect()
}

fn original(file: &str) -> Result<String> {
    fs::read_to_string(paths::root().join(file)).map_err(|e| fault!("{file}: {e}"))
}
