//! The page around the checkout: its visibility, the focus, the clipboard, the printer and DOM
//! events.

use super::{Checkout, Msg};
use crate::browser;
use crate::flow::{self, Event, Focus};
use crate::views::actions;
use gloo_events::{EventListener, EventListenerOptions};
use tua_contract::Network;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Element, EventTarget, HtmlElement, HtmlInputElement};
use yew::NodeRef;
use yew::html::Scope;

/// Listens to the events after which a payer looks at the page again: it becomes visible, is
/// restored from the back/forward cache, or the device is online again.
pub(super) fn listeners(field: &NodeRef, link: &Scope<Checkout>) -> Vec<EventListener> {
    let mut listeners = Vec::new();
    let Some(window) = web_sys::window() else { return listeners };
    if let Some(document) = window.document() {
        listeners.push(listen(&document, "visibilitychange", field, link));
    }
    for name in ["pageshow", "online", "offline"] {
        listeners.push(listen(&window, name, field, link));
    }
    listeners
}

/// Listens at the checkout's root element for what the payer does to its fields and buttons: see
/// [`actions`].
pub(super) fn root_listeners(
    root: &Element,
    field: &NodeRef,
    link: &Scope<Checkout>,
) -> [EventListener; 3] {
    ["click", "input", "submit"].map(|name| listen(root, name, field, link))
}

/// All events share one type of closure, because each type adds code to the download.
#[inline(never)]
fn listen(
    target: &EventTarget,
    name: &'static str,
    field: &NodeRef,
    link: &Scope<Checkout>,
) -> EventListener {
    let link = link.clone();
    let field = field.clone();
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(target, name, options, move |event| {
        if let Some(msg) = message(event, &field) {
            // The browser must not post the form.
            event.prevent_default();
            link.send_message(Msg::Flow(msg));
        }
    })
}

fn message(event: &web_sys::Event, text_field: &NodeRef) -> Option<flow::Msg> {
    let target = || Some(event.target()?.unchecked_into::<Element>());
    // Extensions insert fields and choices of their own, and change the type and the class of ours.
    let mut value = String::new();
    let mut network = None;
    let element = match event.type_().as_str() {
        "click" => target()?.closest("button").ok()??,
        "input" => {
            let field = target()?.unchecked_into::<HtmlInputElement>();
            value = if field.name() == "network" { field.value() } else { text_of(text_field) };
            field.into()
        }
        "submit" => {
            let form = target()?;
            value = text_of(text_field);
            let chosen = form.query_selector("[part=network] [name=network]:checked").ok()?;
            network = chosen.and_then(|radio| {
                Network::parse(&radio.unchecked_into::<HtmlInputElement>().value())
            });
            form
        }
        "offline" => return Some(flow::Msg::Offline),
        _ => return Some(if is_visible() { flow::Msg::Resumed } else { flow::Msg::Hidden }),
    };
    actions::message(&element.get_attribute("name")?, value, network)
}

/// The field in which the payer types, if one is drawn.
pub(super) fn text_field(field: &NodeRef) -> Option<HtmlInputElement> {
    Some(field.get()?.unchecked_into())
}

/// What the field shows.
#[inline(never)]
pub(super) fn text_of(field: &NodeRef) -> String {
    text_field(field).map(|field| browser::text_of(&field)).unwrap_or_default()
}

fn is_visible() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    document.is_none_or(|document| !document.hidden())
}

/// Moves the focus inside the checkout.
pub(super) fn focus(root: &Element, field: &NodeRef, focus: Focus) {
    let find = |selector: &&str| Some(root.query_selector(selector).ok()??.into());
    let found = match focus {
        Focus::Screen => None,
        Focus::Phone | Focus::Code => field.get(),
        Focus::Network => {
            ["[name=network]:checked", "[name=network]:enabled"].iter().find_map(find)
        }
    };
    let _ = found.as_ref().unwrap_or(root).unchecked_ref::<HtmlElement>().focus();
}

/// Copies the receipt to the clipboard, then sends [`flow::Msg::Copied`].
pub(super) fn copy_receipt(root: &NodeRef, link: Scope<Checkout>) {
    let Some(root) = root.cast() else { return };
    let copied = browser::copy(&root).map(JsFuture::from);
    spawn_local(async move {
        let is_copied = match copied {
            Ok(copied) => copied.await.is_ok(),
            Err(_) => false,
        };
        link.send_message(Msg::Flow(flow::Msg::Copied(is_copied)));
    });
}

/// Prints the receipt, which is inside this root element.
pub(super) fn print(root: &NodeRef) {
    if let Some(root) = root.cast() {
        let _ = browser::print(&root);
    }
}

/// Dispatches a DOM event, which bubbles through the merchant's page and leaves shadow roots
/// (`composed`).
pub(super) fn dispatch(root: &NodeRef, event: &Event) {
    let Some(root) = root.cast() else { return };
    let Event { kind, transaction_id, reference, checkout_id, amount, currency } = event.clone();
    let detail = browser::object(vec![
        ("transactionId", transaction_id),
        ("reference", reference),
        ("checkoutId", checkout_id),
        ("amount", amount),
        ("currency", currency),
        ("status", kind.status().map(String::from)),
        ("code", kind.code().map(String::from)),
    ]);
    let _ = browser::emit(&root, kind.name(), detail);
}
