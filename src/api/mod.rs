//! The calls, with the checkout token (docs/reference/endpoints.md).

mod wire;

use crate::browser::{self, set};
use crate::flow::{Answer, Request};
use crate::locale::digits;
use js_sys::{Date, JSON, Object, Promise};
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Response};

/// How long the server is asked to hold a status back, in seconds.
const HOLD: &str = "wait=25";

/// A way to the service, for one token.
#[derive(Debug)]
pub(crate) struct Api {
    base: String,
    bearer: String,
    /// What this component's idempotency keys begin with.
    seed: String,
    /// The session's answer, where it was asked for before this code was here.
    first: RefCell<Option<JsValue>>,
}

impl Api {
    /// `base` is the versioned root of the API, with or without a slash at its end.
    pub(crate) fn new(base: &str, token: &str, first: Option<JsValue>) -> Self {
        let mut seed = String::new();
        for _ in 0..4 {
            seed.push_str(&digits(random()));
            seed.push('-');
        }
        Self {
            base: base.trim_end_matches('/').to_owned(),
            bearer: ["Bearer ", token].concat(),
            seed,
            first: RefCell::new(first),
        }
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
        let answer = match self.first.take().filter(|_| is_session) {
            Some(first) => first.unchecked_into(),
            None => self.sent(request, signal)?,
        };
        let response: Response = JsFuture::from(answer).await?.unchecked_into();
        let body = JsFuture::from(response.json()?).await;
        Ok(read(is_session, &response, body.unwrap_or_default()))
    }

    fn sent(&self, request: Request, signal: &AbortSignal) -> Result<Promise, JsValue> {
        match request {
            Request::Checkout => self.get(&["/checkout"], None, None, signal),
            Request::Charge { attempt, phone, network } => {
                let body = [("phoneNumber", phone.as_str()), ("network", network.as_str())];
                self.post("/charge", attempt, body, signal)
            }
            Request::Code { attempt, transaction_id, code } => {
                let body = [("transactionId", transaction_id.as_str()), ("otp", code.0.as_str())];
                self.post("/submit-otp", attempt, body, signal)
            }
            Request::Status { transaction_id, etag, at_once } => {
                let prefer = (!at_once).then_some(HOLD);
                self.get(&["/status/", &transaction_id], etag.as_deref(), prefer, signal)
            }
        }
    }

    #[inline(never)]
    fn get(
        &self,
        path: &[&str],
        etag: Option<&str>,
        prefer: Option<&str>,
        signal: &AbortSignal,
    ) -> Result<Promise, JsValue> {
        browser::send(&[&self.base, path.concat().as_str()].concat(), &self.bearer, None, None, etag, prefer, signal)
    }

    #[inline(never)]
    fn post(
        &self,
        path: &str,
        attempt: u32,
        fields: [(&str, &str); 2],
        signal: &AbortSignal,
    ) -> Result<Promise, JsValue> {
        let body = Object::new();
        for (name, text) in fields {
            set(&body, name, &text.into());
        }
        let body = JSON::stringify(&body)?.as_string();
        let key = [self.seed.as_str(), &digits(attempt)].concat();
        browser::send(&[&self.base, path].concat(), &self.bearer, body.as_deref(), Some(&key), None, None, signal)
    }
}

/// What an answer says. A proxy's error page is no problem document; its status still counts.
fn read(is_session: bool, response: &Response, body: JsValue) -> (Answer, Option<i64>) {
    let headers = response.headers();
    let header = |name| headers.get(name).ok().flatten();
    let status = response.status();
    let held = header("preference-applied").is_some();
    let answer = if status == 304 {
        Answer::Unchanged { held }
    } else if !response.ok() {
        let retry_after_s = header("retry-after").and_then(|seconds| seconds.parse().ok());
        Answer::Refused(wire::problem(body, status, retry_after_s))
    } else if is_session {
        wire::session(body).map_or(Answer::Lost, Answer::Session)
    } else {
        let etag = header("etag");
        wire::transaction(body).map_or(Answer::Lost, |transaction| Answer::Transaction { transaction, etag, held })
    };
    (answer, header("date").as_deref().and_then(milliseconds))
}

/// There is no answer that could be read. Why is of no use to a payer, and its words would bring a
/// formatter along.
struct Unanswered;

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
