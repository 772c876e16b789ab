//! Makes a response, or a callback, wrong in one respect.

use super::fault::Fault;
use crate::operator::Operator;
use serde_json::Value;
use tua_contract::Amount;

/// The reference of no order.
const OTHER_REFERENCE: &str = "00000000-0000-4000-8000-000000000000";
/// Not Ghana's currency.
const OTHER_CURRENCY: &str = "XOF";
/// A status that no operator documents.
const OTHER_STATUS: &str = "SUSPENDED";

/// Changes every member that the fault is about.
pub(crate) fn distort(operator: Operator, fault: Fault, value: &mut Value) {
    match fault {
        Fault::WrongAmount => change(value, &["amount"], &|old| increase(operator, old)),
        Fault::WrongCurrency => {
            change(value, &["currency", "currencycode"], &|_| Some(OTHER_CURRENCY.into()))
        }
        Fault::WrongReference => change(value, reference_names(operator), &|old| {
            old.is_string().then(|| OTHER_REFERENCE.into())
        }),
        Fault::UnknownStatus => change_status(operator, value, OTHER_STATUS, true),
        Fault::Status(status) => change_status(operator, value, status, false),
        _ => {}
    }
}

/// The names, in lower case, of the members with the merchant's reference.
fn reference_names(operator: Operator) -> &'static [&'static str] {
    match operator {
        Operator::MtnMomo => &["externalid"],
        Operator::Paystack => &["reference", "transaction_reference"],
        Operator::Pawapay => &["depositid", "payoutid", "refundid"],
        Operator::Hubtel => &["clientreference"],
    }
}

/// Changes the order's status. `is_code_too`: also the code of Hubtel's response.
fn change_status(operator: Operator, value: &mut Value, status: &str, is_code_too: bool) {
    let other = |old: &Value| old.is_string().then(|| status.into());
    match operator {
        // pawaPay's `status` beside `data` only tells whether there is an order.
        Operator::Pawapay | Operator::Paystack if value.get("data").is_some() => {
            if let Some(data) = value.get_mut("data") {
                change(data, &["status"], &other);
            }
        }
        Operator::Hubtel => {
            let names: &[&str] = if is_code_too {
                &["status", "transactionstatus", "responsecode"]
            } else {
                &["status", "transactionstatus"]
            };
            change(value, names, &other);
        }
        _ => change(value, &["status"], &other),
    }
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
fn increase(operator: Operator, old: &Value) -> Option<Value> {
    if operator == Operator::Paystack {
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn distorted(operator: Operator, fault: Fault, mut value: Value) -> Value {
        distort(operator, fault, &mut value);
        value
    }

    #[test]
    fn each_operators_own_members_are_changed() {
        let momo =
            json!({"amount": "12.5", "currency": "GHS", "externalId": "a", "status": "SUCCESSFUL"});
        assert_eq!(
            distorted(Operator::MtnMomo, Fault::WrongAmount, momo.clone())["amount"],
            "13.5"
        );
        assert_eq!(
            distorted(Operator::MtnMomo, Fault::WrongCurrency, momo.clone())["currency"],
            "XOF"
        );
        assert_eq!(
            distorted(Operator::MtnMomo, Fault::WrongReference, momo.clone())["externalId"],
            OTHER_REFERENCE
        );
        assert_eq!(
            distorted(Operator::MtnMomo, Fault::UnknownStatus, momo)["status"],
            OTHER_STATUS
        );
        let paystack = json!({
            "status": true,
            "data": {"status": "success", "amount": 1250, "reference": "a"},
        });
        let unknown = distorted(Operator::Paystack, Fault::UnknownStatus, paystack.clone());
        assert_eq!(
            (&unknown["status"], &unknown["data"]["status"]),
            (&json!(true), &json!(OTHER_STATUS))
        );
        assert_eq!(
            distorted(Operator::Paystack, Fault::WrongAmount, paystack)["data"]["amount"],
            1350
        );
        let pawapay = json!({"status": "FOUND", "data": {"status": "COMPLETED"}});
        let unknown = distorted(Operator::Pawapay, Fault::UnknownStatus, pawapay);
        assert_eq!(unknown, json!({"status": "FOUND", "data": {"status": OTHER_STATUS}}));
        let unpaid = json!({"responseCode": "0000", "data": {"status": "Paid"}});
        let unpaid = distorted(Operator::Hubtel, Fault::Status("Unpaid"), unpaid);
        assert_eq!(unpaid, json!({"responseCode": "0000", "data": {"status": "Unpaid"}}));
        let hubtel =
            json!({"ResponseCode": "0000", "Data": {"Amount": 0.8, "ClientReference": "a"}});
        assert_eq!(
            distorted(Operator::Hubtel, Fault::WrongAmount, hubtel)["Data"]["Amount"],
            json!(1.8)
        );
    }
}
