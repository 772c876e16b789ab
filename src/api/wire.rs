//! The service's JSON as serde types, read from the values that the browser has parsed.
//!
//! The component may meet a newer service. So every field is optional here, and a field of an
//! unexpected type reads as absent. `docs/reference/endpoints.md` describes the fields.

use super::milliseconds;
use crate::flow::facts::{known_code, transaction_state};
use crate::flow::{self, SessionStatus};
use js_sys::{Array, Number, Object, encode_uri_component};
use serde::{Deserialize, Deserializer, Serialize};
use serde_wasm_bindgen::{from_value, preserve};
use tua_contract::{Amount, Network};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Url;

/// The body of `POST /v1/charge`. `payer_pays` is the text of a JSON number, so it stays exact.
/// None of the texts needs an escape.
pub(super) fn charge_body(phone: &str, network: &str, payer_pays: &str) -> String {
    [
        r#"{"phoneNumber":""#,
        phone,
        r#"","network":""#,
        network,
        r#"","payerPays":"#,
        payer_pays,
        "}",
    ]
    .concat()
}

/// The body of `POST /v1/submit-otp`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SubmitOtpBody<'a> {
    pub(super) transaction_id: &'a str,
    pub(super) otp: &'a str,
}

/// The fields that the component reads: of a session, of a transaction, and of a problem document
/// (RFC 9457) with its parts. One type for all, since serde derives a reader for each type, and a
/// payer downloads it.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Body {
    // A session.
    checkout_id: Field,
    amount: Field,
    currency: Field,
    merchant: Field,
    branding: Field,
    accent: Field,
    mode: Field,
    expires_at: Field,
    return_url: Field,
    attempts_left: Field,
    networks: Field,
    ended: Field,
    fee: Field,
    prompt_instructions: Field,
    transaction: Field,
    // A transaction, or a network of a session.
    payer_pays: Field,
    // A transaction.
    transaction_id: Field,
    next_action: Field,
    failure: Field,
    network: Field,
    phone_number: Field,
    code_attempts_left: Field,
    operator_transaction_id: Field,
    updated_at: Field,
    // A problem, one of its `errors`, or a transaction's `failure`.
    code: Field,
    checkout: Field,
    errors: Field,
    pointer: Field,
    // Of several.
    reference: Field,
    status: Field,
}

/// A field's value, which the browser has parsed; `undefined` if the field is absent.
#[derive(Default)]
struct Field(JsValue);

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        preserve::deserialize(deserializer).map(Self)
    }
}

impl Field {
    /// The text of a string; `None` for any other type.
    #[inline(never)]
    fn text(&self) -> Option<String> {
        self.0.as_string()
    }

    /// A string; empty if it is absent.
    #[inline(never)]
    fn text_or_empty(&self) -> String {
        self.text().unwrap_or_default()
    }

    /// A number as the exact text that JavaScript writes. It never becomes a float here.
    #[inline(never)]
    fn decimal(&self) -> Option<String> {
        self.0.dyn_ref::<Number>()?.to_string_with_radix(10).ok().map(String::from)
    }

    /// The exact text of a valid amount.
    #[inline(never)]
    fn amount(&self) -> Option<String> {
        self.decimal().filter(|text| Amount::parse(text).is_ok())
    }

    /// A count without a sign or decimals; `None` for any other value.
    fn count(&self) -> Option<u32> {
        self.decimal()?.parse().ok()
    }

    /// The fields of an object; `None` for any other type.
    #[inline(never)]
    fn object(self) -> Option<Body> {
        from_value(Some(self.0).filter(JsValue::is_object)?).ok()
    }

    /// An array; empty if it is none.
    fn array(self) -> Array {
        self.0.dyn_into().unwrap_or_default()
    }
}

