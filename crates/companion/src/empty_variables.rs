//! Flags whose variable of the environment is empty.

use std::env;

use clap::{Command, builder::Resettable};

/// The command line without the variables that are empty, so that an empty value counts as unset.
/// `docker compose` sets a variable without a value to an empty text, and so do many scripts.
pub fn ignore_empty_variables(command: Command) -> Command {
    command
        .mut_args(|flag| {
            let is_empty =
                flag.get_env().and_then(env::var_os).is_some_and(|value| value.is_empty());
            if is_empty { flag.env(Resettable::Reset) } else { flag }
        })
        .mut_subcommands(ignore_empty_variables)
}
