//! The calls, with the checkout token (contract sections 4 to 6).

mod wire;

use crate::fields::{Missing, object, set};
use crate::flow::{Answer, Request};
use crate::locale::digits;
use gloo_net::http::Response;
use js_sys::{Date, JSON, Promise};
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

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
        let response = match self.first.take().filter(|_| is_session) {
            Some(first) => {
                let answer: JsValue = JsFuture::from(first.unchecked_into::<Promise<JsValue>>()).await?;
                answer.unchecked_into::<web_sys::Response>().into()
            }
            None => self.build(request, signal)?.send().await?,
        };
        let text = response.text().await;
        Ok(read(is_session, &response, text.ok()))
    }

    fn build(&self, request: Request, signal: &AbortSignal) -> Result<gloo_net::http::Request, JsValue> {
        match request {
            Request::Checkout => self.request(&["/checkout"], Sent::default(), signal),
            Request::Charge { attempt, phone, network } => {
                let body = [("phoneNumber", Some(phone.as_str())), ("network", Some(network.as_str()))];
                self.post("/charge", attempt, &body, signal)
            }
            Request::Code { attempt, transaction_id, code } => {
                let body = [("transactionId", Some(transaction_id.as_str())), ("otp", Some(code.0.as_str()))];
                self.post("/submit-otp", attempt, &body, signal)
            }
            Request::Status { transaction_id, etag, at_once } => {
                let prefer = (!at_once).then_some(HOLD);
                let sent = Sent { etag: etag.as_deref(), prefer, ..Sent::default() };
                self.request(&["/status/", &transaction_id], sent, signal)
            }
        }
    }

    #[inline(never)]
    fn post(
        &self,
        path: &str,
        attempt: u32,
        body: &[(&'static str, Option<&str>)],
        signal: &AbortSignal,
    ) -> Result<gloo_net::http::Request, JsValue> {
        let body = JSON::stringify(&object(body, Missing::LeftOut))?.as_string();
        let key = [self.seed.as_str(), &digits(attempt)].concat();
        self.request(&[path], Sent { body: body.as_deref(), key: Some(&key), ..Sent::default() }, signal)
    }

    /// Nothing but the token says who asks; nothing is kept by the browser.
    #[inline(never)]
    fn request(&self, path: &[&str], sent: Sent<'_>, signal: &AbortSignal) -> Result<gloo_net::http::Request, JsValue> {
        let init = object(
            &[
                ("method", Some(if sent.body.is_some() { "POST" } else { "GET" })),
                ("credentials", Some("omit")),
                ("cache", Some("no-store")),
                ("body", sent.body),
            ],
            Missing::LeftOut,
        );
        let headers = object(
            &[
                ("authorization", Some(&self.bearer)),
                ("content-type", sent.body.map(|_| "application/json")),
                ("idempotency-key", sent.key),
                ("if-none-match", sent.etag),
                ("prefer", sent.prefer),
            ],
            Missing::LeftOut,
        );
        set(&init, "headers", &headers);
        set(&init, "signal", signal);
        let url = [&self.base, path.concat().as_str()].concat();
        Ok(web_sys::Request::new_with_str_and_init(&url, init.unchecked_ref())?.into())
    }
}

/// What goes along with a request.
#[derive(Default)]
struct Sent<'a> {
    body: Option<&'a str>,
    key: Option<&'a str>,
    etag: Option<&'a str>,
    prefer: Option<&'a str>,
}

/// What an answer says. A proxy's error page is no problem document; its status still counts.
fn read(is_session: bool, response: &Response, text: Option<String>) -> (Answer, Option<i64>) {
    let headers = response.headers();
    let status = response.status();
    let held = headers.get("preference-applied").is_some();
    let body = text.and_then(|text| JSON::parse(&text).ok()).unwrap_or_default();
    let answer = if status == 304 {
        Answer::Unchanged { held }
    } else if !response.ok() {
        let retry_after_s = headers.get("retry-after").and_then(|seconds| seconds.parse().ok());
        Answer::Refused(wire::problem(body, status, retry_after_s))
    } else if is_session {
        wire::session(body).map_or(Answer::Lost, Answer::Session)
    } else {
        let etag = headers.get("etag");
        wire::transaction(body).map_or(Answer::Lost, |transaction| Answer::Transaction { transaction, etag, held })
    };
    (answer, headers.get("date").as_deref().and_then(milliseconds))
}

/// There is no answer that could be read. Why is of no use to a payer, and its words would bring a
/// formatter along.
struct Unanswered;

impl From<gloo_net::Error> for Unanswered {
    fn from(_: gloo_net::Error) -> Self {
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
