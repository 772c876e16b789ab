//! The calls, with the checkout token (contract sections 4 to 6).

mod wire;

use crate::flow::{Answer, Request};
use gloo_net::http::{Method, RequestBuilder, Response};
use js_sys::{Date, JSON, Reflect};
use serde::Serialize;
use wasm_bindgen::JsValue;
use web_sys::{AbortSignal, RequestCache, RequestCredentials};

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

    async fn exchange(&self, request: Request, signal: &AbortSignal) -> Result<(Answer, Option<i64>), Unanswered> {
        let is_session = matches!(request, Request::Checkout);
        let response = self.build(request, signal)?.send().await?;
        let headers = response.headers();
        let now_ms = headers.get("date").as_deref().and_then(milliseconds);
        let held = headers.get("preference-applied").is_some();
        let status = response.status();
        let answer = if status == 304 {
            Answer::Unchanged { held }
        } else if !response.ok() {
            let retry_after_s = headers.get("retry-after").and_then(|seconds| seconds.parse().ok());
            // A proxy's error page is no problem document; its status still counts.
            let body = json(&response).await.unwrap_or_default();
            Answer::Refused(wire::problem(body, status, retry_after_s))
        } else if is_session {
            wire::session(json(&response).await?).map_or(Answer::Lost, Answer::Session)
        } else {
            let etag = headers.get("etag");
            wire::transaction(json(&response).await?).map_or(Answer::Lost, |transaction| Answer::Transaction {
                transaction,
                etag,
                held,
            })
        };
        Ok((answer, now_ms))
    }

    fn build(&self, request: Request, signal: &AbortSignal) -> Result<gloo_net::http::Request, Unanswered> {
        Ok(match request {
            Request::Checkout => self.request(Method::GET, "/checkout", signal).build()?,
            Request::Charge { attempt, phone, network } => {
                let body =
                    Body { phone_number: Some(phone.as_str()), network: Some(network.as_str()), ..Body::default() };
                self.post("/charge", attempt, &body, signal)?
            }
            Request::Code { attempt, transaction_id, code } => {
                let body = Body { transaction_id: Some(&transaction_id), otp: Some(&code.0), ..Body::default() };
                self.post("/submit-otp", attempt, &body, signal)?
            }
            Request::Status { transaction_id, etag, at_once } => {
                let mut request = self.request(Method::GET, &["/status/", &transaction_id].concat(), signal);
                if let Some(etag) = etag {
                    request = request.header("if-none-match", &etag);
                }
                if !at_once {
                    request = request.header("prefer", HOLD_S);
                }
                request.build()?
            }
        })
    }

    #[inline(never)]
    fn request(&self, method: Method, path: &str, signal: &AbortSignal) -> RequestBuilder {
        RequestBuilder::new(&[&self.base, path].concat())
            .method(method)
            // Nothing but the token says who asks; nothing is kept by the browser.
            .credentials(RequestCredentials::Omit)
            .cache(RequestCache::NoStore)
            .header("authorization", &self.bearer)
            .abort_signal(Some(signal))
    }

    #[inline(never)]
    fn post(
        &self,
        path: &str,
        attempt: u32,
        body: &Body<'_>,
        signal: &AbortSignal,
    ) -> Result<gloo_net::http::Request, Unanswered> {
        let body = JSON::stringify(&serde_wasm_bindgen::to_value(body)?)?;
        let request = self
            .request(Method::POST, path, signal)
            .header("content-type", "application/json")
            .header("idempotency-key", &[&self.seed, "-", attempt.to_string().as_str()].concat());
        Ok(request.body(body)?)
    }
}

/// What a POST says; one shape for both, since what is undefined does not become JSON.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    phone_number: Option<&'a str>,
    network: Option<&'a str>,
    transaction_id: Option<&'a str>,
    otp: Option<&'a str>,
}

/// There is no answer that could be read. Why is of no use to a payer, and its words would bring a
/// formatter along.
struct Unanswered;

impl From<gloo_net::Error> for Unanswered {
    fn from(_: gloo_net::Error) -> Self {
        Self
    }
}

impl From<serde_wasm_bindgen::Error> for Unanswered {
    fn from(_: serde_wasm_bindgen::Error) -> Self {
        Self
    }
}

impl From<JsValue> for Unanswered {
    fn from(_: JsValue) -> Self {
        Self
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

async fn json(response: &Response) -> Result<JsValue, Unanswered> {
    Ok(JSON::parse(&response.text().await?)?)
}

/// A property of an object that may be none.
pub(crate) fn property(object: &JsValue, name: &str) -> Option<JsValue> {
    object.is_object().then(|| Reflect::get(object, &name.into()).ok()).flatten()
}
