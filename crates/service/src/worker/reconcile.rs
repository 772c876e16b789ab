//! Asks operators about pending transactions, on the contract's ladder.

use crate::{
    app::App,
    domain::{ladder::faster, settle},
    store::{Due, StoreError},
};
use jiff::SignedDuration;
use std::sync::Arc;
use tracing::{error, warn};

/// How many transactions are asked about at once.
const BATCH: u32 = 64;

/// How long nobody else asks about a transaction that somebody is asking about; longer than any
/// operator is waited for.
const LEASE: SignedDuration = SignedDuration::from_secs(60);

/// How often the store is looked at when nothing is due, so that work which another process or
/// a faster sandbox made due earlier is found.
const IDLE: SignedDuration = SignedDuration::from_secs(1);

pub(super) async fn run(app: Arc<App>) {
    while !app.stopping.is_cancelled() {
        let idle = match round(&app).await {
            Ok(asked) => asked == 0,
            Err(error) => {
                error!(%error, "due work could not be read; trying again");
                true
            }
        };
        if idle {
            tokio::select! {
                () = app.clock.sleep_until(app.clock.now() + faster(IDLE, app.ladder.sandbox_speed.max(1.0))) => {}
                () = app.stopping.cancelled() => return,
            }
        }
    }
}

/// Asks about everything that is due, all at once, and returns how much that was.
async fn round(app: &Arc<App>) -> Result<usize, StoreError> {
    let now = app.clock.now();
    if app.store.next_due().await?.is_none_or(|due| due > now) {
        return Ok(0);
    }
    let due = app.store.lease_due(now, now + LEASE, BATCH).await?;
    let asked = due.len();
    let asking: Vec<_> = due.into_iter().map(|due| app.tasks.spawn(ask(app.clone(), due))).collect();
    for one in asking {
        // A question that broke off stays leased, and is asked again when the lease ends.
        let _ = one.await;
    }
    Ok(asked)
}

async fn ask(app: Arc<App>, Due { transaction, asks }: Due) {
    let id = transaction.begun.id.clone();
    let next = app.ladder.next(&transaction.begun.scope, transaction.created_at, asks + 1, app.clock.now());
    settle::ask(app.clone(), transaction).await;
    if next.is_none() {
        warn!(transaction = %id, "still not decided after a day: flagged for review");
    }
    if let Err(error) = app.store.plan_ask(&id, asks + 1, next, app.clock.now()).await {
        error!(transaction = %id, %error, "the next question could not be planned; the lease will end");
    }
}
