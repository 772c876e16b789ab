//! The calls, with the checkout token (contract sections 4 to 6).

mod wire;

use crate::flow::{Answer, Request};
use gloo_net::http::{Method, RequestBuilder, Response};
use js_sys::{Array, Date, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

/// How long the server is asked to hold a status back, in seconds.
const HOLD_S: &str = "wait=25";

/// A way to the service, for one token.
#[derive(Debug)]
pub(crate) struct Api {
    base: String,
    bearer: String,
    /// What this component's idempotency keys begin with.
    seed: String,
}

impl Api {
    /// `base` is the versioned root of the API, with or without a slash at its end.
    pub(crate) fn new(base: &str, token: &str) -> Self {
        let seed = [0; 4].map(|_: u8| random().to_string()).join("-");
        Self { base: base.trim_end_matches('/').to_owned(), bearer: ["Bearer ", token].concat(), seed }
    }

    /// Sends a request. With the answer comes the server's clock, in milliseconds since 1970, where it
    /// was said.
    pub(crate) async fn send(&self, request: Request, signal: &AbortSignal) -> (Answer, Option<i64>) {
        match self.exchange(request, signal).await {
            Ok(answered) => answered,
            Err(_) => (Answer::Lost, None),
        }
    }

    async fn exchange(&self, request: Request, signal: &AbortSignal) -> Result<(Answer, Option<i64>), JsValue> {
        let is_session = request == Request::Checkout;
        // Why is of no use to a payer, and its words would bring a formatter along.
        let lost = |_: gloo_net::Error| JsValue::NULL;
        let response = self.build(request, signal).map_err(lost)?.send().await.map_err(lost)?;
        let headers = response.headers();
        let now_ms = headers.get("date").and_then(|date| milliseconds(&date));
        let held = headers.get("preference-applied").is_some();
        if response.status() == 304 {
            return Ok((Answer::Unchanged { held }, now_ms));
        }
        let answer = if !response.ok() {
            let retry_after_s = headers.get("retry-after").and_then(|seconds| seconds.parse().ok());
            // A proxy's error page is no problem document; its status still counts.
            let body = json(&response).await.unwrap_or_else(|_| Object::new().into());
            Answer::Refused(wire::problem(&body, response.status(), retry_after_s))
        } else if is_session {
            wire::session(&json(&response).await?).map_or(Answer::Lost, Answer::Session)
        } else {
            let etag = headers.get("etag");
            wire::transaction(&json(&response).await?).map_or(Answer::Lost, |transaction| Answer::Transaction {
                transaction,
                etag,
                held,
            })
        };
        Ok((answer, now_ms))
    }

    fn build(&self, request: Request, signal: &AbortSignal) -> Result<gloo_net::http::Request, gloo_net::Error> {
        match request {
            Request::Checkout => self.request(Method::GET, "/checkout", signal).build(),
            Request::Charge { attempt, phone, network } => {
                let fields = [("phoneNumber", phone.as_str()), ("network", network.as_str())];
                self.post("/charge", attempt, &fields, signal)
            }
            Request::Code { attempt, transaction_id, code } => {
                let fields = [("transactionId", transaction_id.as_str()), ("otp", code.0.as_str())];
                self.post("/submit-otp", attempt, &fields, signal)
            }
            Request::Status { transaction_id, etag, at_once } => {
                let mut request = self.request(Method::GET, &["/status/", &transaction_id].concat(), signal);
                if let Some(etag) = etag {
                    request = request.header("if-none-match", &etag);
                }
                if !at_once {
                    request = request.header("prefer", HOLD_S);
                }
                request.build()
            }
        }
    }

    fn request(&self, method: Method, path: &str, signal: &AbortSignal) -> RequestBuilder {
        RequestBuilder::new(&[&self.base, path].concat())
            .method(method)
            // Nothing but the token says who asks; nothing is kept by the browser.
            .credentials(web_sys::RequestCredentials::Omit)
            .cache(web_sys::RequestCache::NoStore)
            .header("authorization", &self.bearer)
            .abort_signal(Some(signal))
    }

    fn post(
        &self,
        path: &str,
        attempt: u32,
        fields: &[(&str, &str)],
        signal: &AbortSignal,
    ) -> Result<gloo_net::http::Request, gloo_net::Error> {
        let pairs: Array = fields.iter().map(|(name, value)| Array::of2(&(*name).into(), &(*value).into())).collect();
        let body = Object::from_entries(&pairs).and_then(|object| js_sys::JSON::stringify(&object)).unwrap_or_default();
        self.request(Method::POST, path, signal)
            .header("content-type", "application/json")
            .header("idempotency-key", &[&self.seed, "-", &attempt.to_string()].concat())
            .body(body)
    }
}

/// A random number from the browser's secure source; 0 where a browser has none.
pub(crate) fn random() -> u32 {
    let mut bytes = [0; 4];
    if let Some(crypto) = web_sys::window().and_then(|window| window.crypto().ok()) {
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    u32::from_le_bytes(bytes)
}

/// A moment as the browser reads it, in milliseconds since 1970.
pub(crate) fn milliseconds(text: &str) -> Option<i64> {
    let millis = Date::parse(text);
    millis.is_finite().then_some(millis as i64)
}

async fn json(response: &Response) -> Result<JsValue, JsValue> {
    let text = response.text().await.map_err(|_| JsValue::NULL)?;
    js_sys::JSON::parse(&text)
}

/// A property of an object that may be none.
pub(crate) fn property(object: &JsValue, name: &str) -> Option<JsValue> {
    object.is_object().then(|| Reflect::get(object, &name.into()).ok()).flatten()
}

/// An amount's exact text, as JavaScript writes the number.
fn decimal(amount: &JsValue) -> Option<String> {
    amount.dyn_ref::<js_sys::Number>()?.to_string_with_radix(10).ok()?.as_string()
}
