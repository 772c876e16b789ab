//! Elements, built by calls.
//!
//! The `html!` macro writes out the making of every element where it stands; these few functions are
//! shared by all of them, which is worth several kilobytes to a payer on a slow link.

use super::View;
use crate::flow::Msg;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;
use yew::virtual_dom::{AttributeOrProperty, Attributes, Listener, ListenerKind, VTag};

macro_rules! attributes {
    ($($variant:ident = $name:literal,)+) => {
        /// Every attribute that a view sets.
        #[derive(Clone, Copy)]
        pub(super) enum Attr {
            $($variant,)+
        }

        /// Their names. All elements share this list, which is how Yew sees that it has only values to compare.
        static NAMES: [&str; [$($name),+].len()] = [$($name),+];
    };
}

attributes! {
    Class = "class",
    Id = "id",
    Part = "part",
    Role = "role",
    Type = "type",
    Name = "name",
    Value = "value",
    For = "for",
    Href = "href",
    Method = "method",
    Novalidate = "novalidate",
    Placeholder = "placeholder",
    Readonly = "readonly",
    Disabled = "disabled",
    Dir = "dir",
    Inputmode = "inputmode",
    Autocomplete = "autocomplete",
    Autocapitalize = "autocapitalize",
    Spellcheck = "spellcheck",
    Maxlength = "maxlength",
    AriaDescribedby = "aria-describedby",
    AriaDisabled = "aria-disabled",
    AriaHidden = "aria-hidden",
    AriaInvalid = "aria-invalid",
    AriaLabel = "aria-label",
    AriaRequired = "aria-required",
    ViewBox = "viewBox",
    D = "d",
    Width = "width",
    Height = "height",
    Rx = "rx",
    Cx = "cx",
    Cy = "cy",
    R = "r",
}

/// An element that is being built; boxed, since each call passes it on.
pub(super) struct Element(Box<VTag>);

/// Begins an element with its classes; no class is no attribute.
#[inline(never)]
pub(super) fn el(tag: &'static str, class: &'static str) -> Element {
    let mut element = VTag::new(tag);
    element.attributes = Attributes::Dynamic { keys: &NAMES, values: NAMES.iter().map(|_| None).collect() };
    let element = Element(Box::new(element));
    if class.is_empty() { element } else { element.attr(Attr::Class, class) }
}

impl Element {
    /// An attribute.
    #[inline(never)]
    pub(super) fn attr(self, name: Attr, value: &'static str) -> Self {
        self.set(name, AttributeOrProperty::Static(value))
    }

    /// An attribute that is put together at run time.
    pub(super) fn attr_text(self, name: Attr, value: String) -> Self {
        self.set(name, AttributeOrProperty::Attribute(value.into()))
    }

    /// An attribute that is there only sometimes.
    pub(super) fn attr_if(self, is_set: bool, name: Attr, value: &'static str) -> Self {
        if is_set { self.attr(name, value) } else { self }
    }

    #[inline(never)]
    fn set(mut self, name: Attr, value: AttributeOrProperty) -> Self {
        if let Attributes::Dynamic { values, .. } = &mut self.0.attributes
            && let Some(place) = values.get_mut(name as usize)
        {
            *place = Some(value);
        }
        self
    }

    /// The part that a page may style with `::part()`.
    pub(super) fn part(self, name: &'static str) -> Self {
        self.attr(Attr::Part, name)
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
