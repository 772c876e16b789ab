//! The calls, with the checkout token (contract sections 4 to 6).

mod wire;

use crate::flow::{Answer, Request};
use js_sys::{Date, JSON, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Headers, RequestCache, RequestCredentials, RequestInit, Response};

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
        let (path, init) = self.build(request, signal)?;
        let window = web_sys::window().ok_or(JsValue::NULL)?;
        let sent = window.fetch_with_str_and_init(&[&self.base, path.as_str()].concat(), &init);
        let response: Response = JsFuture::from(sent).await?.dyn_into()?;
        let header = |name| response.headers().get(name).ok().flatten();
        let now_ms = header("date").and_then(|date| milliseconds(&date));
        let held = header("preference-applied").is_some();
        let status = response.status();
        let answer = if status == 304 {
            Answer::Unchanged { held }
        } else if !response.ok() {
            let retry_after_s = header("retry-after").and_then(|seconds| seconds.parse().ok());
            // A proxy's error page is no problem document; its status still counts.
            let body = json(&response).await.unwrap_or_default();
            Answer::Refused(wire::problem(&body, status, retry_after_s))
        } else if is_session {
            wire::session(&json(&response).await?).map_or(Answer::Lost, Answer::Session)
        } else {
            let etag = header("etag");
            wire::transaction(&json(&response).await?).map_or(Answer::Lost, |transaction| Answer::Transaction {
                transaction,
                etag,
                held,
            })
        };
        Ok((answer, now_ms))
    }

    /// The request's path below the root, and the rest of it.
    fn build(&self, request: Request, signal: &AbortSignal) -> Result<(String, RequestInit), JsValue> {
        let init = RequestInit::new();
        let headers = Headers::new()?;
        headers.set("authorization", &self.bearer)?;
        let path = match request {
            Request::Checkout => "/checkout".to_owned(),
            Request::Charge { attempt, phone, network } => {
                let fields = [("phoneNumber", phone.as_str()), ("network", network.as_str())];
                self.post(&init, &headers, attempt, fields)?;
                "/charge".to_owned()
            }
            Request::Code { attempt, transaction_id, code } => {
                let fields = [("transactionId", transaction_id.as_str()), ("otp", code.0.as_str())];
                self.post(&init, &headers, attempt, fields)?;
                "/submit-otp".to_owned()
            }
            Request::Status { transaction_id, etag, at_once } => {
                if let Some(etag) = etag {
                    headers.set("if-none-match", &etag)?;
                }
                if !at_once {
                    headers.set("prefer", HOLD_S)?;
                }
                ["/status/", &transaction_id].concat()
            }
        };
        init.set_headers(&headers);
        init.set_signal(Some(signal));
        // Nothing but the token says who asks; nothing is kept by the browser.
        init.set_credentials(RequestCredentials::Omit);
        init.set_cache(RequestCache::NoStore);
        Ok((path, init))
    }

    fn post(
        &self,
        init: &RequestInit,
        headers: &Headers,
        attempt: u32,
        fields: [(&str, &str); 2],
    ) -> Result<(), JsValue> {
        let body = Object::new();
        for (name, value) in fields {
            Reflect::set(&body, &name.into(), &value.into())?;
        }
        init.set_method("POST");
        init.set_body(&JSON::stringify(&body)?.into());
        headers.set("content-type", "application/json")?;
        headers.set("idempotency-key", &[&self.seed, "-", attempt.to_string().as_str()].concat())
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
    JsFuture::from(response.json()?).await
}

/// A property of an object that may be none.
pub(crate) fn property(object: &JsValue, name: &str) -> Option<JsValue> {
    object.is_object().then(|| Reflect::get(object, &name.into()).ok()).flatten()
}

/// An amount's exact text, as JavaScript writes the number.
fn decimal(amount: &JsValue) -> Option<String> {
    amount.dyn_ref::<js_sys::Number>()?.to_string_with_radix(10).ok()?.as_string()
}
