//! Sends webhooks that are due, and inserts webhooks about what only the time changes, such as an
//! expiry.

use futures_util::FutureExt;
use jiff::SignedDuration;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::{error, info, warn};
use tua_domain::{
    EndpointId,
    change_notifier::ChangeNotifier,
    key_ring::KeyRing,
    ports::{Clock, StoreError},
    test_log::{LogEntryKind, LoggedDelivery, TestLog},
    webhook::{Delivery, DeliveryAttempt, DeliveryOutcome, Endpoint, delivery::DELIVERY_LEASE},
};
use tua_metrics::Metrics;
use tua_use_cases::{DueDeliveries, Readiness, readiness::Worker};
use tua_webhooks::{payload, sender::Sender};

/// The timeout of one request, from the DNS look-up to the end of the response.
const REQUEST_TIMEOUT: SignedDuration = SignedDuration::from_secs(15);

/// A lease outlasts the request.
const _: () = assert!(DELIVERY_LEASE.as_secs() > REQUEST_TIMEOUT.as_secs());

/// The polling interval of the outbox without a change: for retries, expiries, and changes by the
/// command line.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How long changes are collected before the outbox is read, so that one query serves many changes.
const COLLECT_DELAY: Duration = Duration::from_millis(5);

/// The maximum number of concurrent requests to one endpoint. An endpoint whose last attempt failed
/// gets one at a time, so that many failing endpoints do not delay the others.
const MAX_CONCURRENT_PER_ENDPOINT: u32 = 16;

/// The maximum number of concurrent requests to all endpoints.
const MAX_CONCURRENT: u32 = 256;

/// Sends deliveries that are due, and announces overdue transactions and sessions.
#[derive(Debug)]
pub struct WebhookWorker {
    /// Reads the deliveries that are due, and records what came of them.
    pub deliveries: DueDeliveries,
    /// Decides what is due, and when a lease expires.
    pub clock: Arc<dyn Clock>,
    /// Tells that the outbox has changed.
    pub changes: Arc<ChangeNotifier>,
    /// Sends one delivery as a signed HTTP request.
    pub sender: Sender,
    /// Decrypts the secrets of endpoints.
    pub keys: KeyRing,
    /// Gets each attempt, for developers who follow test mode.
    pub test_log: Arc<TestLog>,
    /// Counts attempts by outcome, with the time since the event.
    pub metrics: Arc<Metrics>,
    /// Where it reports that it still runs.
    pub readiness: Arc<Readiness>,
    /// Tracks the requests in flight, which a stop waits for.
    pub tasks: TaskTracker,
    /// Ends the worker, between two rounds.
    pub stopping: CancellationToken,
}

impl WebhookWorker {
    /// Sends what is due until the service stops.
    pub async fn run(self: Arc<Self>) {
        let loads = Arc::new(EndpointLoads::default());
        while !self.stopping.is_cancelled() {
            let looked_at = self.clock.uptime();
            self.readiness.worker_looked(Worker::Webhooks, looked_at);
            // Before the store is read, so that no change falls between the read and the wait.
            let changed = self.changes.outbox_changed();
            let is_idle = match self.round(&loads).await {
                Ok(done) => done == 0,
                Err(error) => {
                    error!(%error, "due webhooks could not be read; trying again");
                    true
                }
            };
            if is_idle {
                tokio::select! {
                    () = changed => tokio::time::sleep(COLLECT_DELAY).await,
                    // From the look on: a test clock that was moved meanwhile has made something
                    // due.
                    () = self.clock.sleep_until_uptime(looked_at + POLL_INTERVAL) => {}
                    () = self.stopping.cancelled() => return,
                }
            }
        }
    }

    /// Starts the deliveries that are due and have a free slot, and returns how many those are.
    async fn round(self: &Arc<Self>, loads: &Arc<EndpointLoads>) -> Result<usize, StoreError> {
        let now = self.clock.now();
        let due = self.deliveries.endpoints(now).await?;
        let mut done = due.announced;
        for endpoint in due.endpoints {
            let free_slots = loads.free_slots(&endpoint.id);
            if free_slots == 0 {
                continue;
            }
            let endpoint = Arc::new(endpoint);
            for delivery in
                self.deliveries.lease(&endpoint.id, now, now + DELIVERY_LEASE, free_slots).await?
            {
                done += 1;
                loads.enter(&endpoint.id);
                let delivered = self.clone().deliver(loads.clone(), endpoint.clone(), delivery);
                self.tasks.spawn(delivered.boxed());
            }
        }
        Ok(done)
    }

    async fn deliver(
        self: Arc<Self>,
        loads: Arc<EndpointLoads>,
        endpoint: Arc<Endpoint>,
        delivery: Delivery,
    ) {
        let attempt = match self.body(&delivery).await {
            Ok(body) => self.attempt(&endpoint, &delivery, body).await,
            Err(error) => {
                error!(delivery = %delivery.id, %error, "a webhook's body could not be read; it is \
                    tried again");
                DeliveryOutcome::Failed(
                    None,
                    "its body could not be read from our database".to_owned(),
                )
                .into()
            }
        };
        let outcome = &attempt.outcome;
        log(&endpoint, &delivery, outcome);
        if TestLog::records(&endpoint.scope) {
            let entry = logged(&endpoint, &delivery, &attempt);
            self.test_log.record(&endpoint.scope, LogEntryKind::Delivery(entry));
        }
        self.metrics.webhook_sent(outcome, self.clock.now().duration_since(delivery.occurred_at));
        if let Err(error) = self.deliveries.record(&delivery, attempt.clone()).await {
            error!(delivery = %delivery.id, %error, "the result of a webhook could not be stored; \
                it is sent again");
        }
        loads.leave(&endpoint.id, matches!(attempt.outcome, DeliveryOutcome::Accepted(_)));
        // A slot is free for the next delivery.
        self.changes.notify_outbox();
    }

