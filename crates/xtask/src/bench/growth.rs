//! The same requests with increasing numbers of transactions.

use super::load;
use crate::fault::Result;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The numbers of transactions, measured in this order
    #[arg(long, value_delimiter = ',', default_value = "1000,1000000")]
    transactions: Vec<u64>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let sizes: Vec<String> = args.transactions.iter().map(u64::to_string).collect();
    load::run(
        "growth",
        "measuring with more transactions",
        300,
        &["--transactions".to_owned(), sizes.join(",")],
    )
}
