//! What use cases, workers and listeners share.

use std::sync::Arc;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tua_domain::{
    change_notifier::ChangeNotifier,
    enforcement::Enforcement,
    key_ring::KeyRing,
    poll_schedule::PollSchedule,
    ports::{Clock, Mailer, Store},
    public_url::PublicUrl,
    routing::Operators,
    test_log::TestLog,
};
use tua_metrics::Metrics;
use tua_use_cases::OperatorConnections;
use tua_worker::test_settings::TestSettings;

/// What the service stands on: its database, its clock, its keys.
pub(super) struct Base {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) keys: KeyRing,
    /// Names this process among those on one database.
    pub(super) instance: String,
    pub(super) metrics: Arc<Metrics>,
    pub(super) test_settings: TestSettings,
    pub(super) public_url: PublicUrl,
    /// Sends e-mail, where it is configured.
    pub(super) mailer: Option<Arc<dyn Mailer>>,
}

pub(super) struct Shared {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) keys: KeyRing,
    /// Names this process among those on one database.
    pub(super) instance: String,
    pub(super) operators: Operators,
    /// Connects, changes and loads the operators that people connect.
    pub(super) connections: OperatorConnections,
    pub(super) changes: Arc<ChangeNotifier>,
    /// What happens in test mode, for developers who follow it.
    pub(super) test_log: Arc<TestLog>,
    pub(super) metrics: Arc<Metrics>,
    pub(super) enforcement: Enforcement,
    pub(super) test_settings: TestSettings,
    pub(super) schedule: PollSchedule,
    pub(super) public_url: PublicUrl,
    /// Sends e-mail, where it is configured.
    pub(super) mailer: Option<Arc<dyn Mailer>>,
    /// What runs as long as the service.
    pub(super) workers: TaskTracker,
    /// Calls and deliveries in flight, which outlive the request or the worker that began them.
    pub(super) tasks: TaskTracker,
    pub(super) stopping: CancellationToken,
}

impl Shared {
    /// The parts of a service that is not stopping.
    pub(super) fn new(
        base: Base,
        operators: Operators,
        connections: OperatorConnections,
        changes: Arc<ChangeNotifier>,
        sandbox_speed: f64,
    ) -> Self {
        let stopping = CancellationToken::new();
        Self {
            test_log: Arc::new(TestLog::new(base.clock.clone(), stopping.clone())),
            enforcement: base.test_settings.enforcement.clone(),
            store: base.store,
            clock: base.clock,
            keys: base.keys,
            instance: base.instance,
            operators,
            connections,
            changes,
            metrics: base.metrics,
            test_settings: base.test_settings,
            schedule: PollSchedule { sandbox_speed },
            public_url: base.public_url,
            mailer: base.mailer,
            workers: TaskTracker::new(),
            tasks: TaskTracker::new(),
            stopping,
        }
    }
}
