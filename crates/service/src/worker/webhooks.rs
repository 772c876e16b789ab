//! Delivers webhooks that are due, and inserts webhooks for delayed transactions and expired sessions.

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

/// The timeout of a delivery attempt, from name resolution to the end of the response.
const DELIVERY_TIMEOUT: SignedDuration = SignedDuration::from_secs(15);

/// How long a delivery is leased: longer than [`DELIVERY_TIMEOUT`].
const LEASE: SignedDuration = SignedDuration::from_secs(25);

/// How often the store is polled without a notification: for retries, expiries and commands of the command line.
const IDLE: SignedDuration = SignedDuration::from_secs(1);

/// The delay after a notification, so that one round serves many changes.
const COALESCE_DELAY: Duration = Duration::from_millis(5);

/// The largest number of concurrent requests to one endpoint. A failing endpoint gets one at a time, so that many failing
/// endpoints do not delay the others.
const MAX_PER_ENDPOINT: u32 = 16;

/// The largest number of concurrent requests.
const MAX_TOTAL: u32 = 256;

/// The largest number of overdue transactions and sessions per write.
const MAX_OVERDUE: u32 = 100;

pub(super) async fn run(app: Arc<App>) {
    let in_flight = Arc::new(InFlight::default());
    while !app.stopping.is_cancelled() {
        let round_start = app.clock.now();
        app.readiness.worker_turned(Worker::Webhooks, round_start);
        // Subscribes before the round, so that no notification is lost between the round and the wait.
        let changed = app.changes.outbox_changed();
        let idle = match round(&app, &in_flight).await {
            Ok(done) => done == 0,
            Err(error) => {
                error!(%error, "cannot read due webhooks; trying again");
                true
            }
        };
        if idle {
            tokio::select! {
                () = changed => tokio::time::sleep(COALESCE_DELAY).await,
                // Relative to the time before the round: a clock that was moved meanwhile has made something due.
                () = app.clock.sleep_until(round_start + IDLE) => {}
                () = app.stopping.cancelled() => return,
            }
        }
    }
}

/// Starts due deliveries, as many as the limits permit, and returns how much was done.
async fn round(app: &Arc<App>, in_flight: &Arc<InFlight>) -> Result<usize, StoreError> {
    let now = app.clock.now();
    let mut done = app.store.announce_overdue(now, MAX_OVERDUE).await?;
    for endpoint in app.store.endpoints_due(now).await? {
        let capacity = in_flight.capacity(&endpoint.id);
        if capacity == 0 {
            continue;
        }
        let endpoint = Arc::new(endpoint);
        for delivery in app.store.lease_deliveries(&endpoint.id, now, now + LEASE, capacity).await? {
            done += 1;
            in_flight.start(&endpoint.id);
            app.tasks.spawn(deliver(app.clone(), in_flight.clone(), endpoint.clone(), delivery));
        }
    }
    Ok(done)
}

async fn deliver(app: Arc<App>, in_flight: Arc<InFlight>, endpoint: Arc<Endpoint>, delivery: Delivery) {
    let attempted = match payload::body(app.store.as_ref(), &delivery).await {
        Ok(body) => attempt(&app, &endpoint, &delivery, body).await,
        Err(error) => {
            error!(delivery = %delivery.id, %error, "cannot read a webhook's body; it is retried");
            Attempted::Refused(None, "the service could not read the webhook's body from its database".to_owned())
        }
    };
    log(&endpoint, &delivery, &attempted);
    app.metrics.webhook_sent(&attempted, app.clock.now().duration_since(delivery.occurred_at));
    if let Err(error) = app.store.delivery_attempted(&delivery, attempted.clone(), app.clock.now()).await {
        error!(delivery = %delivery.id, %error, "cannot store a delivery attempt; the webhook is sent again");
    }
    in_flight.finish(&endpoint.id, matches!(attempted, Attempted::Taken(_)));
    // A permit is free for the next delivery.
    app.changes.notify_outbox();
}

async fn attempt(app: &App, endpoint: &Endpoint, delivery: &Delivery, body: String) -> Attempted {
    let now = app.clock.now();
    tokio::select! {
        attempted = app.webhooks.send(endpoint, delivery, body, &app.server_key, now) => attempted,
        () = app.clock.sleep_until(now + DELIVERY_TIMEOUT) => {
            Attempted::Refused(None, "it did not respond within 15 seconds".to_owned())
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
            warn!(delivery = %delivery.id, endpoint = %endpoint.id, event, status, why, "webhook delivery failed");
        }
        Attempted::Gone => {
            warn!(delivery = %delivery.id, endpoint = %endpoint.id, event, "endpoint disabled: it responded with 410");
        }
    }
}

/// The number of concurrent requests to each endpoint.
#[derive(Debug, Default)]
struct InFlight(Mutex<HashMap<EndpointId, EndpointState>>);

#[derive(Debug, Default)]
struct EndpointState {
    requests: u32,
    failing: bool,
}

impl InFlight {
    /// How many more requests may be sent to an endpoint now.
    fn capacity(&self, id: &EndpointId) -> u32 {
        let in_flight = self.lock();
        let total: u32 = in_flight.values().map(|state| state.requests).sum();
        let (requests, most) = match in_flight.get(id) {
            Some(EndpointState { requests, failing: true }) => (*requests, 1),
            Some(state) => (state.requests, MAX_PER_ENDPOINT),
            None => (0, MAX_PER_ENDPOINT),
        };
        most.saturating_sub(requests).min(MAX_TOTAL.saturating_sub(total))
    }

    fn start(&self, id: &EndpointId) {
        self.lock().entry(id.clone()).or_default().requests += 1;
    }

    fn finish(&self, id: &EndpointId, succeeded: bool) {
        let mut in_flight = self.lock();
        let Some(state) = in_flight.get_mut(id) else { return };
        state.requests -= 1;
        state.failing = !succeeded;
        // Entries equal to the default are removed, so that the map stays small.
        if succeeded && state.requests == 0 {
            in_flight.remove(id);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<EndpointId, EndpointState>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_endpoint_gets_one_request_at_a_time_until_it_succeeds() {
        let (in_flight, id) = (InFlight::default(), EndpointId::mint());
        assert_eq!(in_flight.capacity(&id), MAX_PER_ENDPOINT);
        in_flight.start(&id);
        assert_eq!(in_flight.capacity(&id), MAX_PER_ENDPOINT - 1);
        in_flight.finish(&id, false);
        assert_eq!(in_flight.capacity(&id), 1);
        in_flight.start(&id);
        assert_eq!(in_flight.capacity(&id), 0);
        in_flight.finish(&id, true);
        assert_eq!(in_flight.capacity(&id), MAX_PER_ENDPOINT);
        assert!(in_flight.lock().is_empty());
    }

    #[test]
    fn many_endpoints_together_stay_within_the_total_limit() {
        let in_flight = InFlight::default();
        let mut entered = 0;
        for _ in 0..100 {
            let id = EndpointId::mint();
            for _ in 0..in_flight.capacity(&id) {
                in_flight.start(&id);
                entered += 1;
            }
        }
        assert_eq!(entered, MAX_TOTAL);
    }
}
