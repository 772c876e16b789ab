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

use crate::flow::{Screen, Session, State};
use crate::locale::{Format, Text, Texts};
use yew::Html;

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

/// The whole of a screen, without the container that takes the focus.
pub fn screen(state: &State, view: View<'_>) -> Html {
    let head = state.screen.session().map_or_else(Html::default, |session| amount::head(session, view));
    let body = match &state.screen {
        Screen::Loading { failures } => notice::loading(*failures, view),
        Screen::Unreachable => notice::unreachable(view),
        Screen::InvalidToken => notice::invalid(view),
        Screen::Form(session, form) => form::form(session, form, view),
        Screen::Waiting(session, transaction, waiting) => {
            let left_ms = session.expires_at_ms.saturating_sub(state.now_ms);
            // A clock that nobody has set, or an end that nobody has named, counts nothing down.
            let counts = state.now_ms > 0 && session.expires_at_ms < i64::MAX;
            waiting::waiting(session, transaction, waiting, counts.then_some(left_ms), view)
        }
        Screen::Paid(session, transaction) => outcome::paid(session, transaction.as_ref(), view),
        Screen::Failed(session, _, code, _) => outcome::failed(session, *code, view),
        Screen::Expired(expiry) => outcome::expired(expiry, view),
    };
    [head, body].into_iter().collect()
}

/// What a screen reader is told when it changes, wherever the focus is; empty while there is nothing to tell.
#[must_use]
pub fn announcement(state: &State, view: View<'_>) -> String {
    let texts = view.texts;
    match &state.screen {
        Screen::Paid(session, _) => {
            let amount = view.money(session);
            [
                texts.get(Text::PaidTitle),
                &texts.fill(Text::PaidText, &[("amount", &amount), ("merchant", &session.merchant)]),
            ]
            .join(". ")
        }
        Screen::Failed(_, _, code, _) => [texts.get(Text::FailedTitle), texts.get(outcome::reason(*code))].join(". "),
        Screen::Expired(expiry) => texts.get(outcome::expired_title(expiry)).to_owned(),
        Screen::Waiting(_, _, waiting) if waiting.failures > 0 => texts.get(Text::WaitingOffline).to_owned(),
        Screen::Waiting(_, _, waiting) => texts.get(waiting::title(waiting)).to_owned(),
        Screen::Unreachable => texts.get(Text::UnreachableTitle).to_owned(),
        Screen::InvalidToken => texts.get(Text::InvalidTitle).to_owned(),
        Screen::Form(_, form) => notice::sending(&form.sending).map_or("", |text| texts.get(text)).to_owned(),
        Screen::Loading { .. } => String::new(),
    }
}
