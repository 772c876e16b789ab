//! Elements, built by calls.
//!
//! The `html!` macro writes out the making of every element where it stands; these few functions are
//! shared by all of them, which is worth several kilobytes to a payer on a slow link. For the same
//! reason no element has a listener of its own: see [`super::doing`].

use yew::prelude::*;
use yew::virtual_dom::{AttributeOrProperty, Attributes, VTag};

/// Every attribute that a view sets. All elements share this list, which is how Yew sees that it has
/// only values to compare.
static NAMES: [&str; 37] = [
    "class",
    "id",
    "part",
    "role",
    "type",
    "name",
    "value",
    "for",
    "href",
    "method",
    "action",
    "novalidate",
    "placeholder",
    "readonly",
    "disabled",
    "dir",
    "lang",
    "tabindex",
    "inputmode",
    "autocomplete",
    "autocapitalize",
    "spellcheck",
    "maxlength",
    "aria-describedby",
    "aria-disabled",
    "aria-hidden",
    "aria-invalid",
    "aria-label",
    "aria-required",
    "viewBox",
    "d",
    "width",
    "height",
    "rx",
    "cx",
    "cy",
    "r",
];

/// An element that is being built; boxed, since each call passes it on.
pub(super) struct Element(Box<VTag>);

/// Begins an element: its tag, then its attributes, as in `input;class=tua-input;type=tel`.
#[inline(never)]
pub(super) fn el(markup: &'static str) -> Element {
    let mut parts = markup.split(';');
    let mut element = VTag::new(parts.next().unwrap_or_default());
    element.attributes = Attributes::Dynamic { keys: &NAMES, values: NAMES.iter().map(|_| None).collect() };
    parts.fold(Element(Box::new(element)), Element::also)
}

/// An element that holds a text and nothing else.
#[inline(never)]
pub(super) fn words(markup: &'static str, text: &str) -> Html {
    el(markup).text(text).end()
}

impl Element {
    /// An attribute more, as in `type=tel`.
    #[inline(never)]
    pub(super) fn also(self, attribute: &'static str) -> Self {
        let (name, value) = attribute.split_once('=').unwrap_or((attribute, ""));
        self.set(name, AttrValue::Static(value))
    }

    /// An attribute that is there only sometimes.
    pub(super) fn also_if(self, is_set: bool, attribute: &'static str) -> Self {
        if is_set { self.also(attribute) } else { self }
    }

    /// An attribute whose value is put together at run time.
    pub(super) fn attr(self, name: &'static str, value: String) -> Self {
        self.set(name, value.into())
    }

    #[inline(never)]
    fn set(mut self, name: &str, value: AttrValue) -> Self {
        let place = NAMES.iter().position(|known| *known == name);
        debug_assert!(place.is_some(), "NAMES lacks {name}");
        if let Attributes::Dynamic { values, .. } = &mut self.0.attributes
            && let Some(value_of) = place.and_then(|place| values.get_mut(place))
        {
            *value_of = Some(AttributeOrProperty::Attribute(value));
        }
        self
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
    #[inline(never)]
    pub(super) fn value(mut self, value: &str) -> Self {
        self.0.set_value(AttrValue::from(value.to_owned()));
        self
    }

    /// Whether a radio is chosen.
    pub(super) fn checked(mut self, is_checked: bool) -> Self {
        self.0.set_checked(is_checked);
        self
    }

    /// The reference by which the shell finds it.
    pub(super) fn found_by(mut self, reference: &NodeRef) -> Self {
        self.0.node_ref = reference.clone();
        self
    }

    /// The finished element.
    #[inline(never)]
    pub(super) fn end(self) -> Html {
        (*self.0).into()
    }
}
