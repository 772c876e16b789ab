//! The dashboard of an account with very many transactions, on a file and on a server of its own.

use super::load;
use crate::fault::Result;
use crate::postgres;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The numbers of transactions, measured in this order; the last one also on PostgreSQL
    #[arg(long, value_delimiter = ',', default_value = "10000,1000000")]
    transactions: Vec<u64>,
    /// Measure the file alone
    #[arg(long)]
    only_sqlite: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let sizes: Vec<String> = args.transactions.iter().map(u64::to_string).collect();
    let mut arguments = vec!["--transactions".to_owned(), sizes.join(",")];
    let server = if args.only_sqlite { None } else { Some(postgres::Server::start()?) };
    arguments.extend(server.iter().flat_map(|server| ["--postgres".to_owned(), server.url()]));
    load::run("dashboard", "measuring the dashboard", 900, &arguments)
}
