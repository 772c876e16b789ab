//! Three times what the service can do: it goes on doing it, turns the rest away, and recovers at once.

use crate::{
    client::Client,
    service::Shop,
    times::{Milliseconds, Times},
};
use anyhow::{Result, bail};
use hyper::{StatusCode, body::Bytes};
use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{sync::Semaphore, task::JoinSet};

const CHARGE: Bytes = Bytes::from_static(br#"{"amount":10.5,"phoneNumber":"0241234567","network":"MTN"}"#);

/// How often requests are let go, and how long one may be late to be sent at all.
const TICK: Duration = Duration::from_millis(2);

#[derive(Debug, clap::Args)]
pub struct Args {
    /// How long each load lasts, in seconds
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// How many connections saturate the service
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// How many times the saturating load is offered
    #[arg(long, default_value_t = 3)]
    times: u64,
    /// How many connections there may be then: an answer is waited for on each
    #[arg(long, default_value_t = 8_000)]
    crowd: usize,
}

/// What came of a load.
#[derive(Debug, Default)]
struct Outcome {
    accepted: Times,
    turned_away: Times,
}

impl Outcome {
    fn take(&mut self, status: StatusCode, took: Duration) -> Result<()> {
        match status {
            StatusCode::ACCEPTED => self.accepted.add(took),
            StatusCode::SERVICE_UNAVAILABLE => self.turned_away.add(took),
            other => bail!("a charge was answered {other}"),
        }
        Ok(())
    }

    fn absorb(&mut self, other: Self) {
        self.accepted.absorb(other.accepted);
        self.turned_away.absorb(other.turned_away);
    }

    fn per_second(&self, seconds: u64) -> u64 {
        self.accepted.len() as u64 / seconds.max(1)
    }
}

pub async fn run(tua: &Path, args: &Args) -> Result<()> {
    let shop = Shop::open(tua)?;
    let service = shop.serve().await?;
    saturate(&shop, args.connections, Duration::from_secs(2)).await?;
    let before = service.processor_time()?;
    let saturated = saturate(&shop, args.connections, Duration::from_secs(args.seconds)).await?;
    let each = (service.processor_time()? - before) / u32::try_from(saturated.accepted.len().max(1))?;
    let peak = saturated.per_second(args.seconds);
    println!("saturated     {peak} charges/s on {} connections: {}", args.connections, saturated.accepted);
    println!("each          {} µs of a processor, to the last of its writes", each.as_micros());

    let (offered, outcome) = flood(&shop, peak * args.times, args).await?;
    let accepted = outcome.per_second(args.seconds);
    println!("offered       {} charges/s, {} times as many", offered / args.seconds.max(1), args.times);
    println!(
        "accepted      {accepted} charges/s, {} % of the peak: {}",
        accepted * 100 / peak.max(1),
        outcome.accepted
    );
    println!("turned away   {}: {}", outcome.turned_away.len(), outcome.turned_away);

    let over = Instant::now();
    let first = first_accepted(&shop).await?;
    let after = saturate(&shop, args.connections, Duration::from_secs(2)).await?;
    println!(
        "afterwards    a charge is accepted after {}; then {} % of the peak, {} turned away: {}",
        Milliseconds(first.duration_since(over)),
        after.per_second(2) * 100 / peak.max(1),
        after.turned_away.len(),
        after.accepted,
    );
    println!("memory        {} KiB at the most", service.held()?.most);
    service.stop().await?;
    Ok(())
}

/// Each connection sends the next charge once the last is answered.
async fn saturate(shop: &Shop, connections: usize, lasting: Duration) -> Result<Outcome> {
    let until = Instant::now() + lasting;
    let mut callers = JoinSet::new();
    for _ in 0..connections {
        let mut client = shop.client();
        callers.spawn(async move {
            let mut outcome = Outcome::default();
            while Instant::now() < until {
                charge(&mut client, Instant::now(), &mut outcome).await?;
            }
            Ok::<Outcome, anyhow::Error>(outcome)
        });
    }
    joined(callers).await
}

/// Charges at this rate, whatever becomes of those before. A caller who was turned away stays away.
async fn flood(shop: &Shop, rate: u64, args: &Args) -> Result<(u64, Outcome)> {
    let places = Arc::new(Semaphore::new(args.crowd));
    let idle = Arc::new(std::sync::Mutex::new(Vec::<Client>::new()));
    let (began, lasting) = (Instant::now(), Duration::from_secs(args.seconds));
    let (mut callers, mut sent) = (JoinSet::new(), 0);
    while began.elapsed() < lasting {
        let due = u64::try_from(began.elapsed().as_micros())? * rate / 1_000_000;
        while sent < due {
            let Ok(place) = places.clone().try_acquire_owned() else { break };
            sent += 1;
            let idle = idle.clone();
            let spare = idle.lock().ok().and_then(|mut idle| idle.pop());
            let mut client = spare.unwrap_or_else(|| shop.client());
            callers.spawn(async move {
                let mut outcome = Outcome::default();
                charge(&mut client, Instant::now(), &mut outcome).await?;
                if let Ok(mut idle) = idle.lock() {
                    idle.push(client);
                }
                drop(place);
                Ok::<Outcome, anyhow::Error>(outcome)
            });
        }
        tokio::time::sleep(TICK).await;
    }
    Ok((sent, joined(callers).await?))
}

async fn charge(client: &mut Client, began: Instant, outcome: &mut Outcome) -> Result<()> {
    let answer = client.post("/v1/charge", CHARGE).await?;
    outcome.take(answer.status, began.elapsed())
}

async fn first_accepted(shop: &Shop) -> Result<Instant> {
    let mut client = shop.client();
    while client.post("/v1/charge", CHARGE).await?.status != StatusCode::ACCEPTED {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(Instant::now())
}

async fn joined(mut callers: JoinSet<Result<Outcome>>) -> Result<Outcome> {
    let mut all = Outcome::default();
    while let Some(one) = callers.join_next().await {
        all.absorb(one??);
    }
    Ok(all)
}
