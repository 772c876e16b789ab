//! An owner who looks at pages all the time, and exports the payments again and again.

use crate::{
    client::Client,
    dashboard::{Seeded, get},
    durations::Durations,
    service::Shop,
};
use anyhow::Result;
use std::time::{Duration, Instant};
use tokio::{sync::watch, task::JoinHandle};

/// The pause between two pages.
const PAUSE: Duration = Duration::from_millis(200);

const PAGES: [&str; 5] = ["/home", "/payments", "/payments?status=FAILED", "/statements", "/audit"];

/// The requests of one minute.
#[derive(Debug)]
pub(super) struct Readers {
    stop: watch::Sender<bool>,
    pages: JoinHandle<Result<Durations>>,
    export: JoinHandle<Result<u64>>,
}

impl Readers {
    pub(super) fn start(shop: &Shop, seeded: &Seeded) -> Self {
        let (stop, stopping) = watch::channel(false);
        let pages = tokio::spawn(read_pages(shop.client(), seeded.clone(), stopping));
        let address = format!("{}/payments/export/csv", seeded.base);
        let cookie = seeded.cookie.clone();
        let mut client = shop.client();
        let export = tokio::spawn(async move { client.download(&address, &cookie).await });
        Self { stop, pages, export }
    }

    /// Waits for the requests that are under way. Returns how long the pages took.
    pub(super) async fn stop(self) -> Result<Durations> {
        self.stop.send_replace(true);
        self.export.await??;
        self.pages.await?
    }
}

async fn read_pages(
    mut client: Client,
    seeded: Seeded,
    stopping: watch::Receiver<bool>,
) -> Result<Durations> {
    let mut durations = Durations::default();
    for page in PAGES.iter().cycle() {
        if *stopping.borrow() {
            break;
        }
        let began = Instant::now();
        get(&mut client, &seeded, &format!("{}{page}", seeded.base)).await?;
        durations.add(began.elapsed());
        tokio::time::sleep(PAUSE).await;
    }
    Ok(durations)
}
