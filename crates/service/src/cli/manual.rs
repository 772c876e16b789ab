//! `tua manual`: the manual pages of `tua` and of each of its commands.

use clap::Args;
use std::{fs, path::PathBuf};

#[derive(Args, Debug)]
pub(super) struct Manual {
    /// The folder for the pages; it is created if it does not exist
    folder: PathBuf,
}

impl Manual {
    /// Writes a page in the format of `man` for each command: `tua.1`, `tua-serve.1`, and so on.
    pub(super) fn write(&self, command: clap::Command) -> Result<(), String> {
        let folder = &self.folder;
        fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder)).map_err(
            |error| {
                format!("folder: the manual cannot be written to {}: {error}", folder.display())
            },
        )
    }
}
