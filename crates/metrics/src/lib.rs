//! The service's metrics, in a registry for each service, exported to Prometheus at `/metrics`
//! (docs/reference/endpoints.md).

mod labels;
mod operators;
mod scrape;
mod store;

use jiff::{SignedDuration, Timestamp};
use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};
use std::{collections::HashMap, time::Duration};
use tua_contract::State;
use tua_domain::{
    Transaction,
    pending::PendingGroup,
    ports::{PaymentMetrics, SignInMetrics},
    retention::Pruned,
    webhook::{DeliveryOutcome, Endpoint},
};

pub use scrape::{Scraper, router};
pub use store::{Queued, StoreMetrics};

type Histograms<Labels> = Family<Labels, Histogram, fn() -> Histogram>;

/// The metrics of one service.
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
    disabled_endpoints: Family<labels::OfMode, Gauge>,
    webhook_delay: Histograms<labels::Outcome>,
    pruned: Family<labels::Kind, Counter>,
    requests_shed: Counter,
    certificate_expiry: Family<labels::NoLabels, Gauge>,
    callbacks: Family<labels::Outcome, Counter>,
    operators: operators::OperatorMetrics,
    acme_orders: Family<labels::Outcome, Counter>,
    sign_ins_refused: Family<labels::Reason, Counter>,
    /// The store's metrics; the store updates them when it writes.
    pub store: StoreMetrics,
}

impl Metrics {
    /// New metrics, all zero. `now` is the start time of the process.
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
            disabled_endpoints: Family::default(),
            webhook_delay: Histograms::new_with_constructor(webhook_delay),
            pruned: Family::default(),
            requests_shed: Counter::default(),
            certificate_expiry: Family::default(),
            callbacks: Family::default(),
            operators: operators::OperatorMetrics::default(),
            acme_orders: Family::default(),
            sign_ins_refused: Family::default(),
            store: StoreMetrics::default(),
        };
        let mut registry = Registry::default();
        metrics.register_process(&mut registry, now);
        metrics.register(registry.sub_registry_with_prefix("tua"));
        metrics.registry = registry;
        metrics
    }

    fn register_process(&self, registry: &mut Registry, now: Timestamp) {
        let started = Gauge::<i64>::default();
        let build = Family::<labels::Build, Gauge>::default();
        started.set(now.as_second());
        let help = "Unix time when the process started";
        registry.register_with_unit("process_start_time", help, Unit::Seconds, started);
        build.get_or_create(&labels::Build { version: env!("CARGO_PKG_VERSION") }).set(1);
        registry.register("tua_build_info", "Version of the service, as a label", build);
    }

    fn register(&self, registry: &mut Registry) {
        registry.register(
            "http_requests",
            "Responses sent, by route and status",
            self.requests.clone(),
        );
        let help =
            "Time from a request's head to its response, including the waiting time of long polls";
        registry.register_with_unit(
            "http_request_duration",
            help,
            Unit::Seconds,
            self.request_duration.clone(),
        );
        registry.register(
            "transitions",
            "Transactions created, and their state transitions",
            self.transitions.clone(),
        );
        let help = "Operator responses that contradict a transaction's final status";
        registry.register("conflicts", help, self.conflicts.clone());
        let help = "Successful payouts that the operator reversed later";
        registry.register("reversals", help, self.reversals.clone());
        let help = "Duration of calls to operators, including calls that timed out";
        registry.register_with_unit(
            "operator_call_duration",
            help,
            Unit::Seconds,
            self.operator_duration.clone(),
        );
        registry.register(
            "pending",
            "Transactions without a final status, by age",
            self.pending.clone(),
        );
        let disabled = self.disabled_endpoints.clone();
        registry.register(
            "webhook_endpoints_disabled",
            "Webhook endpoints that are disabled",
            disabled,
        );
        registry.register(
            "flagged",
            "Transactions that need a manual review (`tua review`)",
            self.flagged.clone(),
        );
        let help = "Time from an event to the end of a delivery attempt of its webhook";
        registry.register_with_unit(
            "webhook_delay",
            help,
            Unit::Seconds,
            self.webhook_delay.clone(),
        );
        let help = "Payments and checkout sessions rejected because the service was overloaded";
        registry.register("requests_shed", help, self.requests_shed.clone());
        let help = "Rows deleted after their retention period";
        registry.register("pruned_rows", help, self.pruned.clone());
        let help = "Unix time until which the TLS certificate in use is valid";
        let expiry = self.certificate_expiry.clone();
        registry.register_with_unit("tls_certificate_not_after", help, Unit::Seconds, expiry);
        let help = "Callbacks of operators";
        registry.register("operator_callbacks", help, self.callbacks.clone());
        let help = "Certificates ordered from the ACME server";
        registry.register("acme_orders", help, self.acme_orders.clone());
        let help =
            "Attempts to sign in to the dashboard, or to prove a session again, that were refused";
        registry.register("sign_ins_refused", help, self.sign_ins_refused.clone());
        self.operators.register(registry);
        self.store.register(registry);
    }

    /// Sets the expiry of the TLS certificate in use. Without a certificate there is no sample.
    pub fn certificate_expires(&self, at: Timestamp) {
        self.certificate_expiry.get_or_create(&labels::NoLabels {}).set(at.as_second());
    }

    /// Counts a callback of an operator; `outcome` is from a short list.
    pub fn callback_received(&self, outcome: &'static str) {
        self.callbacks.get_or_create(&labels::Outcome { outcome }).inc();
    }

    /// Counts an order of a certificate; `outcome` is `issued` or `failed`.
    pub fn acme_order(&self, outcome: &'static str) {
        self.acme_orders.get_or_create(&labels::Outcome { outcome }).inc();
    }

    /// Counts a response. `route` is the declared route, never the path of the request.
    pub fn request_answered(&self, method: &str, route: &str, status: u16, took: Duration) {
        let method = labels::method(method);
        let route = route.to_owned();
        self.requests
            .get_or_create(&labels::Request { method, route: route.clone(), status })
            .inc();
        self.request_duration
            .get_or_create(&labels::Route { method, route })
            .observe(took.as_secs_f64());
    }

    /// Measures a delivery attempt; `delay` is the time since the webhook's event.
    pub fn webhook_sent(&self, outcome: &DeliveryOutcome, delay: SignedDuration) {
        let outcome = match outcome {
            DeliveryOutcome::Accepted(_) => "taken",
            DeliveryOutcome::Failed(..) => "refused",
            DeliveryOutcome::Gone => "gone",
        };
        self.webhook_delay.get_or_create(&labels::Outcome { outcome }).observe(delay.as_secs_f64());
    }

    /// Adds the rows that one step of the pruning has deleted, by kind of row.
    pub fn pruned(&self, pruned: Pruned) {
        for (kind, rows) in pruned.by_kind() {
            self.pruned.get_or_create(&labels::Kind { kind }).inc_by(rows);
        }
    }

    /// Sets the gauges of disabled webhook endpoints, one for each mode.
    fn set_endpoints(&self, endpoints: &[Endpoint]) {
        for mode in tua_domain::Mode::ALL {
            let disabled = |endpoint: &&Endpoint| {
                endpoint.scope.mode == *mode && endpoint.disabled_at.is_some()
            };
            let count =
                i64::try_from(endpoints.iter().filter(disabled).count()).unwrap_or(i64::MAX);
            self.disabled_endpoints
                .get_or_create(&labels::OfMode { mode: mode.as_str() })
                .set(count);
        }
    }

    /// Sets the gauges to what the store has just counted.
    fn set_pending(&self, counts: &HashMap<PendingGroup, u32>) {
        self.pending.clear();
        self.flagged.clear();
        for mode in tua_domain::Mode::ALL {
            self.flagged.get_or_create(&labels::OfMode { mode: mode.as_str() }).set(0);
        }
        for (pending, count) in counts {
            let count = i64::from(*count);
            self.pending.get_or_create(&labels::PendingAge::from(*pending)).inc_by(count);
            if pending.is_flagged {
                self.flagged
                    .get_or_create(&labels::OfMode { mode: pending.mode.as_str() })
                    .inc_by(count);
            }
        }
    }
}

