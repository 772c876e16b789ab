//! The screens, as functions from the state to [`Html`]. They are not components, since the shell
//! has all state: components would compare and copy it, in code that a payer downloads.
//! [`actions`] turns what the payer does into messages. The browser and the server draw the same
//! screens.
//!
//! A browser's translator replaces text nodes, and extensions remove and insert elements. So each
//! screen has nodes of its own (`key`): a new screen is drawn whole, whatever happened to the one
//! before. Inside a screen, a text that changes is the only child of its element, and
//! `browser::guard` makes the change take effect.

pub mod actions;
mod announcement;
mod code_form;
mod context;
mod outcome;
mod parts;
mod pay_form;
mod status_screens;
mod waiting;

pub use announcement::announcement;
pub use context::ViewContext;

use crate::flow::{Form, FormRequestState, Screen, State};
use crate::locale::Text;
use pay_form::pay_form;
use waiting::waiting;
use yew::prelude::*;

/// What a server renders the checkout from.
#[derive(Clone, PartialEq, Properties)]
#[expect(missing_debug_implementations, reason = "`ViewContext` has no Debug")]
pub struct CheckoutViewProps {
    /// The state of the checkout, which selects the screen.
    pub state: State,
    /// The language, the formats and the element ids.
    pub context: ViewContext,
}

/// The whole checkout as a component, for a server.
#[component]
pub fn CheckoutView(CheckoutViewProps { state, context }: &CheckoutViewProps) -> Html {
    checkout(state, context, &NodeRef::default(), "")
}

/// The whole checkout: a focusable container, a live region for screen readers, and the current
/// screen.
///
/// `root` refers to the container once it is in the document. Another `key` draws a new container.
pub fn checkout(state: &State, context: &ViewContext, root: &NodeRef, key: &'static str) -> Html {
    html! {
        <section
            {key}
            class="tua"
            part="checkout"
            tabindex="-1"
            lang={context.text(Text::Language)}
            dir={context.text(Text::Direction)}
            aria-label={context.text(Text::CheckoutLabel)}
            ref={root}
        >
            <p class="tua-live" role="status">{ announcement(state, context) }</p>
            { header(state, context) }
            { screen(state, context) }
        </section>
    }
}

/// The merchant and the amount. Both are empty above the form that is shown before the session is
/// known; the style sheet keeps their lines.
fn header(state: &State, context: &ViewContext) -> Html {
    let session = state.screen.session();
    if session.is_none() && !matches!(state.screen, Screen::Loading { form: Some(_), .. }) {
        return Html::default();
    }
    html! {
        <header class="tua-head" part="header">
            <p class="tua-merchant" part="merchant" translate="no">
                { session.map(|session| session.merchant.clone()) }
            </p>
            if session.is_some_and(|session| session.is_test) {
                <span class="tua-badge" part="badge">{ context.text(Text::ModeTest) }</span>
            }
            <p class="tua-amount" part="amount" translate="no">
                { session.map(|session| context.money(session, &session.amount)) }
            </p>
        </header>
    }
}

fn screen(state: &State, context: &ViewContext) -> Html {
    match &state.screen {
        Screen::Loading { failures, form: Some(form) } => {
            let failed = (*failures > 0).then(|| status_screens::unreachable_text(state.is_busy));
            pay_form(None, form, failed.or_else(|| offline_notice(state, form)), context)
        }
        Screen::Loading { failures, form: None } => {
            status_screens::loading(*failures, state.is_busy, context)
        }
        Screen::Unreachable(_) => status_screens::unreachable(state.is_busy, context),
        Screen::InvalidToken => status_screens::invalid_token(context),
        Screen::Form(session, _) if session.attempts_left == 0 => {
            status_screens::exhausted(session, context)
        }
        Screen::Form(session, form) if form.is_unusable(session) => {
            status_screens::no_network(session, context)
        }
        Screen::Form(session, form) => {
            pay_form(Some(session), form, offline_notice(state, form), context)
        }
        Screen::Waiting(session, transaction, polled) => {
            let left_ms = session.expires_at_ms.saturating_sub(state.now_ms);
            // Without the server's clock or an end there is nothing to count down to.
            let counts = state.now_ms > 0 && session.expires_at_ms < i64::MAX;
            let notice = announcement::connection_notice(state, polled);
            waiting(session, transaction, polled, notice, counts.then_some(left_ms), context)
        }
        Screen::Paid(session, transaction) => {
            outcome::paid(session, transaction.as_ref(), state.copied, context)
        }
        Screen::Failed(session, _, code, _) => outcome::failed(session, *code, context),
        Screen::Expired(expiry) => outcome::expired(expiry, context),
    }
}

fn offline_notice(state: &State, form: &Form) -> Option<Text> {
    (state.is_offline && matches!(form.sending, FormRequestState::Idle))
        .then_some(Text::NoticeOffline)
}

// On the host only: the browser has its own tests.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
