//! The dashboard of an account with very many transactions, on a file and on a server: pages,
//! searches, the export of a year, and what that export costs payers. Every target is of
//! `docs/scaling.md`.

mod export;
mod owner;
mod pages;
mod seed;

pub use self::{
    owner::get,
    seed::{Seeded, fill},
};

use crate::{
    durations::{Durations, Milliseconds},
    service::Shop,
};
use anyhow::Result;
use std::path::Path;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The numbers of transactions, measured in this order
    #[arg(long, value_delimiter = ',', default_value = "10000,1000000")]
    transactions: Vec<u64>,
    /// An empty PostgreSQL database for the last number of transactions, besides the file
    #[arg(long)]
    postgres: Option<String>,
}

/// The smallest of the sizes is the baseline of the ratios.
pub async fn run(tua: &Path, args: &Args) -> Result<()> {
    let mut baseline = None;
    for (index, &transactions) in args.transactions.iter().enumerate() {
        let mut shop = Shop::open(tua)?;
        let seeded = seed::fill(&shop, transactions)?;
        println!("\n{transactions} transactions on SQLite, {} MiB", shop.database_size()? >> 20);
        let measured = measure(&shop, &seeded, baseline.as_ref()).await?;
        baseline.get_or_insert(measured);
        if let Some(url) = args.postgres.as_deref().filter(|_| index + 1 == args.transactions.len())
        {
            shop.copy_to(url)?;
            println!("\n{transactions} transactions on PostgreSQL");
            measure(&shop, &seeded, baseline.as_ref()).await?;
        }
    }
    Ok(())
}

/// Measures one database and prints the results. Returns the durations of the pages, in the order
/// of the table.
async fn measure(
    shop: &Shop,
    seeded: &seed::Seeded,
    baseline: Option<&Vec<Durations>>,
) -> Result<Vec<Durations>> {
    let service = shop.serve().await?;
    let measured = pages::measure(shop, seeded).await?;
    println!(
        "{:<44} {:>8} {:>8} {:>8} {:>9} {:>10}",
        "page", "p50", "p95", "target", "bytes", "of first"
    );
    for (index, one) in measured.iter().enumerate() {
        let [p50, p95] = [50, 95].map(|percent| one.durations.percentile(percent));
        let first =
            baseline.and_then(|all| all.get(index)).map_or(p50, |first| first.percentile(50));
        let ratio = p50.as_micros() * 100 / first.as_micros().max(1);
        let missed = if p95 >= one.target { " missed" } else { "" };
        println!(
            "{:<44} {:>8} {:>8} {:>8} {:>9} {:>7}.{:02}{missed}",
            one.name,
            Milliseconds(p50).to_string(),
            Milliseconds(p95).to_string(),
            Milliseconds(one.target).to_string(),
            one.bytes,
            ratio / 100,
            ratio % 100
        );
    }
    pages::print_first_visits(shop, seeded).await?;
    service.stop().await?;
    // A new process: what the pages needed is not counted as memory of the export.
    let service = shop.serve().await?;
    export::measure(shop, seeded, &service).await?;
    service.stop().await?;
    Ok(measured.into_iter().map(|one| one.durations).collect())
}
