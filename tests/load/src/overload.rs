//! More load than the service can serve: it serves what it can, rejects the rest, and recovers at
//! once.

use crate::{
    client::Client,
    cores::Cores,
    durations::{Durations, Milliseconds},
    pace::at_rate,
    service::Shop,
};
use anyhow::{Result, bail};
use hyper::{StatusCode, body::Bytes};
use std::{
    path::Path,
    time::{Duration, Instant},
};
use tokio::task::JoinSet;

const CHARGE: Bytes =
    Bytes::from_static(br#"{"amount":10.5,"phoneNumber":"0241234567","network":"MTN"}"#);

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The duration of each load, in seconds
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// The number of connections that saturate the service
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// The factor by which the saturating load is exceeded
    #[arg(long, default_value_t = 3)]
    times: usize,
    /// The number of open connections, each with one request in flight
    #[arg(long, default_value_t = 8_000)]
    max_in_flight: usize,
}

/// The result of a load.
#[derive(Debug)]
struct LoadResult {
    until: Instant,
    /// The number of charges accepted before the load ended.
    in_time: u64,
    accepted: Durations,
    rejected: Durations,
}

impl LoadResult {
    fn new(until: Instant) -> Self {
        Self { until, in_time: 0, accepted: Durations::default(), rejected: Durations::default() }
    }

    /// Charges, and waits for the response. Its duration counts from `due_at`.
    async fn charge(&mut self, client: &mut Client, due_at: Instant) -> Result<()> {
        let status = client.post("/v1/charge", CHARGE).await?.status;
        let now = Instant::now();
        match status {
            StatusCode::ACCEPTED => self.accepted.add(now - due_at),
            StatusCode::SERVICE_UNAVAILABLE => self.rejected.add(now - due_at),
            other => bail!("a charge was answered {other}"),
        }
        self.in_time += u64::from(status == StatusCode::ACCEPTED && now < self.until);
        Ok(())
    }

    fn merge(&mut self, other: Self) {
        self.in_time += other.in_time;
        self.accepted.merge(other.accepted);
        self.rejected.merge(other.rejected);
    }

    fn per_second(&self, seconds: u64) -> u64 {
        self.in_time / seconds.max(1)
    }

    /// Prints it in relation to the peak rate.
    fn print(&self, seconds: u64, peak: u64) {
        let accepted = self.per_second(seconds);
        let share = accepted * 100 / peak.max(1);
        println!("  accepted    {accepted} charges/s, {share} % of the peak: {}", self.accepted);
        println!("  rejected   {}: {}", self.rejected.len(), self.rejected);
    }
}

pub async fn run(tua: &Path, cores: Option<Cores>, args: &Args) -> Result<()> {
    let Args { seconds, connections, times, max_in_flight } = *args;
    let lasting = Duration::from_secs(seconds);
    let shop = Shop::open(tua)?.with_cores(cores);
    let service = shop.serve().await?;
    saturate(&shop, connections, Duration::from_secs(2)).await?;
    let before = service.processor_time()?;
    let saturated = saturate(&shop, connections, lasting).await?;
    let each =
        (service.processor_time()? - before) / u32::try_from(saturated.accepted.len().max(1))?;
    let peak = saturated.per_second(seconds);
    println!("saturated     {peak} charges/s on {connections} connections: {}", saturated.accepted);
    println!("each          {} µs of a processor, to the last of its writes", each.as_micros());

    println!("{times} times      as many connections");
    saturate(&shop, connections * times, lasting).await?.print(seconds, peak);

    let before = service.processor_time()?;
    let (offered, flooded) = flood(&shop, peak * times as u64, max_in_flight, lasting).await?;
    println!("{times} times      as many charges: {} a second were sent", offered / seconds.max(1));
    flooded.print(seconds, peak);
    let refusals = (service.processor_time()? - before)
        .saturating_sub(each * u32::try_from(flooded.accepted.len())?);
    let each_refusal = refusals / u32::try_from(flooded.rejected.len().max(1))?;
    println!("  at most     {} µs of a processor to reject one", each_refusal.as_micros());

    let over = Instant::now();
    let first = first_accepted(&shop).await?;
    let after = saturate(&shop, connections, Duration::from_secs(2)).await?;
    println!(
        "afterwards    a charge is accepted after {}",
        Milliseconds(first.duration_since(over))
    );
    after.print(2, peak);
    println!("memory        {} KiB at the most", service.memory()?.max);
    service.stop().await?;
    Ok(())
}

/// Each connection sends the next charge after the response to the last one.
async fn saturate(shop: &Shop, connections: usize, lasting: Duration) -> Result<LoadResult> {
    let until = Instant::now() + lasting;
    let mut callers = JoinSet::new();
    for _ in 0..connections {
        let mut client = shop.client();
        callers.spawn(async move {
            let mut outcome = LoadResult::new(until);
            while Instant::now() < until {
                outcome.charge(&mut client, Instant::now()).await?;
            }
            Ok(outcome)
        });
    }
    joined(LoadResult::new(until), callers).await
}

/// Sends charges at this rate, whatever the responses. Rejected charges are not repeated. Returns
/// the number of charges that were sent.
async fn flood(
    shop: &Shop,
    rate: u64,
    max_in_flight: usize,
    lasting: Duration,
) -> Result<(u64, LoadResult)> {
    let mut clients = Vec::with_capacity(max_in_flight);
    for _ in 0..max_in_flight {
        let mut client = shop.client();
        // Opens the connection.
        client.get("/healthz", &[]).await?;
        clients.push(client);
    }
    let until = Instant::now() + lasting;
    let charge = |mut client: Client, _, since| async move {
        let mut outcome = LoadResult::new(until);
        outcome.charge(&mut client, since).await?;
        Ok((client, outcome))
    };
    let outcomes = at_rate(clients, rate, lasting, charge).await?;
    let sent = u64::try_from(outcomes.len())?;
    let mut all = LoadResult::new(until);
    outcomes.into_iter().for_each(|outcome| all.merge(outcome));
    Ok((sent, all))
}

async fn first_accepted(shop: &Shop) -> Result<Instant> {
    let mut client = shop.client();
    while client.post("/v1/charge", CHARGE).await?.status != StatusCode::ACCEPTED {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(Instant::now())
}

async fn joined(
    mut all: LoadResult,
    mut callers: JoinSet<Result<LoadResult>>,
) -> Result<LoadResult> {
    while let Some(one) = callers.join_next().await {
        all.merge(one??);
    }
    Ok(all)
}
