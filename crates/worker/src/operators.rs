//! Looks after the operators: probes those whose circuit breaker is open, and reads again what they
//! report about themselves.

use std::{collections::HashSet, sync::Arc, time::Duration};
use tokio_util::task::TaskTracker;
use tracing::{error, info, warn};
use tua_domain::{
    Kind,
    change_notifier::ChangeNotifier,
    mail::AlertKind,
    ports::{Clock, ClusterMessage, ReadError},
    routing::{BreakerScope, BreakerState, OperatorEntry, OperatorFingerprint, Operators},
};
use tua_use_cases::{OperatorAlerts, OperatorChecks, UnservedPayments};

/// The interval between two checks of the circuit breakers.
const BREAKER_INTERVAL: Duration = Duration::from_secs(5);

/// The interval between two readings of what operators report about themselves.
const REFRESH_INTERVAL: Duration = Duration::from_secs(300);

/// The interval between two searches for pending payments whose operator the settings no longer
/// have.
const UNSERVED_CHECK_INTERVAL: Duration = Duration::from_secs(90);

/// Flags payments whose operator the settings no longer have, until the service stops.
pub async fn flag_unserved(unserved: UnservedPayments, clock: Arc<dyn Clock>) {
    loop {
        let checked_at = clock.uptime();
        match unserved.flag(clock.now()).await {
            Ok(0) => {}
            Ok(payments) => {
                warn!(
                    payments,
                    "flagged for review: the settings no longer have the operator of these payments"
                );
            }
            Err(error) => {
                error!(%error, "payments without an operator could not be looked for; trying again")
            }
        }
        clock.sleep_until_uptime(checked_at + UNSERVED_CHECK_INTERVAL).await;
    }
}

/// Runs until the service stops. Each operator is called in a task of its own, so that a slow one
/// delays no other.
pub async fn run(
    operators: Operators,
    alerts: OperatorAlerts,
    checks: OperatorChecks,
    changes: Arc<ChangeNotifier>,
    tasks: TaskTracker,
) {
    let clock = checks.clock.clone();
    let mut refusing: HashSet<OperatorFingerprint> = HashSet::new();
    let mut refreshed_at: Option<Duration> = None;
    let mut suspects: HashSet<(OperatorFingerprint, Option<BreakerScope>)> = HashSet::new();
    loop {
        let now = clock.now();
        let checked_at = clock.uptime();
        let is_refresh_due = refreshed_at.is_none_or(|at| checked_at >= at + REFRESH_INTERVAL);
        for entry in operators.entries() {
            if is_refresh_due {
                let entry = entry.clone();
                let alerts = alerts.clone();
                let clock = clock.clone();
                tasks.spawn(async move {
                    refresh(&entry, &*clock).await;
                    alerts.check_float(&entry, clock.now()).await;
                });
            }
            if is_check_due(&entry, &mut refusing, is_refresh_due) {
                let entry = entry.clone();
                let checks = checks.clone();
                tasks.spawn(async move { check(&entry, &checks).await });
            }
            for (kind, subject) in changes_of(&entry, &mut suspects) {
                let entry = entry.clone();
                let alerts = alerts.clone();
                tasks.spawn(async move { alerts.add(&entry, kind, &subject, now).await });
            }
            for kind in Kind::ALL {
                let due = entry.breakers(*kind).filter(|(_, breaker)| breaker.take_probe(now));
                let due: Vec<BreakerScope> = due.map(|(scope, _)| scope).collect();
                if !due.is_empty() {
                    tasks.spawn(probe(entry.clone(), *kind, due, changes.clone()));
                }
            }
        }
        if is_refresh_due {
            refreshed_at = Some(checked_at);
        }
        clock.sleep_until_uptime(checked_at + BREAKER_INTERVAL).await;
    }
}

/// Whether the credentials are to be checked now: at the first order that the operator refuses for
/// a reason that concerns every order, and with every reading while it goes on.
fn is_check_due(
    entry: &OperatorEntry,
    refusing: &mut HashSet<OperatorFingerprint>,
    is_refresh_due: bool,
) -> bool {
    if entry.refusing().next().is_none() {
        refusing.remove(&entry.pin.fingerprint);
        return false;
    }
    refusing.insert(entry.pin.fingerprint.clone()) || is_refresh_due
}

/// Checks the credentials, and logs what is wrong.
async fn check(entry: &OperatorEntry, checks: &OperatorChecks) {
    let report = checks.check(entry).await;
    let operator = entry.pin.name.as_str();
    for fault in report.faults() {
        warn!(operator, fault, "the operator refuses orders, and its check has found a fault");
    }
}

/// What has changed since the last look: the kinds and subjects of alerts. One for the operator as
/// a whole, which does not respond, and one for each network and direction that it refuses.
fn changes_of(
    entry: &OperatorEntry,
    suspects: &mut HashSet<(OperatorFingerprint, Option<BreakerScope>)>,
) -> Vec<(AlertKind, String)> {
    let name = entry.pin.name.as_str();
    let is_down = Kind::ALL.iter().any(|kind| entry.breaker(*kind).is_open());
    let breakers = Kind::ALL.iter().flat_map(|kind| entry.breakers(*kind));
    let refused = breakers.filter_map(|(scope, _)| {
        let network = scope.network?;
        let subject = format!("{name} {} {}", network.as_str(), scope.kind.as_str());
        Some((Some(scope), entry.is_suspect(scope), AlertKind::OperatorRefuses, subject))
    });
    let services =
        std::iter::once((None, is_down, AlertKind::OperatorDown, name.to_owned())).chain(refused);
    let mut alerts = Vec::new();
    for (scope, is_suspect, kind, subject) in services {
        let key = (entry.pin.fingerprint.clone(), scope);
        if is_suspect {
            if suspects.insert(key) {
                alerts.push((kind, subject));
            }
        } else if suspects.remove(&key) {
            alerts.push((AlertKind::OperatorRecovered, subject));
        }
    }
    alerts
}

/// Reads again what the operator reports about itself, and the balances.
async fn refresh(entry: &OperatorEntry, clock: &dyn Clock) {
    entry.operator.refresh().await;
    match entry.read_balances(clock).await {
        Ok(_) | Err(ReadError::Unsupported) => {}
        Err(fault) => {
            warn!(operator = entry.pin.name.as_str(), %fault, "the balances could not be read")
        }
    }
}

/// Reads something with the credentials of a direction. A response closes the breaker of the
/// direction, and half opens those of its networks: it does not show that their orders are taken.
/// What moves money is never a probe.
async fn probe(
    entry: Arc<OperatorEntry>,
    kind: Kind,
    due: Vec<BreakerScope>,
    changes: Arc<ChangeNotifier>,
) {
    let operator = entry.pin.name.as_str();
    match entry.operator.probe(kind).await {
        Ok(()) | Err(ReadError::Unsupported) => {
            for scope in due {
                let state = if scope.network.is_none() {
                    entry.breaker_of(scope).succeeded();
                    BreakerState::Closed
                } else {
                    entry.breaker_of(scope).half_open();
                    BreakerState::HalfOpen
                };
                changes.publish(ClusterMessage::Breaker(entry.breaker_change(scope, state)));
            }
            info!(
                operator,
                kind = kind.as_str(),
                "the operator responds, and gets new payments again"
            );
        }
        // Payments would be refused too.
        Err(ReadError::Refused(fault)) => {
            warn!(operator, fault, "the operator still refuses the credentials")
        }
        Err(ReadError::Unanswered(fault)) => {
            warn!(operator, fault, "the operator still does not respond")
        }
    }
}
