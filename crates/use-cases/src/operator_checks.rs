//! Checks the credentials and settings of operators, for people and by itself.

use jiff::SignedDuration;
use std::sync::Arc;
use tua_domain::{
    change_notifier::ChangeNotifier,
    ports::{CheckResult, Clock, ClusterMessage, Operator},
    routing::{BreakerState, CheckReport, OperatorEntry},
};

/// How long all calls of a check may take.
const TIME_LIMIT: SignedDuration = SignedDuration::from_secs(30);

/// Checks the credentials of operators.
#[derive(Clone, Debug)]
pub struct OperatorChecks {
    /// Limits how long a check takes, and dates it.
    pub clock: Arc<dyn Clock>,
    /// Tells the other nodes which orders may pass again.
    pub changes: Arc<ChangeNotifier>,
}

impl OperatorChecks {
    /// Calls the operator without moving money, and keeps the result in memory. If it has no fault,
    /// the operator gets orders of the networks again that it refused.
    pub async fn check(&self, entry: &OperatorEntry) -> CheckReport {
        let results = check_within_time(&*self.clock, &*entry.operator).await;
        let report = CheckReport { at: self.clock.now(), results };
        entry.last_check.update(report.clone());
        if report.results.is_some() && report.faults().next().is_none() {
            for scope in entry.retry_refused() {
                let change = entry.breaker_change(scope, BreakerState::HalfOpen);
                self.changes.publish(ClusterMessage::Breaker(change));
            }
        }
        report
    }
}

/// What the check of an operator found; `None` if it took too long.
pub(super) async fn check_within_time(
    clock: &dyn Clock,
    operator: &dyn Operator,
) -> Option<Vec<CheckResult>> {
    tokio::select! {
        results = operator.check() => Some(results),
        () = clock.sleep_until(clock.now() + TIME_LIMIT) => None,
    }
}
