//! The service's JSON, read leniently: a published component meets newer servers.
//!
//! The browser has parsed it already; each field is taken from there by its name. What one of them
//! should not be spoils none of the others, and those that are not known here are left out.

use super::milliseconds;
use crate::browser::property;
use crate::flow::facts::{standing, told_apart};
use crate::flow::{self, SessionStanding};
use js_sys::Array;
use tua_contract::{Amount, Network};
use wasm_bindgen::{JsCast, JsValue};

/// An object that the service wrote; anything else has no fields.
struct Body(JsValue);

impl Body {
    #[inline(never)]
    fn field(&self, name: &str) -> JsValue {
        property(&self.0, name).unwrap_or_default()
    }

    #[inline(never)]
    fn text(&self, name: &str) -> Option<String> {
        self.field(name).as_string()
    }

    #[inline(never)]
    fn text_or_none(&self, name: &str) -> String {
        self.text(name).unwrap_or_default()
    }

    /// A number's exact text, as JavaScript writes it: never a float of ours.
    #[inline(never)]
    fn decimal(&self, name: &str) -> Option<String> {
        self.field(name).dyn_ref::<js_sys::Number>()?.to_string_with_radix(10).ok()?.as_string()
    }

    /// A small count, taken digit by digit from its text.
    fn count(&self, name: &str) -> Option<u32> {
        self.decimal(name)?.parse().ok()
    }
}

/// The session; nothing where what makes one is not there.
pub(super) fn session(body: JsValue) -> Option<flow::Session> {
    let body = Body(body);
    let amount = body.decimal("amount")?;
    Amount::parse(&amount).ok()?;
    Some(flow::Session {
        checkout_id: body.text("checkoutId")?,
        reference: body.text_or_none("reference"),
        amount,
        currency: body.text_or_none("currency"),
        merchant: body.text_or_none("merchant"),
        is_test: body.text("mode").as_deref() == Some("test"),
        expires_at_ms: body.text("expiresAt").as_deref().and_then(milliseconds).unwrap_or(i64::MAX),
        return_url: body.text("returnUrl").filter(|url| is_link(url)),
        is_paid: body.text("status").as_deref() == Some("PAID"),
        // A server that does not say will refuse by itself.
        attempts_left: body.count("attemptsLeft").unwrap_or(1),
        transaction: transaction(body.field("transaction")),
    })
}

/// Only a web address may become a link.
fn is_link(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// The transaction; nothing where it has no identifier.
pub(super) fn transaction(body: JsValue) -> Option<flow::Transaction> {
    let body = Body(body);
    let failure = Body(body.field("failure")).text("code");
    Some(flow::Transaction {
        id: body.text("transactionId")?,
        state: standing(&body.text_or_none("status"), &body.text_or_none("nextAction"), failure.as_deref()),
        network: Network::parse(&body.text_or_none("network")),
        masked_phone: body.text_or_none("phoneNumber"),
        code_attempts_left: body.count("codeAttemptsLeft"),
        updated_at: body.text_or_none("updatedAt"),
    })
}

/// The refusal, whatever the body is worth.
pub(super) fn problem(body: JsValue, status: u16, retry_after_s: Option<u32>) -> flow::Problem {
    let body = Body(body);
    let errors = body.field("errors").dyn_into::<Array>().unwrap_or_default();
    flow::Problem {
        status,
        code: body.text("code").as_deref().and_then(told_apart),
        checkout: body.text("checkout").as_deref().and_then(SessionStanding::parse),
        reference: body.text("reference"),
        retry_after_s,
        pointers: errors.iter().filter_map(|error| Body(error).text("pointer")).collect(),
    }
}
