//! What the audit log shows of statements and closed days.

use super::change::change;
use jiff::civil::Date;
use serde_json::json;
use tua_domain::{
    audit::{Action, AuditChange},
    statement::{Statement, closing::ClosedDay},
};

pub(crate) fn day_closed(closed: &ClosedDay) -> AuditChange {
    let digest = hex::encode(closed.figures.digest);
    let after = json!({
        "operator": closed.operator.name.as_str(),
        "day": closed.day.to_string(),
        "entries": closed.figures.entries,
        "lines": closed.figures.lines,
        "exceptions": closed.exceptions,
        "sha256": digest,
    });
    change(
        Action::DayClosed,
        &format!("{} {}", closed.operator.name, closed.day),
        None,
        Some(after),
    )
}

pub(crate) fn statement_abandoned(statement: &Statement) -> AuditChange {
    let before = json!({
        "operator": statement.operator.name.as_str(),
        "sha256": hex::encode(statement.digest),
    });
    change(Action::StatementAbandoned, statement.id.as_str(), Some(before), None)
}

pub(crate) fn statement_days_changed(statement: &Statement, days: (Date, Date)) -> AuditChange {
    let values =
        |(from, to): (Date, Date)| json!({ "from": from.to_string(), "to": to.to_string() });
    let before = statement.covers.map(values);
    change(Action::StatementDaysChanged, statement.id.as_str(), before, Some(values(days)))
}

pub(crate) fn statement_imported(statement: &Statement, lines: u64) -> AuditChange {
    let digest = hex::encode(statement.digest);
    let after =
        json!({ "operator": statement.operator.name.as_str(), "lines": lines, "sha256": digest });
    change(Action::StatementImported, statement.id.as_str(), None, Some(after))
}
