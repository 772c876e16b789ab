//! What the screens are made of: fields with their faults, buttons, facts; and the screens that
//! have no session.

use super::View;
use super::element::{Attr, Element, On, el};
use crate::flow::{Msg, Sending, Session};
use crate::locale::Text;
use yew::Html;

/// A field: its label, itself, and what is wrong with it.
pub(super) fn field(id: String, label: Text, input: Element, fault: Option<&str>, view: View<'_>) -> Html {
    let fault_id = [&id, "-fault"].concat();
    let label = el("label", "tua-label").part("label").attr_text(Attr::For, id).text(view.text(label));
    let input = if fault.is_some() {
        input.attr(Attr::AriaInvalid, "true").attr_text(Attr::AriaDescribedby, fault_id.clone())
    } else {
        input
    };
    el("div", "tua-field").with(label.end()).with(input.end()).with(fault_text(fault_id, fault)).end()
}

/// A group that names what is wrong with it.
pub(super) fn with_fault(group: Element, fault_id: String, fault: Option<&str>) -> Element {
    let group = if fault.is_some() {
        group.attr(Attr::AriaInvalid, "true").attr_text(Attr::AriaDescribedby, fault_id.clone())
    } else {
        group
    };
    group.with(fault_text(fault_id, fault))
}

fn fault_text(id: String, fault: Option<&str>) -> Html {
    match fault {
        Some(text) => el("p", "tua-fault").part("error").attr_text(Attr::Id, id).text(text).end(),
        None => Html::default(),
    }
}

/// A notice about the whole form. Its place is always there, so that filling it is announced.
pub(super) fn alert(said: Option<Text>, view: View<'_>) -> Html {
    let said = said.map(|text| el("p", "tua-notice").part("notice").text(view.text(text)).end());
    el("div", "").attr(Attr::Role, "alert").with(said.unwrap_or_default()).end()
}

/// A form's button; while it is busy it says so, and what guards against a second press is the machine.
pub(super) fn submit(label: &str, busy: bool) -> Html {
    let spinner = || el("span", "tua-spinner").attr(Attr::AriaHidden, "true").end();
    el("button", "tua-button")
        .part("button")
        .attr(Attr::Type, "submit")
        .attr_if(busy, Attr::AriaDisabled, "true")
        .with(if busy { spinner() } else { Html::default() })
        .text(label)
        .end()
}

/// A button that sends a message; the quiet ones are second choices.
pub(super) fn button(is_quiet: bool, label: Text, msg: fn() -> Msg, view: View<'_>) -> Html {
    el("button", if is_quiet { "tua-button tua-button-quiet" } else { "tua-button" })
        .part("button")
        .attr(Attr::Type, "button")
        .on(view, On::Click(msg))
        .text(view.text(label))
        .end()
}

/// A screen's heading and what it says.
pub(super) fn heading(body: Element, title: Text, text: &str, view: View<'_>) -> Element {
    body.with(el("h2", "tua-title").text(view.text(title)).end()).with(el("p", "tua-text").text(text).end())
}

/// A named fact, for a `dl`.
pub(super) fn fact(label: Text, value: Element, view: View<'_>) -> Html {
    el("div", "").with(el("dt", "").text(view.text(label)).end()).with(value.end()).end()
}

/// A value in either direction of writing.
pub(super) fn value(text: &str) -> Element {
    el("dd", "").with(el("bdi", "").text(text).end())
}

/// A small picture: a ground and a line on it.
pub(super) fn picture(class: &'static str, ground: Element, path: &'static str) -> Html {
    let svg = el("svg", class).attr(Attr::ViewBox, "0 0 24 24").attr(Attr::AriaHidden, "true");
    svg.with(ground.end()).with(el("path", "").attr(Attr::D, path).end()).end()
}

/// The button's words while the form is on its way.
pub(super) const fn sending(sending: &Sending) -> Option<Text> {
    match sending {
        Sending::No => None,
        Sending::Charge(_) => Some(Text::FormSending),
        Sending::Checking { .. } => Some(Text::FormChecking),
    }
}

/// The session is being read: the same bars as before the component arrived.
pub(super) fn loading(failures: u32, view: View<'_>) -> Html {
    let skeleton = el("div", "tua-skeleton")
        .attr(Attr::Role, "status")
        .attr_text(Attr::AriaLabel, view.text(Text::LoadingText).to_owned());
    let bars = (0..4).fold(skeleton, |skeleton, _| skeleton.with(el("span", "").end()));
    let hint = || el("p", "tua-note").text(view.text(Text::UnreachableText)).end();
    bars.with(if failures > 0 { hint() } else { Html::default() }).end()
}

/// The session could not be read.
pub(super) fn unreachable(view: View<'_>) -> Html {
    heading(el("div", "tua-body"), Text::UnreachableTitle, view.text(Text::UnreachableText), view)
        .with(button(false, Text::UnreachableAgain, || Msg::CheckNow, view))
        .end()
}

/// The token is not one.
pub(super) fn invalid(view: View<'_>) -> Html {
    heading(el("div", "tua-body"), Text::InvalidTitle, view.text(Text::InvalidText), view).end()
}

/// Nothing more can be done in this checkout.
pub(super) fn ended(text: Text, session: &Session, view: View<'_>) -> Html {
    el("div", "tua-body").with(el("p", "tua-text").text(view.text(text)).end()).with(back(session, view)).end()
}

/// The way back to the shop, where it named one.
pub(super) fn back(session: &Session, view: View<'_>) -> Html {
    let Some(href) = &session.return_url else { return Html::default() };
    let label = view.texts.fill(Text::PaidReturn, &[("merchant", &session.merchant)]);
    el("a", "tua-button tua-button-quiet").part("button").attr_text(Attr::Href, href.clone()).text(&label).end()
}
