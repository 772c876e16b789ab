//! Alerts about operators: to the owners of the accounts whose money is at them.

use super::operator_floats::OperatorFloats;
use jiff::Timestamp;
use std::sync::Arc;
use tracing::warn;
use tua_domain::{
    Mode, Scope,
    mail::{Alert, AlertKind},
    people::{Membership, Permission, Role},
    ports::{MailOutbox, People, StoreError},
    routing::OperatorEntry,
};

/// Stores alerts about operators.
#[derive(Clone, Debug)]
pub struct OperatorAlerts {
    /// Where alerts are stored.
    pub mail: Arc<dyn MailOutbox>,
    /// Has the owners of accounts.
    pub people: Arc<dyn People>,
    /// Has the money at operators, and whose it is.
    pub floats: OperatorFloats,
}

impl OperatorAlerts {
    /// Stores an alert for the accounts that use the operator, if it moves real money. A fault of
    /// the store is logged.
    pub async fn add(&self, entry: &OperatorEntry, kind: AlertKind, subject: &str, now: Timestamp) {
        if entry.mode == Mode::Test {
            return;
        }
        if let Err(error) = self.add_for_accounts(entry, kind, subject, now).await {
            warn!(operator = entry.pin.name.as_str(), %error, "the alert about an operator could not \
                be stored");
        }
    }

    async fn add_for_accounts(
        &self,
        entry: &OperatorEntry,
        kind: AlertKind,
        subject: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        for account in self.floats.accounts_at(entry).await? {
            let scope = Scope { account, mode: entry.mode };
            let subject = subject.to_owned();
            self.mail.add_alert(Alert { scope, kind, subject, occurred_at: now }).await?;
        }
        Ok(())
    }

    /// Compares the last reading of the float, without what is reserved, with the sum of the
    /// settings, and alerts once until it has recovered. A fault of the store is logged.
    pub async fn check_float(&self, entry: &OperatorEntry, now: Timestamp) {
        let Some(least) = entry.float_alert_below else { return };
        let float = match self.floats.known(entry).await {
            Ok(float) => float,
            Err(error) => {
                warn!(operator = entry.pin.name.as_str(), %error, "it is not known how much of the \
                    float is reserved");
                return;
            }
        };
        let Some(float) = float else { return };
        if float.available_pesewas() >= least {
            return entry.float.end_report();
        }
        if !entry.float.begin_report() {
            return;
        }
        if let Err(error) = self.add_low_float(entry, now).await {
            entry.float.end_report();
            warn!(operator = entry.pin.name.as_str(), %error, "the alert about a low float could not \
                be stored");
        }
    }

    /// One alert for each account whose owners may see the money of every account that the operator
    /// serves. An account without an owner gets none: its chats would show it to others.
    async fn add_low_float(&self, entry: &OperatorEntry, now: Timestamp) -> Result<(), StoreError> {
        let served = self.floats.accounts_at(entry).await?;
        let mut members = Vec::new();
        for account in &served {
            members.push(self.people.members(account).await?);
        }
        for (account, own) in served.iter().zip(&members) {
            if is_open_to_owners(own, &members) {
                let scope = Scope { account: account.clone(), mode: entry.mode };
                let subject = entry.pin.name.as_str().to_owned();
                let kind = AlertKind::FloatLow;
                self.mail.add_alert(Alert { scope, kind, subject, occurred_at: now }).await?;
            }
        }
        Ok(())
    }
}

/// Whether an account with these members has owners, and each of them may see the operators of all
/// the accounts, of which `served` has the members.
fn is_open_to_owners(own: &[Membership], served: &[Vec<Membership>]) -> bool {
    let owners: Vec<_> = own.iter().filter(|one| one.role == Role::Owner).collect();
    let sees_all = |owner: &&Membership| served.iter().all(|others| may_see(owner, others));
    !owners.is_empty() && owners.iter().all(sees_all)
}

/// Whether a person may see the operators of an account with these members.
fn may_see(person: &Membership, members: &[Membership]) -> bool {
    members
        .iter()
        .any(|one| one.user.id == person.user.id && one.role.may(Permission::ReadOperators))
}
