//! `tua completions`: a script with which a shell completes the commands and flags of `tua`.

use clap::Args;
use clap_complete::{Shell, generate};

#[derive(Args, Debug)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// The script, for standard output. It is made from the whole command line.
    pub(super) fn script(&self, mut command: clap::Command) -> Vec<u8> {
        let mut script = Vec::new();
        let name = command.get_name().to_owned();
        generate(self.shell, &mut command, name, &mut script);
        script
    }
}
