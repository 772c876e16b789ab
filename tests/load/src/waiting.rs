//! Payers who wait for a change at the same time, while other charges are created: their memory and
//! their delay.

use crate::{client::Client, durations::Durations, service::Shop};
use anyhow::{Context, Result, ensure};
use hyper::{StatusCode, body::Bytes};
use jiff::Timestamp;
use serde_json::json;
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::task::{JoinHandle, JoinSet};

const CHARGE: Bytes =
    Bytes::from_static(br#"{"amount":10.5,"phoneNumber":"0241234567","network":"MTN"}"#);

/// A charge that waits for a voucher, so that it changes when the test submits one.
const VOUCHER: Bytes = Bytes::from_static(br#"{"phoneNumber":"0201234567","network":"TELECEL"}"#);

/// The number of clients that create sessions or submit vouchers concurrently.
const CONCURRENT_CLIENTS: usize = 64;

/// The longest time that a payer may get no response.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(120);

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The number of waiting payers
    #[arg(long, default_value_t = 10_000)]
    payers: usize,
    /// The number of other charges per second
    #[arg(long, default_value_t = 500)]
    charges: u32,
    /// The number of vouchers submitted per second
    #[arg(long, default_value_t = 200)]
    vouchers: u32,
}

/// A payer, and the last known version of the payment.
#[derive(Debug)]
struct Payer {
    client: Client,
    transaction: String,
    etag: String,
}

pub async fn run(tua: &Path, args: &Args) -> Result<()> {
    let shop = Arc::new(Shop::open(tua)?);
    let service = shop.serve().await?;
    let resting = service.memory()?.resident;
    let payers = create_payers(&shop, args.payers).await?;
    let codes: Vec<String> = payers.iter().map(|payer| payer.transaction.clone()).collect();

    let totals = Arc::new(Totals::default());
    let mut before = JoinSet::new();
    let mut after = JoinSet::new();
    for (number, payer) in payers.into_iter().enumerate() {
        let half = if number < codes.len() / 2 { &mut before } else { &mut after };
        half.spawn(payer.wait(totals.clone()));
    }
    wait_until("all payers wait", || totals.parked.load(Ordering::Relaxed) == args.payers).await?;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let parked = service.memory()?.resident;
    println!(
        "waiting       {} payers hold {} KiB, {} each; {resting} at rest",
        args.payers,
        parked,
        (parked - resting) * 1024 / args.payers as u64
    );

    let background = Background::start(&shop, args.charges);
    let (first, second) = codes.split_at(codes.len() / 2);
    submit_vouchers(&shop, first, args.vouchers).await?;
    print_delays(before, "").await?;
    let (charged, refused) = background.end().await?;
    println!("meanwhile     {charged} charges/s were accepted, {refused} were not");
    println!("memory        {} KiB at the most, with both", service.memory()?.max);

    // The payers who still wait get a response, poll again, and continue.
    let stopped = service.stop().await?;
    let service = shop.serve().await?;
    submit_vouchers(&shop, second, args.vouchers).await?;
    print_delays(after, ", after a restart").await?;
    println!(
        "restarted     in {} ms; all {} payers saw their payment succeed",
        stopped.as_millis(),
        totals.paid.load(Ordering::Relaxed)
    );
    service.stop().await?;
    Ok(())
}

/// Counters of all payers.
#[derive(Debug, Default)]
struct Totals {
    parked: AtomicUsize,
    paid: AtomicUsize,
}

/// Waits until all of these have paid, and prints the delay of each change.
async fn print_delays(mut payers: JoinSet<Result<Durations>>, when: &str) -> Result<()> {
    let mut woken = Durations::default();
    while let Some(payer) = payers.join_next().await {
        woken.merge(payer??);
    }
    println!("woken         {} times{when}: {woken}", woken.len());
    Ok(())
}

/// Creates sessions, and a charge of each.
async fn create_payers(shop: &Arc<Shop>, many: usize) -> Result<Vec<Payer>> {
    let left = Arc::new(AtomicUsize::new(many));
    let mut clients = JoinSet::new();
    for _ in 0..CONCURRENT_CLIENTS {
        let shop = shop.clone();
        let left = left.clone();
        clients.spawn(async move {
            let mut merchant = shop.client();
            let mut through = Vec::new();
            while left
                .try_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
                .is_ok()
            {
                let session = json!({ "amount": 10.5, "email": "ama@example.com" }).to_string();
                let opened = merchant.post("/v1/checkout", session).await?;
                let mut client = shop.payer(opened.text("checkoutToken")?);
                let begun = client.post("/v1/charge", VOUCHER).await?;
                ensure!(
                    begun.status == StatusCode::ACCEPTED,
                    "a charge was answered {}",
                    begun.status
                );
                through.push(Payer {
                    client,
                    transaction: begun.text("transactionId")?,
                    etag: String::new(),
                });
            }
            Ok::<_, anyhow::Error>(through)
        });
    }
    let mut payers = Vec::with_capacity(many);
    while let Some(through) = clients.join_next().await {
        payers.extend(through??);
    }
    Ok(payers)
}

impl Payer {
    /// Polls until the payment has succeeded, also over restarts. Returns the delay of each change.
    async fn wait(mut self, totals: Arc<Totals>) -> Result<Durations> {
        let path = format!("/v1/status/{}", self.transaction);
        let mut woken = Durations::default();
        let mut responded_at = Instant::now();
        let seen = self.client.get(&path, &[]).await?;
        self.etag = seen.etag.context("an ETag")?;
        totals.parked.fetch_add(1, Ordering::Relaxed);
        loop {
            ensure!(responded_at.elapsed() < RESPONSE_TIMEOUT, "{}: no response", self.transaction);
            let since = now();
            let poll = [("prefer", "wait=30"), ("if-none-match", self.etag.as_str())];
            // A restarting service accepts no connections for a moment.
            let Ok(response) = self.client.get(&path, &poll).await else {
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            };
            responded_at = Instant::now();
            match response.status {
                StatusCode::NOT_MODIFIED => continue,
                StatusCode::OK => {}
                other => anyhow::bail!("a poll was answered {other}"),
            }
            let changed = response.text("updatedAt")?.parse::<Timestamp>()?;
            // A change before the poll did not wake it.
            if changed > since {
                woken.add(now().duration_since(changed).try_into()?);
            }
            self.etag = response.etag.clone().context("an ETag")?;
            if response.text("status")? == "SUCCESSFUL" {
                totals.paid.fetch_add(1, Ordering::Relaxed);
                return Ok(woken);
            }
        }
    }
}

/// The machine's clock, which the service reads too.
#[expect(clippy::disallowed_methods, reason = "the other process reads the machine's clock")]
fn now() -> Timestamp {
    Timestamp::now()
}

/// Submits vouchers at this rate.
async fn submit_vouchers(shop: &Arc<Shop>, transactions: &[String], rate: u32) -> Result<()> {
    let mut entering = JoinSet::new();
    let each = CONCURRENT_CLIENTS.min(transactions.len().max(1));
    let pause = Duration::from_secs(1) * u32::try_from(each)? / rate;
    for client_number in 0..each {
        let shop = shop.clone();
        let mine: Vec<String> =
            transactions.iter().skip(client_number).step_by(each).cloned().collect();
        entering.spawn(async move {
            let mut merchant = shop.client();
            let began = Instant::now();
            for (number, transaction) in (0..).zip(mine) {
                tokio::time::sleep((pause * number).saturating_sub(began.elapsed())).await;
                let body = json!({ "transactionId": transaction, "otp": "123456" }).to_string();
                let response = merchant.post("/v1/submit-otp", body).await?;
                ensure!(
                    response.status == StatusCode::OK,
                    "a voucher was answered {}",
                    response.status
                );
            }
            Ok(())
        });
    }
    while let Some(client) = entering.join_next().await {
        client??;
    }
    Ok(())
}

/// Charges that no payer waits for.
#[derive(Debug)]
struct Background {
    began: Instant,
    over: Arc<AtomicBool>,
    accepted: Arc<AtomicU64>,
    refused: Arc<AtomicU64>,
    callers: Vec<JoinHandle<Result<()>>>,
}

impl Background {
    fn start(shop: &Arc<Shop>, rate: u32) -> Self {
        let mut all = Self {
            began: Instant::now(),
            over: Arc::default(),
            accepted: Arc::default(),
            refused: Arc::default(),
            callers: Vec::new(),
        };
        let clients = u32::try_from(CONCURRENT_CLIENTS).unwrap_or(1);
        for _ in 0..clients {
            let mut client = shop.client();
            let over = all.over.clone();
            let accepted = all.accepted.clone();
            let refused = all.refused.clone();
            all.callers.push(tokio::spawn(async move {
                let mut next =
                    tokio::time::interval(Duration::from_secs(1) * clients / rate.max(1));
                while !over.load(Ordering::Relaxed) {
                    next.tick().await;
                    let response = client.post("/v1/charge", CHARGE).await?;
                    let count =
                        if response.status == StatusCode::ACCEPTED { &accepted } else { &refused };
                    count.fetch_add(1, Ordering::Relaxed);
                }
                Ok(())
            }));
        }
        all
    }

    /// The number of accepted charges per second, and the number of rejected ones.
    async fn end(self) -> Result<(u64, u64)> {
        self.over.store(true, Ordering::Relaxed);
        let seconds = self.began.elapsed().as_secs().max(1);
        for caller in self.callers {
            caller.await??;
        }
        Ok((self.accepted.load(Ordering::Relaxed) / seconds, self.refused.load(Ordering::Relaxed)))
    }
}

async fn wait_until(condition: &str, holds: impl Fn() -> bool) -> Result<()> {
    let began = Instant::now();
    while !holds() {
        ensure!(
            began.elapsed() < RESPONSE_TIMEOUT,
            "{condition}: not within {} s",
            RESPONSE_TIMEOUT.as_secs()
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}
