//! Asks operators about pending transactions, on the contract's ladder.

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

/// How many transactions are asked about at once.
const AT_ONCE: usize = 64;

/// How long nobody else asks about a transaction that somebody is asking about; longer than
/// [`settle::PATIENCE`].
const LEASE: SignedDuration = SignedDuration::from_secs(60);

/// How often the store is looked at when nothing is due, so that work which another process or
/// a faster sandbox made due earlier is found.
const IDLE: SignedDuration = SignedDuration::from_secs(1);

pub(super) async fn run(app: Arc<App>) {
    let slots = Arc::new(Semaphore::new(AT_ONCE));
    // What the process before this one was asking about when it was killed need not wait for its lease.
    if let Err(error) = app.store.end_leases(app.clock.now(), app.clock.now() + LEASE).await {
        error!(%error, "leases could not be ended; they end by themselves");
    }
    while !app.stopping.is_cancelled() {
        let looked_at = app.clock.now();
        app.readiness.worker_turned(Worker::Questions, looked_at);
        let idle = match round(&app, &slots).await {
            Ok(asked) => asked == 0,
            Err(error) => {
                error!(%error, "due work could not be read; trying again");
                true
            }
        };
        if idle {
            tokio::select! {
                // From the look on: a clock that was moved meanwhile has made something due.
                () = app.clock.sleep_until(looked_at + divide_delay(IDLE, app.poll_schedule.sandbox_speed.max(1.0))) => {}
                () = app.stopping.cancelled() => return,
            }
        }
    }
}

/// Begins to ask about what is due, as much as there are slots for, and returns how much that was.
///
/// It does not wait for the answers: an operator that is slow holds up no transaction of another.
async fn round(app: &Arc<App>, slots: &Arc<Semaphore>) -> Result<usize, StoreError> {
    let now = app.clock.now();
    let free = u32::try_from(slots.available_permits()).unwrap_or(u32::MAX);
    if free == 0 || app.store.next_due().await?.is_none_or(|due| due > now) {
        return Ok(0);
    }
    let due = app.store.lease_due(now, now + LEASE, free).await?;
    let asked = due.len();
    for due in due {
        let slot = slots.clone().acquire_owned().await;
        let app = app.clone();
        // A question that broke off stays leased, and is asked again when the lease ends.
        app.clone().tasks.spawn(async move {
            ask(app, due).await;
            drop(slot);
        });
    }
    Ok(asked)
}

async fn ask(app: Arc<App>, Due { transaction, asks }: Due) {
    let id = transaction.begun.id.clone();
    let next = app.poll_schedule.next(&transaction.begun.scope, transaction.created_at, asks + 1, app.clock.now());
    settle::ask(app.clone(), transaction).await;
    match app.store.plan_ask(&id, asks + 1, next, app.clock.now()).await {
        Ok(true) if next.is_none() => warn!(transaction = %id, "still not decided after a day: flagged for review"),
        Ok(_) => {}
        Err(error) => error!(transaction = %id, %error, "the next question could not be planned; the lease will end"),
    }
}
