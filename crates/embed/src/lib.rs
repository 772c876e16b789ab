//! The checkout component as a WebAssembly module. Rust cannot subclass `HTMLElement`, so
//! `js/loader.js` holds the custom element. It calls [`start`] with an element inside its shadow
//! root.

use js_sys::{Function, Reflect};
use tua_checkout::locale::Texts;
use tua_checkout::{Checkout, CheckoutProps};
use tua_contract::Network;
use wasm_bindgen::prelude::*;
use web_sys::Element;
use yew::{AppHandle, Callback};

#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// A checkout on the page.
#[wasm_bindgen]
#[expect(
    missing_debug_implementations,
    reason = "JavaScript holds it; the component in it has no Debug"
)]
pub struct Handle(AppHandle<Checkout>);

/// Renders a checkout into `root`, whose content it replaces.
///
/// `None` if the texts were written for another version.
#[wasm_bindgen]
#[must_use]
pub fn start(root: Element, options: JsValue) -> Option<Handle> {
    Some(Handle(yew::Renderer::<Checkout>::with_root_and_props(root, props(&options)?).render()))
}

#[wasm_bindgen]
impl Handle {
    /// Changes the token, which starts a new checkout, or the texts.
    pub fn set(&mut self, options: JsValue) {
        if let Some(props) = props(&options) {
            self.0.update(props);
        }
    }

    /// Fills in the form with what the payer entered before the component had loaded, and pays if
    /// the payer had pressed Pay. An unknown `network` counts as none.
    pub fn fill(&self, phone: String, network: &str, pay: bool) {
        Checkout::fill(&self.0, phone, Network::parse(network), pay);
    }

    /// Removes the checkout from the page and ends its timers and requests.
    pub fn destroy(self) {
        self.0.destroy();
    }
}

/// Reads the options from the loader, which `#options` in `js/loader.js` makes. `None` without a
/// token, or if the texts were written for another version.
fn props(options: &JsValue) -> Option<CheckoutProps> {
    let option = |name: &str| Reflect::get(options, &name.into()).unwrap_or_default();
    let on_rendered: Function = option("onRendered").unchecked_into();
    Some(CheckoutProps {
        token: option("token").as_string()?.into(),
        base_url: option("baseUrl").as_string().map(Into::into),
        texts: Texts::stamped(&option("texts").as_string()?)?,
        // The promise of the response to `GET /v1/checkout`, if the loader has sent that request.
        first: Some(option("first")).filter(JsValue::is_object),
        on_event: Callback::noop(),
        on_rendered: Callback::from(move |()| drop(on_rendered.call0(&JsValue::UNDEFINED))),
    })
}
