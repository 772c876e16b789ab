//! [`Checkout`]: the only component with state. It runs the state machine's effects, and owns every
//! timer and request; dropping it ends them.

mod job;
mod page;

use crate::api::{Api, random};
use crate::browser;
use crate::flow::{self, ApiResponse, Effect, Event, Focus, Form, Request, Screen, State};
use crate::intl::BrowserFormat;
use crate::locale::{Text, Texts, digits};
use crate::views::{self, ViewContext, actions};
use gloo_events::EventListener;
use gloo_timers::callback::Interval;
use job::Job;
use std::cell::Cell;
use std::rc::Rc;
use tua_contract::Network;
use wasm_bindgen::JsValue;
use yew::html::Scope;
use yew::prelude::*;

/// The keys of the root element, in turn.
const KEYS: [&str; 2] = ["a", "b"];

/// What the page sets on a [`Checkout`].
#[derive(Clone, PartialEq, Properties, Debug)]
pub struct CheckoutProps {
    /// The checkout token, which authorizes every request. Another token begins a new checkout.
    pub token: AttrValue,
    /// The versioned root of the API, such as `https://pay.example/v1`; by default `/v1` of the
    /// page's own origin.
    #[prop_or_default]
    pub base_url: Option<AttrValue>,
    /// The texts; English by default.
    #[cfg_attr(feature = "english", prop_or_else(english))]
    pub texts: Texts,
    /// The response to `GET /v1/checkout`, if the page requested it before this component had
    /// loaded: a promise of a `Response`, for the same token.
    #[prop_or_default]
    pub first: Option<JsValue>,
    /// Called with every event. The same events also bubble from the checkout as DOM events.
    #[prop_or_default]
    pub on_event: Callback<Event>,
    /// Called after the first rendering, when the checkout listens to its fields.
    #[prop_or_default]
    pub on_rendered: Callback<()>,
}

/// The checkout: everything from the phone number to the receipt.
#[expect(missing_debug_implementations, reason = "holds timers and listeners")]
pub struct Checkout {
    state: State,
    api: Rc<Api>,
    context: ViewContext,
    root: NodeRef,
    /// The key of the root element. Another one replaces an element that the page has removed.
    key: &'static str,
    /// What the text field showed after the last render. Another value is one that the payer or the
    /// browser entered.
    shown: String,
    /// Where the focus goes after the next render.
    focus: Option<Focus>,
    /// The merchant's colour, until the next render applies it.
    accent: Option<String>,
    /// The server's clock minus this device's, in milliseconds, once a response had a date.
    clock_offset_ms: Option<i64>,
    /// The current request or pause; replacing it ends it.
    job: Option<Job>,
    _interval: Interval,
    _listeners: Vec<EventListener>,
    /// `None` until the root element is drawn.
    root_listeners: Option<[EventListener; 3]>,
}

/// What the component [`Checkout`] reacts to: browser events, answers and timers.
#[derive(Debug)]
pub enum Msg {
    /// A message for the state machine.
    Flow(flow::Msg),
    /// The answer to the request of this generation, and the server's clock in milliseconds since
    /// 1970 if the response had a date.
    Answered(u32, Box<ApiResponse>, Option<i64>),
    /// A second has passed.
    Second,
}

impl Component for Checkout {
    type Message = Msg;
    type Properties = CheckoutProps;

    fn create(ctx: &Context<Self>) -> Self {
        let link = ctx.link();
        let second = link.clone();
        let context = view_context(ctx.props(), id_prefix(), NodeRef::default());
        let listeners = page::listeners(&context.field, link);
        let mut checkout = Self {
            state: State::default(),
            api: api(ctx.props()),
            context,
            root: NodeRef::default(),
            key: KEYS[0],
            shown: String::new(),
            focus: None,
            accent: None,
            clock_offset_ms: None,
            job: None,
            _interval: Interval::new(1_000, move || second.send_message(Msg::Second)),
            _listeners: listeners,
            root_listeners: None,
        };
        checkout.start(ctx);
        checkout
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        // A submitted form brings its text: a network that only this text suggests was not shown.
        let is_submitted = matches!(msg, Msg::Flow(flow::Msg::Pay(..) | flow::Msg::SendCode(_)));
        let is_lost = self.replace_lost_root();
        // What was submitted is not what the payer has seen.
        if is_lost && is_submitted {
            return true;
        }
        let is_changed = is_lost | (!is_submitted && self.read_text_field(ctx));
        match msg {
            Msg::Flow(msg) => {
                self.update_state(ctx, msg);
                true
            }
            Msg::Answered(generation, answer, now_ms) => {
                if let Some(now_ms) = now_ms {
                    self.clock_offset_ms = Some(now_ms.saturating_sub(device_ms()));
                    self.state.now_ms = now_ms;
                }
                if let ApiResponse::Session(session) = &*answer {
                    self.accent.clone_from(&session.accent);
                }
                self.update_state(ctx, flow::Msg::Answered(generation, answer));
                true
            }
            Msg::Second => {
                let Some(offset) = self.clock_offset_ms else { return is_changed };
                let has_effects =
                    self.update_state(ctx, flow::Msg::Tick(device_ms().saturating_add(offset)));
                is_changed || has_effects || matches!(self.state.screen, Screen::Waiting(..))
            }
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &CheckoutProps) -> bool {
        let props = ctx.props();
        if props.token != old.token || props.base_url != old.base_url {
            self.api = api(props);
            self.start(ctx);
        }
        let ViewContext { id_prefix, field, .. } = self.context.clone();
        self.context = view_context(props, id_prefix, field);
        true
    }

    fn view(&self, _: &Context<Self>) -> Html {
        views::checkout(&self.state, &self.context, &self.root, self.key)
    }

    fn rendered(&mut self, ctx: &Context<Self>, is_first: bool) {
        let Some(root) = self.root.cast::<web_sys::Element>() else { return };
        let _ = browser::guard(&root);
        if self.root_listeners.is_none() {
            #[cfg(feature = "styles")]
            crate::style::adopt(&root);
            self.root_listeners =
                Some(page::root_listeners(&root, &self.context.field, ctx.link()));
        }
        if is_first {
            ctx.props().on_rendered.emit(());
        }
        if let Some(accent) = self.accent.take() {
            browser::set_accent(&root, &accent);
        }
        if let Some(focus) = self.focus.take() {
            page::focus(&root, &self.context.field, focus);
        }
        self.shown = page::text_of(&self.context.field);
    }
}

impl Checkout {
    /// Fills in the form with what the payer entered before the component had loaded, and pays if
    /// `is_paying`.
    pub fn fill(scope: &Scope<Self>, phone: String, network: Option<Network>, is_paying: bool) {
        let msg = if is_paying { flow::Msg::Pay } else { flow::Msg::Filled };
        scope.send_message(Msg::Flow(msg(phone, network)));
    }

