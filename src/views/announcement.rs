//! What a screen reader announces when the screen changes.

use super::context::ViewContext;
use super::{outcome, pay_form, waiting};
use crate::flow::{Screen, State, Waiting};
use crate::locale::Text;

/// The text of the live region; empty while there is nothing to announce.
#[must_use]
pub fn announcement(state: &State, context: &ViewContext) -> String {
    let texts = &context.texts;
    match &state.screen {
        Screen::Paid(session, transaction) => {
            if let Some(is_copied) = state.copied {
                return texts.get(outcome::copied_text(is_copied)).to_owned();
            }
            let amount = context.charged(session, transaction.as_ref());
            let text =
                texts.fill(Text::PaidText, &[("amount", &amount), ("merchant", &session.merchant)]);
            [texts.get(Text::PaidTitle), ". ", &text].concat()
        }
        Screen::Failed(_, _, code, _) => {
            [texts.get(Text::FailedTitle), ". ", texts.get(outcome::reason(*code))].concat()
        }
        Screen::Expired(expiry) => texts.get(outcome::expired_title(expiry)).to_owned(),
        Screen::Waiting(session, _, waiting) => {
            if let Some(text) = connection_notice(state, waiting) {
                return texts.get(text).to_owned();
            }
            let left_ms = session.expires_at_ms.saturating_sub(state.now_ms);
            let mut text = waiting::announcement(waiting, context);
            // Only twice: a clock that is read out every second drowns out everything else.
            if let Some(left) = waiting::announced_time_left(left_ms).filter(|_| state.now_ms > 0) {
                text = [&text, ". ", texts.get(Text::WaitingTimeLeft), " ", left].concat();
            }
            text
        }
        Screen::Unreachable(_) => texts.get(Text::UnreachableTitle).to_owned(),
        Screen::InvalidToken => texts.get(Text::InvalidTitle).to_owned(),
        Screen::Form(session, form) if form.is_unusable(session) => {
            texts.get(Text::NetworkAllDown).to_owned()
        }
        Screen::Form(_, form) | Screen::Loading { form: Some(form), .. } => {
            // While the focus is on a field with a fault, nothing else reads the fault out.
            let network = form.network_fault.then_some(Text::FaultNetworkEmpty);
            let parts =
                [pay_form::sending_text(&form.sending), pay_form::phone_fault(form), network];
            parts.into_iter().flatten().map(|text| texts.get(text)).collect::<Vec<_>>().join(" ")
        }
        Screen::Loading { form: None, .. } => String::new(),
    }
}

/// Why the server cannot be reached, if it cannot.
pub(super) const fn connection_notice(state: &State, waiting: &Waiting) -> Option<Text> {
    match waiting.failures {
        _ if state.is_offline => Some(Text::WaitingOffline),
        0 => None,
        _ if state.is_busy => Some(Text::WaitingBusy),
        _ => Some(Text::WaitingOffline),
    }
}
