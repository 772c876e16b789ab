//! Many payers who wait at the same time.

use super::load;
use crate::fault::Result;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The number of waiting payers
    #[arg(long, default_value_t = 10_000)]
    payers: u32,
    /// The number of other charges per second
    #[arg(long, default_value_t = 500)]
    charges: u32,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let arguments = ["--payers", &args.payers.to_string(), "--charges", &args.charges.to_string()]
        .map(str::to_owned);
    load::run("waiting", &format!("{} payers wait", args.payers), 120, &arguments)
}
