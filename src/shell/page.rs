//! The page around the checkout: when it is looked at, where the focus is, what it is told.

use super::{Checkout, Heard};
use crate::fields::{Missing, object, property, set};
use crate::flow::{Event, Focus, Msg};
use crate::views::doing;
use gloo_events::{EventListener, EventListenerOptions};
use js_sys::JSON;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    Clipboard, CustomEvent, CustomEventInit, Element, EventTarget, HtmlElement, HtmlInputElement, VisibilityState,
};
use yew::NodeRef;
use yew::html::Scope;

/// Watches for the moments at which a payer comes back: from the phone's prompt, from the
/// back/forward cache, from a tunnel.
pub(super) fn around(link: &Scope<Checkout>) -> Vec<EventListener> {
    let Some(window) = web_sys::window() else { return Vec::new() };
    let document = window.document().map(|document| listen(&document, "visibilitychange", link));
    document.into_iter().chain(["pageshow", "online", "offline"].map(|name| listen(&window, name, link))).collect()
}

/// Listens to what is done to the elements of the checkout.
pub(super) fn inside(root: &Element, link: &Scope<Checkout>) -> [EventListener; 3] {
    ["click", "input", "submit"].map(|name| listen(root, name, link))
}

/// One closure for all events: each kind of closure is code that a payer downloads.
#[inline(never)]
fn listen(target: &EventTarget, name: &'static str, link: &Scope<Checkout>) -> EventListener {
    let link = link.clone();
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(target, name, options, move |event| {
        if let Some(msg) = meaning(event) {
            link.send_message(Heard::Said(msg));
        }
    })
}

fn meaning(event: &web_sys::Event) -> Option<Msg> {
    let target = || event.target()?.dyn_into::<Element>().ok();
    let name = |element: &Element| element.get_attribute("name").unwrap_or_default();
    match event.type_().as_str() {
        "click" => doing::message(&name(&target()?.closest("button").ok()??), String::new()),
        "input" => {
            let field = target()?.dyn_into::<HtmlInputElement>().ok()?;
            doing::message(&name(&field), field.value())
        }
        "submit" => {
            // The page itself must not go where the form points.
            event.prevent_default();
            doing::message(&name(&target()?), String::new())
        }
        "offline" => Some(Msg::Offline),
        _ => Some(if is_visible() { Msg::Awake } else { Msg::Hidden }),
    }
}

fn is_visible() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    document.is_none_or(|document| document.visibility_state() != VisibilityState::Hidden)
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
    if let Some(element) = found.as_ref().unwrap_or(root).dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
}

/// Puts the receipt's words on the clipboard. A page may be forbidden to; then nothing is said.
pub(super) fn copy_receipt(root: &NodeRef, link: Scope<Checkout>) {
    let receipt = root.cast::<Element>().and_then(|root| root.query_selector("dl").ok()?);
    let words = receipt.and_then(|receipt| receipt.dyn_into::<HtmlElement>().ok()).map(|receipt| receipt.inner_text());
    let clipboard = web_sys::window().and_then(|window| property(&window.navigator(), "clipboard"));
    let (Some(words), Some(clipboard)) = (words, clipboard) else { return };
    let done = clipboard.unchecked_into::<Clipboard>().write_text(&words);
    spawn_local(async move {
        if JsFuture::from(done).await.is_ok() {
            link.send_message(Heard::Said(Msg::Copied));
        }
    });
}

/// Prints the page.
pub(super) fn print() {
    let _ = web_sys::window().map(|window| window.print());
}

/// Dispatches the DOM event, which bubbles out of any shadow root.
pub(super) fn dispatch(root: &NodeRef, event: &Event) {
    let Some(root) = root.cast::<Element>() else { return };
    let init = CustomEventInit::new();
    init.set_bubbles(true);
    init.set_composed(true);
    init.set_detail(&detail(event));
    if let Ok(event) = CustomEvent::new_with_event_init_dict(event.kind.name(), &init) {
        let _ = root.dispatch_event(&event);
    }
}

/// The event's detail; `pkg/tua-checkout.d.ts` describes it.
fn detail(event: &Event) -> JsValue {
    let detail = object(
        &[
            ("transactionId", event.transaction_id.as_deref()),
            ("reference", event.reference.as_deref()),
            ("checkoutId", event.checkout_id.as_deref()),
            ("amount", None),
            ("currency", event.currency.as_deref()),
            ("status", event.kind.status()),
            ("code", event.kind.code()),
        ],
        Missing::Null,
    );
    if let Some(amount) = event.amount.as_deref().and_then(|amount| JSON::parse(amount).ok()) {
        set(&detail, "amount", &amount);
    }
    detail
}
