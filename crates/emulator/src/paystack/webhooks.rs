//! Webhooks, signed with HMAC-SHA512 of their raw body.

use super::{domain, recipients, refunds, transaction, transfers};
use crate::{
    callback::Callback,
    decision::DisputeEvent,
    operator::Operator,
    order::Order,
    phase::{Kind, Phase},
    state::Shared,
    wire::{iso8601, text},
};
use aws_lc_rs::hmac;
use axum::http::Method;
use serde_json::{Value, json};
use std::{fmt::Write, time::Duration};

/// Signs with the secret key, or with another one. The signature is lower-case hexadecimal.
pub(crate) fn sign(shared: &Shared, body: &[u8], is_forged: bool) -> String {
    let credentials = shared
        .credentials(Operator::Paystack)
        .unwrap_or_else(|| shared.settings.credentials.clone());
    let secret =
        if is_forged { "not the secret key".to_owned() } else { credentials.paystack_secret_key };
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA512, secret.as_bytes()), body);
    tag.as_ref().iter().fold(String::new(), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The webhook about an order's present phase. A failed charge has none.
pub(crate) fn webhook(shared: &Shared, order: &Order) -> Option<Callback> {
    let (event, data) = match (order.new.kind, order.phase) {
        (Kind::Charge, Phase::Successful) => {
            ("charge.success".to_owned(), transaction::body(shared, order))
        }
        (Kind::Payout, Phase::Successful) => {
            ("transfer.success".to_owned(), transfer(shared, order))
        }
        (Kind::Payout, Phase::Failed(_)) => ("transfer.failed".to_owned(), transfer(shared, order)),
        (Kind::Payout, Phase::Reversed) => {
            ("transfer.reversed".to_owned(), transfer(shared, order))
        }
        (Kind::Refund, phase) => {
            (format!("refund.{}", refunds::status(phase)), refund(shared, order))
        }
        _ => return None,
    };
    callback(shared, order, &event, data)
}

fn callback(shared: &Shared, order: &Order, event: &str, data: Value) -> Option<Callback> {
    let url = shared.callback_url(Operator::Paystack)?;
    Some(Callback::new(order, Method::POST, url, json!({"event": event, "data": data})))
}

fn transfer(shared: &Shared, order: &Order) -> Value {
    let mut body = transfers::body(shared, order);
    body["recipient"] = recipients::within_transfer(shared, text(&order.new.request, "recipient"));
    body["session"] = json!({"provider": null, "id": null});
    body
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
        "customer": charge.as_ref().map(transaction::customer),
    })
}

/// The webhook about a dispute of a charge.
pub(crate) fn dispute(shared: &Shared, order: &Order, event: DisputeEvent) -> Option<Callback> {
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
        "customer": transaction::customer(order),
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
