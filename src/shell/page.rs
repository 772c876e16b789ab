//! The page around the checkout: when it is looked at, where the focus is, what it is told.

use crate::flow::{Event, Focus, Msg};
use gloo_events::EventListener;
use js_sys::{JSON, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CustomEvent, CustomEventInit, Element, EventTarget, HtmlElement, VisibilityState};
use yew::{Callback, NodeRef};

/// Watches for the moments at which a payer comes back: from the phone's prompt, from the
/// back/forward cache, from a tunnel.
pub(super) fn listen(emit: &Callback<Msg>) -> [EventListener; 3] {
    let window = web_sys::window();
    let document = window.as_ref().and_then(web_sys::Window::document);
    let nowhere = EventTarget::new().ok();
    let on = |target: Option<EventTarget>, name: &'static str| {
        let emit = emit.clone();
        // A page has both; a target of our own stands in where there is none.
        let target = target.or_else(|| nowhere.clone()).unwrap_or_else(|| JsValue::NULL.unchecked_into());
        EventListener::new(&target, name, move |_| emit.emit(if is_visible() { Msg::Awake } else { Msg::Hidden }))
    };
    [
        on(document.map(Into::into), "visibilitychange"),
        on(window.clone().map(Into::into), "pageshow"),
        on(window.map(Into::into), "online"),
    ]
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
    let text = |value: Option<&str>| value.map_or(JsValue::NULL, JsValue::from);
    let amount = event.amount.as_deref().map_or(JsValue::NULL, |amount| JSON::parse(amount).unwrap_or_default());
    let detail = Object::new();
    for (name, value) in [
        ("transactionId", text(event.transaction_id.as_deref())),
        ("reference", text(event.reference.as_deref())),
        ("checkoutId", text(event.checkout_id.as_deref())),
        ("amount", amount),
        ("currency", text(event.currency.as_deref())),
        ("status", text(event.kind.status())),
        ("code", text(event.kind.code())),
    ] {
        let _ = Reflect::set(&detail, &name.into(), &value);
    }
    detail.into()
}
