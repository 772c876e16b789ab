//! The checkout's face in a page. `js/loader.js` holds the custom element, which Rust cannot
//! subclass; it calls [`start`] with an element inside its shadow root.
//!
//! No logic lives here.

use js_sys::Reflect;
use tua_checkout::locale::Texts;
use tua_checkout::{Checkout, CheckoutProps};
use tua_contract::Network;
use wasm_bindgen::prelude::*;
use web_sys::Element;
use yew::{AppHandle, AttrValue, Callback};

#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// A checkout that is on the page.
#[wasm_bindgen]
#[expect(missing_debug_implementations, reason = "JavaScript holds it; the component in it has no Debug")]
pub struct Handle(AppHandle<Checkout>);

/// Draws a checkout into `root`, whose content it replaces.
///
/// `options` holds `token`, `baseUrl`, perhaps `first`, and `texts`, lines as `tua-prerender` writes them.
///
/// Nothing where the texts were written for another version.
#[wasm_bindgen]
#[must_use]
pub fn start(root: Element, options: &JsValue) -> Option<Handle> {
    Some(Handle(yew::Renderer::<Checkout>::with_root_and_props(root, props(options)?).render()))
}

#[wasm_bindgen]
impl Handle {
    /// Another token, which begins anew, or other texts.
    pub fn set(&mut self, options: &JsValue) {
        if let Some(props) = props(options) {
            self.0.update(props);
        }
    }

    /// Takes what was typed and chosen before the component was there, and Pay where it was pressed (`pay`).
    /// A `network` that is not known here is none.
    pub fn fill(&self, phone: String, network: &str, pay: bool) {
        Checkout::fill(&self.0, phone, Network::parse(network), pay);
    }

    /// Takes the checkout off the page: timers and requests end with it.
    pub fn destroy(self) {
        self.0.destroy();
    }
}

fn props(options: &JsValue) -> Option<CheckoutProps> {
    let option = |name: &str| Reflect::get(options, &name.into()).unwrap_or_default();
    let text = |name: &str| option(name).as_string().map(AttrValue::from);
    Some(CheckoutProps {
        token: text("token").unwrap_or_default(),
        base_url: text("baseUrl"),
        texts: Texts::stamped(&text("texts")?)?,
        first: Some(option("first")).filter(JsValue::is_object),
        on_event: Callback::noop(),
    })
}
