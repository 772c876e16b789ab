//! `tua manual`: the manual pages of `tua` and of each of its commands.

use super::{context::Common, fault::Fault, output};
use clap::Args;
use serde::Serialize;
use std::{fs, path::PathBuf};

/// The written pages as `--json` prints them.
#[derive(Serialize)]
struct WrittenManual<'a> {
    folder: &'a str,
}

#[derive(Args, Debug)]
pub(super) struct Manual {
    /// The folder for the pages; it is created if it does not exist
    folder: PathBuf,
}

impl Manual {
    /// Writes a page in the format of `man` for each command: `tua.1`, `tua-serve.1`, and so on.
    /// Prints the folder with `--json`, otherwise nothing.
    ///
    /// # Errors
    /// A sentence: the pages or standard output cannot be written.
    pub(super) fn write(&self, common: &Common, command: clap::Command) -> Result<(), Fault> {
        let folder = &self.folder;
        fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command, folder))
            .map_err(|error| {
                format!("folder: the manual cannot be written to {}: {error}", folder.display())
            })?;
        if common.json {
            let folder = folder.display().to_string();
            return output::print(common, &WrittenManual { folder: &folder }, "");
        }
        Ok(())
    }
}
