//! The same requests on databases of several sizes, in turns, so that variations of the machine
//! affect all sizes.

use crate::{
    durations::Durations,
    seed::{self, Sample},
    service::Shop,
};
use anyhow::{Context, Result, ensure};
use hyper::{StatusCode, body::Bytes};
use std::{
    path::Path,
    time::{Duration, Instant},
};

const CHARGE: Bytes =
    Bytes::from_static(br#"{"amount":10.5,"phoneNumber":"0241234567","network":"MTN"}"#);

/// How often each size is measured, and the number of requests each time.
const ROUNDS: usize = 3;
const REQUESTS: usize = 300;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The numbers of transactions, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "1000,1000000")]
    transactions: Vec<u64>,
}

/// A database of one size, and the durations of requests on it.
#[derive(Debug)]
struct Size {
    transactions: u64,
    shop: Shop,
    sample: Sample,
    charge: Durations,
    /// Of the newest transactions, which payers and merchants usually request.
    status: Durations,
    /// Of any transactions, each for the first time, so that it is read from disk.
    old_status: Durations,
    list: Durations,
    memory: u64,
}

pub async fn run(tua: &Path, args: &Args) -> Result<()> {
    let mut sizes = Vec::new();
    for &transactions in &args.transactions {
        sizes.push(Size::create(tua, transactions).await?);
    }
    for _ in 0..ROUNDS {
        for size in &mut sizes {
            size.measure().await?;
        }
    }
    println!(
        "{:>12}  {:>10} {:>8} {:>11}  p50 and p99 of",
        "transactions", "file", "each", "memory"
    );
    let medians = |size: &Size| {
        [&size.charge, &size.status, &size.old_status, &size.list]
            .map(|times| times.percentile(50).as_nanos().max(1))
    };
    let first = sizes.first().map(medians);
    for size in &sizes {
        let file = size.shop.database_size()?;
        println!(
            "{:>12}  {:>6} MiB {:>6} B {:>7} KiB  charge {}",
            size.transactions,
            file >> 20,
            file / size.transactions.max(1),
            size.memory,
            size.charge
        );
        let ratios: Vec<String> = first
            .iter()
            .flatten()
            .zip(medians(size))
            .map(|(first, now)| format!("{}.{:02}", now / first, now * 100 / first % 100))
            .collect();
        println!("{:>54} {}", "status", size.status);
        println!("{:>54} {}", "status of any age", size.old_status);
        println!("{:>54} {}", "list", size.list);
        println!("{:>54} {}", "of the first p50", ratios.join(", "));
    }
    Ok(())
}

impl Size {
    async fn create(tua: &Path, transactions: u64) -> Result<Self> {
        let shop = Shop::open(tua)?;
        let service = shop.serve().await?;
        let mut client = shop.client();
        let begun = client.post("/v1/charge", CHARGE).await?.text("transactionId")?;
        while client.get(&format!("/v1/status/{begun}"), &[]).await?.text("status")? == "PENDING" {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        service.stop().await?;
        let sample = seed::multiply(&shop.database(), &begun, transactions)?;
        let [charge, status, old_status, list] = [(); 4].map(|()| Durations::default());
        Ok(Self { transactions, shop, sample, charge, status, old_status, list, memory: 0 })
    }

    async fn measure(&mut self) -> Result<()> {
        let service = self.shop.serve().await?;
        let mut client = self.shop.client();
        for number in 0..REQUESTS {
            let began = Instant::now();
            let response = client.post("/v1/charge", CHARGE).await?;
            ensure!(
                response.status == StatusCode::ACCEPTED,
                "a charge was answered {}",
                response.status
            );
            self.charge.add(began.elapsed());
            let old = self.sample.any.pop().context("an id that was not requested yet")?;
            let newest = &self.sample.newest[number % self.sample.newest.len()];
            for (id, times) in [(newest, &mut self.status), (&old, &mut self.old_status)] {
                let path = format!("/v1/status/{id}");
                let began = Instant::now();
                ensure!(
                    client.get(&path, &[]).await?.status == StatusCode::OK,
                    "{path} is not there"
                );
                times.add(began.elapsed());
            }
            let began = Instant::now();
            ensure!(
                client.get("/v1/transactions?limit=20", &[]).await?.status == StatusCode::OK,
                "no list"
            );
            self.list.add(began.elapsed());
        }
        self.memory = self.memory.max(service.memory()?.max);
        service.stop().await?;
        Ok(())
    }
}
