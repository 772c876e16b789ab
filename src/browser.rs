//! Imports from `browser.js`: what js-sys and web-sys cannot do.

use js_sys::Promise;
use serde::Serializer as _;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;
use web_sys::{AbortSignal, Element, HtmlInputElement, Node};

#[wasm_bindgen(module = "/src/browser.js")]
extern "C" {
    /// Formats an amount from its exact text, which `Intl.NumberFormat` reads without rounding it
    /// to a float.
    ///
    /// # Errors
    /// An unknown currency or language tag.
    #[wasm_bindgen(catch)]
    pub(crate) fn money(language: &str, amount: &str, currency: &str) -> Result<String, JsValue>;

    /// Formats an ISO 8601 time.
    ///
    /// # Errors
    /// An invalid time or language tag.
    #[wasm_bindgen(catch)]
    pub(crate) fn moment(language: &str, iso: &str) -> Result<String, JsValue>;

    /// Stores that this tab has begun to pay with this token.
    #[wasm_bindgen(js_name = setBegun)]
    pub(crate) fn set_begun(token: &str);

    /// Whether this tab has begun to pay with this token.
    #[wasm_bindgen(js_name = hasBegun)]
    pub(crate) fn has_begun(token: &str) -> bool;

    /// Colours the checkout, unless the page has set an accent colour.
    #[wasm_bindgen(js_name = setAccent)]
    pub(crate) fn set_accent(root: &Element, accent: &str);

    /// What a text field shows, at most 600 UTF-16 units of it: more than its `maxlength` lets a
    /// person type.
    #[wasm_bindgen(js_name = textOf)]
    pub(crate) fn text_of(field: &HtmlInputElement) -> String;

    /// Makes Yew's changes of the nodes below `root` take effect, whatever a translator or an
    /// extension does to them.
    ///
    /// # Errors
    /// The page has replaced the browser's own functions by others that throw.
    #[wasm_bindgen(catch)]
    pub(crate) fn guard(root: &Element) -> Result<(), JsValue>;

    /// Whether the page has removed or replaced the root, the screen that the last [`guard`] has
    /// seen in it, or its text field. Copies of the root are removed, and what contains it gets a
    /// `tua-lost` if it is removed itself.
    ///
    /// # Errors
    /// The page has replaced the browser's own functions by others that throw.
    #[wasm_bindgen(catch, js_name = isLost)]
    pub(crate) fn is_lost(root: &Element, field: Option<Node>) -> Result<bool, JsValue>;

    /// Prints the receipt inside `root`, without the page around it.
    ///
    /// # Errors
    /// The browser does not print.
    #[wasm_bindgen(catch)]
    pub(crate) fn print(root: &Element) -> Result<(), JsValue>;

    /// Copies the receipt inside `root`. The promise is rejected if there is no clipboard, as
    /// without HTTPS, or the page may not write to it.
    ///
    /// # Errors
    /// The page has replaced the browser's own functions by others that throw.
    #[wasm_bindgen(catch)]
    pub(crate) fn copy(root: &Element) -> Result<Promise, JsValue>;

    /// Dispatches an event that bubbles through the page and leaves shadow roots. Its `amount` is
    /// the text of a number in `detail`, and a number in the event.
    ///
    /// # Errors
    /// The amount is not the text of a number, or the page has replaced the browser's own functions
    /// by others that throw.
    #[wasm_bindgen(catch)]
    pub(crate) fn emit(root: &Element, name: &str, detail: JsValue) -> Result<(), JsValue>;

    /// Sends a request with these headers: a POST if there is a body. The browser stores nothing,
    /// and sends no cookies. The promise is rejected if there is no response.
    pub(crate) fn send(
        address: &str,
        headers: JsValue,
        body: JsValue,
        signal: &AbortSignal,
    ) -> Promise;

    /// The page's own origin, such as `https://shop.example`.
    pub(crate) fn origin() -> String;
}

/// An object with these members; `None` becomes `null`. A derived `Serialize` would add a table of
/// the names of fields to the download.
#[inline(never)]
pub(crate) fn object(members: Vec<(&str, Option<String>)>) -> JsValue {
    Serializer::json_compatible().collect_map(members).unwrap_or_default()
}
