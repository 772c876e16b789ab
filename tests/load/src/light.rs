//! Start time, memory at rest, and size of the binary.

use crate::{
    durations::{Durations, Milliseconds},
    service::{MemoryUsage, Shop},
};
use anyhow::Result;
use std::{path::Path, time::Duration};

const STARTS: usize = 9;

/// The time after a start until memory is at rest.
const REST_DELAY: Duration = Duration::from_secs(2);

pub async fn run(tua: &Path) -> Result<()> {
    let shop = Shop::open(tua)?;
    let mut ready = Durations::default();
    let mut memory = 0;
    for start in 1..=STARTS {
        let service = shop.serve().await?;
        ready.add(service.ready_after);
        if start == STARTS {
            tokio::time::sleep(REST_DELAY).await;
            memory = service.memory().map(|MemoryUsage { resident, .. }| resident)?;
        }
        service.stop().await?;
    }
    println!("binary        {} KiB", std::fs::metadata(tua)?.len() >> 10);
    println!("memory        {memory} KiB at rest");
    println!(
        "ready after   {} (median of {STARTS} starts, slowest {})",
        Milliseconds(ready.percentile(50)),
        Milliseconds(ready.percentile(100))
    );
    Ok(())
}
