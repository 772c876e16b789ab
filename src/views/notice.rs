//! Words beside the screens proper: faults, notices, and what is shown when there is no session.

use super::View;
use crate::flow::{Msg, Sending, Session};
use crate::locale::Text;
use yew::prelude::*;

/// What is wrong with a field; the field names it by `aria-describedby`.
pub(super) fn fault(fault: Option<Text>, id: String, view: View<'_>) -> Html {
    match fault {
        Some(text) => html! { <p {id} class="tua-fault" part="error">{ view.text(text) }</p> },
        None => Html::default(),
    }
}

/// A notice about the whole form. Its place is always there, so that filling it is announced.
pub(super) fn alert(said: Option<Text>, view: View<'_>) -> Html {
    html! {
        <div role="alert">
            if let Some(text) = said {
                <p class="tua-notice" part="notice">{ view.text(text) }</p>
            }
        </div>
    }
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
    html! {
        <div class="tua-skeleton" role="status" aria-label={view.texts.get(Text::LoadingText).to_owned()}>
            <span></span><span></span><span></span><span></span>
            if failures > 0 { <p class="tua-note">{ view.text(Text::UnreachableText) }</p> }
        </div>
    }
}

/// The session could not be read.
pub(super) fn unreachable(view: View<'_>) -> Html {
    html! {
        <div class="tua-body">
            <h2 class="tua-title">{ view.text(Text::UnreachableTitle) }</h2>
            <p class="tua-text">{ view.text(Text::UnreachableText) }</p>
            <button class="tua-button" part="button" type="button" onclick={view.on_click(Msg::CheckNow)}>
                { view.text(Text::UnreachableAgain) }
            </button>
        </div>
    }
}

/// The token is not one.
pub(super) fn invalid(view: View<'_>) -> Html {
    html! {
        <div class="tua-body">
            <h2 class="tua-title">{ view.text(Text::InvalidTitle) }</h2>
            <p class="tua-text">{ view.text(Text::InvalidText) }</p>
        </div>
    }
}

/// Nothing more can be done in this checkout.
pub(super) fn ended(text: Text, session: &Session, view: View<'_>) -> Html {
    html! {
        <div class="tua-body">
            <p class="tua-text">{ view.text(text) }</p>
            { back(session, view) }
        </div>
    }
}

/// The way back to the shop, where it named one.
pub(super) fn back(session: &Session, view: View<'_>) -> Html {
    let label = view.texts.fill(Text::PaidReturn, &[("merchant", &session.merchant)]);
    match &session.return_url {
        Some(href) => html! {
            <a class="tua-button tua-button-quiet" part="button" href={href.clone()}>{ label }</a>
        },
        None => Html::default(),
    }
}
