//! A charge as Paystack shows it.

use super::{access::domain, outcomes, state::Paystack, values::bank_code};
use crate::{
    order::Order,
    phase::Phase,
    protocol::Shared,
    wire::{FAMILY_NAME, GIVEN_NAME, iso8601, text, wallet_name},
};
use serde_json::{Value, json};
use tua_contract::Network;

/// Paystack's share of a charge: 1.95 %.
const FEE_PER_TEN_THOUSAND: i64 = 195;

/// The fee of a charge, in pesewas.
pub(super) const fn fee_pesewas(pesewas: i64) -> i64 {
    pesewas * FEE_PER_TEN_THOUSAND / 10_000
}

/// The status of a charge when it is read.
pub(super) const fn status(phase: Phase) -> &'static str {
    match phase {
        Phase::Offered => "abandoned",
        Phase::AwaitingCode => "ongoing",
        Phase::Successful | Phase::Reversed => "success",
        Phase::Failed(_) => "failed",
        Phase::Held
        | Phase::Accepted
        | Phase::Enqueued
        | Phase::Processing
        | Phase::NeedsAttention => "pending",
    }
}

/// Everything about a charge: the data of `GET /transaction/verify/{reference}` and of
/// `charge.success`.
pub(super) fn body(shared: &Shared, order: &Order) -> Value {
    let network = order.new.network.unwrap_or(Network::Mtn);
    let is_paid = order.phase == Phase::Successful;
    let paid_at = is_paid.then(|| iso8601(order.updated));
    let message = match order.phase {
        Phase::Failed(failure) => Some(outcomes::message(failure)),
        _ => None,
    };
    let gateway_response = match order.phase {
        Phase::Offered => Some("The transaction was not completed"),
        _ => message.or(is_paid.then_some("Approved")),
    };
    let pesewas = order.new.amount.pesewas();
    let last_four =
        order.new.phone.get(order.new.phone.len().saturating_sub(4)..).unwrap_or_default();
    json!({
        "id": order.serial,
        "domain": domain(shared),
        "status": status(order.phase),
        "reference": order.new.reference,
        "receipt_number": is_paid.then(|| order.serial.to_string()),
        "amount": pesewas,
        "message": message,
        "gateway_response": gateway_response,
        "paid_at": paid_at,
        "paidAt": paid_at,
        "created_at": iso8601(order.created),
        "createdAt": iso8601(order.created),
        "channel": "mobile_money",
        "currency": order.new.currency,
        "ip_address": "127.0.0.1",
        // Without metadata Paystack sends an empty text.
        "metadata": order.new.request.get("metadata").cloned().unwrap_or_else(|| "".into()),
        "log": null,
        "fees": is_paid.then(|| fee_pesewas(pesewas)),
        "fees_split": null,
        "authorization": {
            "authorization_code": format!("AUTH_{:010}", order.id),
            "bin": order.new.phone.get(..6).unwrap_or_default(),
            "last4": last_four,
            "exp_month": "12", "exp_year": "9999",
            "channel": "mobile_money",
            "card_type": "",
            "bank": wallet_name(network),
            "country_code": "GH",
            "brand": wallet_name(network),
            "reusable": false,
            "signature": format!("SIG_{:020}", order.id),
            "account_name": format!("{GIVEN_NAME} {FAMILY_NAME}"),
            "mobile_money_number": order.new.phone,
            "receiver_bank_account_number": null,
            "receiver_bank": bank_code(network),
        },
        "customer": customer(shared, order),
        "plan": null,
        "plan_object": {},
        "subaccount": {},
        "connect": null,
        "helpdesk_link": null,
        "split": {},
        "order_id": null,
        "requested_amount": pesewas,
        "pos_transaction_data": null,
        "source": null,
        "fees_breakdown": null,
        "transaction_date": iso8601(order.created),
    })
}

/// The address of the customer of a charge.
pub(super) fn email(order: &Order) -> &str {
    text(&order.new.request, "email")
}

/// The customer of a charge.
pub(super) fn customer(shared: &Shared, order: &Order) -> Value {
    let customer =
        shared.find::<Paystack>().and_then(|paystack| paystack.find_customer(email(order)));
    let Some(customer) = customer else { return Value::Null };
    let filled = |text: String| Some(text).filter(|text| !text.is_empty());
    json!({
        "id": customer.id,
        "first_name": filled(customer.first_name),
        "last_name": filled(customer.last_name),
        "email": customer.email,
        "customer_code": customer.code,
        "phone": filled(customer.phone),
        "metadata": customer.metadata,
        "risk_action": "default",
        "international_format_phone": null,
    })
}
