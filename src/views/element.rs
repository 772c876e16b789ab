//! Elements, built by calls.
//!
//! The `html!` macro writes out the making of every element where it stands; these few functions are
//! shared by all of them, which is worth several kilobytes to a payer on a slow link.

use super::View;
use crate::flow::Msg;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;
use yew::virtual_dom::{Listener, ListenerKind, VTag};

/// An element that is being built; boxed, since each call passes it on.
pub(super) struct Element(Box<VTag>);

/// Begins an element with its classes; no class is no attribute.
#[inline(never)]
pub(super) fn el(tag: &'static str, class: &'static str) -> Element {
    let element = Element(Box::new(VTag::new(tag)));
    if class.is_empty() { element } else { element.attr("class", class) }
}

impl Element {
    /// An attribute.
    #[inline(never)]
    pub(super) fn attr(self, name: &'static str, value: &'static str) -> Self {
        self.set(name, AttrValue::Static(value))
    }

    /// An attribute that is put together at run time.
    pub(super) fn attr_text(self, name: &'static str, value: String) -> Self {
        self.set(name, AttrValue::from(value))
    }

    /// An attribute that is there only sometimes.
    pub(super) fn attr_if(self, is_set: bool, name: &'static str, value: &'static str) -> Self {
        if is_set { self.attr(name, value) } else { self }
    }

    #[inline(never)]
    fn set(mut self, name: &'static str, value: AttrValue) -> Self {
        self.0.add_attribute(name, value);
        self
    }

    /// The part that a page may style with `::part()`.
    pub(super) fn part(self, name: &'static str) -> Self {
        self.attr("part", name)
    }

    /// The next child. An empty one keeps the place, so that what follows stays the same element.
    #[inline(never)]
    pub(super) fn with(mut self, child: Html) -> Self {
        self.0.add_child(child);
        self
    }

    /// A text as the next child.
    #[inline(never)]
    pub(super) fn text(self, text: &str) -> Self {
        self.with(Html::from(text))
    }

    /// What a text field holds.
    pub(super) fn value(mut self, value: &str) -> Self {
        self.0.set_value(AttrValue::from(value.to_owned()));
        self
    }

    /// Whether a radio is chosen.
    pub(super) fn checked(mut self, is_checked: bool) -> Self {
        self.0.set_checked(is_checked);
        self
    }

    /// What it says when something is done to it.
    #[inline(never)]
    pub(super) fn on(mut self, view: View<'_>, on: On) -> Self {
        self.0.add_listener(Rc::new(Handler { emit: view.emit.clone(), on }));
        self
    }

    /// The finished element.
    #[inline(never)]
    pub(super) fn end(self) -> Html {
        (*self.0).into()
    }
}

/// What is listened for, and the message that it becomes.
#[derive(Clone, Copy)]
pub(super) enum On {
    /// A click.
    Click(fn() -> Msg),
    /// A choice.
    Change(fn() -> Msg),
    /// A form's submission, which the page must not carry out itself.
    Submit(fn() -> Msg),
    /// Text that is typed.
    Input(fn(String) -> Msg),
}

struct Handler {
    emit: Callback<Msg>,
    on: On,
}

impl Listener for Handler {
    fn kind(&self) -> ListenerKind {
        match self.on {
            On::Click(_) => ListenerKind::onclick,
            On::Change(_) => ListenerKind::onchange,
            On::Submit(_) => ListenerKind::onsubmit,
            On::Input(_) => ListenerKind::oninput,
        }
    }

    fn handle(&self, event: web_sys::Event) {
        self.emit.emit(match self.on {
            On::Click(msg) | On::Change(msg) => msg(),
            On::Submit(msg) => {
                event.prevent_default();
                msg()
            }
            On::Input(msg) => msg(event.target_unchecked_into::<HtmlInputElement>().value()),
        });
    }

    fn passive(&self) -> bool {
        false
    }
}
