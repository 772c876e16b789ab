//! Makes a response, or a callback, wrong in one respect.

use super::{
    fault::Fault,
    wire_format::{AmountUnit, WireFormat},
};
use serde_json::Value;
use tua_contract::Amount;

/// A reference that no order has.
pub(crate) const OTHER_REFERENCE: &str = "00000000-0000-4000-8000-000000000000";
/// The currency of Senegal, which is not Ghana's.
const OTHER_CURRENCY: &str = "XOF";
/// A status that no operator documents.
pub(crate) const OTHER_STATUS: &str = "SUSPENDED";

/// Changes every member that the fault is about; a fault of a status changes only that of the
/// order. Other faults change nothing.
pub(crate) fn distort(format: &WireFormat, fault: Fault, value: &mut Value) {
    match fault {
        Fault::WrongAmount => change(value, &["amount"], &|old| increase(format.amount_unit, old)),
        Fault::WrongCurrency => {
            change(value, &["currency", "currencycode"], &|_| Some(OTHER_CURRENCY.into()))
        }
        Fault::WrongReference => change(value, format.reference_members, &|old| {
            old.is_string().then(|| OTHER_REFERENCE.into())
        }),
        Fault::UnknownStatus => {
            let names = [format.status_members, format.outcome_members].concat();
            change_status(format, value, &names, OTHER_STATUS);
        }
        Fault::Status(status) => change_status(format, value, format.status_members, status),
        _ => {}
    }
}

/// Changes the order's status.
fn change_status(format: &WireFormat, value: &mut Value, names: &[&str], status: &str) {
    let order = match format.order_member {
        Some(member) if value.get(member).is_some() => &mut value[member],
        _ => value,
    };
    change(order, names, &|old| old.is_string().then(|| status.into()));
}

/// Replaces the members with these names, in lower case, at every depth.
fn change(value: &mut Value, names: &[&str], replace: &impl Fn(&Value) -> Option<Value>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                match replace(member).filter(|_| names.contains(&name.to_lowercase().as_str())) {
                    Some(replacement) => *member = replacement,
                    None => change(member, names, replace),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| change(item, names, replace)),
        _ => {}
    }
}

/// The amount, and one cedi more.
fn increase(unit: AmountUnit, old: &Value) -> Option<Value> {
    if unit == AmountUnit::Pesewas {
        return old.as_i64().map(|pesewas| (pesewas + 100).into());
    }
    let text = old.as_str().map_or_else(|| old.to_string(), str::to_owned);
    let amount = Amount::parse(&text).ok()?;
    let more = Amount::from_pesewas(amount.pesewas() + 100).ok()?.to_string();
    match old {
        Value::String(_) => Some(more.into()),
        _ => more.parse::<serde_json::Number>().ok().map(Value::Number),
    }
}
