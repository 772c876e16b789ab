//! Alerts owners when the float at an operator is low: once, until it has recovered.

use jiff::Timestamp;
use tracing::warn;
use tua_domain::{
    Scope,
    mail::{Alert, AlertKind},
    people::{Membership, Permission, Role},
    ports::{Store, StoreError},
    routing::OperatorEntry,
};
use tua_use_cases::served_accounts::served_accounts;

/// Compares the last reading, without what is reserved, with the sum of the settings.
pub(super) async fn report(entry: &OperatorEntry, store: &dyn Store, now: Timestamp) {
    let Some(least) = entry.float_alert_below else { return };
    let reserved = match store.reserved_floats().await {
        Ok(reserved) => reserved,
        Err(error) => {
            warn!(operator = entry.pin.name.as_str(), %error, "it is not known how much of the \
                float is reserved");
            return;
        }
    };
    let Some(float) = entry.known_float(&reserved) else { return };
    if float.available_pesewas() >= least {
        return entry.float.end_report();
    }
    if !entry.float.begin_report() {
        return;
    }
    if let Err(error) = add_alerts(entry, store, now).await {
        entry.float.end_report();
        warn!(operator = entry.pin.name.as_str(), %error, "the alert about a low float could not \
            be stored");
    }
}

/// One alert for each account whose owners may see the money of every account that the operator
/// serves.
async fn add_alerts(
    entry: &OperatorEntry,
    store: &dyn Store,
    now: Timestamp,
) -> Result<(), StoreError> {
    let served = served_accounts(store, entry, now).await?;
    let mut members = Vec::new();
    for account in &served {
        members.push(store.members(account).await?);
    }
    for (account, own) in served.iter().zip(&members) {
        let mut owners = own.iter().filter(|one| one.role == Role::Owner);
        if owners.all(|owner| members.iter().all(|others| may_see(owner, others))) {
            let scope = Scope { account: account.clone(), mode: entry.mode };
            let subject = entry.pin.name.as_str().to_owned();
            store
                .add_alert(Alert { scope, kind: AlertKind::FloatLow, subject, occurred_at: now })
                .await?;
        }
    }
    Ok(())
}

/// Whether a person may see the operators of an account with these members.
fn may_see(person: &Membership, members: &[Membership]) -> bool {
    members
        .iter()
        .any(|one| one.user.id == person.user.id && one.role.may(Permission::ReadOperators))
}
