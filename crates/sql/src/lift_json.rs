//! A change that lifts limits, as the column has it: the limits in pesewas by name, null for one
//! that is removed.

use serde_json::{Map, Value};
use tua_domain::{
    change::Change,
    payout_controls::{Ceiling, ControlsChange},
};

pub(super) fn write(change: ControlsChange) -> String {
    let limits = [
        ("limit", change.limit),
        ("dailyLimit", change.daily_limit),
        ("approvalAbove", change.approval_above),
        ("refundApprovalAbove", change.refund_approval_above),
    ];
    let named = limits.into_iter().filter_map(|(name, limit)| {
        let value = match limit {
            Change::Keep => return None,
            Change::Clear => Value::Null,
            Change::Set(ceiling) => ceiling.pesewas().into(),
        };
        Some((name.to_owned(), value))
    });
    Value::Object(named.collect()).to_string()
}

/// `None` for any other text.
pub(super) fn read(text: &str) -> Option<ControlsChange> {
    let map: Map<String, Value> = serde_json::from_str(text).ok()?;
    let limit = |name: &str| match map.get(name) {
        None => Some(Change::Keep),
        Some(Value::Null) => Some(Change::Clear),
        Some(value) => Some(Change::Set(Ceiling::from_pesewas(value.as_i64()?)?)),
    };
    Some(ControlsChange {
        limit: limit("limit")?,
        daily_limit: limit("dailyLimit")?,
        approval_above: limit("approvalAbove")?,
        refund_approval_above: limit("refundApprovalAbove")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lift_survives_the_column() {
        let change = ControlsChange {
            limit: Ceiling::from_pesewas(50_000).into(),
            approval_above: Change::Clear,
            ..ControlsChange::default()
        };
        assert_eq!(write(change), r#"{"approvalAbove":null,"limit":50000}"#);
        assert_eq!(read(&write(change)), Some(change));
        assert_eq!(read("{}"), Some(ControlsChange::default()));
        for text in ["", "[]", r#"{"limit":-1}"#, r#"{"limit":"5"}"#] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
