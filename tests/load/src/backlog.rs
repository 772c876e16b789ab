//! Many pending live payments that are all due: the reads at the operator stay within its limit,
//! callbacks are asked about first, and new charges are accepted as before.

use crate::{
    client::Client,
    durations::{Durations, Milliseconds},
    emulator::Emulator,
    live::Live,
    seed,
};
use anyhow::{Result, ensure};
use hyper::StatusCode;
use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::task::JoinSet;

/// The operator of the payments: the only one that documents a limit.
const ROUTES: &str = "MTN = [\"mtn\"]\n";

/// The route of the emulator that reads the status of a charge.
const STATUS_ROUTE: &str = "GET /mtn-momo/collection/v1_0/requesttopay/{reference}";

/// The emulated operator decides a charge after this time, and calls back.
const OUTCOME_DELAY: Duration = Duration::from_secs(2);

/// A number whose charge stays pending.
const UNDECIDED: &str = r#"{"amount":10.5,"phoneNumber":"0241230007","network":"MTN"}"#;

/// Charges a second meanwhile. Each is read after its callback, so they are far below the
/// operator's limit.
const RATE: u64 = 30;

/// Connections that give the emulator its orders.
const CONNECTIONS: usize = 64;

/// The most reads that a second may have more than the limit where they are counted: a sample does
/// not begin at the exact moment of a read.
const SAMPLE_MARGIN: u64 = 2;

#[derive(Clone, Copy, Debug)]
pub struct Args {
    pub pending: u64,
    pub limit: u64,
    pub lasting: Duration,
}

/// Prints what a backlog costs.
pub async fn measure(tua: &Path, args: Args) -> Result<()> {
    let live = Live::start_without_latency(tua, ROUTES).await?;
    live.charge("MTN", 10, Duration::from_secs(1)).await?;
    let (before, _) = live.charge("MTN", RATE, args.lasting).await?;
    let pending = live.shop.client().post("/v1/charge", UNDECIDED).await?.text("transactionId")?;
    let resident = live.service.memory()?.resident;
    let Live { shop, service, emulator } = live;
    service.stop().await?;
    seed::multiply(&shop.database(), &pending, args.pending)?;
    give_orders(&emulator, seed::pending_references(&shop.database())?).await?;
    let service = shop.serve().await?;
    let live = Live { shop, service, emulator };

    let reads = async { count_status_reads(&live.emulator, args.lasting).await };
    let follow = || follow_charges(&live, args.lasting);
    let followed = async {
        let (mut delays, second, third) = tokio::try_join!(follow(), follow(), follow())?;
        [second, third].into_iter().for_each(|more| delays.merge(more));
        Ok(delays)
    };
    let charged = live.charge("MTN", RATE, args.lasting);
    let (reads, delays, (during, refused)) = tokio::try_join!(reads, followed, charged)?;
    ensure!(refused == 0, "{refused} charges were refused beside the backlog");
    ensure!(
        reads.max_per_second <= args.limit + SAMPLE_MARGIN,
        "{} reads in a second, and the limit is {}",
        reads.max_per_second,
        args.limit
    );
    let memory = live.service.memory()?;
    let percent =
        during.percentile(99).as_micros() * 100 / before.percentile(99).as_micros().max(1);
    println!(
        "{} payments are pending and due: {} reads in {} s, at most {} in a second (target: at \
         most {}); after a callback its payment is asked about first: {delays} after the \
         operator's outcome; p99 of new charges {} instead of {}: {percent} %; memory {} KiB at \
         the most, {} KiB before",
        args.pending,
        reads.total,
        args.lasting.as_secs(),
        reads.max_per_second,
        args.limit,
        Milliseconds(during.percentile(99)),
        Milliseconds(before.percentile(99)),
        memory.max,
        resident,
    );
    live.service.stop().await?;
    Ok(())
}

/// The status reads that the emulator has received.
struct StatusReads {
    /// The highest number in one second.
    max_per_second: u64,
    /// The number in the whole time.
    total: u64,
}

/// Counts the status reads that the emulator receives in this time.
async fn count_status_reads(emulator: &Emulator, lasting: Duration) -> Result<StatusReads> {
    let began = Instant::now();
    let first = emulator.requests_of(STATUS_ROUTE).await?;
    let mut max_per_second = 0;
    let mut seen = first;
    let mut seen_at = began;
    while began.elapsed() < lasting {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let now = Instant::now();
        let count = emulator.requests_of(STATUS_ROUTE).await?;
        let micros = u64::try_from((now - seen_at).as_micros())?.max(1);
        max_per_second = max_per_second.max((count - seen) * 1_000_000 / micros);
        (seen, seen_at) = (count, now);
    }
    Ok(StatusReads { max_per_second, total: seen - first })
}

/// Charges one after the other. How long after the operator's outcome each is known to be paid.
async fn follow_charges(live: &Live, lasting: Duration) -> Result<Durations> {
    let began = Instant::now();
    let mut client = live.shop.client();
    let mut delays = Durations::default();
    while began.elapsed() + OUTCOME_DELAY < lasting {
        let sent_at = Instant::now();
        let body = r#"{"amount":10.5,"phoneNumber":"0551234567","network":"MTN"}"#;
        let id = client.post("/v1/charge", body).await?.text("transactionId")?;
        let path = format!("/v1/status/{id}");
        let status = client.get(&path, &[("prefer", "wait=25")]).await?.text("status")?;
        ensure!(status == "SUCCESSFUL", "a paid charge is still {status} 25 s later");
        delays.add(sent_at.elapsed().saturating_sub(OUTCOME_DELAY));
    }
    Ok(delays)
}

/// Gives the emulator an order for each reference, as the service would have.
async fn give_orders(emulator: &Emulator, references: Vec<String>) -> Result<()> {
    let token = emulator.mtn_token().await?;
    let references = Arc::new(Mutex::new(references));
    let mut senders = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let references = references.clone();
        let mut client = emulator.client();
        let token = token.clone();
        senders.spawn(async move {
            loop {
                let next = references.lock().unwrap_or_else(PoisonError::into_inner).pop();
                let Some(reference) = next else { return Ok(()) };
                order(&mut client, &token, &reference).await?;
            }
        });
    }
    senders.join_all().await.into_iter().collect::<Result<()>>()
}

async fn order(
    client: &mut Client,
    token: &[(&'static str, String)],
    reference: &str,
) -> Result<()> {
    let payer = r#""payer":{"partyIdType":"MSISDN","partyId":"233241230007"}"#;
    let body =
        format!(r#"{{"amount":"10.5","currency":"GHS","externalId":"{reference}",{payer}}}"#);
    let headers: Vec<(&str, &str)> =
        token.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let headers = [&headers[..], &[("x-reference-id", reference)]].concat();
    let response =
        client.post_with("/mtn-momo/collection/v1_0/requesttopay", &headers, body).await?;
    // It has the orders that the service has sent itself.
    let is_there = matches!(response.status, StatusCode::ACCEPTED | StatusCode::CONFLICT);
    ensure!(is_there, "the emulator answered {}", response.status);
    Ok(())
}
