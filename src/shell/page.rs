//! The page around the checkout: when it is looked at, where the focus is, what it is told.

use super::{Checkout, Heard};
use crate::browser::{self, set};
use crate::flow::{Event, Focus, Msg};
use crate::views::doing;
use gloo_events::{EventListener, EventListenerOptions};
use js_sys::{JSON, Object};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Element, EventTarget, HtmlElement, HtmlInputElement};
use yew::NodeRef;
use yew::html::Scope;

/// Watches for the moments at which a payer comes back: from the phone's prompt, from the
/// back/forward cache, from a tunnel.
pub(super) fn around(link: &Scope<Checkout>) -> Vec<EventListener> {
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

/// Listens to what is done to the elements of the checkout.
pub(super) fn inside(root: &Element, link: &Scope<Checkout>, listeners: &mut Vec<EventListener>) {
    for name in ["click", "input", "submit"] {
        listeners.push(listen(root, name, link));
    }
}

/// One closure for all events: each kind of closure is code that a payer downloads.
#[inline(never)]
fn listen(target: &EventTarget, name: &'static str, link: &Scope<Checkout>) -> EventListener {
    let link = link.clone();
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(target, name, options, move |event| {
        if let Some(msg) = meaning(event) {
            // Nothing is posted: the page must not go where a form points.
            event.prevent_default();
            link.send_message(Heard::Said(msg));
        }
    })
}

fn meaning(event: &web_sys::Event) -> Option<Msg> {
    // Only elements of ours are clicked, filled in or sent below our own.
    let target = || Some(event.target()?.unchecked_into::<Element>());
    let mut value = String::new();
    let element = match event.type_().as_str() {
        "click" => target()?.closest("button").ok()??,
        "input" => {
            let field = target()?.unchecked_into::<HtmlInputElement>();
            value = field.value();
            field.into()
        }
        "submit" => target()?,
        "offline" => return Some(Msg::Offline),
        _ => return Some(if is_visible() { Msg::Awake } else { Msg::Hidden }),
    };
    doing::message(&element.get_attribute("name")?, value)
}

fn is_visible() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    document.is_none_or(|document| !document.hidden())
}

/// The page's own origin.
pub(super) fn origin() -> String {
    web_sys::window().and_then(|window| window.location().origin().ok()).unwrap_or_default()
}

/// Moves the focus inside the checkout.
pub(super) fn focus(root: &Element, focus: Focus) {
    let selectors: &[&str] = match focus {
        Focus::Screen => &[],
        Focus::Phone => &["[type=tel]"],
        Focus::Network => &["[type=radio]:checked", "[type=radio]"],
        Focus::Code => &[".tua-code"],
    };
    let found = selectors.iter().find_map(|selector| root.query_selector(selector).ok()?);
    let _ = found.as_ref().unwrap_or(root).unchecked_ref::<HtmlElement>().focus();
}

/// Puts the receipt on the clipboard, and says whether it got there.
pub(super) fn copy_receipt(root: &NodeRef, link: Scope<Checkout>) {
    let Some(root) = root.cast() else { return };
    let done = browser::copy(&root);
    spawn_local(async move {
        let is_there = JsFuture::from(done).await.is_ok();
        link.send_message(Heard::Said(Msg::Copied(is_there)));
    });
}

/// Prints the receipt.
pub(super) fn print(root: &NodeRef) {
    if let Some(root) = root.cast() {
        let _ = browser::print(&root);
    }
}

/// Tells the merchant's page.
pub(super) fn dispatch(root: &NodeRef, event: &Event) {
    if let Some(root) = root.cast() {
        let _ = browser::dispatch(&root, event.kind.name(), &detail(event));
    }
}

/// The event's detail; `pkg/tua-checkout.d.ts` describes it.
fn detail(event: &Event) -> JsValue {
    let detail = Object::new();
    let texts = [
        ("transactionId", event.transaction_id.as_deref()),
        ("reference", event.reference.as_deref()),
        ("checkoutId", event.checkout_id.as_deref()),
        ("currency", event.currency.as_deref()),
        ("status", event.kind.status()),
        ("code", event.kind.code()),
    ];
    for (name, text) in texts {
        set(&detail, name, &text.map_or(JsValue::NULL, JsValue::from));
    }
    let amount = event.amount.as_deref().and_then(|amount| JSON::parse(amount).ok());
    set(&detail, "amount", &amount.unwrap_or(JsValue::NULL));
    detail.into()
}