    /// Has the root element drawn again if the page or an extension has removed or replaced it, its
    /// screen or its text field. Returns whether it has.
    fn replace_lost_root(&mut self) -> bool {
        let root = self.root.cast::<web_sys::Element>();
        let is_lost = root
            .is_some_and(|root| browser::is_lost(&root, self.context.field.get()).unwrap_or(false));
        if is_lost {
            self.key = KEYS[usize::from(self.key == KEYS[0])];
            self.root_listeners = None;
            self.accent = self.state.screen.session().and_then(|session| session.accent.clone());
        }
        is_lost
    }

    /// Reads the text field, since password managers and autofill may send no event. Without that,
    /// the next render would replace the value by the older one. Returns whether it has a new
    /// value.
    fn read_text_field(&mut self, ctx: &Context<Self>) -> bool {
        let field = page::text_field(&self.context.field);
        let Some(field) = field else { return false };
        let shown = browser::text_of(&field);
        if shown == self.shown {
            return false;
        }
        self.shown = shown;
        if let Some(msg) = actions::message(&field.name(), self.shown.clone(), None) {
            self.update_state(ctx, msg);
        }
        true
    }

    fn start(&mut self, ctx: &Context<Self>) {
        // A tab that has begun to pay shows no form while the session is read again.
        let has_begun = browser::has_begun(&ctx.props().token);
        let (state, effects) = State::begin((!has_begun).then(Form::default));
        self.state = state;
        effects.into_iter().for_each(|effect| self.run(ctx, effect));
    }

    /// Updates the state and runs the effects. Returns whether there were any.
    fn update_state(&mut self, ctx: &Context<Self>, msg: flow::Msg) -> bool {
        let (state, effects) = std::mem::take(&mut self.state).update(msg);
        self.state = state;
        let has_effects = !effects.is_empty();
        effects.into_iter().for_each(|effect| self.run(ctx, effect));
        has_effects
    }

    fn run(&mut self, ctx: &Context<Self>, effect: Effect) {
        let link = ctx.link().clone();
        match effect {
            Effect::Send(generation, request) => {
                if matches!(request, Request::Charge { .. }) {
                    browser::set_begun(&ctx.props().token);
                }
                let api = Rc::clone(&self.api);
                let texts = ctx.props().texts.clone();
                self.job = Job::request(api, request, texts, move |answer, now_ms| {
                    link.send_message(Msg::Answered(generation, Box::new(answer), now_ms));
                });
            }
            Effect::Sleep(generation, millis) => {
                // Jitter: a service that comes back must not receive every client's request at
                // once.
                let millis = millis.saturating_add(random() % (millis / 2 + 1));
                self.job = Some(Job::pause(millis, move || {
                    link.send_message(Msg::Flow(flow::Msg::Slept(generation)));
                }));
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

/// Reads texts from a JavaScript object of id to text. A missing text shows as its id.
#[must_use]
pub fn read_texts(texts: &JsValue) -> Texts {
    Texts::read(|id| js_sys::Reflect::get(texts, &id.into()).ok()?.as_string())
}

/// The English texts, which are built in. They are parsed once per thread.
#[cfg(feature = "english")]
#[must_use]
pub fn english() -> Texts {
    thread_local! {
        static ENGLISH: Texts =
            read_texts(&js_sys::JSON::parse(crate::locale::english_json()).unwrap_or_default());
    }
    ENGLISH.with(Texts::clone)
}

fn api(props: &CheckoutProps) -> Rc<Api> {
    let base_url = match &props.base_url {
        Some(base_url) => base_url.as_str().to_owned(),
        None => [&browser::origin(), "/v1"].concat(),
    };
    Rc::new(Api::new(&base_url, &props.token, props.first.clone()))
}

fn view_context(props: &CheckoutProps, id_prefix: AttrValue, field: NodeRef) -> ViewContext {
    let texts = props.texts.clone();
    let format = Rc::new(BrowserFormat::new(texts.get(Text::Language)));
    ViewContext { texts, format, id_prefix, action: None, field }
}

/// A prefix of element ids that no other checkout on the page has.
fn id_prefix() -> AttrValue {
    thread_local! {
        static COUNT: Cell<u32> = const { Cell::new(0) };
    }
    let count = COUNT.get() + 1;
    COUNT.set(count);
    ["tua-", &digits(count), "-"].concat().into()
}

/// This device's clock, in milliseconds since 1970.
fn device_ms() -> i64 {
    js_sys::Date::now() as i64
}
