//! Sends webhooks that are due, and tells merchants what only the clock says.

use crate::{
    app::App,
    domain::{
        EndpointId,
        ports::StoreError,
        webhook::{Attempted, Delivery, Endpoint},
    },
    readiness::Worker,
    webhooks::payload,
};
use jiff::SignedDuration;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tracing::{error, info, warn};

/// How long an endpoint is waited for, from the look-up of its name to the end of its answer.
const PATIENCE: SignedDuration = SignedDuration::from_secs(15);

/// How long nobody else sends a delivery that somebody is sending; longer than [`PATIENCE`].
const LEASE: SignedDuration = SignedDuration::from_secs(25);

/// How often the store is looked at when there is no news: for retries, expiries, and what the
/// command line asks for.
const IDLE: SignedDuration = SignedDuration::from_secs(1);

/// How long news is gathered before the store is looked at: a look serves a crowd of changes as well as one.
const GATHERED: Duration = Duration::from_millis(5);

/// How many requests to one endpoint are under way at once. One that has just failed gets a single
/// one, so that many dead endpoints hold up none of the living.
const AT_ONCE: u32 = 16;

/// How many requests are under way at once.
const AT_ONCE_IN_ALL: u32 = 256;

/// How many overdue transactions and sessions are announced in one write.
const ANNOUNCED_AT_ONCE: u32 = 100;

pub(super) async fn run(app: Arc<App>) {
    let lanes = Arc::new(Lanes::default());
    while !app.stopping.is_cancelled() {
        let looked_at = app.clock.now();
        app.readiness.worker_turned(Worker::Webhooks, looked_at);
        // Before the look at the store, so that no news falls between the look and the wait.
        let news = app.changes.outbox_changed();
        let idle = match round(&app, &lanes).await {
            Ok(done) => done == 0,
            Err(error) => {
                error!(%error, "due webhooks could not be read; trying again");
                true
            }
        };
        if idle {
            tokio::select! {
                () = news => tokio::time::sleep(GATHERED).await,
                // From the look on: a clock that was moved meanwhile has made something due.
                () = app.clock.sleep_until(looked_at + IDLE) => {}
                () = app.stopping.cancelled() => return,
            }
        }
    }
}

/// Begins what is due, as much as there is room for, and returns how much that was.
async fn round(app: &Arc<App>, lanes: &Arc<Lanes>) -> Result<usize, StoreError> {
    let now = app.clock.now();
    let mut done = app.store.announce_overdue(now, ANNOUNCED_AT_ONCE).await?;
    for endpoint in app.store.endpoints_due(now).await? {
        let room = lanes.room(&endpoint.id);
        if room == 0 {
            continue;
        }
        let endpoint = Arc::new(endpoint);
        for delivery in app.store.lease_deliveries(&endpoint.id, now, now + LEASE, room).await? {
            done += 1;
            lanes.enter(&endpoint.id);
            app.tasks.spawn(deliver(app.clone(), lanes.clone(), endpoint.clone(), delivery));
        }
    }
    Ok(done)
}

async fn deliver(app: Arc<App>, lanes: Arc<Lanes>, endpoint: Arc<Endpoint>, delivery: Delivery) {
    let attempted = match payload::body(app.store.as_ref(), &delivery).await {
        Ok(body) => attempt(&app, &endpoint, &delivery, body).await,
        Err(error) => {
            error!(delivery = %delivery.id, %error, "a webhook's body could not be read; it is tried again");
            Attempted::Refused(None, "its body could not be read from our database".to_owned())
        }
    };
    log(&endpoint, &delivery, &attempted);
    app.metrics.webhook_sent(&attempted, app.clock.now().duration_since(delivery.occurred_at));
    if let Err(error) = app.store.delivery_attempted(&delivery, attempted.clone(), app.clock.now()).await {
        error!(delivery = %delivery.id, %error, "what came of a webhook could not be stored; it is sent again");
    }
    lanes.leave(&endpoint.id, matches!(attempted, Attempted::Taken(_)));
    // There is room for the next one.
    app.changes.notify_outbox();
}

async fn attempt(app: &App, endpoint: &Endpoint, delivery: &Delivery, body: String) -> Attempted {
    let now = app.clock.now();
    tokio::select! {
        attempted = app.webhooks.send(endpoint, delivery, body, &app.server_key, now) => attempted,
        () = app.clock.sleep_until(now + PATIENCE) => {
            Attempted::Refused(None, "it did not answer within 15 seconds".to_owned())
        }
    }
}

fn log(endpoint: &Endpoint, delivery: &Delivery, attempted: &Attempted) {
    let event = delivery.event_type.as_str();
    match attempted {
        Attempted::Taken(status) => {
            info!(delivery = %delivery.id, endpoint = %endpoint.id, event, status, "webhook delivered");
        }
        Attempted::Refused(status, why) => {
            warn!(delivery = %delivery.id, endpoint = %endpoint.id, event, status, why, "webhook not taken");
        }
        Attempted::Gone => {
            warn!(delivery = %delivery.id, endpoint = %endpoint.id, event, "the endpoint is gone (410): disabled");
        }
    }
}

/// How many requests to each endpoint are under way.
#[derive(Debug, Default)]
struct Lanes(Mutex<HashMap<EndpointId, Lane>>);

#[derive(Debug, Default)]
struct Lane {
    under_way: u32,
    failing: bool,
}

impl Lanes {
    /// How many more requests may be sent to an endpoint now.
    fn room(&self, id: &EndpointId) -> u32 {
        let lanes = self.lock();
        let in_all: u32 = lanes.values().map(|lane| lane.under_way).sum();
        let (under_way, most) = match lanes.get(id) {
            Some(Lane { under_way, failing: true }) => (*under_way, 1),
            Some(lane) => (lane.under_way, AT_ONCE),
            None => (0, AT_ONCE),
        };
        most.saturating_sub(under_way).min(AT_ONCE_IN_ALL.saturating_sub(in_all))
    }

    fn enter(&self, id: &EndpointId) {
        self.lock().entry(id.clone()).or_default().under_way += 1;
    }

    fn leave(&self, id: &EndpointId, taken: bool) {
        let mut lanes = self.lock();
        let Some(lane) = lanes.get_mut(id) else { return };
        lane.under_way -= 1;
        lane.failing = !taken;
        // Only what differs from a new lane is kept, so that the map stays small.
        if taken && lane.under_way == 0 {
            lanes.remove(id);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<EndpointId, Lane>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_that_fails_gets_one_request_at_a_time_until_it_answers() {
        let (lanes, id) = (Lanes::default(), EndpointId::mint());
        assert_eq!(lanes.room(&id), AT_ONCE);
        lanes.enter(&id);
        assert_eq!(lanes.room(&id), AT_ONCE - 1);
        lanes.leave(&id, false);
        assert_eq!(lanes.room(&id), 1);
        lanes.enter(&id);
        assert_eq!(lanes.room(&id), 0);
        lanes.leave(&id, true);
        assert_eq!(lanes.room(&id), AT_ONCE);
        assert!(lanes.lock().is_empty());
    }

    #[test]
    fn a_flood_leaves_no_more_under_way_than_there_may_be() {
        let lanes = Lanes::default();
        let mut entered = 0;
        for _ in 0..100 {
            let id = EndpointId::mint();
            for _ in 0..lanes.room(&id) {
                lanes.enter(&id);
                entered += 1;
            }
        }
        assert_eq!(entered, AT_ONCE_IN_ALL);
    }
}
