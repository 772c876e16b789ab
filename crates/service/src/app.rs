//! What every request and every piece of due work is handed.

use crate::{
    domain::{
        admission::AdmissionControl,
        change_notifier::ChangeNotifier,
        idempotency::InFlight,
        key_use::KeyUses,
        poll_schedule::PollSchedule,
        ports::{Clock, Operators, Store},
        secret::ServerKey,
    },
    limits::Limiter,
    metrics::Metrics,
    operators::sandbox::Sandbox,
    readiness::Readiness,
    webhooks::sender::Sender,
};
use std::{sync::Arc, time::Duration};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// The service's parts. Made once by [`crate::start`].
#[derive(Debug)]
pub struct App {
    /// Where everything is kept.
    pub store: Arc<dyn Store>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Who moves the money.
    pub operators: Operators,
    /// The sandbox, where somebody holds its simulated phone.
    pub simulated_phone: Option<Arc<Sandbox>>,
    /// Who waits for a change.
    pub changes: ChangeNotifier,
    /// Limits of prompts and codes.
    pub payment_limits: crate::domain::rate_limit::PaymentLimits,
    /// What is too much.
    pub limiter: Limiter,
    /// Where what is too much is turned away.
    pub admission: AdmissionControl,
    /// How long a request's body may take to come.
    pub body_timeout: Duration,
    /// What checkout tokens are derived with.
    pub server_key: ServerKey,
    /// What webhooks are sent with.
    pub webhooks: Sender,
    /// This process among others, for attempts that it attends to.
    pub instance: String,
    /// The attempts that it attends to right now.
    pub attending: InFlight,
    /// Where the world reaches the service, without a slash at the end.
    pub public_url: String,
    /// When operators are asked about what is pending.
    pub poll_schedule: PollSchedule,
    /// Which uses of secret keys were written down.
    pub key_uses: KeyUses,
    /// What is measured.
    pub metrics: Metrics,
    /// What is known of the service's own health.
    pub readiness: Readiness,
    /// Work that outlives the request that began it.
    pub tasks: TaskTracker,
    /// Cancelled once the service stops: parked polls answer at once.
    pub stopping: CancellationToken,
}
