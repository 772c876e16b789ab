//! `tua completions`: a script with which a shell completes the commands and flags of `tua`.

use super::{context::Common, fault::Fault, output};
use clap::Args;
use clap_complete::{Shell, generate};
use serde::Serialize;

/// A script as `--json` prints it.
#[derive(Serialize)]
struct CompletionScript<'a> {
    shell: &'a str,
    script: &'a str,
}

#[derive(Args, Debug)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Prints the script; with `--json` as the member `script` of an object.
    ///
    /// # Errors
    /// A sentence: standard output cannot be written.
    pub(super) fn print(&self, common: &Common, command: clap::Command) -> Result<(), Fault> {
        let script = self.script(command);
        if !common.json {
            return output::print_bytes(&script);
        }
        let script = String::from_utf8_lossy(&script);
        let shell = self.shell.to_string();
        output::print(common, &CompletionScript { shell: &shell, script: &script }, "")
    }

    /// The script, which is made from the whole command line.
    fn script(&self, mut command: clap::Command) -> Vec<u8> {
        let mut script = Vec::new();
        let name = command.get_name().to_owned();
        generate(self.shell, &mut command, name, &mut script);
        script
    }
}
