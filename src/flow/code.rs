//! The passcode or voucher that a payment may require.

use super::effect::{Effect, Focus, Request};
use super::facts::{Problem, SecretText};
use super::state::{Screen, State};
use super::waiting::{Awaited, Poll, Waiting};
use tua_contract::code::{CodeError, TYPED_MAX_CHARS};
use tua_contract::{Code, ErrorCode};

/// The form for a passcode or voucher.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CodeEntry {
    /// Whether it is a voucher, which the payer creates in the phone's menu.
    pub is_voucher: bool,
    /// The text, as typed.
    pub text: SecretText,
    /// The fault of the text.
    pub fault: Option<CodeError>,
    /// The result of the last code that was sent.
    pub notice: Option<CodeNotice>,
    /// The last code that was sent, and the number of its attempt. The same code reuses the
    /// idempotency key.
    pub(super) sent: Option<(SecretText, u32)>,
}

/// The result of the last code that was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeNotice {
    /// The code was wrong. The number of codes that may still be entered, if the server sent it.
    Wrong(Option<u32>),
    /// It is not known whether the code arrived.
    NotSent,
    /// The server refused the request by a rate limit.
    TooMany,
    /// The server refused the code for another reason.
    Refused,
}

impl State {
    /// Sets the text of the code field. A longer text than can be read is cut, and stays too long.
    pub(super) fn type_code(&mut self, text: String) {
        if let Screen::Waiting(_, _, Waiting { awaited: Awaited::Code(entry), .. }) =
            &mut self.screen
        {
            entry.text = SecretText(text.chars().take(TYPED_MAX_CHARS + 1).collect());
            entry.fault = None;
        }
    }

    /// Sends the code, unless one is being sent or the text has a fault.
    pub(super) fn send_code(&mut self, text: String, effects: &mut Vec<Effect>) {
        if !matches!(
            &self.screen,
            Screen::Waiting(_, _, waiting) if waiting.poll == Poll::SendingCode
        ) {
            self.type_code(text);
        }
        let next = self.attempts + 1;
        let Screen::Waiting(_, transaction, Waiting { awaited: Awaited::Code(entry), poll, .. }) =
            &mut self.screen
        else {
            return;
        };
        if *poll == Poll::SendingCode {
            return;
        }
        let code = match Code::parse_typed(&entry.text.0) {
            Ok(code) => SecretText(code.expose().to_owned()),
            Err(fault) => {
                entry.fault = Some(fault);
                return effects.push(Effect::Focus(Focus::Code));
            }
        };
        let attempt = match &entry.sent {
            Some((sent, attempt)) if *sent == code => *attempt,
            _ => next,
        };
        entry.sent = Some((code.clone(), attempt));
        entry.notice = None;
        *poll = Poll::SendingCode;
        self.attempts = self.attempts.max(attempt);
        let transaction_id = transaction.id.clone();
        effects.push(self.send_request(Request::Code { attempt, transaction_id, code }));
    }

    /// Shows the result of the last code that was sent.
    pub(super) fn set_code_notice(&mut self, notice: CodeNotice, effects: &mut Vec<Effect>) {
        let Screen::Waiting(_, _, Waiting { awaited: Awaited::Code(entry), .. }) = &mut self.screen
        else {
            return;
        };
        entry.notice = Some(notice);
        if let CodeNotice::Wrong(_) = notice {
            entry.text = SecretText::default();
            // If the payer enters the same code again, it is a new attempt with a new idempotency
            // key.
            entry.sent = None;
        }
        effects.push(Effect::Focus(Focus::Code));
    }

    /// Shows why a code was refused, and asks for the status.
    pub(super) fn code_refused(&mut self, problem: &Problem, effects: &mut Vec<Effect>) {
        match (problem.code, problem.status) {
            // The transaction no longer expects a code. The next status shows why.
            (Some(ErrorCode::VerificationNotExpected), _) => {}
            (_, 409) => self.set_code_notice(CodeNotice::NotSent, effects),
            (_, 429) => self.set_code_notice(CodeNotice::TooMany, effects),
            _ => self.set_code_notice(CodeNotice::Refused, effects),
        }
        self.recheck_status(effects);
    }
}
