//! The service's JSON, read leniently: a published component meets newer servers.
//!
//! The browser has parsed it already. Each shape and each type of field that serde reads is code that
//! a payer downloads, so there is one shape for every body and every object inside one.

use super::milliseconds;
use crate::flow::{self, SessionStanding, facts::standing};
use js_sys::Array;
use serde::{Deserialize, Deserializer};
use serde_wasm_bindgen::{from_value, preserve};
use tua_contract::{Amount, ErrorCode, Network};
use wasm_bindgen::{JsCast, JsValue};

/// A field as JavaScript has it: what one of them should not be spoils none of the others.
#[derive(Default)]
struct Field(JsValue);

impl<'de> Deserialize<'de> for Field {
    #[inline(never)]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        preserve::deserialize(deserializer).map(Self)
    }
}

impl Field {
    fn text(&self) -> Option<String> {
        self.0.as_string()
    }

    fn text_or_none(&self) -> String {
        self.text().unwrap_or_default()
    }

    /// A number's exact text, as JavaScript writes it: never a float of ours.
    fn decimal(&self) -> Option<String> {
        self.0.dyn_ref::<js_sys::Number>()?.to_string_with_radix(10).ok()?.as_string()
    }

    /// A small count, taken digit by digit from its text.
    fn count(&self) -> Option<u32> {
        self.decimal()?.parse().ok()
    }
}

/// Whatever the service says: fields that it leaves out are none, those that are not known here are
/// left out.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Body {
    // A session.
    checkout_id: Field,
    reference: Field,
    amount: Field,
    currency: Field,
    merchant: Field,
    mode: Field,
    expires_at: Field,
    return_url: Field,
    attempts_left: Field,
    transaction: Field,
    // A session or a transaction.
    status: Field,
    // A transaction.
    transaction_id: Field,
    next_action: Field,
    failure: Field,
    network: Field,
    phone_number: Field,
    code_attempts_left: Field,
    updated_at: Field,
    // A problem, or a failure.
    code: Field,
    checkout: Field,
    errors: Field,
    // One of the errors.
    pointer: Field,
}

/// Reads an object; anything else says nothing.
#[inline(never)]
fn read(body: JsValue) -> Body {
    if body.is_object() { from_value(body).unwrap_or_default() } else { Body::default() }
}

/// The session; nothing where what makes one is not there.
pub(super) fn session(body: JsValue) -> Option<flow::Session> {
    let body = read(body);
    let amount = body.amount.decimal()?;
    Amount::parse(&amount).ok()?;
    Some(flow::Session {
        checkout_id: body.checkout_id.text()?,
        reference: body.reference.text_or_none(),
        amount,
        currency: body.currency.text_or_none(),
        merchant: body.merchant.text_or_none(),
        is_test: body.mode.text().as_deref() == Some("test"),
        expires_at_ms: body.expires_at.text().as_deref().and_then(milliseconds).unwrap_or(i64::MAX),
        return_url: body.return_url.text().filter(|url| is_link(url)),
        is_paid: body.status.text().as_deref() == Some("PAID"),
        // A server that does not say will refuse by itself.
        attempts_left: body.attempts_left.count().unwrap_or(1),
        transaction: transaction(body.transaction.0),
    })
}

/// Only a web address may become a link.
fn is_link(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// The transaction; nothing where it has no identifier.
pub(super) fn transaction(body: JsValue) -> Option<flow::Transaction> {
    let body = read(body);
    let failure = read(body.failure.0).code.text();
    Some(flow::Transaction {
        id: body.transaction_id.text()?,
        state: standing(&body.status.text_or_none(), &body.next_action.text_or_none(), failure.as_deref()),
        network: Network::parse(&body.network.text_or_none()),
        masked_phone: body.phone_number.text_or_none(),
        code_attempts_left: body.code_attempts_left.count(),
        updated_at: body.updated_at.text_or_none(),
    })
}

/// The refusal, whatever the body is worth.
pub(super) fn problem(body: JsValue, status: u16, retry_after_s: Option<u32>) -> flow::Problem {
    let body = read(body);
    let errors = if Array::is_array(&body.errors.0) { Array::from(&body.errors.0) } else { Array::new() };
    flow::Problem {
        status,
        code: body.code.text().as_deref().and_then(ErrorCode::parse),
        checkout: body.checkout.text().as_deref().and_then(SessionStanding::parse),
        reference: body.reference.text(),
        retry_after_s,
        pointers: errors.iter().filter_map(|error| read(error).pointer.text()).collect(),
    }
}
