//! The page around the checkout: its visibility, the focus, the clipboard, the printer and DOM events.

use super::{Checkout, Msg};
use crate::browser;
use crate::flow::{self, Event, Focus};
use crate::views::actions;
use gloo_events::{EventListener, EventListenerOptions};
use js_sys::JSON;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use tua_contract::Network;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Element, EventTarget, HtmlElement, HtmlInputElement};
use yew::NodeRef;
use yew::html::Scope;

/// Listens to the events after which a payer looks at the page again: it becomes visible, is restored from the
/// back/forward cache, or the device is online again.
pub(super) fn listeners(link: &Scope<Checkout>) -> Vec<EventListener> {
    let mut listeners = Vec::new();
    let Some(window) = web_sys::window() else { return listeners };
    if let Some(document) = window.document() {
        listeners.push(listen(&document, "visibilitychange", link));
    }
    for name in ["pageshow", "online", "offline"] {
        listeners.push(listen(&window, name, link));
    }
    listeners
}

/// Listens at the checkout's root element for what the payer does to its fields and buttons: see [`actions`].
pub(super) fn root_listeners(root: &Element, link: &Scope<Checkout>) -> [EventListener; 3] {
    ["click", "input", "submit"].map(|name| listen(root, name, link))
}

/// All events share one type of closure, because each type adds code to the download.
#[inline(never)]
fn listen(target: &EventTarget, name: &'static str, link: &Scope<Checkout>) -> EventListener {
    let link = link.clone();
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(target, name, options, move |event| {
        if let Some(msg) = message(event) {
            // The browser must not post the form.
            event.prevent_default();
            link.send_message(Msg::Flow(msg));
        }
    })
}

fn message(event: &web_sys::Event) -> Option<flow::Msg> {
    // Below the root there are only this component's elements.
    let target = || Some(event.target()?.unchecked_into::<Element>());
    let mut value = String::new();
    let mut network = None;
    let element = match event.type_().as_str() {
        "click" => target()?.closest("button").ok()??,
        "input" => {
            let field = target()?.unchecked_into::<HtmlInputElement>();
            value = field.value();
            field.into()
        }
        "submit" => {
            let form = target()?;
            value = text_field(&form).map(|field| field.value()).unwrap_or_default();
            network = input(&form, ":checked").and_then(|radio| Network::parse(&radio.value()));
            form
        }
        "offline" => return Some(flow::Msg::Offline),
        _ => return Some(if is_visible() { flow::Msg::Resumed } else { flow::Msg::Hidden }),
    };
    actions::message(&element.get_attribute("name")?, value, network)
}

/// The field in which the payer types, if there is one.
pub(super) fn text_field(parent: &Element) -> Option<HtmlInputElement> {
    input(parent, "[type=tel],.tua-code")
}

#[inline(never)]
fn input(parent: &Element, selector: &str) -> Option<HtmlInputElement> {
    Some(parent.query_selector(selector).ok()??.unchecked_into())
}

fn is_visible() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    document.is_none_or(|document| !document.hidden())
}

/// The page's own origin, such as `https://shop.example`.
pub(super) fn origin() -> String {
    web_sys::window().and_then(|window| window.location().origin().ok()).unwrap_or_default()
}

/// Moves the focus inside the checkout.
pub(super) fn focus(root: &Element, focus: Focus) {
    let selectors: &[&str] = match focus {
        Focus::Screen => &[],
        Focus::Phone => &["[type=tel]"],
        Focus::Network => &["[type=radio]:checked", "[type=radio]:enabled"],
        Focus::Code => &[".tua-code"],
    };
    let found = selectors.iter().find_map(|selector| root.query_selector(selector).ok()?);
    let _ = found.as_ref().unwrap_or(root).unchecked_ref::<HtmlElement>().focus();
}

/// Copies the receipt to the clipboard, then sends [`flow::Msg::Copied`].
pub(super) fn copy_receipt(root: &NodeRef, link: Scope<Checkout>) {
    let Some(root) = root.cast() else { return };
    let copied = JsFuture::from(browser::copy(&root));
    spawn_local(async move {
        let is_copied = copied.await.is_ok();
        link.send_message(Msg::Flow(flow::Msg::Copied(is_copied)));
    });
}

/// Prints the receipt.
pub(super) fn print(root: &NodeRef) {
    if let Some(root) = root.cast() {
        let _ = browser::print(&root);
    }
}

/// Dispatches a DOM event, which bubbles through the merchant's page and leaves shadow roots (`composed`).
pub(super) fn dispatch(root: &NodeRef, event: &Event) {
    if let Some(root) = root.cast() {
        let _ = browser::emit(&root, event.kind.name(), detail(event));
    }
}

/// The event's `detail`; `pkg/tua-checkout.d.ts` describes it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Detail<'a> {
    transaction_id: Option<&'a str>,
    reference: Option<&'a str>,
    checkout_id: Option<&'a str>,
    /// The number that `JSON.parse` returns for the exact text.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    amount: JsValue,
    currency: Option<&'a str>,
    status: Option<&'a str>,
    code: Option<&'a str>,
}

fn detail(event: &Event) -> JsValue {
    let amount = event.amount.as_deref().and_then(|amount| JSON::parse(amount).ok());
    let detail = Detail {
        transaction_id: event.transaction_id.as_deref(),
        reference: event.reference.as_deref(),
        checkout_id: event.checkout_id.as_deref(),
        amount: amount.unwrap_or(JsValue::NULL),
        currency: event.currency.as_deref(),
        status: event.kind.status(),
        code: event.kind.code(),
    };
    detail.serialize(&Serializer::new().serialize_missing_as_null(true)).unwrap_or_default()
}
