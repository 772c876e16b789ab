//! Payers, the dashboard, exports, imports and restarts for an hour.

use super::load;
use crate::fault::Result;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The duration in minutes
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(6..))]
    minutes: u32,
    /// The number of charges per second
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    rate: u32,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let Args { minutes, rate } = args;
    let arguments = ["--minutes", &minutes.to_string(), "--rate", &rate.to_string()];
    let title = format!("{rate} charges a second for {minutes} minutes");
    load::run("soak", &title, minutes * 60, &arguments.map(str::to_owned))
}
