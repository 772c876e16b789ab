//! Small pieces of markup that several screens share.

use super::context::ViewContext;
use crate::flow::Session;
use crate::locale::Text;
use yew::prelude::*;

/// What is wrong with a field; the field refers to it by `id`.
#[inline(never)]
pub(super) fn fault_message(id: AttrValue, fault: Option<AttrValue>) -> Html {
    match fault {
        Some(text) => html! { <p class="tua-fault" part="error" {id}>{ text }</p> },
        None => Html::default(),
    }
}

/// What a screen shows. Each screen has nodes of its own: see [`super`]. A part that is not shown
/// is an empty `Html`, so that the others keep their places.
#[inline(never)]
pub(super) fn screen_parts(key: &'static str, parts: Vec<Html>) -> Html {
    html! { <div {key} class="tua-body">{ parts }</div> }
}

/// A screen's heading and the sentence below it.
#[inline(never)]
pub(super) fn heading(title: AttrValue, text: AttrValue) -> Html {
    html! {
        <>
            <h2 class="tua-title">{ title }</h2>
            { paragraph(text) }
        </>
    }
}

/// A row of a `dl`. The value keeps its own writing direction, and no translator changes it.
#[inline(never)]
pub(super) fn description_row(label: AttrValue, value: AttrValue) -> Html {
    html! {
        <div>
            <dt>{ label }</dt>
            <dd><bdi translate="no">{ value }</bdi></dd>
        </div>
    }
}

/// The link back to the shop, if the merchant gave its address.
#[inline(never)]
pub(super) fn return_link(session: &Session, context: &ViewContext) -> Html {
    match &session.return_url {
        Some(url) => html! {
            <a class="tua-button tua-button-quiet" part="button" href={url.clone()}>
                { context.fill(Text::PaidReturn, &[("merchant", &session.merchant)]) }
            </a>
        },
        None => Html::default(),
    }
}

/// The button of a form with fields. `is_busy`: the form is being sent. The state machine ignores a
/// second press; the button only shows it, with a spinner that the style sheet draws.
pub(super) fn submit_button(label: AttrValue, is_busy: bool) -> Html {
    html! {
        <button
            class="tua-button"
            part="button"
            type="submit"
            aria-disabled={is_busy.then_some("true")}
        >
            { label }
        </button>
    }
}

/// A button whose action is its `name`: see [`super::actions`]. It has a form of its own, so that
/// it works without scripts too.
#[inline(never)]
pub(super) fn primary_button(name: &'static str, label: AttrValue) -> Html {
    html! {
        <form method="post">
            <button class="tua-button" part="button" type="submit" {name}>{ label }</button>
        </form>
    }
}

/// The same for a second choice.
#[inline(never)]
pub(super) fn secondary_button(name: &'static str, label: AttrValue) -> Html {
    html! {
        <form method="post">
            <button class="tua-button tua-button-quiet" part="button" type="submit" {name}>
                { label }
            </button>
        </form>
    }
}

/// A paragraph in normal type.
#[inline(never)]
pub(super) fn paragraph(text: AttrValue) -> Html {
    html! { <p class="tua-text">{ text }</p> }
}

/// A remark in small type.
#[inline(never)]
pub(super) fn small_text(text: AttrValue) -> Html {
    html! { <p class="tua-note">{ text }</p> }
}

/// A remark that stands out.
#[inline(never)]
pub(super) fn highlighted_text(text: AttrValue) -> Html {
    html! { <p class="tua-notice">{ text }</p> }
}

/// The picture above a screen's heading.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StatusIcon {
    Tick,
    Cross,
    Warning,
    Clock,
    WaitingClock,
}

impl StatusIcon {
    /// Each picture has a `key`, since one may follow another on a screen: see the tests of
    /// [`super`].
    pub(super) fn html(self) -> Html {
        let path = match self {
            Self::Tick => "M6.5 12.5l3.8 3.8 7.4-8",
            Self::Cross => "M8 8l8 8M16 8l-8 8",
            Self::Warning => "M12 6.5v6.5m0 4v.01",
            Self::Clock | Self::WaitingClock => "M12 7v5.5l3.5 2",
        };
        let picture = html! { <><circle cx="12" cy="12" r="11" /><path d={path} /></> };
        match self {
            Self::Tick => html! {
                <svg
                    key="tick" class="tua-sign tua-sign-good"
                    viewBox="0 0 24 24" aria-hidden="true"
                >
                    { picture }
                </svg>
            },
            Self::Cross => html! {
                <svg
                    key="cross" class="tua-sign tua-sign-bad"
                    viewBox="0 0 24 24" aria-hidden="true"
                >
                    { picture }
                </svg>
            },
            Self::Warning | Self::WaitingClock => html! {
                <svg
                    key="wait" class="tua-sign tua-sign-wait"
                    viewBox="0 0 24 24" aria-hidden="true"
                >
                    { picture }
                </svg>
            },
            Self::Clock => html! {
                <svg key="clock" class="tua-sign" viewBox="0 0 24 24" aria-hidden="true">
                    { picture }
                </svg>
            },
        }
    }
}
