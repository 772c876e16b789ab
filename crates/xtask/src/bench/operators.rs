//! Live charges through each connector, what an operator that does not respond costs the others,
//! and what a long queue of pending payments costs.

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
    /// Pending payments that are due while new ones are charged; 0 leaves this out
    #[arg(long, default_value_t = 100_000)]
    pending: u32,
    /// The reads a second that the operator of these payments allows
    #[arg(long, default_value_t = 150)]
    reads: u32,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let Args { seconds, rate, rounds, pending, reads } = args;
    let flags = [
        ("--seconds", seconds),
        ("--rate", rate),
        ("--rounds", rounds),
        ("--pending", pending),
        ("--reads", reads),
    ];
    let flags: Vec<String> =
        flags.into_iter().flat_map(|(flag, value)| [flag.to_owned(), value.to_string()]).collect();
    // Four connectors, two loads in each round, and two with the queue, which is made before.
    load::run(
        "operators",
        "charging through each connector",
        seconds * (6 + 2 * rounds) + 60,
        &flags,
    )
}