impl PaymentMetrics for Metrics {
    fn transaction_begun(&self, transaction: &Transaction) {
        let order = &transaction.order;
        self.transitions
            .get_or_create(&labels::Transition::new(order, None, transaction.state))
            .inc();
    }

    fn transaction_changed(&self, transaction: &Transaction, before: State) {
        let order = &transaction.order;
        let after = transaction.state;
        if after != before {
            self.transitions
                .get_or_create(&labels::Transition::new(order, Some(before), after))
                .inc();
        } else if transaction.reversed_at == Some(transaction.updated_at) {
            self.reversals.get_or_create(&labels::Subject::of(order)).inc();
        } else {
            self.conflicts.get_or_create(&labels::Subject::of(order)).inc();
        }
    }

    fn operator_called(
        &self,
        operator: &str,
        transaction: &Transaction,
        operation: &'static str,
        outcome: &'static str,
        took: Duration,
    ) {
        let call = labels::OperatorCall::new(operator, transaction, operation, outcome);
        self.operator_duration.get_or_create(&call).observe(took.as_secs_f64());
    }

    fn request_shed(&self) {
        self.requests_shed.inc();
    }
}

impl SignInMetrics for Metrics {
    fn sign_in_refused(&self, reason: &'static str) {
        self.sign_ins_refused.get_or_create(&labels::Reason { reason }).inc();
    }
}

fn request_duration() -> Histogram {
    Histogram::new([
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
    ])
}

fn operator_duration() -> Histogram {
    Histogram::new([0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0])
}

/// Buckets from one second to the end of the retries after three days (docs/reference/webhooks.md).
fn webhook_delay() -> Histogram {
    Histogram::new([1.0, 5.0, 30.0, 300.0, 1800.0, 7200.0, 18_000.0, 36_000.0, 86_400.0, 259_200.0])
}
