//! Live charges through each connector, and what an operator that does not respond costs the others.

use super::load;
use crate::fault::Result;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The duration of each load, in seconds
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Charges a second
    #[arg(long, default_value_t = 300)]
    rate: u32,
    /// How often an operator that does not respond is compared with one that does
    #[arg(long, default_value_t = 5)]
    rounds: u32,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let Args { seconds, rate, rounds } = args;
    let flags = [("--seconds", seconds), ("--rate", rate), ("--rounds", rounds)];
    let flags: Vec<String> = flags.into_iter().flat_map(|(flag, value)| [flag.to_owned(), value.to_string()]).collect();
    // Four connectors, and two loads in each round.
    load::run("operators", "charging through each connector", seconds * (4 + 2 * rounds), &flags)
}
