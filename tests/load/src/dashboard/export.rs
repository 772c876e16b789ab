//! The export of a year: the memory of the service, and the charges of payers meanwhile.

use super::seed::Seeded;
use crate::{
    client::Client,
    durations::{Durations, Milliseconds},
    pace::at_rate,
    service::{Service, Shop},
};
use anyhow::{Result, ensure};
use hyper::StatusCode;
use std::time::{Duration, Instant};

/// Charges a second, for how long, and how often with and without an export.
const RATE: u64 = 50;
const LOAD_DURATION: Duration = Duration::from_secs(10);
const ROUNDS: usize = 3;

const MEMORY_TARGET_KIB: u64 = 64 << 10;

pub(super) async fn measure(shop: &Shop, seeded: &Seeded, service: &Service) -> Result<()> {
    // Opens connections.
    charge(shop, Duration::from_secs(1)).await?;
    let before = service.reset_max_memory()?;
    let began = Instant::now();
    let bytes = export(shop, seeded).await?;
    let took = began.elapsed();
    let most = service.memory()?.max;
    let missed = if most >= MEMORY_TARGET_KIB { " missed" } else { "" };
    println!(
        "export of a year: {} MiB in {}; memory {before} KiB before, {most} KiB at the most, \
         target {MEMORY_TARGET_KIB}{missed}",
        bytes >> 20,
        Milliseconds(took)
    );
    let mut alone = Durations::default();
    let mut beside = Durations::default();
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let without = charge(shop, LOAD_DURATION).await?;
        let exporting =
            tokio::spawn(keep_exporting(shop.client(), seeded.cookie.clone(), address(seeded)));
        let with = charge(shop, LOAD_DURATION).await;
        exporting.abort();
        let with = with?;
        ratios.push(
            with.percentile(99).as_micros() * 100 / without.percentile(99).as_micros().max(1),
        );
        alone.merge(without);
        beside.merge(with);
    }
    ratios.sort_unstable();
    println!("{RATE} charges a second: {alone}\nbeside an export:      {beside}");
    println!(
        "p99 beside an export: {} % of without (median of {ROUNDS}), target 120",
        ratios[ROUNDS / 2]
    );
    Ok(())
}

fn address(seeded: &Seeded) -> String {
    format!("{}/payments/export/csv", seeded.base)
}

async fn export(shop: &Shop, seeded: &Seeded) -> Result<u64> {
    shop.client().download(&address(seeded), &seeded.cookie).await
}

async fn keep_exporting(mut client: Client, cookie: String, address: String) -> Result<()> {
    loop {
        client.download(&address, &cookie).await?;
    }
}

async fn charge(shop: &Shop, lasting: Duration) -> Result<Durations> {
    let clients = (0..RATE * 2).map(|_| shop.client()).collect();
    let send = |mut client: Client, number: u64, since: Instant| async move {
        let phone = 1_000_000 + number;
        let body = format!(r#"{{"amount":10.5,"phoneNumber":"024{phone}","network":"MTN"}}"#);
        let response = client.post("/v1/charge", body).await?;
        ensure!(
            response.status == StatusCode::ACCEPTED,
            "a charge was answered {}",
            response.status
        );
        Ok((client, since.elapsed()))
    };
    let mut all = Durations::default();
    at_rate(clients, RATE, lasting, send).await?.into_iter().for_each(|took| all.add(took));
    Ok(all)
}
