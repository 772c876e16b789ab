//! What the screens look like: facts in, elements out, whose names [`doing`] turns into messages. The browser and the server draw from the
//! same functions.

mod amount;
mod code_field;
pub mod doing;
mod element;
mod form;
mod network_picker;
mod notice;
mod outcome;
mod phone_field;
mod waiting;

use crate::flow::{Form, Screen, Sending, Session, State, Waiting};
use crate::locale::{Format, Text, Texts};
use element::{el, words};
use std::rc::Rc;
use yew::{Html, NodeRef};

/// What every view needs besides its own facts.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "holds a trait object")]
pub struct View<'a> {
    /// The words.
    pub texts: &'a Texts,
    /// How money and times are written.
    pub format: &'a dyn Format,
    /// What the element ids of this checkout begin with, so that two fit on a page.
    pub prefix: &'a str,
    /// Where the form is posted without script; to the page's own address when absent.
    pub action: Option<&'a str>,
}

impl View<'_> {
    /// An element id of this checkout.
    #[must_use]
    pub fn id(&self, name: &str) -> String {
        [self.prefix, name].concat()
    }

    fn text(&self, text: Text) -> &str {
        self.texts.get(text)
    }

    fn money(&self, session: &Session) -> String {
        self.format.money(&session.amount, &session.currency)
    }
}

/// The whole checkout: the container, which takes the focus, what is announced, and the screen.
pub fn frame(state: &State, view: View<'_>, root: &NodeRef) -> Html {
    el("section;class=tua;part=checkout;tabindex=-1")
        .attr("lang", view.text(Text::Language).to_owned())
        .attr("dir", view.text(Text::Direction).to_owned())
        .attr("aria-label", view.text(Text::CheckoutLabel).to_owned())
        .found_by(root)
        .with(words("p;class=tua-live;role=status", &announcement(state, view)))
        .with(screen(state, view))
        .end()
}

/// The whole of a screen, without its container.
pub fn screen(state: &State, view: View<'_>) -> Html {
    let session = state.screen.session().map(Rc::as_ref);
    let is_early = matches!(state.screen, Screen::Loading { form: Some(_), .. });
    let head = if session.is_some() || is_early { amount::head(session, view) } else { Html::default() };
    let body = match &state.screen {
        Screen::Loading { failures, form: Some(form) } => {
            let connection = if *failures > 0 { Some(unreached(state)) } else { offline(state, form) };
            form::form(None, form, connection, view)
        }
        Screen::Loading { failures, form: None } => notice::loading(*failures, unreached(state), view),
        Screen::Unreachable(_) => notice::unreachable(unreached(state), view),
        Screen::InvalidToken => notice::invalid(view),
        Screen::Form(session, form) => form::form(Some(session), form, offline(state, form), view),
        Screen::Waiting(session, transaction, waiting) => {
            let left_ms = session.expires_at_ms.saturating_sub(state.now_ms);
            // A clock that nobody has set, or an end that nobody has named, counts nothing down.
            let counts = state.now_ms > 0 && session.expires_at_ms < i64::MAX;
            let cut_off = cut_off(state, waiting);
            waiting::waiting(session, transaction, waiting, cut_off, counts.then_some(left_ms), view)
        }
        Screen::Paid(session, transaction) => outcome::paid(session, transaction.as_ref(), state.copied, view),
        Screen::Failed(session, _, code, _) => outcome::failed(session, *code, view),
        Screen::Expired(expiry) => outcome::expired(expiry, view),
    };
    [head, body].into_iter().collect()
}

/// Whether the device has no connection, as long as nothing is on its way.
fn offline(state: &State, form: &Form) -> Option<Text> {
    (state.is_offline && matches!(form.sending, Sending::No)).then_some(Text::NoticeOffline)
}

/// What to do about a session that cannot be read.
const fn unreached(state: &State) -> Text {
    if state.is_busy { Text::UnreachableBusy } else { Text::UnreachableText }
}

/// Why the server cannot be asked for now, if it cannot.
const fn cut_off(state: &State, waiting: &Waiting) -> Option<Text> {
    match waiting.failures {
        _ if state.is_offline => Some(Text::WaitingOffline),
        0 => None,
        _ if state.is_busy => Some(Text::WaitingBusy),
        _ => Some(Text::WaitingOffline),
    }
}

/// What a screen reader is told when it changes, wherever the focus is; empty while there is nothing to tell.
#[must_use]
pub fn announcement(state: &State, view: View<'_>) -> String {
    let texts = view.texts;
    match &state.screen {
        Screen::Paid(session, _) => {
            if let Some(is_there) = state.copied {
                return texts.get(outcome::copied_text(is_there)).to_owned();
            }
            let amount = view.money(session);
            let said = texts.fill(Text::PaidText, &[("amount", &amount), ("merchant", &session.merchant)]);
            [texts.get(Text::PaidTitle), ". ", &said].concat()
        }
        Screen::Failed(_, _, code, _) => {
            [texts.get(Text::FailedTitle), ". ", texts.get(outcome::reason(*code))].concat()
        }
        Screen::Expired(expiry) => texts.get(outcome::expired_title(expiry)).to_owned(),
        Screen::Waiting(session, _, waiting) => {
            if let Some(text) = cut_off(state, waiting) {
                return texts.get(text).to_owned();
            }
            let left_ms = session.expires_at_ms.saturating_sub(state.now_ms);
            let mut said = waiting::said(waiting, view);
            // Twice in all: a clock that is read out every second drowns everything else.
            if let Some(soon) = waiting::soon(left_ms).filter(|_| state.now_ms > 0) {
                said = [&said, ". ", texts.get(Text::WaitingTimeLeft), " ", soon].concat();
            }
            said
        }
        Screen::Unreachable(_) => texts.get(Text::UnreachableTitle).to_owned(),
        Screen::InvalidToken => texts.get(Text::InvalidTitle).to_owned(),
        Screen::Form(_, form) | Screen::Loading { form: Some(form), .. } => {
            // Where the focus is at a fault already, nothing else would read it out.
            let network = form.network_fault.then_some(Text::FaultNetworkEmpty);
            let said = [notice::sending(&form.sending), phone_field::fault(form), network];
            said.into_iter().flatten().map(|text| texts.get(text)).collect::<Vec<_>>().join(" ")
        }
        Screen::Loading { form: None, .. } => String::new(),
    }
}
