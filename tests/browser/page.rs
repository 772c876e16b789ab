//! A payer's hands and eyes: elements are found by role and name, never by class.

use crate::service;
use gloo_events::EventListener;
use std::cell::RefCell;
use std::rc::Rc;
use tua_checkout::{Checkout, CheckoutProps};
use wasm_bindgen::JsCast;
use web_sys::{CustomEvent, Element, HtmlElement, HtmlInputElement, InputEvent, InputEventInit, Node};
use yew::{AppHandle, AttrValue, Callback};

const PATIENCE_MS: u32 = 20_000;

/// A checkout in an element of its own.
pub struct Page {
    root: Element,
    app: Option<AppHandle<Checkout>>,
    events: Rc<RefCell<Vec<String>>>,
    _listeners: Vec<EventListener>,
}

impl Page {
    /// Puts the checkout for this token on the page.
    pub fn open(token: &str) -> Self {
        let document = web_sys::window().unwrap().document().unwrap();
        let root = document.create_element("div").unwrap();
        document.body().unwrap().append_child(&root).unwrap();
        let events = Rc::new(RefCell::new(Vec::new()));
        let listeners = ["ready", "pending", "successful", "failed", "expired", "error"].map(|name| {
            let events = Rc::clone(&events);
            EventListener::new(&root, ["tua-", name].concat(), move |event| {
                let detail = event.unchecked_ref::<CustomEvent>().detail();
                let more = service::string(&detail, "code").map_or(String::new(), |code| [":", &code].concat());
                events.borrow_mut().push([name, &more].concat());
            })
        });
        let props = CheckoutProps {
            token: AttrValue::from(token.to_owned()),
            base_url: Some(service::base_url().into()),
            texts: tua_checkout::english(),
            first: None,
            on_event: Callback::noop(),
        };
        let app = yew::Renderer::<Checkout>::with_root_and_props(root.clone(), props).render();
        Self { root, app: Some(app), events, _listeners: listeners.into() }
    }

    /// The events so far, by name and code.
    pub fn events(&self) -> Vec<String> {
        self.events.borrow().clone()
    }

    /// Waits until the heading of this name is shown.
    pub async fn heading(&self, name: &str) {
        self.until(name, || self.named("h2", name).is_some()).await;
    }

    /// Waits until this is to be read somewhere.
    pub async fn reads(&self, text: &str) {
        self.until(text, || self.text().contains(text)).await;
    }

    /// Everything that is to be read.
    pub fn text(&self) -> String {
        self.root.unchecked_ref::<HtmlElement>().inner_text()
    }

    /// Presses the button of this name, once it is there.
    pub async fn click(&self, name: &str) {
        self.until(name, || self.named("button", name).is_some()).await;
        self.named("button", name).unwrap().click();
    }

    /// Picks the radio of this name.
    pub fn pick(&self, name: &str) {
        let label = self.named("label", name).unwrap_or_else(|| panic!("no choice {name}"));
        label.query_selector("input").unwrap().unwrap().unchecked_into::<HtmlElement>().click();
    }

    /// Whether the radio of this name is chosen.
    pub fn is_picked(&self, name: &str) -> bool {
        let label = self.named("label", name).unwrap_or_else(|| panic!("no choice {name}"));
        label.query_selector("input:checked").unwrap().is_some()
    }

    /// Types into the field of this label, in place of what is there.
    pub async fn type_into(&self, label: &str, text: &str) {
        self.until(label, || self.field(label).is_some()).await;
        let field = self.field(label).unwrap();
        field.set_value(text);
        let init = InputEventInit::new();
        init.set_bubbles(true);
        field.dispatch_event(&InputEvent::new_with_event_init_dict("input", &init).unwrap()).unwrap();
        next_frame().await;
    }

    /// What the field of this label holds.
    pub fn value_of(&self, label: &str) -> Option<String> {
        Some(self.field(label)?.value())
    }

    /// The words that are tied to the field of this label as its fault.
    pub fn fault_of(&self, label: &str) -> Option<String> {
        let field = self.field(label)?;
        field.get_attribute("aria-invalid")?;
        let id = field.get_attribute("aria-describedby")?;
        self.root.query_selector(&["#", &id].concat()).ok()??.text_content()
    }

    /// Whether the focus is on, or in, what is labelled so.
    pub fn has_focus(&self, name: &str) -> bool {
        let active = web_sys::window().unwrap().document().unwrap().active_element();
        active.is_some_and(|active| match self.field(name) {
            Some(field) => field.is_same_node(Some(&active)),
            None => active.get_attribute("aria-label").as_deref() == Some(name) && self.root.contains(Some(&active)),
        })
    }

    fn field(&self, label: &str) -> Option<HtmlInputElement> {
        let id = self.named("label", label)?.get_attribute("for")?;
        self.root.query_selector(&["#", &id].concat()).ok()??.dyn_into().ok()
    }

    fn named(&self, selector: &str, name: &str) -> Option<HtmlElement> {
        let found = self.root.query_selector_all(selector).ok()?;
        let elements = (0..found.length()).filter_map(|index| found.get(index)?.dyn_into::<HtmlElement>().ok());
        elements.into_iter().find(|element| element.inner_text().split_whitespace().eq(name.split_whitespace()))
    }

    async fn until(&self, what: &str, is_so: impl Fn() -> bool) {
        for _ in 0..PATIENCE_MS / 25 {
            if is_so() {
                return;
            }
            gloo_timers::future::TimeoutFuture::new(25).await;
        }
        panic!("{what:?} never came; the page reads:\n{}", self.text());
    }

    /// Leaves the page, as a reload does.
    pub fn close(mut self) {
        self.leave();
    }

    fn leave(&mut self) {
        if let Some(app) = self.app.take() {
            app.destroy();
        }
        self.root.unchecked_ref::<Node>().parent_node().map(|parent| parent.remove_child(&self.root));
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Lets the component draw.
async fn next_frame() {
    gloo_timers::future::TimeoutFuture::new(0).await;
}