/// The session. `None` without an identifier or a valid amount.
pub(super) fn session(body: JsValue) -> Option<flow::Session> {
    let session = Field(body).object()?;
    let amount = session.amount.amount()?;
    let checkout_id = session.checkout_id.text()?;
    let reference = session.reference.text_or_empty();
    let mut found = flow::Session {
        return_url: session
            .return_url
            .text()
            .and_then(|url| return_url(&url, &checkout_id, &reference)),
        checkout_id,
        reference,
        amount,
        currency: session.currency.text_or_empty(),
        merchant: session.merchant.text_or_empty(),
        accent: session.branding.object().and_then(|branding| branding.accent.text()),
        is_test: session.mode.text_or_empty() == "test",
        expires_at_ms: milliseconds(&session.expires_at.text_or_empty()).unwrap_or(i64::MAX),
        is_paid: session.status.text_or_empty() == "PAID",
        // A service that does not send the number refuses a charge itself when none is left.
        attempts_left: session.attempts_left.count().unwrap_or(1),
        down: [false; 3],
        ended: [false; 3],
        prices: Box::default(),
        prompt_instructions: Box::default(),
        transaction: transaction(session.transaction.0),
    };
    read_networks(session.networks, &mut found);
    Some(found)
}

/// Reads whether each network is down or has ended, what it costs, and its operator's instructions.
/// The elements of `networks` may be in any order.
fn read_networks(networks: Field, session: &mut flow::Session) {
    for element in networks.array().iter() {
        let Some(element) = Field(element).object() else { continue };
        if let Some(network) = Network::parse(&element.network.text_or_empty()) {
            session.down[network as usize] = element.status.text_or_empty() == "DOWN";
            session.ended[network as usize] = element.ended.0.is_truthy();
            let price = element.fee.amount().zip(element.payer_pays.amount());
            session.prices[network as usize] =
                price.map(|(fee, payer_pays)| flow::Price { fee, payer_pays });
            session.prompt_instructions[network as usize] =
                localized_texts(&element.prompt_instructions);
        }
    }
}

/// An object of language to text; empty if it is none.
fn localized_texts(texts: &Field) -> Vec<flow::LocalizedText> {
    let Some(texts) = texts.0.dyn_ref() else { return Vec::new() };
    let text = |entry: JsValue| {
        let entry: Array = entry.dyn_into().ok()?;
        Some(flow::LocalizedText {
            language: entry.get(0).as_string()?,
            text: entry.get(1).as_string()?,
        })
    };
    Object::entries(texts).iter().filter_map(text).collect()
}

/// The shop's address, which learns from its query which checkout the payer comes from. Only a web
/// address may become a link.
fn return_url(url: &str, checkout_id: &str, reference: &str) -> Option<String> {
    if !(url.starts_with("https://") || url.starts_with("http://")) {
        return None;
    }
    let url = Url::new(url).ok()?;
    let query = url.search();
    let encoded = |text| String::from(encode_uri_component(text));
    let mark = if query.is_empty() { "?" } else { "&" };
    url.set_search(
        &[&query, mark, "checkoutId=", &encoded(checkout_id), "&reference=", &encoded(reference)]
            .concat(),
    );
    Some(url.href())
}

/// The transaction. `None` without an identifier.
#[inline(never)]
pub(super) fn transaction(body: JsValue) -> Option<flow::Transaction> {
    let transaction = Field(body).object()?;
    let failure = transaction.failure.object().and_then(|failure| failure.code.text());
    Some(flow::Transaction {
        id: transaction.transaction_id.text()?,
        state: transaction_state(
            &transaction.status.text_or_empty(),
            &transaction.next_action.text_or_empty(),
            failure.as_deref(),
        ),
        network: Network::parse(&transaction.network.text_or_empty()),
        masked_phone: transaction.phone_number.text_or_empty(),
        payer_pays: transaction.payer_pays.amount(),
        code_attempts_left: transaction.code_attempts_left.count(),
        operator_id: transaction.operator_transaction_id.text(),
        updated_at: transaction.updated_at.text_or_empty(),
    })
}

/// The refusal, also when the body is no problem document.
pub(super) fn problem(body: JsValue, status: u16, retry_after_s: Option<u32>) -> flow::Problem {
    let problem = Field(body).object().unwrap_or_default();
    flow::Problem {
        status,
        code: known_code(&problem.code.text_or_empty()),
        checkout: SessionStatus::parse(&problem.checkout.text_or_empty()),
        reference: problem.reference.text(),
        retry_after_s,
        pointers: problem
            .errors
            .array()
            .iter()
            .filter_map(|error| Field(error).object()?.pointer.text())
            .collect(),
    }
}
