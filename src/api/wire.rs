//! The service's JSON, read from the values that the browser has parsed.
//!
//! The component may meet a newer service. So every field is optional here, and a field of an
//! unexpected type reads as absent. `docs/reference/endpoints.md` describes the fields. They are
//! read one by one with `Reflect`: since each is optional and stays a JavaScript value, a derived
//! `Deserialize` did the same with 5 KB more to download.

use crate::flow::facts::{known_code, transaction_state};
use crate::flow::{self, SessionStatus};
use js_sys::{Array, Date, Number, Object, Reflect, encode_uri_component};
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

/// A value that the browser has parsed; `undefined` if it is absent.
struct Value(JsValue);

impl Value {
    /// A field of an object; `undefined` for any other type.
    #[inline(never)]
    fn get(&self, name: &str) -> Self {
        Self(Reflect::get(&self.0, &name.into()).unwrap_or_default())
    }

    /// The text of a field that is a string; `None` for any other type.
    #[inline(never)]
    fn text(&self, name: &str) -> Option<String> {
        self.get(name).0.as_string()
    }

    /// A field that is a string; empty if it is absent.
    #[inline(never)]
    fn text_or_empty(&self, name: &str) -> String {
        self.text(name).unwrap_or_default()
    }

    /// Whether a field is this string.
    #[inline(never)]
    fn is(&self, name: &str, text: &str) -> bool {
        self.text_or_empty(name) == text
    }

    /// A field that is a number, as the exact text that JavaScript writes. It never becomes a float
    /// here.
    #[inline(never)]
    fn decimal(&self, name: &str) -> Option<String> {
        self.get(name).0.dyn_ref::<Number>()?.to_string_with_radix(10).ok().map(String::from)
    }

    /// The exact text of a field that is a valid amount.
    #[inline(never)]
    fn amount(&self, name: &str) -> Option<String> {
        self.decimal(name).filter(|text| Amount::parse(text).is_ok())
    }

    /// A field that is a count without a sign or decimals; `None` for any other value.
    fn count(&self, name: &str) -> Option<u32> {
        self.decimal(name)?.parse().ok()
    }

    /// The network that the field `network` names; `None` if it is unknown here.
    #[inline(never)]
    fn network(&self) -> Option<Network> {
        Network::parse(&self.text_or_empty("network"))
    }

    /// The elements of a field that is an array; none if it is no array.
    fn elements(&self, name: &str) -> Array {
        self.get(name).0.dyn_into().unwrap_or_default()
    }
}

/// The session. `None` without an identifier or a valid amount.
pub(super) fn session(body: JsValue) -> Option<flow::Session> {
    let body = Value(body);
    let amount = body.amount("amount")?;
    let checkout_id = body.text("checkoutId")?;
    let reference = body.text_or_empty("reference");
    let return_url = body.text("returnUrl");
    let mut session = flow::Session {
        return_url: return_url.and_then(|url| with_checkout(&url, &checkout_id, &reference)),
        checkout_id,
        reference,
        amount,
        currency: body.text_or_empty("currency"),
        merchant: body.text_or_empty("merchant"),
        accent: body.get("branding").text("accent"),
        is_test: body.is("mode", "test"),
        expires_at_ms: milliseconds(&body.text_or_empty("expiresAt")).unwrap_or(i64::MAX),
        is_paid: body.is("status", "PAID"),
        // A service that does not send the number refuses a charge itself when none is left.
        attempts_left: body.count("attemptsLeft").unwrap_or(1),
        down: [false; 3],
        ended: [false; 3],
        prices: Box::default(),
        prompt_instructions: Box::default(),
        transaction: transaction(body.get("transaction").0),
    };
    for element in body.elements("networks").iter() {
        read_network(&Value(element), &mut session);
    }
    Some(session)
}

/// Reads whether a network is down or has ended, what it costs, and its operator's instructions.
/// The elements of `networks` may be in any order.
fn read_network(element: &Value, session: &mut flow::Session) {
    let Some(network) = element.network() else { return };
    let place = network as usize;
    session.down[place] = element.is("status", "DOWN");
    session.ended[place] = element.get("ended").0.is_truthy();
    let price = element.amount("fee").zip(element.amount("payerPays"));
    session.prices[place] = price.map(|(fee, payer_pays)| flow::Price { fee, payer_pays });
    session.prompt_instructions[place] = localized_texts(&element.get("promptInstructions"));
}

/// An object of language to text; empty if it is none.
fn localized_texts(texts: &Value) -> Vec<flow::LocalizedText> {
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
fn with_checkout(url: &str, checkout_id: &str, reference: &str) -> Option<String> {
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
    let body = Value(body);
    Some(flow::Transaction {
        id: body.text("transactionId")?,
        state: transaction_state(
            &body.text_or_empty("status"),
            &body.text_or_empty("nextAction"),
            body.get("failure").text("code").as_deref(),
        ),
        network: body.network(),
        masked_phone: body.text_or_empty("phoneNumber"),
        payer_pays: body.amount("payerPays"),
        code_attempts_left: body.count("codeAttemptsLeft"),
        operator_transaction_id: body.text("operatorTransactionId"),
        updated_at: body.text_or_empty("updatedAt"),
    })
}

/// The refusal, also when the body is no problem document.
pub(super) fn problem(body: JsValue, status: u16, retry_after_s: Option<u32>) -> flow::Problem {
    let body = Value(body);
    let errors = body.elements("errors");
    flow::Problem {
        status,
        code: known_code(&body.text_or_empty("code")),
        checkout: SessionStatus::parse(&body.text_or_empty("checkout")),
        reference: body.text("reference"),
        retry_after_s,
        pointers: errors.iter().filter_map(|error| Value(error).text("pointer")).collect(),
    }
}

/// A date as the browser parses it, in milliseconds since 1970.
pub(super) fn milliseconds(text: &str) -> Option<i64> {
    let millis = Date::parse(text);
    millis.is_finite().then_some(millis as i64)
}
