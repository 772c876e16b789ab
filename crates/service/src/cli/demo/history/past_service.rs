//! The use cases of the service at a time in the past, over the sandbox.

use super::super::merchant::line;
use crate::shared_use_cases::{batches, operator_gateway, refunds, status_queries};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tua_domain::{
    Caller, Transaction,
    admission::AdmissionControl,
    change_notifier::ChangeNotifier,
    enforcement::Enforcement,
    idempotency::InFlight,
    key_ring::KeyRing,
    poll_schedule::PollSchedule,
    ports::{Clock, Store},
    routing::Operators,
    simulated_phone::SimulatedPhone,
    steady_time::SteadyTime,
};
use tua_metrics::Metrics;
use tua_net::limits::Limits;
use tua_operators::sandbox::Sandbox;
use tua_store::database::Opened;
use tua_system::clock::OffsetClock;
use tua_use_cases::{
    Batches, Checkouts, Codes, Idempotency, Links, Networks, OperatorGateway, Payments, Refunds,
    StatusQueries, TransactionResource, Transactions,
};

/// How long the sandbox needs for a decision, and a little more.
pub(super) const SANDBOX_TIME: SignedDuration = SignedDuration::from_secs(3);

/// The schedule of the first status query, as without `--sandbox-speed`.
pub(super) const SCHEDULE: PollSchedule = PollSchedule { sandbox_speed: 1.0 };

/// Where the past is written.
pub(super) struct PastStore {
    pub(super) opened: Opened,
    pub(super) keys: KeyRing,
    /// They are not read: the service counts from its start.
    pub(super) metrics: Arc<Metrics>,
}

/// The use cases, with a clock that stands still until it is moved. Each event of the past has one
/// of its own, so events that lie days apart can be written concurrently.
pub(super) struct PastService {
    clock: OffsetClock,
    store: Arc<dyn Store>,
    pub(super) gateway: Arc<OperatorGateway>,
    status_queries: Arc<StatusQueries>,
    pub(super) payments: Arc<Payments>,
    pub(super) codes: Arc<Codes>,
    pub(super) checkouts: Arc<Checkouts>,
    transactions: Transactions,
}

/// A clock that stands still at this time until it is moved.
pub(super) fn clock_at(at: Timestamp) -> OffsetClock {
    let clock = OffsetClock::stopped();
    clock.step(at.duration_since(clock.now()));
    clock
}

impl PastService {
    /// The use cases at this time.
    pub(super) fn new(at: Timestamp, past: &PastStore) -> Self {
        let offset_clock = clock_at(at);
        let clock: Arc<dyn Clock> = Arc::new(offset_clock.clone());
        let store = &past.opened.store;
        // Callbacks of the sandbox go nowhere: its status is queried when its decision is due.
        let (callbacks, _) = mpsc::unbounded_channel();
        let sandbox = Arc::new(Sandbox {
            orders: past.opened.orders.clone(),
            clock: clock.clone(),
            speed: SCHEDULE.sandbox_speed,
            phone: SimulatedPhone::new(false),
            callbacks,
            changes: Arc::default(),
        });
        let operators = Operators::default().with_test(sandbox).with_pinned_sandbox();
        let changes = Arc::new(ChangeNotifier::new().0);
        let tasks = TaskTracker::new();
        let limits = Limits::Off.of_payments(Enforcement::new(false));
        let admission = Arc::new(AdmissionControl::new(past.metrics.clone()));
        let gateway = Arc::new(operator_gateway(
            store,
            operators.clone(),
            clock.clone(),
            changes.clone(),
            past.metrics.clone(),
        ));
        let idempotency = Arc::new(Idempotency {
            records: store.clone(),
            clock: clock.clone(),
            steady_time: SteadyTime::new(clock.clone()),
            keys: past.keys.clone(),
            instance: "history".to_owned(),
            in_flight: InFlight::default(),
            tasks: tasks.clone(),
        });
        Self {
            clock: offset_clock,
            payments: Arc::new(Payments {
                gateway: gateway.clone(),
                transactions: store.clone(),
                audit_log: store.clone(),
                idempotency: idempotency.clone(),
                admission: admission.clone(),
                limits: limits.clone(),
                schedule: SCHEDULE,
                tasks: tasks.clone(),
            }),
            codes: Arc::new(Codes {
                gateway: gateway.clone(),
                transactions: store.clone(),
                code_attempts: store.clone(),
                rate_buckets: store.clone(),
                idempotency: idempotency.clone(),
                limits,
                tasks,
            }),
            checkouts: Arc::new(Checkouts {
                idempotency,
                checkouts: store.clone(),
                accounts: store.clone(),
                reports: store.clone(),
                admission,
                changes: changes.clone(),
                networks: Networks { operators, clock: clock.clone() },
            }),
            transactions: Transactions {
                transactions: store.clone(),
                reports: store.clone(),
                clock,
                changes,
                stopping: CancellationToken::new(),
            },
            status_queries: Arc::new(status_queries(store, gateway.clone())),
            gateway,
            store: store.clone(),
        }
    }

    pub(super) fn links(&self) -> Links {
        Links { checkouts: self.checkouts.clone(), payment_links: self.store.clone() }
    }

    pub(super) fn refunds(&self) -> Refunds {
        refunds(&self.store, self.payments.clone())
    }

    pub(super) fn batches(&self) -> Batches {
        batches(&self.store, self.payments.clone())
    }

    /// The time of the service's clock, which is in the past.
    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Advances the service's clock.
    pub(super) fn wait(&self, time: SignedDuration) {
        self.clock.advance(time.unsigned_abs());
    }

    /// Queries the status of a transaction that `reader` may see, as after the callback of its
    /// operator, and returns it with its outcome.
    ///
    /// # Errors
    /// One line: the store failed, or the sandbox has not decided.
    pub(super) async fn find_outcome(
        &self,
        reader: &Caller,
        begun: &Transaction,
    ) -> Result<Transaction, String> {
        let id = &begun.order.id;
        let resource = if begun.order.refund.is_some() {
            TransactionResource::Refund
        } else {
            TransactionResource::Payment
        };
        self.status_queries.refresh(id).await;
        let found = self.transactions.find(reader, resource, id).await.map_err(line)?;
        found
            .filter(|transaction| transaction.state.is_final())
            .ok_or_else(|| format!("the made-up payment {id} has no outcome"))
    }
}
