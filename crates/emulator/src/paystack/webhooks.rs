//! Webhooks about orders and disputes.

use super::{access::domain, refunds, state::Paystack, transaction, transfers};
use crate::{
    callback::Callback,
    decision::DisputeEvent,
    operator::Operator,
    order::Order,
    phase::{Kind, Phase},
    protocol::Shared,
    wire::iso8601,
};
use axum::http::Method;
use serde_json::{Value, json};
use std::time::Duration;

/// The webhook about an order's present phase. A failed charge has none.
pub(super) fn webhook(shared: &Shared, paystack: &Paystack, order: &Order) -> Option<Callback> {
    let (event, data) = match (order.new.kind, order.phase) {
        (Kind::Charge, Phase::Successful) => {
            ("charge.success".to_owned(), transaction::body(shared, order))
        }
        (Kind::Payout, Phase::Successful) => {
            ("transfer.success".to_owned(), transfer(shared, paystack, order))
        }
        (Kind::Payout, Phase::Failed(_)) => {
            ("transfer.failed".to_owned(), transfer(shared, paystack, order))
        }
        (Kind::Payout, Phase::Reversed) => {
            ("transfer.reversed".to_owned(), transfer(shared, paystack, order))
        }
        (Kind::Refund, phase) => {
            (format!("refund.{}", refunds::status(phase)), refund(shared, order))
        }
        _ => return None,
    };
    callback(shared, order, &event, data)
}

fn callback(shared: &Shared, order: &Order, event: &str, data: Value) -> Option<Callback> {
    let url = shared.callback_url(Operator::PAYSTACK)?;
    Some(Callback::new(order, Method::POST, url, json!({"event": event, "data": data})))
}

fn transfer(shared: &Shared, paystack: &Paystack, order: &Order) -> Value {
    transfers::whole_body(shared, paystack, order)
}

fn refund(shared: &Shared, order: &Order) -> Value {
    let charge = order.new.refund_of.and_then(|id| shared.order(id));
    json!({
        "status": refunds::status(order.phase), "id": order.serial,
        "transaction_reference": charge.as_ref().map(|charge| charge.new.reference.clone()),
        "refund_reference": order.serial.to_string(),
        // Here, unlike everywhere else, the amount is text.
        "amount": order.new.amount.pesewas().to_string(), "currency": order.new.currency,
        "processor": "mobile-money", "integration": 100_032, "domain": domain(shared),
        "customer": charge.as_ref().map(|charge| transaction::customer(shared, charge)),
    })
}

/// The webhook about a dispute of a charge.
pub(super) fn dispute(shared: &Shared, order: &Order, event: DisputeEvent) -> Option<Callback> {
    let (name, status, resolution) = match event {
        DisputeEvent::Create => ("charge.dispute.create", "awaiting-merchant-feedback", None),
        DisputeEvent::Remind => ("charge.dispute.remind", "awaiting-merchant-feedback", None),
        DisputeEvent::Resolve => ("charge.dispute.resolve", "resolved", Some("merchant-accepted")),
    };
    let now = shared.clock.now();
    let data = json!({
        "id": order.serial,
        "refund_amount": order.new.amount.pesewas(),
        "currency": order.new.currency,
        "status": status,
        "resolution": resolution,
        "domain": domain(shared),
        "category": "chargeback",
        "transaction": transaction::body(shared, order),
        "transaction_reference": order.new.reference,
        "customer": transaction::customer(shared, order),
        "note": null,
        "attachments": null,
        "evidence": null,
        "bin": null,
        "last4": null,
        "message": null,
        "source": "bank",
        "merchant_transaction_reference": null,
        "dueAt": iso8601(shared.clock.after(Duration::from_secs(24 * 3600))),
        "resolvedAt": resolution.map(|_| iso8601(now)),
        "createdAt": iso8601(now),
        "updatedAt": iso8601(now),
    });
    callback(shared, order, name, data)
}
