//! The same requests on ever more transactions.

use super::load;
use crate::fault::Result;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many transactions there are, one size after the other
    #[arg(long, value_delimiter = ',', default_value = "1000,1000000")]
    transactions: Vec<u64>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let sizes: Vec<String> = args.transactions.iter().map(u64::to_string).collect();
    load::run("growth", "growing", 300, &["--transactions".to_owned(), sizes.join(",")])
}
