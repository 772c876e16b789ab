//! The service's JSON, read leniently: a published component meets newer servers.

use super::{decimal, milliseconds};
use crate::flow::{self, SessionStanding};
use serde::Deserialize;
use serde_wasm_bindgen::{from_value, preserve};
use tua_contract::{Amount, ErrorCode, Network};
use wasm_bindgen::JsValue;

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Session {
    checkout_id: Option<String>,
    reference: Option<String>,
    /// Stays a JavaScript number, never an f64 of ours: its text goes through the one parser.
    #[serde(with = "preserve")]
    amount: JsValue,
    currency: Option<String>,
    merchant: Option<String>,
    mode: Option<String>,
    expires_at: Option<String>,
    return_url: Option<String>,
    status: Option<String>,
    attempts_left: Option<u32>,
    transaction: Option<Transaction>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Transaction {
    transaction_id: Option<String>,
    status: Option<String>,
    next_action: Option<String>,
    failure: Option<Failure>,
    network: Option<String>,
    phone_number: Option<String>,
    code_attempts_left: Option<u32>,
    updated_at: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Failure {
    code: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Problem {
    code: Option<String>,
    checkout: Option<String>,
    reference: Option<String>,
    errors: Option<Vec<Fault>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Fault {
    pointer: Option<String>,
}

/// The session; nothing where what makes one is not there.
pub(super) fn session(body: JsValue) -> Option<flow::Session> {
    let wire: Session = from_value(body).ok()?;
    let amount = decimal(&wire.amount)?;
    Amount::parse(&amount).ok()?;
    Some(flow::Session {
        checkout_id: wire.checkout_id?,
        reference: wire.reference.unwrap_or_default(),
        amount,
        currency: wire.currency.unwrap_or_else(|| "GHS".to_owned()),
        merchant: wire.merchant.unwrap_or_default(),
        is_test: wire.mode.as_deref() == Some("test"),
        expires_at_ms: wire.expires_at.as_deref().and_then(milliseconds).unwrap_or(i64::MAX),
        return_url: wire.return_url.filter(|url| is_link(url)),
        is_paid: wire.status.as_deref() == Some("PAID"),
        attempts_left: wire.attempts_left.unwrap_or(1),
        transaction: wire.transaction.and_then(convert),
    })
}

/// Only a web address may become a link.
fn is_link(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// The transaction; nothing where it has no identifier.
pub(super) fn transaction(body: JsValue) -> Option<flow::Transaction> {
    convert(from_value(body).ok()?)
}

fn convert(wire: Transaction) -> Option<flow::Transaction> {
    let failure = wire.failure.and_then(|failure| failure.code);
    Some(flow::Transaction {
        id: wire.transaction_id?,
        state: flow::facts::standing(
            &wire.status.unwrap_or_default(),
            &wire.next_action.unwrap_or_default(),
            failure.as_deref(),
        ),
        network: wire.network.as_deref().and_then(Network::parse),
        masked_phone: wire.phone_number.unwrap_or_default(),
        code_attempts_left: wire.code_attempts_left,
        updated_at: wire.updated_at.unwrap_or_default(),
    })
}

/// The refusal, whatever the body is worth.
pub(super) fn problem(body: JsValue, status: u16, retry_after_s: Option<u32>) -> flow::Problem {
    let wire: Problem = from_value(body).unwrap_or_default();
    flow::Problem {
        status,
        code: wire.code.as_deref().and_then(ErrorCode::parse),
        checkout: wire.checkout.as_deref().and_then(SessionStanding::parse),
        reference: wire.reference,
        retry_after_s,
        pointers: wire.errors.unwrap_or_default().into_iter().filter_map(|fault| fault.pointer).collect(),
    }
}
