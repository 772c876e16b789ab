//! What the audit log shows of operators that people connected: never their credentials.

use super::change::{change, time};
use serde_json::{Value, json};
use tua_domain::{
    audit::{Action, AuditChange},
    connected_operator::{ConnectedOperator, OperatorChange},
};

fn operator(operator: &ConnectedOperator) -> Value {
    json!({
        "accountId": operator.account.as_str(),
        "name": operator.name.as_str(),
        "connector": operator.connector,
        "serves": operator.routes.to_text(),
        "supersedes": operator.supersedes.as_ref().map(|id| id.as_str()),
        "waitsForCheck": operator.unchecked().is_some(),
        "checkedAt": time(operator.checked_at),
        "retiredAt": time(operator.retired_at),
    })
}

pub(crate) fn operator_connected(new: &ConnectedOperator) -> AuditChange {
    change(Action::OperatorConnected, new.id.as_str(), None, Some(operator(new)))
}

pub(crate) fn operator_changed(
    action: Action,
    before: &ConnectedOperator,
    after: &ConnectedOperator,
) -> AuditChange {
    change(action, after.id.as_str(), Some(operator(before)), Some(operator(after)))
}

/// The kind of entry of a change that a person asked for.
pub(crate) const fn action_of(change: &OperatorChange) -> Action {
    match change {
        OperatorChange::Accept(_) => Action::OperatorAccepted,
        OperatorChange::Replace(_) => Action::OperatorReplaced,
        OperatorChange::Serve(_) => Action::OperatorRouted,
        OperatorChange::Retire => Action::OperatorRetired,
    }
}
