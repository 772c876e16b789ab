//! The merchant's requests, and control of the service under test.

use gloo_net::http::{Request, RequestBuilder};
use js_sys::{JSON, Reflect};
use wasm_bindgen::JsValue;

const API: Option<&str> = option_env!("TUA_TEST_API");
const KEY: Option<&str> = option_env!("TUA_TEST_KEY");
const CONTROL: Option<&str> = option_env!("TUA_TEST_CONTROL");

/// The versioned root of the API.
pub fn base_url() -> String {
    [API.expect("TUA_TEST_API is set when the tests are built"), "/v1"].concat()
}

/// Creates a checkout, as a merchant's server does. Returns its token.
pub async fn new_token(amount: &str) -> String {
    let body =
        ["{\"amount\":", amount, ",\"currency\":\"GHS\",\"email\":\"ama@example.com\"}"].concat();
    let request = Request::post(&[&base_url(), "/checkout"].concat())
        .header("authorization", &["Bearer ", KEY.expect("TUA_TEST_KEY is set")].concat())
        .header("content-type", "application/json")
        .body(body)
        .unwrap();
    let text = request.send().await.unwrap().text().await.unwrap();
    let body = JSON::parse(&text).unwrap();
    string(&body, "checkoutToken").unwrap_or_else(|| panic!("no token in {text}"))
}

/// Advances the service's clock.
pub async fn advance(seconds: u32) {
    control(&["/advance?seconds=", &seconds.to_string()].concat()).await;
}

/// Stops the service. Requests fail until [`start`].
pub async fn stop() {
    control("/stop").await;
}

/// Starts the service again on the same database.
pub async fn start() {
    control("/start").await;
}

async fn control(path: &str) {
    let request: RequestBuilder =
        Request::post(&[CONTROL.expect("TUA_TEST_CONTROL is set"), path].concat());
    assert!(request.send().await.unwrap().ok(), "{path}");
}

/// A string property of a JavaScript object.
pub fn string(object: &JsValue, name: &str) -> Option<String> {
    Reflect::get(object, &name.into()).ok()?.as_string()
}
