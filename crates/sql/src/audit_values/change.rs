//! How an entry of the audit log is built from the values of a row before and after a change.

use jiff::Timestamp;
use serde_json::Value;
use tua_domain::audit::{Action, AuditChange};

pub(super) fn change(
    action: Action,
    subject: &str,
    before: Option<Value>,
    after: Option<Value>,
) -> AuditChange {
    let text = |value: Option<Value>| value.map(|value| value.to_string());
    AuditChange { action, subject: subject.to_owned(), before: text(before), after: text(after) }
}

pub(super) fn time(at: Option<Timestamp>) -> Value {
    at.map_or(Value::Null, |at| at.to_string().into())
}
