//! The API requests, made with the checkout token (`docs/reference/endpoints.md`).

mod wire;

use crate::browser::{self, object};
use crate::flow::{ApiResponse, Request};
use crate::locale::digits;
use gloo_net::http::Response;
use js_sys::{JSON, Promise};
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

/// A client of the API for one checkout token.
#[derive(Debug)]
pub(crate) struct Api {
    /// The versioned root, without a slash at its end.
    base_url: String,
    authorization: String,
    /// The prefix of this component's idempotency keys.
    key_prefix: String,
    /// The response to `GET /v1/checkout` that the page requested before the component had loaded:
    /// a promise.
    first: RefCell<Option<JsValue>>,
}

impl Api {
    /// `base_url` is the versioned root of the API, with or without a slash at its end.
    pub(crate) fn new(base_url: &str, token: &str, first: Option<JsValue>) -> Self {
        let mut key_prefix = String::new();
        for _ in 0..4 {
            key_prefix.push_str(&digits(random()));
            key_prefix.push('-');
        }
        Self {
            base_url: base_url.trim_end_matches('/').to_owned(),
            authorization: ["Bearer ", token].concat(),
            key_prefix,
            first: RefCell::new(first),
        }
    }

    /// Sends a request. Returns the answer and, if the response has a `Date`, the server's clock in
    /// milliseconds since 1970. `language` is that of the page, in which the payer gets a receipt.
    pub(crate) async fn send(
        &self,
        request: Request,
        language: &str,
        signal: &AbortSignal,
    ) -> (ApiResponse, Option<i64>) {
        match self.exchange(request, language, signal).await {
            Ok(answer) => answer,
            Err(NoResponse) => (ApiResponse::Lost, None),
        }
    }

    async fn exchange(
        &self,
        request: Request,
        language: &str,
        signal: &AbortSignal,
    ) -> Result<(ApiResponse, Option<i64>), NoResponse> {
        let is_session = matches!(request, Request::Checkout);
        let sent = match self.first.take().filter(|_| is_session) {
            Some(first) => first.unchecked_into(),
            None => self.fetch(request, language, signal),
        };
        let response = JsFuture::from(sent).await?.unchecked_into::<web_sys::Response>();
        let body = JsFuture::from(response.json()?).await.unwrap_or_default();
        Ok(read(is_session, &response.into(), body))
    }

    /// Sends a request. gloo-net reads the response but does not send: its builder parses the
    /// address again for a query, and throws on a token that is no valid header value.
    fn fetch(&self, request: Request, language: &str, signal: &AbortSignal) -> Promise {
        let mut headers = vec![("authorization", Some(self.authorization.clone()))];
        let (path, body) = match request {
            Request::Checkout => ("/checkout".to_owned(), None),
            Request::Charge { attempt, phone, network, payer_pays } => {
                // The browser's own languages may be others. A text that is no header value must
                // not stop the charge.
                if language.bytes().all(|byte| byte.is_ascii_graphic()) {
                    headers.push(("accept-language", Some(language.to_owned())));
                }
                let body = wire::charge_body(phone.as_str(), network.as_str(), &payer_pays);
                ("/charge".to_owned(), Some((attempt, body.into())))
            }
            Request::Code { attempt, transaction_id, code } => {
                let body =
                    object(vec![("transactionId", Some(transaction_id)), ("otp", Some(code.0))]);
                let body = JSON::stringify(&body).unwrap_or_default();
                ("/submit-otp".to_owned(), Some((attempt, body.into())))
            }
            Request::Status { transaction_id, etag, at_once, hold_s } => {
                headers.extend(etag.map(|etag| ("if-none-match", Some(etag))));
                if !at_once {
                    headers.push(("prefer", Some(["wait=", &digits(hold_s)].concat())));
                }
                (["/status/", &transaction_id].concat(), None)
            }
        };
        let body = body.map(|(attempt, body): (u32, JsValue)| {
            let key = [self.key_prefix.as_str(), &digits(attempt)].concat();
            headers.push(("content-type", Some("application/json".to_owned())));
            headers.push(("idempotency-key", Some(key)));
            body
        });
        let address = [self.base_url.as_str(), &path].concat();
        browser::send(&address, object(headers), body.unwrap_or_default(), signal)
    }
}

/// Reads a response. The status of a proxy's error page counts, although its body is no problem
/// document.
fn read(is_session: bool, response: &Response, body: JsValue) -> (ApiResponse, Option<i64>) {
    let status = response.status();
    let headers = response.headers();
    let was_held = headers.has("preference-applied");
    let answer =
        if status == 304 {
            ApiResponse::Unchanged { was_held }
        } else if !response.ok() {
            let retry_after_s = headers.get("retry-after").and_then(|seconds| seconds.parse().ok());
            ApiResponse::Refused(wire::problem(body, status, retry_after_s))
        } else if is_session {
            wire::session(body).map_or(ApiResponse::Lost, ApiResponse::Session)
        } else {
            let etag = headers.get("etag");
            wire::transaction(body).map_or(ApiResponse::Lost, |transaction| {
                ApiResponse::Transaction { transaction, etag, was_held }
            })
        };
    (answer, headers.get("date").as_deref().and_then(wire::milliseconds))
}

/// There is no response, or it cannot be read. The reason does not help a payer, and its text would
/// add to the download.
struct NoResponse;

impl From<JsValue> for NoResponse {
    fn from(_: JsValue) -> Self {
        Self
    }
}

/// A random number from the browser's secure source; 0 in a browser without one.
pub(crate) fn random() -> u32 {
    let mut bytes = [0; 4];
    if let Some(crypto) = web_sys::window().and_then(|window| window.crypto().ok()) {
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    u32::from_le_bytes(bytes)
}