    async fn body(&self, delivery: &Delivery) -> Result<String, StoreError> {
        payload::body(delivery, &self.deliveries.subject(delivery).await?)
    }

    async fn attempt(
        &self,
        endpoint: &Endpoint,
        delivery: &Delivery,
        body: String,
    ) -> DeliveryAttempt {
        let now = self.clock.now();
        tokio::select! {
            attempt = self.sender.send(endpoint, delivery, body, &self.keys, now) => attempt,
            () = self.clock.sleep_until(now + REQUEST_TIMEOUT) => {
                let why = "it did not answer within 15 seconds";
                DeliveryOutcome::Failed(None, why.to_owned()).into()
            }
        }
    }
}

/// The attempt as developers follow it.
fn logged(endpoint: &Endpoint, delivery: &Delivery, attempt: &DeliveryAttempt) -> LoggedDelivery {
    let (http_status, fault) = match &attempt.outcome {
        DeliveryOutcome::Accepted(status) => (Some(*status), None),
        DeliveryOutcome::Failed(status, why) => (*status, Some(why.clone())),
        DeliveryOutcome::Gone => {
            (Some(410), Some("the endpoint is gone and was disabled".to_owned()))
        }
    };
    LoggedDelivery {
        id: delivery.id.clone(),
        endpoint: endpoint.id.clone(),
        webhook_id: delivery.webhook_id.clone(),
        event_type: delivery.event_type,
        resource: delivery.subject.id().to_owned(),
        attempt: delivery.attempts + 1,
        http_status,
        fault,
        response: attempt.response.clone(),
    }
}

fn log(endpoint: &Endpoint, delivery: &Delivery, outcome: &DeliveryOutcome) {
    let event = delivery.event_type.as_str();
    match outcome {
        DeliveryOutcome::Accepted(status) => {
            info!(
                delivery = %delivery.id,
                endpoint = %endpoint.id,
                event,
                status,
                "webhook delivered"
            );
        }
        DeliveryOutcome::Failed(status, why) => {
            warn!(
                delivery = %delivery.id,
                endpoint = %endpoint.id,
                event,
                status,
                why,
                "webhook not taken"
            );
        }
        DeliveryOutcome::Gone => {
            warn!(
                delivery = %delivery.id,
                endpoint = %endpoint.id,
                event,
                "the endpoint is gone (410): disabled"
            );
        }
    }
}

/// The number of requests in flight to each endpoint.
#[derive(Debug, Default)]
struct EndpointLoads(Mutex<HashMap<EndpointId, EndpointLoad>>);

#[derive(Debug, Default)]
struct EndpointLoad {
    in_flight: u32,
    is_failing: bool,
}

impl EndpointLoads {
    /// The number of further requests that may be sent to an endpoint now.
    fn free_slots(&self, id: &EndpointId) -> u32 {
        let loads = self.lock();
        let in_all: u32 = loads.values().map(|load| load.in_flight).sum();
        let (in_flight, limit) = match loads.get(id) {
            Some(EndpointLoad { in_flight, is_failing: true }) => (*in_flight, 1),
            Some(load) => (load.in_flight, MAX_CONCURRENT_PER_ENDPOINT),
            None => (0, MAX_CONCURRENT_PER_ENDPOINT),
        };
        limit.saturating_sub(in_flight).min(MAX_CONCURRENT.saturating_sub(in_all))
    }

    fn enter(&self, id: &EndpointId) {
        self.lock().entry(id.clone()).or_default().in_flight += 1;
    }

    fn leave(&self, id: &EndpointId, is_accepted: bool) {
        let mut loads = self.lock();
        let Some(load) = loads.get_mut(id) else { return };
        load.in_flight -= 1;
        load.is_failing = !is_accepted;
        // Only entries that differ from the default are kept, so that the map stays small.
        if is_accepted && load.in_flight == 0 {
            loads.remove(id);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<EndpointId, EndpointLoad>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_that_fails_gets_one_request_at_a_time_until_it_answers() {
        let loads = EndpointLoads::default();
        let id = EndpointId::mint();
        assert_eq!(loads.free_slots(&id), MAX_CONCURRENT_PER_ENDPOINT);
        loads.enter(&id);
        assert_eq!(loads.free_slots(&id), MAX_CONCURRENT_PER_ENDPOINT - 1);
        loads.leave(&id, false);
        assert_eq!(loads.free_slots(&id), 1);
        loads.enter(&id);
        assert_eq!(loads.free_slots(&id), 0);
        loads.leave(&id, true);
        assert_eq!(loads.free_slots(&id), MAX_CONCURRENT_PER_ENDPOINT);
        assert!(loads.lock().is_empty());
    }

    #[test]
    fn a_flood_leaves_no_more_under_way_than_there_may_be() {
        let loads = EndpointLoads::default();
        let mut entered = 0;
        for _ in 0..100 {
            let id = EndpointId::mint();
            for _ in 0..loads.free_slots(&id) {
                loads.enter(&id);
                entered += 1;
            }
        }
        assert_eq!(entered, MAX_CONCURRENT);
    }
}
