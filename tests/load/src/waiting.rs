//! Payers who all wait for news at once, while charges go on: what they hold, and how soon they hear.

use crate::{client::Client, service::Shop, times::Times};
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

const CHARGE: Bytes = Bytes::from_static(br#"{"amount":10.5,"phoneNumber":"0241234567","network":"MTN"}"#);

/// A payer whose charge waits for a voucher: it changes when the test says so, and not before.
const VOUCHER: Bytes = Bytes::from_static(br#"{"phoneNumber":"0201234567","network":"TELECEL"}"#);

/// How many payers come at the same time.
const DOORS: usize = 64;

/// How long nobody may be out of touch.
const PATIENCE: Duration = Duration::from_secs(120);

#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many payers wait
    #[arg(long, default_value_t = 10_000)]
    payers: usize,
    /// How many charges a second go on meanwhile
    #[arg(long, default_value_t = 500)]
    charges: u32,
    /// How many payers a second enter their vouchers
    #[arg(long, default_value_t = 200)]
    vouchers: u32,
}

/// A payer, and where the payment stood when it was last heard of.
#[derive(Debug)]
struct Payer {
    client: Client,
    transaction: String,
    etag: String,
}

pub async fn run(tua: &Path, args: &Args) -> Result<()> {
    let shop = Arc::new(Shop::open(tua)?);
    let service = shop.serve().await?;
    let resting = service.held()?.memory;
    let payers = arrive(&shop, args.payers).await?;
    let codes: Vec<String> = payers.iter().map(|payer| payer.transaction.clone()).collect();

    let room = Arc::new(Room::default());
    let (mut before, mut after) = (JoinSet::new(), JoinSet::new());
    for (number, payer) in payers.into_iter().enumerate() {
        let half = if number < codes.len() / 2 { &mut before } else { &mut after };
        half.spawn(payer.wait(room.clone()));
    }
    until("everybody waits", || room.parked.load(Ordering::Relaxed) == args.payers).await?;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let parked = service.held()?.memory;
    println!(
        "waiting       {} payers hold {} KiB, {} each; {resting} at rest",
        args.payers,
        parked,
        (parked - resting) * 1024 / args.payers as u64
    );

    let background = Background::start(&shop, args.charges);
    let (first, second) = codes.split_at(codes.len() / 2);
    enter(&shop, first, args.vouchers).await?;
    woken(before, "").await?;
    let (charged, refused) = background.end().await?;
    println!("meanwhile     {charged} charges/s were accepted, {refused} were not");
    println!("memory        {} KiB at the most, with both", service.held()?.most);

    // Whoever still waits is answered, comes back, and goes on where the payment stood.
    let stopped = service.stop().await?;
    let service = shop.serve().await?;
    enter(&shop, second, args.vouchers).await?;
    woken(after, ", after a restart").await?;
    println!(
        "restarted     in {} ms; all {} payers heard that they had paid",
        stopped.as_millis(),
        room.paid.load(Ordering::Relaxed)
    );
    service.stop().await?;
    Ok(())
}

/// What all payers together have come to.
#[derive(Debug, Default)]
struct Room {
    parked: AtomicUsize,
    paid: AtomicUsize,
}

/// Once all of these have paid, how late they heard of each change.
async fn woken(mut payers: JoinSet<Result<Times>>, when: &str) -> Result<()> {
    let mut woken = Times::default();
    while let Some(payer) = payers.join_next().await {
        woken.absorb(payer??);
    }
    println!("woken         {} times{when}: {woken}", woken.len());
    Ok(())
}

/// Sessions, and a charge of each.
async fn arrive(shop: &Arc<Shop>, many: usize) -> Result<Vec<Payer>> {
    let left = Arc::new(AtomicUsize::new(many));
    let mut doors = JoinSet::new();
    for _ in 0..DOORS {
        let (shop, left) = (shop.clone(), left.clone());
        doors.spawn(async move {
            let (mut merchant, mut through) = (shop.client(), Vec::new());
            while left.try_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
                let session = json!({ "amount": 10.5, "email": "ama@example.com" }).to_string();
                let opened = merchant.post("/v1/checkout", session).await?;
                let mut client = shop.payer(opened.text("checkoutToken")?);
                let begun = client.post("/v1/charge", VOUCHER).await?;
                ensure!(begun.status == StatusCode::ACCEPTED, "a charge was answered {}", begun.status);
                through.push(Payer { client, transaction: begun.text("transactionId")?, etag: String::new() });
            }
            Ok::<_, anyhow::Error>(through)
        });
    }
    let mut payers = Vec::with_capacity(many);
    while let Some(through) = doors.join_next().await {
        payers.extend(through??);
    }
    Ok(payers)
}

