//! [`Checkout`]: the only component with a state. It runs what the machine orders, and owns every
//! timer and request; dropping it drops them.

mod job;
mod page;

use crate::api::{Api, random};
use crate::browser;
use crate::flow::{Answer, Effect, Event, Focus, Form, Msg, Request, Screen, State};
use crate::intl::Browser;
use crate::locale::{Text, Texts, digits};
use crate::views::{View, frame};
use gloo_events::EventListener;
use gloo_timers::callback::Interval;
use job::Job;
use std::cell::Cell;
use std::rc::Rc;
use tua_contract::Network;
use wasm_bindgen::JsValue;
use yew::html::Scope;
use yew::prelude::*;

/// What a checkout is given.
#[derive(Clone, PartialEq, Properties, Debug)]
pub struct CheckoutProps {
    /// The checkout token.
    pub token: AttrValue,
    /// The versioned root of the API, such as `https://pay.example/v1`; the page's own origin when absent.
    #[prop_or_default]
    pub base_url: Option<AttrValue>,
    /// The texts; English when absent.
    #[cfg_attr(feature = "english", prop_or_else(english))]
    pub texts: Texts,
    /// The answer to `GET /v1/checkout`, where a page has asked before this component was there: a promise of
    /// a `Response`. Another token's is not taken.
    #[prop_or_default]
    pub first: Option<JsValue>,
    /// Called with every event, beside the DOM event that bubbles from the checkout.
    #[prop_or_default]
    pub on_event: Callback<Event>,
}

/// The checkout: everything from the number to the receipt.
#[expect(missing_debug_implementations, reason = "holds timers and listeners")]
pub struct Checkout {
    state: State,
    api: Rc<Api>,
    format: Browser,
    prefix: String,
    root: NodeRef,
    focus: Option<Focus>,
    /// The server's clock minus this device's, in milliseconds, once the server has said it.
    clock_offset_ms: Option<i64>,
    /// The one request or pause that is under way; replacing it drops it.
    job: Option<Job>,
    _tick: Interval,
    listeners: Vec<EventListener>,
}

/// What reaches the shell.
#[derive(Debug)]
pub enum Heard {
    /// A message as the machine takes it.
    Said(Msg),
    /// An answer, and the server's clock where it was said.
    Answered(u32, Box<Answer>, Option<i64>),
    /// Another second.
    Second,
}

impl Component for Checkout {
    type Message = Heard;
    type Properties = CheckoutProps;

    fn create(ctx: &Context<Self>) -> Self {
        let link = ctx.link();
        let second = link.clone();
        let mut checkout = Self {
            state: State::default(),
            api: api(ctx.props()),
            format: Browser::new(ctx.props().texts.get(Text::Language)),
            prefix: prefix(),
            root: NodeRef::default(),
            focus: None,
            clock_offset_ms: None,
            job: None,
            _tick: Interval::new(1_000, move || second.send_message(Heard::Second)),
            listeners: page::around(link),
        };
        checkout.begin(ctx);
        checkout
    }

    fn update(&mut self, ctx: &Context<Self>, heard: Heard) -> bool {
        match heard {
            Heard::Said(msg) => {
                self.take(ctx, msg);
                true
            }
            Heard::Answered(generation, answer, now_ms) => {
                if let Some(now_ms) = now_ms {
                    self.clock_offset_ms = Some(now_ms.saturating_sub(device_ms()));
                    self.state.now_ms = now_ms;
                }
                self.take(ctx, Msg::Answered(generation, answer));
                true
            }
            Heard::Second => {
                let Some(offset) = self.clock_offset_ms else { return false };
                let ordered = self.take(ctx, Msg::Tick(device_ms().saturating_add(offset)));
                ordered || matches!(self.state.screen, Screen::Waiting(..))
            }
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &CheckoutProps) -> bool {
        let props = ctx.props();
        if props.token != old.token || props.base_url != old.base_url {
            self.api = api(props);
            self.begin(ctx);
        }
        self.format = Browser::new(props.texts.get(Text::Language));
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let texts = &ctx.props().texts;
        let view = View { texts, format: &self.format, prefix: &self.prefix, action: None };
        frame(&self.state, view, &self.root)
    }

    fn rendered(&mut self, ctx: &Context<Self>, is_first: bool) {
        let Some(root) = self.root.cast::<web_sys::Element>() else { return };
        if is_first {
            #[cfg(feature = "styles")]
            crate::style::adopt(&root);
            page::inside(&root, ctx.link(), &mut self.listeners);
        }
        if let Some(focus) = self.focus.take() {
            page::focus(&root, focus);
        }
    }
}

impl Checkout {
    /// Takes what was typed and chosen before the component was there, and Pay where it was pressed.
    pub fn fill(scope: &Scope<Self>, phone: String, network: Option<Network>, is_paying: bool) {
        scope.send_message(Heard::Said(Msg::Filled(phone, network)));
        if is_paying {
            scope.send_message(Heard::Said(Msg::Pay));
        }
    }

