//! Queries operators for the status of pending transactions, on the polling schedule.

use crate::{
    app::App,
    domain::{
        poll_schedule::divide_delay,
        ports::{Due, StoreError},
        settle,
    },
    readiness::Worker,
};
use jiff::SignedDuration;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tracing::{error, warn};

/// The largest number of concurrent queries.
const MAX_CONCURRENT: usize = 64;

/// How long nobody else asks about a transaction that somebody is asking about; longer than
/// [`settle::PATIENCE`].
const LEASE: SignedDuration = SignedDuration::from_secs(60);

/// How often the store is polled while nothing is due. It finds work that another process or a faster sandbox has made due
/// earlier.
const IDLE: SignedDuration = SignedDuration::from_secs(1);

pub(super) async fn run(app: Arc<App>) {
    let permits = Arc::new(Semaphore::new(MAX_CONCURRENT));
    // The queries of a crashed predecessor need not wait for the end of their leases.
    if let Err(error) = app.store.end_leases(app.clock.now(), app.clock.now() + LEASE).await {
        error!(%error, "cannot end old leases; they expire by themselves");
    }
    while !app.stopping.is_cancelled() {
        let round_start = app.clock.now();
        app.readiness.worker_turned(Worker::Questions, round_start);
        let idle = match round(&app, &permits).await {
            Ok(started) => started == 0,
            Err(error) => {
                error!(%error, "cannot read due transactions; trying again");
                true
            }
        };
        if idle {
            tokio::select! {
                // Relative to the time before the round: a clock that was moved meanwhile has made something due.
                () = app.clock.sleep_until(round_start + divide_delay(IDLE, app.poll_schedule.sandbox_speed.max(1.0))) => {}
                () = app.stopping.cancelled() => return,
            }
        }
    }
}

/// Starts queries of due transactions, as many as there are permits for, and returns how many.
///
/// Does not wait for responses, so that a slow operator delays no transaction of another.
async fn round(app: &Arc<App>, permits: &Arc<Semaphore>) -> Result<usize, StoreError> {
    let now = app.clock.now();
    let free = u32::try_from(permits.available_permits()).unwrap_or(u32::MAX);
    if free == 0 || app.store.next_due().await?.is_none_or(|due| due > now) {
        return Ok(0);
    }
    let due = app.store.lease_due(now, now + LEASE, free).await?;
    let started = due.len();
    for due in due {
        let permit = permits.clone().acquire_owned().await;
        let app = app.clone();
        // A query that breaks off is started again when its lease expires.
        app.clone().tasks.spawn(async move {
            ask(app, due).await;
            drop(permit);
        });
    }
    Ok(started)
}

async fn ask(app: Arc<App>, Due { transaction, asks }: Due) {
    let id = transaction.begun.id.clone();
    let next = app.poll_schedule.next(&transaction.begun.scope, transaction.created_at, asks + 1, app.clock.now());
    settle::ask(app.clone(), transaction).await;
    match app.store.plan_ask(&id, asks + 1, next, app.clock.now()).await {
        Ok(true) if next.is_none() => warn!(transaction = %id, "not final after a day: flagged for review"),
        Ok(_) => {}
        Err(error) => error!(transaction = %id, %error, "cannot schedule the next query; the lease will expire"),
    }
}
