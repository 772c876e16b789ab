//! How a message changes the state.

use super::effect::{Effect, Focus, Request};
use super::facts::{Problem, Session, SessionStanding};
use super::form::{Form, Sending};
use super::msg::{Answer, Msg};
use super::state::{Expiry, Screen, State};
use super::waiting::Poll;
use std::rc::Rc;
use tua_contract::ErrorCode;

/// Failed requests for the session before the payer sees an error.
const LOADING_FAILURES: u32 = 3;
/// The interval between requests about the expiry, while the server answers that the token is still valid.
const EXPIRY_CHECK_EVERY_MS: i64 = 15_000;

impl State {
    /// The next state and its effects.
    #[must_use]
    pub fn update(mut self, msg: Msg) -> (Self, Vec<Effect>) {
        let mut effects = Vec::new();
        let before = self.screen_key();
        self.apply(msg, &mut effects);
        self.emit_events(&mut effects);
        // A new screen takes the focus, so that it is read out; the first one does not, for a
        // page that loads must not pull the reader to it.
        let after = self.screen_key();
        if before.0 != Kind::Loading && before != after && after.0 != Kind::Loading {
            let asked = effects.iter().any(|effect| matches!(effect, Effect::Focus(_)));
            if !asked {
                effects.push(Effect::Focus(Focus::Screen));
            }
        }
        (self, effects)
    }

    fn apply(&mut self, msg: Msg, effects: &mut Vec<Effect>) {
        match msg {
            Msg::PhoneTyped(text) => self.edit(|form| form.type_phone(text)),
            Msg::NetworkChosen(network) => self.edit(|form| form.pick(network)),
            Msg::Filled(phone, network) => self.edit(|form| form.fill(phone, network)),
            Msg::Pay => self.pay(effects),
            Msg::CodeTyped(text) => self.type_code(text),
            Msg::SendCode => self.send_code(effects),
            Msg::TryAgain | Msg::ChangeNumber => {
                let is_again = matches!(msg, Msg::TryAgain);
                let Some(form) = self.reopen() else { return };
                // After a reload the number is not known here, only its last digits.
                if is_again && !form.phone.is_empty() {
                    self.pay(effects);
                } else {
                    effects.push(Effect::Focus(Focus::Phone));
                }
            }
            Msg::CheckNow => self.check_now(effects),
            Msg::CopyReceipt if matches!(self.screen, Screen::Paid(..)) => effects.push(Effect::CopyReceipt),
            Msg::Print if matches!(self.screen, Screen::Paid(..)) => effects.push(Effect::Print),
            Msg::CopyReceipt | Msg::Print => {}
            Msg::Copied(is_there) => self.copied = Some(is_there),
            Msg::Offline => self.is_offline = true,
            Msg::Hidden => {
                self.is_hidden = true;
                self.pause(effects);
            }
            Msg::Awake => {
                self.is_hidden = false;
                self.is_offline = false;
                self.check_now(effects);
            }
            Msg::Tick(now_ms) => self.tick(now_ms, effects),
            Msg::Slept(generation) if generation == self.generation => self.slept(effects),
            Msg::Answered(generation, answer) if generation == self.generation => self.answered(*answer, effects),
            Msg::Slept(_) | Msg::Answered(..) => {}
        }
    }

    /// Changes the form, unless it is on its way.
    fn edit(&mut self, change: impl FnOnce(&mut Form)) {
        if let Some(form) = self.screen.form_mut().filter(|form| matches!(form.sending, Sending::No)) {
            change(form);
        }
    }

    /// From a failure back to the form, with what was typed, while there are attempts left.
    fn reopen(&mut self) -> Option<&Form> {
        let Screen::Failed(session, transaction, _, form) = &mut self.screen else { return None };
        if session.attempts_left == 0 {
            return None;
        }
        let session = Session { transaction: Some(transaction.clone()), ..(**session).clone() };
        self.screen = Screen::Form(Rc::new(session), std::mem::take(form));
        match &self.screen {
            Screen::Form(_, form) => Some(form),
            _ => None,
        }
    }

    fn check_now(&mut self, effects: &mut Vec<Effect>) {
        match &mut self.screen {
            Screen::Unreachable(form) => {
                self.screen = Screen::Loading { failures: 0, form: form.take() };
                effects.push(self.ask(Request::Checkout));
            }
            Screen::Waiting(..) => self.ask_now(effects),
            Screen::Form(_, Form { sending: Sending::Checking { .. }, .. }) => {
                effects.push(self.ask(Request::Checkout));
            }
            Screen::Expired(expiry) if expiry.standing == SessionStanding::Pending && !expiry.is_checking => {
                expiry.is_checking = true;
                effects.push(self.ask(Request::Checkout));
            }
            _ => {}
        }
    }

    /// Only the server says expired; the clock only says when it is worth asking.
    fn tick(&mut self, now_ms: i64, effects: &mut Vec<Effect>) {
        self.now_ms = now_ms;
        let Some(session) = self.screen.session() else { return };
        if now_ms <= session.expires_at_ms || now_ms < self.next_expiry_check_ms || self.is_hidden {
            return;
        }
        match &self.screen {
            Screen::Form(_, Form { sending: Sending::No, .. }) | Screen::Failed(..) => {
                effects.push(self.ask(Request::Checkout));
            }
            // A server that does not answer is left alone for as long as the back-off says.
            Screen::Waiting(_, _, waiting) if waiting.failures == 0 => self.ask_now(effects),
            _ => return,
        }
        self.next_expiry_check_ms = now_ms.saturating_add(EXPIRY_CHECK_EVERY_MS);
    }

