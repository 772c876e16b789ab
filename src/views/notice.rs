//! What the screens are made of: fields with their faults, buttons, facts; and the screens that
//! have no session.

use super::element::{Element, el, words};
use super::{View, doing, outcome};
use crate::flow::{Sending, Session};
use crate::locale::Text;
use yew::Html;

/// A field: its label, itself, and what is wrong with it.
pub(super) fn field(id: String, label: Text, input: Element, fault: Option<&str>, view: View<'_>) -> Html {
    let fault_id = [&id, "-fault"].concat();
    let label = el("label;class=tua-label;part=label").attr("for", id).text(view.text(label));
    let input = tied(input, &fault_id, fault);
    el("div;class=tua-field").with(label.end()).with(input.end()).with(fault_text(fault_id, fault)).end()
}

/// A group that names what is wrong with it.
pub(super) fn with_fault(group: Element, fault_id: String, fault: Option<&str>) -> Element {
    tied(group, &fault_id, fault).with(fault_text(fault_id, fault))
}

fn tied(element: Element, fault_id: &str, fault: Option<&str>) -> Element {
    match fault {
        Some(_) => element.also("aria-invalid=true").attr("aria-describedby", fault_id.to_owned()),
        None => element,
    }
}

fn fault_text(id: String, fault: Option<&str>) -> Html {
    match fault {
        Some(text) => el("p;class=tua-fault;part=error").attr("id", id).text(text).end(),
        None => Html::default(),
    }
}

/// A notice about the whole form. Its place is always there, so that filling it is announced.
pub(super) fn alert(said: Option<Text>, view: View<'_>) -> Html {
    let said = said.map(|text| words("p;class=tua-notice;part=notice", view.text(text)));
    el("div;role=alert").with(said.unwrap_or_default()).end()
}

/// A form's button; while it is busy it says so, and what guards against a second press is the machine.
pub(super) fn submit(label: &str, busy: bool) -> Html {
    let spinner = || el("span;class=tua-spinner;aria-hidden=true").end();
    el("button;class=tua-button;part=button;type=submit")
        .also_if(busy, "aria-disabled=true")
        .with(if busy { spinner() } else { Html::default() })
        .text(label)
        .end()
}

/// A button that does what its name says; the quiet ones are second choices. In a form of its own that has
/// no name: without script the button's is posted, with script only the click means something.
pub(super) fn button(is_quiet: bool, label: Text, name: &'static str, view: View<'_>) -> Html {
    let button = el("button;class=tua-button;part=button;type=submit").also_if(is_quiet, QUIET).also(name);
    el("form;method=post").with(button.text(view.text(label)).end()).end()
}

const QUIET: &str = "class=tua-button tua-button-quiet";

/// A screen's heading and what it says.
pub(super) fn heading(body: Element, title: Text, text: &str, view: View<'_>) -> Element {
    body.with(words("h2;class=tua-title", view.text(title))).with(words("p;class=tua-text", text))
}

/// A named fact, for a `dl`.
pub(super) fn fact(label: Text, value: Element, view: View<'_>) -> Html {
    el("div").with(words("dt", view.text(label))).with(value.end()).end()
}

/// A value in either direction of writing.
pub(super) fn value(text: &str) -> Element {
    el("dd").with(words("bdi", text))
}

/// A small picture: a ground and a line on it.
pub(super) fn picture(class: &'static str, ground: &'static str, path: &'static str) -> Html {
    let svg = el("svg;viewBox=0 0 24 24;aria-hidden=true").also(class);
    svg.with(el(ground).end()).with(el("path").also(path).end()).end()
}

/// The button's words while the form is on its way.
pub(super) const fn sending(sending: &Sending) -> Option<Text> {
    match sending {
        Sending::No => None,
        Sending::Queued => Some(Text::FormQueued),
        Sending::Charge(_) => Some(Text::FormSending),
        Sending::Checking { .. } => Some(Text::FormChecking),
    }
}

/// The session is being read: the same bars as before the component arrived.
pub(super) fn loading(failures: u32, hint: Text, view: View<'_>) -> Html {
    let skeleton = el("div;class=tua-skeleton;role=status").attr("aria-label", view.text(Text::LoadingText).to_owned());
    let bars = (0..4).fold(skeleton, |skeleton, _| skeleton.with(el("span").end()));
    let hint = || words("p;class=tua-note", view.text(hint));
    bars.with(if failures > 0 { hint() } else { Html::default() }).end()
}

/// The session could not be read.
pub(super) fn unreachable(text: Text, view: View<'_>) -> Html {
    heading(warned(), Text::UnreachableTitle, view.text(text), view)
        .with(button(false, Text::UnreachableAgain, doing::CHECK, view))
        .end()
}

/// The token is not one.
pub(super) fn invalid(view: View<'_>) -> Html {
    heading(warned(), Text::InvalidTitle, view.text(Text::InvalidText), view).end()
}

fn warned() -> Element {
    el("div;class=tua-body").with(outcome::sign("class=tua-sign tua-sign-wait", "d=M12 6.5v6.5m0 4v.01"))
}

/// Nothing more can be done in this checkout.
pub(super) fn ended(text: Text, session: &Session, view: View<'_>) -> Html {
    el("div;class=tua-body").with(words("p;class=tua-text", view.text(text))).with(back(session, view)).end()
}

/// The way back to the shop, where it named one.
pub(super) fn back(session: &Session, view: View<'_>) -> Html {
    let Some(href) = &session.return_url else { return Html::default() };
    let label = view.texts.fill(Text::PaidReturn, &[("merchant", &session.merchant)]);
    el("a;part=button").also(QUIET).attr("href", href.clone()).text(&label).end()
}