    fn begin(&mut self, ctx: &Context<Self>) {
        let is_begun = browser::has_begun(&ctx.props().token);
        let (state, effects) = State::begin((!is_begun).then(Form::default));
        self.state = state;
        effects.into_iter().for_each(|effect| self.run(ctx, effect));
    }

    /// Lets the machine take a message; whether it ordered anything.
    fn take(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        let (state, effects) = std::mem::take(&mut self.state).update(msg);
        self.state = state;
        let ordered = !effects.is_empty();
        effects.into_iter().for_each(|effect| self.run(ctx, effect));
        ordered
    }

    fn run(&mut self, ctx: &Context<Self>, effect: Effect) {
        let link = ctx.link().clone();
        match effect {
            Effect::Ask(generation, request) => {
                if matches!(request, Request::Charge { .. }) {
                    browser::set_begun(&ctx.props().token);
                }
                let api = Rc::clone(&self.api);
                self.job = Job::ask(api, request, move |answer, now_ms| {
                    link.send_message(Heard::Answered(generation, Box::new(answer), now_ms));
                });
            }
            Effect::Sleep(generation, millis) => {
                // Spread out, so that a service that comes back is not met by everyone at once.
                let millis = millis.saturating_add(random() % (millis / 2 + 1));
                self.job = Some(Job::sleep(millis, move || link.send_message(Heard::Said(Msg::Slept(generation)))));
            }
            Effect::Stop => self.job = None,
            Effect::Focus(focus) => self.focus = Some(focus),
            Effect::CopyReceipt => page::copy_receipt(&self.root, link),
            Effect::Print => page::print(&self.root),
            Effect::Emit(event) => {
                page::dispatch(&self.root, &event);
                ctx.props().on_event.emit(event);
            }
        }
    }
}

/// Reads texts from a JavaScript object of id to text.
#[must_use]
pub fn read_texts(texts: &JsValue) -> Texts {
    Texts::read(|id| crate::browser::property(texts, id)?.as_string())
}

/// The English texts.
#[cfg(feature = "english")]
#[must_use]
pub fn english() -> Texts {
    thread_local! {
        static ENGLISH: Texts = read_texts(&js_sys::JSON::parse(crate::locale::english_json()).unwrap_or_default());
    }
    ENGLISH.with(Texts::clone)
}

fn api(props: &CheckoutProps) -> Rc<Api> {
    let base = match &props.base_url {
        Some(base) => base.as_str().to_owned(),
        None => [&page::origin(), "/v1"].concat(),
    };
    Rc::new(Api::new(&base, &props.token, props.first.clone()))
}

/// What the ids of this checkout begin with, unlike those of any other on the page.
fn prefix() -> String {
    thread_local! {
        static COUNT: Cell<u32> = const { Cell::new(0) };
    }
    let count = COUNT.get() + 1;
    COUNT.set(count);
    ["tua-", &digits(count), "-"].concat()
}

/// This device's clock, in milliseconds since 1970.
fn device_ms() -> i64 {
    js_sys::Date::now() as i64
}
