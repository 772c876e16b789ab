//! What a payer does and sees. Elements are found by role and name, never by class.

use crate::service;
use gloo_events::EventListener;
use std::cell::RefCell;
use std::rc::Rc;
use tua_checkout::{Checkout, CheckoutProps};
use wasm_bindgen::JsCast;
use web_sys::{
    CustomEvent, Element, HtmlElement, HtmlInputElement, InputEvent, InputEventInit, Node,
};
use yew::{AppHandle, AttrValue, Callback};

const TIMEOUT_MS: u32 = 20_000;

const WRAP_TEXTS: &str = "
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts.filter((text) => text.parentNode.localName !== 'font')) {
      const outer = document.createElement('font');
      text.replaceWith(outer);
      outer.appendChild(document.createElement('font')).append(text);
    }";

/// A checkout in its own element.
pub struct Page {
    root: Element,
    app: Option<AppHandle<Checkout>>,
    events: Rc<RefCell<Vec<String>>>,
    _listeners: Vec<EventListener>,
}

impl Page {
    /// Renders the checkout for this token.
    pub fn open(token: &str) -> Self {
        let document = web_sys::window().unwrap().document().unwrap();
        let root = document.create_element("div").unwrap();
        document.body().unwrap().append_child(&root).unwrap();
        let events = Rc::new(RefCell::new(Vec::new()));
        let listeners =
            ["ready", "pending", "successful", "failed", "expired", "error"].map(|name| {
                let events = Rc::clone(&events);
                EventListener::new(&root, ["tua-", name].concat(), move |event| {
                    let detail = event.unchecked_ref::<CustomEvent>().detail();
                    let code = service::string(&detail, "code")
                        .map_or(String::new(), |code| [":", &code].concat());
                    events.borrow_mut().push([name, &code].concat());
                })
            });
        let props = CheckoutProps {
            token: AttrValue::from(token.to_owned()),
            base_url: Some(service::base_url().into()),
            texts: tua_checkout::english(),
            first: None,
            on_event: Callback::noop(),
            on_rendered: Callback::noop(),
        };
        let app = yew::Renderer::<Checkout>::with_root_and_props(root.clone(), props).render();
        Self { root, app: Some(app), events, _listeners: listeners.into() }
    }

    /// The DOM events so far, as `name` or `name:code`.
    pub fn events(&self) -> Vec<String> {
        self.events.borrow().clone()
    }

    /// Waits for the heading with this text.
    pub async fn heading(&self, name: &str) {
        self.until(name, || self.named("h2", name).is_some()).await;
    }

    /// Waits until the page shows this text.
    pub async fn shows(&self, text: &str) {
        self.until(text, || self.text().contains(text)).await;
    }

    /// The text that the checkout shows, without what is hidden.
    pub fn text(&self) -> String {
        self.root.unchecked_ref::<HtmlElement>().inner_text()
    }

    /// Waits for the button with this text and clicks it.
    pub async fn click(&self, name: &str) {
        self.until(name, || self.named("button", name).is_some()).await;
        self.named("button", name).unwrap().click();
    }

    /// Selects the radio button with this label.
    pub fn select(&self, name: &str) {
        let label = self.named("label", name).unwrap_or_else(|| panic!("no radio button {name}"));
        label.query_selector("input").unwrap().unwrap().unchecked_into::<HtmlElement>().click();
    }

    /// Whether the radio button with this label is selected.
    pub fn is_selected(&self, name: &str) -> bool {
        let label = self.named("label", name).unwrap_or_else(|| panic!("no radio button {name}"));
        label.query_selector("input:checked").unwrap().is_some()
    }

    /// Puts every text into two elements, as Google Translate does.
    pub fn translate(&self) {
        js_sys::Function::new_with_args("root", WRAP_TEXTS)
            .call1(&wasm_bindgen::JsValue::NULL, &self.root)
            .unwrap();
    }

    /// Removes everything that the component has drawn, as an extension may.
    pub fn remove_content(&self) {
        self.root.set_inner_html("");
    }

    /// Changes the field with this label as a password manager does: without an event.
    pub fn set_silently(&self, label: &str, text: &str) {
        self.field(label).unwrap().set_value(text);
    }

    /// Replaces the content of the field with this label.
    pub async fn type_into(&self, label: &str, text: &str) {
        self.until(label, || self.field(label).is_some()).await;
        let field = self.field(label).unwrap();
        field.set_value(text);
        let init = InputEventInit::new();
        init.set_bubbles(true);
        field
            .dispatch_event(&InputEvent::new_with_event_init_dict("input", &init).unwrap())
            .unwrap();
        render().await;
    }

    /// The content of the field with this label.
    pub fn value_of(&self, label: &str) -> Option<String> {
        Some(self.field(label)?.value())
    }

    /// The error message that the field with this label refers to.
    pub fn fault_of(&self, label: &str) -> Option<String> {
        let field = self.field(label)?;
        field.get_attribute("aria-invalid")?;
        let id = field.get_attribute("aria-describedby")?;
        self.root.query_selector(&["#", &id].concat()).ok()??.text_content()
    }

    /// Whether the field with this label, or the element with this `aria-label`, has the focus.
    pub fn has_focus(&self, name: &str) -> bool {
        let active = web_sys::window().unwrap().document().unwrap().active_element();
        active.is_some_and(|active| match self.field(name) {
            Some(field) => field.is_same_node(Some(&active)),
            None => {
                active.get_attribute("aria-label").as_deref() == Some(name)
                    && self.root.contains(Some(&active))
            }
        })
    }

    fn field(&self, label: &str) -> Option<HtmlInputElement> {
        let id = self.named("label", label)?.get_attribute("for")?;
        self.root.query_selector(&["#", &id].concat()).ok()??.dyn_into().ok()
    }

    fn named(&self, selector: &str, name: &str) -> Option<HtmlElement> {
        let found = self.root.query_selector_all(selector).ok()?;
        let elements = (0..found.length())
            .filter_map(|index| found.get(index)?.dyn_into::<HtmlElement>().ok());
        elements
            .into_iter()
            .find(|element| element.inner_text().split_whitespace().eq(name.split_whitespace()))
    }

    async fn until(&self, what: &str, condition: impl Fn() -> bool) {
        for _ in 0..TIMEOUT_MS / 25 {
            if condition() {
                return;
            }
            gloo_timers::future::TimeoutFuture::new(25).await;
        }
        panic!("{what:?} did not appear; the page shows:\n{}", self.text());
    }

    /// Removes the checkout, as a reload does.
    pub fn close(mut self) {
        self.remove();
    }

    fn remove(&mut self) {
        if let Some(app) = self.app.take() {
            app.destroy();
        }
        self.root
            .unchecked_ref::<Node>()
            .parent_node()
            .map(|parent| parent.remove_child(&self.root));
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Lets the component render.
async fn render() {
    gloo_timers::future::TimeoutFuture::new(0).await;
}
