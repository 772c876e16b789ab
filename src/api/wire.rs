//! The service's JSON as serde types, read from the values that the browser has parsed.
//!
//! The component may meet a newer service. So every field is optional here, and a field of an unexpected type
//! reads as absent. `docs/reference/endpoints.md` describes the fields.

use super::milliseconds;
use crate::flow::facts::{standing, told_apart};
use crate::flow::{self, SessionStanding};
use js_sys::{Array, Number};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_wasm_bindgen::{from_value, preserve};
use tua_contract::{Amount, Network};
use wasm_bindgen::{JsCast, JsValue};

/// The body of `POST /v1/charge`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChargeBody<'a> {
    pub(super) phone_number: &'a str,
    pub(super) network: &'a str,
}

/// The body of `POST /v1/submit-otp`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SubmitOtpBody<'a> {
    pub(super) transaction_id: &'a str,
    pub(super) otp: &'a str,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Session {
    checkout_id: Text,
    reference: Text,
    amount: Decimal,
    currency: Text,
    merchant: Text,
    mode: Text,
    expires_at: Text,
    return_url: Text,
    status: Text,
    attempts_left: Decimal,
    transaction: Object<Transaction>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Transaction {
    transaction_id: Text,
    status: Text,
    next_action: Text,
    failure: Object<Failure>,
    network: Text,
    phone_number: Text,
    code_attempts_left: Decimal,
    updated_at: Text,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Failure {
    code: Text,
}

/// A problem document (RFC 9457).
#[derive(Deserialize, Default)]
#[serde(default)]
struct Problem {
    code: Text,
    checkout: Text,
    reference: Text,
    errors: List<FieldError>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct FieldError {
    pointer: Text,
}

/// The session. `None` without an identifier or a valid amount.
pub(super) fn session(body: JsValue) -> Option<flow::Session> {
    let session = Object::<Session>::read(body).0?;
    let amount = session.amount.0?;
    Amount::parse(&amount).ok()?;
    Some(flow::Session {
        checkout_id: session.checkout_id.0?,
        reference: session.reference.0.unwrap_or_default(),
        amount,
        currency: session.currency.0.unwrap_or_default(),
        merchant: session.merchant.0.unwrap_or_default(),
        is_test: session.mode.0.as_deref() == Some("test"),
        expires_at_ms: session.expires_at.0.as_deref().and_then(milliseconds).unwrap_or(i64::MAX),
        return_url: session.return_url.0.filter(|url| is_link(url)),
        is_paid: session.status.0.as_deref() == Some("PAID"),
        // A service that does not send the number refuses a charge itself when none is left.
        attempts_left: session.attempts_left.count().unwrap_or(1),
        transaction: session.transaction.0.and_then(Transaction::into_flow),
    })
}

/// Only a web address may become a link.
fn is_link(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// The transaction. `None` without an identifier.
pub(super) fn transaction(body: JsValue) -> Option<flow::Transaction> {
    Object::<Transaction>::read(body).0?.into_flow()
}

impl Transaction {
    fn into_flow(self) -> Option<flow::Transaction> {
        let failure = self.failure.0.and_then(|failure| failure.code.0);
        let [status, next_action, network] =
            [self.status, self.next_action, self.network].map(|text| text.0.unwrap_or_default());
        Some(flow::Transaction {
            id: self.transaction_id.0?,
            state: standing(&status, &next_action, failure.as_deref()),
            network: Network::parse(&network),
            masked_phone: self.phone_number.0.unwrap_or_default(),
            code_attempts_left: self.code_attempts_left.count(),
            updated_at: self.updated_at.0.unwrap_or_default(),
        })
    }
}

/// The refusal, also when the body is no problem document.
pub(super) fn problem(body: JsValue, status: u16, retry_after_s: Option<u32>) -> flow::Problem {
    let problem = Object::<Problem>::read(body).0.unwrap_or_default();
    flow::Problem {
        status,
        code: problem.code.0.as_deref().and_then(told_apart),
        checkout: problem.checkout.0.as_deref().and_then(SessionStanding::parse),
        reference: problem.reference.0,
        retry_after_s,
        pointers: problem.errors.0.into_iter().filter_map(|error| error.pointer.0).collect(),
    }
}

/// A string.
#[derive(Default)]
struct Text(Option<String>);

/// A number as the exact text that JavaScript writes. It never becomes a float here.
#[derive(Default)]
struct Decimal(Option<String>);

impl Decimal {
    /// The number as a small count.
    fn count(&self) -> Option<u32> {
        self.0.as_ref()?.parse().ok()
    }
}

/// An object.
struct Object<T>(Option<T>);

impl<T> Default for Object<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: DeserializeOwned> Object<T> {
    fn read(value: JsValue) -> Self {
        Self(Some(value).filter(JsValue::is_object).and_then(|value| from_value(value).ok()))
    }
}

/// An array of objects.
#[derive(Default)]
struct List<T>(Vec<T>);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        preserve::deserialize(deserializer).map(|value: JsValue| Self(value.as_string()))
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = |number: &Number| number.to_string_with_radix(10).ok().map(String::from);
        preserve::deserialize(deserializer).map(|value: JsValue| Self(value.dyn_ref().and_then(text)))
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        preserve::deserialize(deserializer).map(Self::read)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value: JsValue = preserve::deserialize(deserializer)?;
        let values = value.dyn_into::<Array>().unwrap_or_default();
        Ok(Self(values.iter().filter_map(|value| Object::read(value).0).collect()))
    }
}
