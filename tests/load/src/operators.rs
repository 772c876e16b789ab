//! Live charges at a steady rate through each connector, with `tua emulate` as operators that
//! respond after 300 ms; what an operator that does not respond costs the payments of another; and
//! what a long queue of pending payments costs.
//!
//! The client waits for the operator too: the service's own share is what a charge takes above the
//! 300 ms.

use crate::{
    backlog,
    client::Client,
    durations::{Durations, Milliseconds},
    emulator::Emulator,
    pace::at_rate,
    service::{Service, Shop},
};
use anyhow::{Context, Result, bail, ensure};
use hyper::StatusCode;
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// The operators of the emulator, by their names in its settings.
const OPERATORS: [&str; 4] = ["mtn", "paystack", "pawapay", "hubtel"];

/// The time after which the emulated operators respond.
const OPERATOR_LATENCY: Duration = Duration::from_millis(300);

/// Connections for each charge a second: a charge may wait two seconds for its operator.
const CONNECTIONS_PER_RATE: u64 = 3;

/// Lifts the limits that `--limits off` would lift, which is refused while a live key exists.
const LIMITS: &str = "[limits]
secret-key = { quota = 1000000, window = 1 }
address = { quota = 1000000, window = 1 }
prompt-live = { quota = 1000000, window = 1 }
prompt-daily = { quota = 1000000, window = 1 }
";

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

/// A service with an emulator of its operators.
pub struct Live {
    pub shop: Shop,
    pub service: Service,
    pub emulator: Emulator,
}

impl Live {
    /// Live payments take these routes.
    async fn start(tua: &Path, routes: &str) -> Result<Self> {
        Self::start_with(tua, routes, &[&latency("all")]).await
    }

    /// As [`Self::start`], with operators that respond at once.
    pub async fn start_without_latency(tua: &Path, routes: &str) -> Result<Self> {
        Self::start_with(tua, routes, &[]).await
    }

    async fn start_with(tua: &Path, routes: &str, faults: &[&str]) -> Result<Self> {
        let shop = Shop::open(tua)?;
        let mut emulator = Emulator::new()?;
        let settings = format!("{LIMITS}{}[routes.live]\n{routes}", emulator.settings(&shop)?);
        let shop = shop.live(&settings)?;
        emulator.start(&shop, faults).await?;
        let service = shop.serve().await?;
        Ok(Self { shop, service, emulator })
    }

    /// Charges on a network at this rate. Returns how long each accepted charge took, and how many
    /// were refused.
    pub async fn charge(
        &self,
        network: &'static str,
        rate: u64,
        lasting: Duration,
    ) -> Result<(Durations, usize)> {
        let clients = (0..rate * CONNECTIONS_PER_RATE).map(|_| self.shop.client()).collect();
        let charge = move |mut client: Client, number, since: Instant| async move {
            let response = client.post("/v1/charge", body(network, number)).await?;
            let took = since.elapsed();
            match response.status {
                StatusCode::ACCEPTED => Ok((client, Some(took))),
                StatusCode::SERVICE_UNAVAILABLE => Ok((client, None)),
                other => bail!("a charge was answered {other}: {}", response.json()?),
            }
        };
        let outcomes = at_rate(clients, rate, lasting, charge).await?;
        let mut accepted = Durations::default();
        let sent = outcomes.len();
        outcomes.into_iter().flatten().for_each(|took| accepted.add(took));
        let refused = sent - accepted.len();
        Ok((accepted, refused))
    }
}

/// A charge of a phone of its own, whose number the emulator lets pay.
fn body(network: &str, number: u64) -> String {
    let phone = format!("024{:03}{}", number / 9_000 % 1_000, 1_000 + number % 9_000);
    format!(r#"{{"amount":10.5,"phoneNumber":"{phone}","network":"{network}"}}"#)
}

/// The fault of sends to an operator, or to `all`: they are slow.
fn latency(operator: &str) -> String {
    format!("{operator}/send=latency:{}ms", OPERATOR_LATENCY.as_millis())
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