impl Payer {
    /// Polls until the payment has succeeded, over every restart. Returns how late each change was heard of.
    async fn wait(mut self, room: Arc<Room>) -> Result<Times> {
        let path = format!("/v1/status/{}", self.transaction);
        let (mut woken, mut heard) = (Times::default(), Instant::now());
        let seen = self.client.get(&path, &[]).await?;
        self.etag = seen.etag.context("an ETag")?;
        room.parked.fetch_add(1, Ordering::Relaxed);
        loop {
            ensure!(heard.elapsed() < PATIENCE, "{}: nobody answers", self.transaction);
            let since = now();
            let poll = [("prefer", "wait=30"), ("if-none-match", self.etag.as_str())];
            // A service that restarts takes nobody for a moment.
            let Ok(answer) = self.client.get(&path, &poll).await else {
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            };
            heard = Instant::now();
            match answer.status {
                StatusCode::NOT_MODIFIED => continue,
                StatusCode::OK => {}
                other => anyhow::bail!("a poll was answered {other}"),
            }
            let changed = answer.text("updatedAt")?.parse::<Timestamp>()?;
            // What changed before the poll came was not heard of by waking.
            if changed > since {
                woken.add(now().duration_since(changed).try_into()?);
            }
            self.etag = answer.etag.clone().context("an ETag")?;
            if answer.text("status")? == "SUCCESSFUL" {
                room.paid.fetch_add(1, Ordering::Relaxed);
                return Ok(woken);
            }
        }
    }
}

/// What the service, on the same machine, reads as well.
#[expect(clippy::disallowed_methods, reason = "the other process reads the machine's clock")]
fn now() -> Timestamp {
    Timestamp::now()
}

/// Their vouchers, entered at this rate.
async fn enter(shop: &Arc<Shop>, transactions: &[String], rate: u32) -> Result<()> {
    let mut entering = JoinSet::new();
    let each = DOORS.min(transactions.len().max(1));
    let pause = Duration::from_secs(1) * u32::try_from(each)? / rate;
    for door in 0..each {
        let shop = shop.clone();
        let mine: Vec<String> = transactions.iter().skip(door).step_by(each).cloned().collect();
        entering.spawn(async move {
            let (mut merchant, began) = (shop.client(), Instant::now());
            for (number, transaction) in (0..).zip(mine) {
                tokio::time::sleep((pause * number).saturating_sub(began.elapsed())).await;
                let body = json!({ "transactionId": transaction, "otp": "123456" }).to_string();
                let answer = merchant.post("/v1/submit-otp", body).await?;
                ensure!(answer.status == StatusCode::OK, "a voucher was answered {}", answer.status);
            }
            Ok(())
        });
    }
    while let Some(door) = entering.join_next().await {
        door??;
    }
    Ok(())
}

/// Charges that have nothing to do with who waits.
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
        let doors = u32::try_from(DOORS).unwrap_or(1);
        for _ in 0..doors {
            let mut client = shop.client();
            let (over, accepted, refused) = (all.over.clone(), all.accepted.clone(), all.refused.clone());
            all.callers.push(tokio::spawn(async move {
                let mut next = tokio::time::interval(Duration::from_secs(1) * doors / rate.max(1));
                while !over.load(Ordering::Relaxed) {
                    next.tick().await;
                    let answer = client.post("/v1/charge", CHARGE).await?;
                    let count = if answer.status == StatusCode::ACCEPTED { &accepted } else { &refused };
                    count.fetch_add(1, Ordering::Relaxed);
                }
                Ok(())
            }));
        }
        all
    }

    /// How many a second were accepted, and how many were not.
    async fn end(self) -> Result<(u64, u64)> {
        self.over.store(true, Ordering::Relaxed);
        let seconds = self.began.elapsed().as_secs().max(1);
        for caller in self.callers {
            caller.await??;
        }
        Ok((self.accepted.load(Ordering::Relaxed) / seconds, self.refused.load(Ordering::Relaxed)))
    }
}

async fn until(what: &str, done: impl Fn() -> bool) -> Result<()> {
    let began = Instant::now();
    while !done() {
        ensure!(began.elapsed() < PATIENCE, "{what}: not within {} s", PATIENCE.as_secs());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}
