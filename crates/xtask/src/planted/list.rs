//! The list of planted faults: `tests/simulation/planted/*.toml`.

use crate::fault::{Result, fault};
use crate::paths;
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// The folder of the list, below the root of the repository.
const FOLDER: &str = "tests/simulation/planted";

/// A change of the product's source that takes one guard away.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlantedFault {
    /// Its name, unique in the list.
    pub name: String,
    /// The file that it changes, below the root of the repository.
    pub file: String,
    /// The text that it replaces. It occurs in the file exactly once.
    pub from: String,
    /// The text that it writes instead.
    pub to: String,
    /// What would happen to payers or merchants. For readers of the list.
    #[expect(dead_code, reason = "read by people, and required of each entry")]
    pub effect: String,
    /// The tests that are to find it. Without them the simulation is.
    pub tests: Option<GuardingTests>,
    /// What else prevents the effect. Then nothing has to find the fault.
    pub also_guarded_by: Option<String>,
}

/// Tests of one package.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardingTests {
    /// The package, as cargo names it.
    pub package: String,
    /// A part of the tests' names. Without it all tests of the package run.
    pub filter: Option<String>,
    /// Whether they run on PostgreSQL. The others run on SQLite, or on no database.
    #[serde(default)]
    pub on_postgresql: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListFile {
    fault: Vec<PlantedFault>,
}

impl PlantedFault {
    /// Where in the text of the file the fault is.
    ///
    /// # Errors
    /// The replaced text does not occur exactly once, so the list is not up to date.
    pub fn position(&self, text: &str) -> Result<usize> {
        let found: Vec<usize> = text.match_indices(&self.from).map(|(start, _)| start).collect();
        match found[..] {
            [start] if self.from != self.to => Ok(start),
            _ => {
                let Self { name, file, .. } = self;
                Err(fault!(
                    "{FOLDER}: {name}: its text must occur in {file} exactly once, and occurs {} \
                     times",
                    found.len()
                ))
            }
        }
    }

    /// The text of the file with the fault.
    ///
    /// # Errors
    /// As [`PlantedFault::position`].
    pub fn apply(&self, text: &str) -> Result<String> {
        self.position(text)?;
        Ok(text.replacen(&self.from, &self.to, 1))
    }
}

/// All planted faults, in the order of the files' names.
pub fn load() -> Result<Vec<PlantedFault>> {
    let folder = paths::root().join(FOLDER);
    let listed = fs::read_dir(&folder).map_err(|e| fault!("{FOLDER}: {e}"))?;
    let mut files: Vec<_> = listed.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut faults = Vec::new();
    for file in files {
        faults.extend(read(&file)?);
    }
    Ok(faults)
}

fn read(file: &Path) -> Result<Vec<PlantedFault>> {
    let shown = || paths::shown(file);
    let text = fs::read_to_string(file).map_err(|e| fault!("{}: {e}", shown()))?;
    let list: ListFile = toml::from_str(&text).map_err(|e| fault!("{}: {e}", shown()))?;
    Ok(list.fault)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_replaced_text_occurs_exactly_once_in_the_product() {
        for fault in load().unwrap() {
            let text = fs::read_to_string(paths::root().join(&fault.file)).unwrap();
            fault.apply(&text).unwrap();
        }
    }

    #[test]
    fn each_name_is_unique() {
        let faults = load().unwrap();
        let names: BTreeSet<&str> = faults.iter().map(|fault| fault.name.as_str()).collect();
        assert_eq!(names.len(), faults.len());
        assert!(faults.len() >= 25);
    }

    #[test]
    fn a_text_that_occurs_twice_or_not_at_all_is_an_error() {
        let fault = PlantedFault {
            name: "name".to_owned(),
            file: "file.rs".to_owned(),
            from: "a && b".to_owned(),
            to: "b".to_owned(),
            effect: String::new(),
            tests: None,
            also_guarded_by: None,
        };
        assert_eq!(fault.apply("if a && b {").unwrap(), "if b {");
        assert!(fault.apply("if a && b || a && b {").is_err());
        assert!(fault.apply("if b {").is_err());
    }
}
