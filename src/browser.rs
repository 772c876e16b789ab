//! The browser, as far as it is spoken to in its own language, and objects of its own.

use js_sys::{Promise, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{AbortSignal, Element};

#[wasm_bindgen(module = "/src/browser.js")]
extern "C" {
    /// From the exact text: the formatter is given a string, which it reads without a float.
    #[wasm_bindgen(catch)]
    pub(crate) fn money(language: &str, amount: &str, currency: &str) -> Result<String, JsValue>;

    /// Throws on a date that is none.
    #[wasm_bindgen(catch)]
    pub(crate) fn moment(language: &str, iso: &str) -> Result<String, JsValue>;

    /// A request; one with a body is a POST of JSON. What is not there is not said.
    #[wasm_bindgen(catch)]
    pub(crate) fn send(
        url: &str,
        authorization: &str,
        body: Option<&str>,
        key: Option<&str>,
        etag: Option<&str>,
        prefer: Option<&str>,
        signal: &AbortSignal,
    ) -> Result<Promise, JsValue>;

    /// Remembers that this tab has begun to pay with this token.
    #[wasm_bindgen(js_name = setBegun)]
    pub(crate) fn set_begun(token: &str);

    /// Whether this tab has begun to pay with this token.
    #[wasm_bindgen(js_name = hasBegun)]
    pub(crate) fn has_begun(token: &str) -> bool;

    /// A DOM event, which bubbles out of any shadow root.
    #[wasm_bindgen(catch)]
    pub(crate) fn dispatch(root: &Element, name: &str, detail: &JsValue) -> Result<(), JsValue>;

    /// Puts the receipt's words on the clipboard, which a page may be forbidden to.
    pub(crate) fn copy(root: &Element) -> Promise;

    /// Prints the receipt, and nothing of the page around it.
    #[wasm_bindgen(catch)]
    pub(crate) fn print(root: &Element) -> Result<(), JsValue>;
}

/// Sets a property.
pub(crate) fn set(object: &JsValue, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}

/// A property of a value that may be no object.
pub(crate) fn property(object: &JsValue, name: &str) -> Option<JsValue> {
    object.is_object().then(|| Reflect::get(object, &name.into()).ok()).flatten()
}
