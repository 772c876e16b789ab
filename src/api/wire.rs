//! The service's JSON, read leniently: a published component meets newer servers, so each field is
//! read for itself, and what is not understood is left out.
//!
//! The browser has parsed it already; a second reader in here would weigh more than the form.

use super::{decimal, milliseconds, property};
use crate::flow::{Problem, Session, SessionStanding, Transaction, facts::standing};
use js_sys::Array;
use tua_contract::{Amount, ErrorCode, Network};
use wasm_bindgen::JsValue;

fn text(object: &JsValue, name: &str) -> Option<String> {
    property(object, name)?.as_string()
}

/// A small count, taken digit by digit from its text: no float is computed with.
fn count(object: &JsValue, name: &str) -> Option<u32> {
    decimal(&property(object, name)?)?.parse().ok()
}

/// The session; nothing where what makes one is not there.
pub(super) fn session(body: &JsValue) -> Option<Session> {
    let amount = decimal(&property(body, "amount")?)?;
    Amount::parse(&amount).ok()?;
    Some(Session {
        checkout_id: text(body, "checkoutId")?,
        reference: text(body, "reference").unwrap_or_default(),
        amount,
        currency: text(body, "currency").unwrap_or_default(),
        merchant: text(body, "merchant").unwrap_or_default(),
        is_test: text(body, "mode").as_deref() == Some("test"),
        expires_at_ms: text(body, "expiresAt").as_deref().and_then(milliseconds).unwrap_or(i64::MAX),
        return_url: text(body, "returnUrl").filter(|url| is_link(url)),
        is_paid: text(body, "status").as_deref() == Some("PAID"),
        // A server that does not say will refuse by itself.
        attempts_left: count(body, "attemptsLeft").unwrap_or(1),
        transaction: property(body, "transaction").as_ref().and_then(transaction),
    })
}

/// Only a web address may become a link.
fn is_link(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// The transaction; nothing where it has no identifier.
pub(super) fn transaction(body: &JsValue) -> Option<Transaction> {
    let failure = property(body, "failure").and_then(|failure| text(&failure, "code"));
    let word = |name| text(body, name).unwrap_or_default();
    Some(Transaction {
        id: text(body, "transactionId")?,
        state: standing(&word("status"), &word("nextAction"), failure.as_deref()),
        network: Network::parse(&word("network")),
        masked_phone: word("phoneNumber"),
        code_attempts_left: count(body, "codeAttemptsLeft"),
        updated_at: word("updatedAt"),
    })
}

/// The refusal, whatever the body is worth.
pub(super) fn problem(body: &JsValue, status: u16, retry_after_s: Option<u32>) -> Problem {
    let errors = property(body, "errors").filter(Array::is_array).map(|errors| Array::from(&errors));
    Problem {
        status,
        code: text(body, "code").as_deref().and_then(ErrorCode::parse),
        checkout: text(body, "checkout").as_deref().and_then(SessionStanding::parse),
        reference: text(body, "reference"),
        retry_after_s,
        pointers: errors
            .map_or_else(Vec::new, |errors| errors.iter().filter_map(|error| text(&error, "pointer")).collect()),
    }
}