    fn slept(&mut self, effects: &mut Vec<Effect>) {
        match &self.screen {
            Screen::Loading { .. } | Screen::Form(_, Form { sending: Sending::Checking { .. }, .. }) => {
                effects.push(self.ask(Request::Checkout));
            }
            Screen::Waiting(..) => self.poll_again(effects),
            _ => {}
        }
    }

    fn answered(&mut self, answer: Answer, effects: &mut Vec<Effect>) {
        // Whatever the device believes: there is a way to the server.
        self.is_offline &= matches!(answer, Answer::Lost);
        self.is_busy = matches!(&answer, Answer::Refused(problem) if problem.is_passing());
        match &mut self.screen {
            Screen::Loading { failures, form } => {
                let (failures, form) = (failures.saturating_add(1), form.take());
                self.answer_loading(failures, form, answer, effects);
            }
            Screen::Form(..) => self.answer_form(answer, effects),
            Screen::Waiting(..) => self.answer_waiting(answer, effects),
            Screen::Failed(..) | Screen::Expired(_) => match answer {
                Answer::Refused(problem) => {
                    self.end_if_refused(&problem, effects);
                    self.checked_expiry();
                }
                // Paid meanwhile, in another tab; anything else changes nothing that is shown.
                Answer::Session(session) if session.is_paid => self.land(session, Form::default(), effects),
                _ => self.checked_expiry(),
            },
            Screen::Unreachable(_) | Screen::InvalidToken | Screen::Paid(..) => {}
        }
    }

    fn checked_expiry(&mut self) {
        if let Screen::Expired(expiry) = &mut self.screen {
            expiry.is_checking = false;
        }
    }

    fn answer_loading(&mut self, failures: u32, form: Option<Form>, answer: Answer, effects: &mut Vec<Effect>) {
        match answer {
            Answer::Session(session) => self.land_first(session, form.unwrap_or_default(), effects),
            Answer::Refused(problem) if self.end_if_refused(&problem, effects) => {}
            _ if failures >= LOADING_FAILURES => {
                // A charge that was pressed for so long ago must be pressed for again.
                self.screen = Screen::Unreachable(form.map(|form| Form { sending: Sending::No, ..form }));
                effects.push(self.stop());
            }
            answer => {
                self.screen = Screen::Loading { failures, form };
                effects.push(self.back_off(failures, &answer));
            }
        }
    }

    /// Whether the refusal ends this checkout; then its screen is shown and nothing more is asked.
    pub(super) fn end_if_refused(&mut self, problem: &Problem, effects: &mut Vec<Effect>) -> bool {
        let is_expired = problem.code == Some(ErrorCode::CheckoutTokenExpired);
        if !is_expired && !matches!(problem.status, 401 | 403) {
            return false;
        }
        // Money may be moving: then a token that is refused without a word about it must not
        // be shown as "nothing was taken".
        let in_doubt = match &self.screen {
            Screen::Waiting(..) => true,
            Screen::Form(_, form) => form.unconfirmed.is_some(),
            Screen::Expired(expiry) => expiry.standing == SessionStanding::Pending,
            _ => false,
        };
        effects.push(self.stop());
        if !is_expired && !in_doubt {
            self.screen = Screen::InvalidToken;
            return true;
        }
        let unsaid = if in_doubt { SessionStanding::Pending } else { SessionStanding::Open };
        let session = self.screen.session().map(Rc::clone);
        let reference = session.as_ref().map(|session| session.reference.clone());
        self.screen = Screen::Expired(Expiry {
            standing: problem.checkout.unwrap_or(unsaid),
            reference: problem.reference.clone().or(reference),
            transaction: self.screen.transaction().cloned(),
            session,
            is_checking: false,
        });
        true
    }

    /// The screen and its transaction; a change of either is a change of screen.
    fn screen_key(&self) -> (Kind, Option<String>) {
        let kind = match &self.screen {
            // What follows a form that was typed into is read out, as after any form.
            Screen::Loading { form: Some(form), .. } if *form != Form::default() => Kind::Form,
            Screen::Loading { .. } => Kind::Loading,
            Screen::Unreachable(_) => Kind::Unreachable,
            Screen::InvalidToken => Kind::InvalidToken,
            Screen::Form(..) => Kind::Form,
            Screen::Waiting(_, _, waiting) => match (&waiting.on, waiting.poll) {
                // While a code is on its way its screen stays.
                (super::On::Code(_), _) | (_, Poll::SendingCode) => Kind::Code,
                _ => Kind::Waiting,
            },
            Screen::Paid(..) => Kind::Paid,
            Screen::Failed(..) => Kind::Failed,
            Screen::Expired(expiry) => Kind::Expired(expiry.standing),
        };
        (kind, self.screen.transaction().map(|transaction| transaction.id.clone()))
    }
}

/// The screens apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Loading,
    Unreachable,
    InvalidToken,
    Form,
    Code,
    Waiting,
    Paid,
    Failed,
    Expired(SessionStanding),
}
