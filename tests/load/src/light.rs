//! What the service weighs: from start to ready, at rest, on disk.

use crate::{
    service::{Held, Shop},
    times::{Milliseconds, Times},
};
use anyhow::Result;
use std::{path::Path, time::Duration};

const STARTS: usize = 9;

/// Until whatever a start leaves behind is gone.
const REST: Duration = Duration::from_secs(2);

pub async fn run(tua: &Path) -> Result<()> {
    let shop = Shop::open(tua)?;
    let (mut ready, mut memory) = (Times::default(), 0);
    for start in 1..=STARTS {
        let service = shop.serve().await?;
        ready.add(service.ready_after);
        if start == STARTS {
            tokio::time::sleep(REST).await;
            memory = service.held().map(|Held { memory, .. }| memory)?;
        }
        service.stop().await?;
    }
    println!("binary        {} KiB", std::fs::metadata(tua)?.len() >> 10);
    println!("memory        {memory} KiB at rest");
    println!(
        "ready after   {} (median of {STARTS} starts, slowest {})",
        Milliseconds(ready.within(50)),
        Milliseconds(ready.within(100))
    );
    Ok(())
}
