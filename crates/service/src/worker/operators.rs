//! Looks after the operators: probes those whose circuit breaker is open, and reads again what they report about
//! themselves.

use super::float;
use crate::domain::{
    Kind, Mode, Scope,
    change_notifier::ChangeNotifier,
    mail::{Alert, AlertKind},
    ports::{Clock, ClusterMessage, ReadError, Store, StoreError},
    routing::{OperatorEntry, OperatorFingerprint, Operators},
    use_cases::served_accounts::served_accounts,
};
use jiff::{SignedDuration, Timestamp};
use std::{collections::HashSet, sync::Arc, time::Duration};
use tokio_util::task::TaskTracker;
use tracing::{error, info, warn};

/// How often breakers are looked at.
const TICK: Duration = Duration::from_secs(5);

/// How often operators are asked about themselves.
const REFRESH: Duration = Duration::from_secs(300);

/// How often pending payments are looked for whose operator the settings no longer have.
const UNSERVED: Duration = Duration::from_secs(90);

/// After this time such a payment is flagged for review.
const UNSERVED_AFTER: SignedDuration = SignedDuration::from_mins(15);

/// Flags payments whose operator the settings no longer have, until the service stops.
pub async fn flag_unserved(operators: Operators, store: Arc<dyn Store>, clock: Arc<dyn Clock>) {
    loop {
        let (now, looked_at) = (clock.now(), clock.uptime());
        let known = operators.entries().iter().map(|entry| entry.pin.fingerprint.clone()).collect();
        match store.flag_unserved(known, now - UNSERVED_AFTER, now).await {
            Ok(0) => {}
            Ok(payments) => {
                warn!(payments, "flagged for review: the settings no longer have the operator of these payments");
            }
            Err(error) => error!(%error, "payments without an operator could not be looked for; trying again"),
        }
        clock.sleep_until_uptime(looked_at + UNSERVED).await;
    }
}

/// Runs until the service stops. Each operator is called in a task of its own, so that a slow one delays no other.
pub async fn run(
    operators: Operators,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    changes: Arc<ChangeNotifier>,
    tasks: TaskTracker,
) {
    let mut refreshed_at: Option<Duration> = None;
    let mut down: HashSet<OperatorFingerprint> = HashSet::new();
    loop {
        let (now, looked_at) = (clock.now(), clock.uptime());
        let is_refresh_due = refreshed_at.is_none_or(|at| looked_at >= at + REFRESH);
        for entry in operators.entries() {
            if is_refresh_due {
                let (entry, store, clock) = (entry.clone(), store.clone(), clock.clone());
                tasks.spawn(async move {
                    refresh(&entry, &*clock).await;
                    float::report(&entry, &*store, clock.now()).await;
                });
            }
            let is_down = Kind::ALL.iter().any(|kind| entry.breaker(*kind).is_open());
            if !is_down {
                down.remove(&entry.pin.fingerprint);
            } else if down.insert(entry.pin.fingerprint.clone()) {
                tasks.spawn(report_down(entry.clone(), store.clone(), now));
            }
            let due: Vec<Kind> =
                Kind::ALL.iter().copied().filter(|kind| entry.breaker(*kind).take_probe(now)).collect();
            if !due.is_empty() {
                tasks.spawn(probe(entry.clone(), due, changes.clone()));
            }
        }
        if is_refresh_due {
            refreshed_at = Some(looked_at);
        }
        clock.sleep_until_uptime(looked_at + TICK).await;
    }
}

/// Tells the owners of the accounts that use the operator, if it moves real money.
async fn report_down(entry: Arc<OperatorEntry>, store: Arc<dyn Store>, now: Timestamp) {
    if entry.mode == Mode::Test {
        return;
    }
    let report = async {
        for account in served_accounts(&*store, &entry, now).await? {
            let subject = entry.pin.name.as_str().to_owned();
            let scope = Scope { account, mode: entry.mode };
            store.add_alert(Alert { scope, kind: AlertKind::OperatorDown, subject, occurred_at: now }).await?;
        }
        Ok::<(), StoreError>(())
    };
    if let Err(error) = report.await {
        warn!(operator = entry.pin.name.as_str(), %error, "the alert about an operator could not be stored");
    }
}

/// Reads again what the operator reports about itself, and the balances.
async fn refresh(entry: &OperatorEntry, clock: &dyn Clock) {
    entry.operator.refresh().await;
    match entry.read_balances(clock).await {
        Ok(_) | Err(ReadError::Unsupported) => {}
        Err(fault) => warn!(operator = entry.pin.name.as_str(), %fault, "the balances could not be read"),
    }
}

/// Reads a balance. A response closes the breakers of these directions; what moves money is never a probe.
async fn probe(entry: Arc<OperatorEntry>, due: Vec<Kind>, changes: Arc<ChangeNotifier>) {
    let operator = entry.pin.name.as_str();
    match entry.operator.balances().await {
        // Refused credentials are a response: payments would be refused too, but not lost.
        Ok(_) | Err(ReadError::Unsupported | ReadError::Refused(_)) => {
            for kind in due {
                entry.breaker(kind).succeeded();
                changes.publish(ClusterMessage::Breaker(entry.breaker_change(kind, false)));
            }
            info!(operator, "the operator responds again and gets new payments");
        }
        Err(ReadError::Unanswered(fault)) => warn!(operator, fault, "the operator still does not respond"),
    }
}
