//! The checkout's face in a page. `pkg/tua-checkout.js` holds the custom element, which Rust cannot
//! subclass; it calls [`start`] with an element inside its shadow root.
//!
//! No logic lives here.

use js_sys::Reflect;
use tua_checkout::{Checkout, CheckoutProps, read_texts};
use wasm_bindgen::prelude::*;
use web_sys::Element;
use yew::{AppHandle, AttrValue, Callback};

#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// A checkout that is on the page.
#[wasm_bindgen]
#[expect(missing_debug_implementations, reason = "JavaScript holds it; the component in it has no Debug")]
pub struct Handle {
    app: AppHandle<Checkout>,
    props: CheckoutProps,
}

/// Draws a checkout into `root`, whose content it replaces.
///
/// `options` holds `token`, `baseUrl`, `texts` (id to text) and `language`.
#[wasm_bindgen]
#[must_use]
pub fn start(root: Element, options: &JsValue) -> Handle {
    let option = |name: &str| Reflect::get(options, &name.into()).unwrap_or_default();
    let text = |name: &str| option(name).as_string().map(AttrValue::from);
    let props = CheckoutProps {
        token: text("token").unwrap_or_default(),
        base_url: text("baseUrl"),
        texts: read_texts(&option("texts")),
        language: text("language").unwrap_or_default(),
        on_event: Callback::noop(),
    };
    Handle { app: yew::Renderer::<Checkout>::with_root_and_props(root, props.clone()).render(), props }
}

#[wasm_bindgen]
impl Handle {
    /// Begins anew with another token.
    #[wasm_bindgen(js_name = setToken)]
    pub fn set_token(&mut self, token: String) {
        self.props.token = token.into();
        self.app.update(self.props.clone());
    }

    /// Takes the checkout off the page: timers and requests end with it.
    pub fn destroy(self) {
        self.app.destroy();
    }
}
