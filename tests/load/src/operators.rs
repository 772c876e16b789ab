//! Live charges at a steady rate through each connector, with `tua emulate` as operators that
//! respond after 300 ms; what an operator that does not respond costs the payments of another; and
//! what a long queue of pending payments costs.
//!
//! The client waits for the operator too: the service's own share is what a charge takes above the
//! 300 ms.

use crate::{
    backlog,
    durations::Milliseconds,
    live::{Live, OPERATOR_LATENCY, latency},
};
use anyhow::{Context, Result, ensure};
use std::{path::Path, time::Duration};

/// The operators of the emulator, by their names in its settings.
const OPERATORS: [&str; 4] = ["mtn", "paystack", "pawapay", "hubtel"];

#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Args {
    /// The duration of each load, in seconds
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Charges a second
    #[arg(long, default_value_t = 300)]
    rate: u64,
    /// How often an operator that does not respond is compared with one that does; the median
    /// counts
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Pending payments that are due while new ones are charged; 0 leaves this out
    #[arg(long, default_value_t = 100_000)]
    pending: u64,
    /// The reads a second that the operator of these payments allows
    #[arg(long, default_value_t = 150)]
    reads: u64,
}

impl Args {
    const fn lasting(self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

pub async fn run(tua: &Path, args: &Args) -> Result<()> {
    let Args { seconds, rate, rounds, pending, reads } = *args;
    println!(
        "{rate} charges a second for {seconds} s; operators respond after {}",
        Milliseconds(OPERATOR_LATENCY)
    );
    for name in OPERATORS {
        measure(tua, name, *args).await?;
    }
    let mut percents = Vec::new();
    for _ in 0..rounds {
        percents.push(compare_with_dead(tua, *args).await?);
    }
    if rounds > 0 {
        percents.sort_unstable();
        let median = percents.get(rounds / 2).context("no round")?;
        println!(
            "one operator does not respond for an hour: the other's p99 is {median} % of before \
             (median of {rounds}; target: at most 125 %)"
        );
    }
    if pending > 0 {
        backlog::measure(tua, backlog::Args { pending, limit: reads, lasting: args.lasting() })
            .await?;
    }
    Ok(())
}

/// Prints what one connector does.
async fn measure(tua: &Path, name: &str, args: Args) -> Result<()> {
    let live = Live::start(tua, &format!("MTN = [\"{name}\"]\n")).await?;
    // Opens connections, and fetches tokens.
    let (warm, _) = live.charge("MTN", 10, Duration::from_secs(1)).await?;
    let (accepted, refused) = live.charge("MTN", args.rate, args.lasting()).await?;
    let orders = live.emulator.orders().await?;
    let sent = accepted.len() + warm.len();
    ensure!(
        orders <= sent,
        "{name}: {sent} charges were accepted, and the operator has {orders} orders"
    );
    let [p50, p99] = [50, 99]
        .map(|percent| Milliseconds(accepted.percentile(percent).saturating_sub(OPERATOR_LATENCY)));
    let offered = usize::try_from(args.rate * args.seconds)?.max(1);
    println!(
        "{name:<9} accepted {} % of the rate, refused {refused}; our share p50 {p50}, p99 {p99} \
         (target: below 50 ms); memory {} KiB at the most; {orders} of {sent} at the operator",
        accepted.len() * 100 / offered,
        live.service.memory()?.max
    );
    live.service.stop().await?;
    Ok(())
}

/// The p99 of an operator's charges while another one does not respond, in percent of that before.
async fn compare_with_dead(tua: &Path, args: Args) -> Result<u128> {
    let mut live = Live::start(tua, "MTN = [\"mtn\"]\nTELECEL = [\"pawapay\"]\n").await?;
    let rate = (args.rate / 2).max(1);
    let lasting = args.lasting();
    let both = async |live: &Live| {
        tokio::try_join!(live.charge("MTN", rate, lasting), live.charge("TELECEL", rate, lasting))
    };
    live.charge("TELECEL", 10, Duration::from_secs(1)).await?;
    let (_, (before, _)) = both(&live).await?;
    // The rules of the other operator stay as they are.
    live.emulator.start(&live.shop, &["mtn-momo/send=latency:1h", &latency("pawapay")]).await?;
    let (_, (during, refused)) = both(&live).await?;
    ensure!(refused == 0, "{refused} charges of the operator that responds were refused");
    live.service.stop().await?;
    Ok(during.percentile(99).as_micros() * 100 / before.percentile(99).as_micros().max(1))
}
