//! Measurements, one set for each service, read by Prometheus at `/metrics` (contract section 4).

mod labels;
mod scrape;
mod store;

use crate::{
    domain::{NewTransaction, Transaction, pending::Pending, retention::Pruned},
    webhooks::Attempted,
};
use jiff::{SignedDuration, Timestamp};
use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};
use std::{collections::HashMap, time::Duration};
use tua_contract::State;

pub use scrape::router;
pub use store::{Queued, StoreMetrics};

type Histograms<Labels> = Family<Labels, Histogram, fn() -> Histogram>;

/// The measurements of one service.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<labels::Request, Counter>,
    request_duration: Histograms<labels::Route>,
    transitions: Family<labels::Transition, Counter>,
    conflicts: Family<labels::Subject, Counter>,
    reversals: Family<labels::Subject, Counter>,
    operator_duration: Histograms<labels::OperatorCall>,
    pending: Family<labels::PendingAge, Gauge>,
    flagged: Family<labels::OfMode, Gauge>,
    webhook_delay: Histograms<labels::Outcome>,
    pruned: Family<labels::Kind, Counter>,
    /// What was turned away as too much.
    pub turned_away: Counter,
    /// The store's, measured where it writes.
    pub store: StoreMetrics,
}

impl Metrics {
    /// Measurements that begin now, all at nothing.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        let mut metrics = Self {
            registry: Registry::default(),
            requests: Family::default(),
            request_duration: Histograms::new_with_constructor(request_duration),
            transitions: Family::default(),
            conflicts: Family::default(),
            reversals: Family::default(),
            operator_duration: Histograms::new_with_constructor(operator_duration),
            pending: Family::default(),
            flagged: Family::default(),
            webhook_delay: Histograms::new_with_constructor(webhook_delay),
            pruned: Family::default(),
            turned_away: Counter::default(),
            store: StoreMetrics::default(),
        };
        let mut registry = Registry::default();
        metrics.register_process(&mut registry, now);
        metrics.register(registry.sub_registry_with_prefix("tua"));
        metrics.registry = registry;
        metrics
    }

    fn register_process(&self, registry: &mut Registry, now: Timestamp) {
        let (started, build) = (Gauge::<i64>::default(), Family::<labels::Build, Gauge>::default());
        started.set(now.as_second());
        registry.register_with_unit("process_start_time", "When the service was started", Unit::Seconds, started);
        build.get_or_create(&labels::Build { version: env!("CARGO_PKG_VERSION") }).set(1);
        registry.register("tua_build_info", "Which version this is", build);
    }

    fn register(&self, registry: &mut Registry) {
        registry.register("http_requests", "Requests answered", self.requests.clone());
        let help = "Until a request was answered, the wait of long polls included";
        registry.register_with_unit("http_request_duration", help, Unit::Seconds, self.request_duration.clone());
        registry.register("transitions", "Transactions begun and moved", self.transitions.clone());
        let help = "Operators' words against a final state";
        registry.register("conflicts", help, self.conflicts.clone());
        let help = "Payouts that operators sent back after they had succeeded";
        registry.register("reversals", help, self.reversals.clone());
        let help = "Until an operator answered, or was waited for no longer";
        registry.register_with_unit("operator_call_duration", help, Unit::Seconds, self.operator_duration.clone());
        registry.register("pending", "Transactions not decided yet", self.pending.clone());
        registry.register("flagged", "Transactions that wait for `tua review`", self.flagged.clone());
        let help = "From an event until an attempt to tell of it had ended";
        registry.register_with_unit("webhook_delay", help, Unit::Seconds, self.webhook_delay.clone());
        let help = "Payments and sessions that were not begun because there was too much to do";
        registry.register("turned_away", help, self.turned_away.clone());
        let help = "Rows forgotten after their time";
        registry.register("pruned_rows", help, self.pruned.clone());
        self.store.register(registry);
    }

    /// A request was answered. `route` is as declared, never as sent.
    pub fn request_answered(&self, method: &str, route: &str, status: u16, took: Duration) {
        let (method, route) = (labels::method(method), route.to_owned());
        self.requests.get_or_create(&labels::Request { method, route: route.clone(), status }).inc();
        self.request_duration.get_or_create(&labels::Route { method, route }).observe(took.as_secs_f64());
    }

    /// A transaction was begun.
    pub fn transaction_begun(&self, transaction: &Transaction) {
        let begun = &transaction.begun;
        self.transitions.get_or_create(&labels::Transition::new(begun, None, State::NEW)).inc();
    }

    /// A transaction changed: it moved from where it was, or its operator undid or contradicted that.
    pub fn transaction_changed(&self, transaction: &Transaction, before: State) {
        let (begun, after) = (&transaction.begun, transaction.state);
        if after != before {
            self.transitions.get_or_create(&labels::Transition::new(begun, Some(before), after)).inc();
        } else if transaction.reversed_at == Some(transaction.updated_at) {
            self.reversals.get_or_create(&labels::Subject::of(begun)).inc();
        } else {
            self.conflicts.get_or_create(&labels::Subject::of(begun)).inc();
        }
    }

    /// An operator was called about a transaction.
    pub fn operator_called(
        &self,
        begun: &NewTransaction,
        operation: &'static str,
        outcome: &'static str,
        took: Duration,
    ) {
        let labels::Subject { network, mode, .. } = labels::Subject::of(begun);
        let call = labels::OperatorCall { operation, outcome, network, mode };
        self.operator_duration.get_or_create(&call).observe(took.as_secs_f64());
    }

    /// A webhook was sent, so long after its event.
    pub fn webhook_sent(&self, attempted: &Attempted, delay: SignedDuration) {
        let outcome = match attempted {
            Attempted::Taken(_) => "taken",
            Attempted::Refused(..) => "refused",
            Attempted::Gone => "gone",
        };
        self.webhook_delay.get_or_create(&labels::Outcome { outcome }).observe(delay.as_secs_f64());
    }

    /// So much was forgotten.
    pub fn pruned(&self, pruned: Pruned) {
        for (kind, rows) in pruned.by_kind() {
            self.pruned.get_or_create(&labels::Kind { kind }).inc_by(rows);
        }
    }

    /// Takes over what the store counted just now.
    fn set_pending(&self, counts: &HashMap<Pending, u32>) {
        self.pending.clear();
        self.flagged.clear();
        for mode in crate::domain::Mode::ALL {
            self.flagged.get_or_create(&labels::OfMode { mode: mode.as_str() }).set(0);
        }
        for (pending, count) in counts {
            let count = i64::from(*count);
            self.pending.get_or_create(&labels::PendingAge::from(*pending)).inc_by(count);
            if pending.flagged {
                self.flagged.get_or_create(&labels::OfMode { mode: pending.mode.as_str() }).inc_by(count);
            }
        }
    }
}

fn request_duration() -> Histogram {
    Histogram::new([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0])
}

fn operator_duration() -> Histogram {
    Histogram::new([0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0])
}

/// From at once to the end of the retries, after more than three days (contract section 8).
fn webhook_delay() -> Histogram {
    Histogram::new([1.0, 5.0, 30.0, 300.0, 1800.0, 7200.0, 18_000.0, 36_000.0, 86_400.0, 259_200.0])
}
