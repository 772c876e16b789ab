//! How a message changes the state.

use super::effect::{Effect, Focus, Request};
use super::facts::{Problem, Session, SessionStatus};
use super::form::{Form, FormRequestState};
use super::msg::{ApiResponse, Msg};
use super::notice::FormNotice;
use super::state::{Expiry, Screen, State};
use super::waiting::Poll;
use std::rc::Rc;
use tua_contract::ErrorCode;

/// Failed requests for the session before the payer sees an error.
const LOADING_FAILURES: u32 = 3;
/// The interval between requests about the expiry, while the server answers that the token is still
/// valid.
const EXPIRY_CHECK_EVERY_MS: i64 = 15_000;

impl State {
    /// The next state and its effects.
    #[must_use]
    pub fn update(mut self, msg: Msg) -> (Self, Vec<Effect>) {
        let mut effects = Vec::new();
        let before = self.screen_key();
        self.apply(msg, &mut effects);
        self.clear_down_network();
        self.emit_events(&mut effects);
        // A new screen gets the focus, so that screen readers read it out. The first screen does
        // not: a page that loads must not move the focus away from the reader's place.
        let after = self.screen_key();
        if before.0 != ScreenKind::Loading && before != after && after.0 != ScreenKind::Loading {
            let has_focus = effects.iter().any(|effect| matches!(effect, Effect::Focus(_)));
            if !has_focus {
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
            Msg::Pay(phone, network) => self.submit(phone, network, effects),
            Msg::CodeTyped(text) => self.type_code(text),
            Msg::SendCode(text) => self.send_code(text, effects),
            Msg::TryAgain | Msg::ChangeNumber => {
                let is_again = matches!(msg, Msg::TryAgain);
                let has_same_price = self.has_price_of_failed();
                let Some(form) = self.reopen() else { return };
                // After a reload only the last digits of the number are known.
                if is_again && !form.phone.is_empty() && has_same_price {
                    self.pay(true, effects);
                } else if is_again && !form.phone.is_empty() {
                    form.notice = Some(FormNotice::PriceChanged);
                    effects.push(Effect::Focus(Focus::Screen));
                } else {
                    effects.push(Effect::Focus(Focus::Phone));
                    // The networks may have changed since the session was read.
                    effects.push(self.send_request(Request::Checkout));
                }
            }
            Msg::CheckNow => self.check_now(effects),
            Msg::CopyReceipt if matches!(self.screen, Screen::Paid(..)) => {
                effects.push(Effect::CopyReceipt)
            }
            Msg::Print if matches!(self.screen, Screen::Paid(..)) => effects.push(Effect::Print),
            Msg::CopyReceipt | Msg::Print => {}
            Msg::Copied(is_there) => self.copied = Some(is_there),
            Msg::Offline => self.is_offline = true,
            Msg::Hidden => {
                self.is_hidden = true;
                self.pause(effects);
            }
            Msg::Resumed => {
                self.is_hidden = false;
                self.is_offline = false;
                self.check_now(effects);
            }
            Msg::Tick(now_ms) => self.tick(now_ms, effects),
            Msg::Slept(generation) if generation == self.generation => self.slept(effects),
            Msg::Answered(generation, answer) if generation == self.generation => {
                self.response_received(*answer, effects)
            }
            Msg::Slept(_) | Msg::Answered(..) => {}
        }
    }

    /// Changes the form, unless its request is in progress.
    pub(super) fn edit(&mut self, change: impl FnOnce(&mut Form)) {
        if let Some(form) =
            self.screen.form_mut().filter(|form| matches!(form.sending, FormRequestState::Idle))
        {
            change(form);
        }
    }

    /// Whether the form's network asks for the sum that the payer has seen with the failed charge.
    fn has_price_of_failed(&self) -> bool {
        let Screen::Failed(session, transaction, _, form) = &self.screen else { return false };
        let Some(network) = form.network.network() else { return true };
        let seen = transaction.payer_pays.as_deref().unwrap_or(&session.amount);
        session.payer_pays(network) == seen || session.fee(network).is_none()
    }

    /// Returns from a failure to the form, with what the payer typed. `None` if no attempts are
    /// left.
    fn reopen(&mut self) -> Option<&mut Form> {
        let Screen::Failed(session, transaction, _, form) = &mut self.screen else { return None };
        if session.attempts_left == 0 {
            return None;
        }
        let session = Session { transaction: Some(transaction.clone()), ..(**session).clone() };
        self.screen = Screen::Form(Rc::new(session), std::mem::take(form));
        self.screen.form_mut()
    }

    fn check_now(&mut self, effects: &mut Vec<Effect>) {
        match &mut self.screen {
            Screen::Unreachable(form) => {
                self.screen = Screen::Loading { failures: 0, form: form.take() };
                effects.push(self.send_request(Request::Checkout));
            }
            Screen::Waiting(..) => self.request_status_now(effects),
            // Without a charge in progress, the session shows which networks are down now.
            Screen::Form(
                _,
                Form {
                    sending: FormRequestState::Idle | FormRequestState::Checking { .. }, ..
                },
            ) => {
                effects.push(self.send_request(Request::Checkout));
            }
            Screen::Expired(expiry)
                if expiry.status == SessionStatus::Pending && !expiry.is_checking =>
            {
                expiry.is_checking = true;
                effects.push(self.send_request(Request::Checkout));
            }
            _ => {}
        }
    }

    /// Sets the time. Only the server decides that a token has expired; the clock only decides when
    /// to ask it.
    fn tick(&mut self, now_ms: i64, effects: &mut Vec<Effect>) {
        self.now_ms = now_ms;
        let Some(session) = self.screen.session() else { return };
        if now_ms <= session.expires_at_ms || now_ms < self.next_expiry_check_ms || self.is_hidden {
            return;
        }
        match &self.screen {
            Screen::Form(_, Form { sending: FormRequestState::Idle, .. }) | Screen::Failed(..) => {
                effects.push(self.send_request(Request::Checkout));
            }
            // After a failed poll the backoff decides when the next one is sent.
            Screen::Waiting(_, _, waiting) if waiting.failures == 0 => {
                self.request_status_now(effects)
            }
            _ => return,
        }
        self.next_expiry_check_ms = now_ms.saturating_add(EXPIRY_CHECK_EVERY_MS);
    }

    fn slept(&mut self, effects: &mut Vec<Effect>) {
        match &self.screen {
            Screen::Loading { .. }
            | Screen::Form(_, Form { sending: FormRequestState::Checking { .. }, .. }) => {
                effects.push(self.send_request(Request::Checkout));
            }
            Screen::Waiting(..) => self.poll_again(effects),
            _ => {}
        }
    }

    fn response_received(&mut self, answer: ApiResponse, effects: &mut Vec<Effect>) {
        // A response proves that there is a connection, whatever the device reports.
        self.is_offline &= matches!(answer, ApiResponse::Lost);
        self.is_busy = matches!(&answer, ApiResponse::Refused(problem) if problem.is_transient());
        match &mut self.screen {
            Screen::Loading { failures, form } => {
                let failures = failures.saturating_add(1);
                let form = form.take();
                self.loading_answered(failures, form, answer, effects);
            }
            Screen::Form(..) => self.form_response_received(answer, effects),
            Screen::Waiting(..) => self.waiting_response_received(answer, effects),
            Screen::Failed(..) | Screen::Expired(_) => match answer {
                ApiResponse::Refused(problem) => {
                    self.end_if_refused(&problem, effects);
                    self.checked_expiry();
                }
                // Paid in another tab. Any other answer changes nothing on the screen.
                ApiResponse::Session(session) if session.is_paid => {
                    self.show_session(session, Form::default(), effects)
                }
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

    fn loading_answered(
        &mut self,
        failures: u32,
        form: Option<Form>,
        answer: ApiResponse,
        effects: &mut Vec<Effect>,
    ) {
        match answer {
            ApiResponse::Session(session) => {
                self.show_first_session(session, form.unwrap_or_default(), effects)
            }
            ApiResponse::Refused(problem) if self.end_if_refused(&problem, effects) => {}
            _ if failures >= LOADING_FAILURES => {
                // Too much time has passed for the queued charge: the payer must press Pay again.
                self.screen = Screen::Unreachable(
                    form.map(|form| Form { sending: FormRequestState::Idle, ..form }),
                );
                effects.push(self.stop());
            }
            answer => {
                self.screen = Screen::Loading { failures, form };
                effects.push(self.backoff(failures, &answer));
            }
        }
    }

    /// Shows the last screen if the refusal ends this checkout, and stops all requests. Returns
    /// whether it does.
    pub(super) fn end_if_refused(&mut self, problem: &Problem, effects: &mut Vec<Effect>) -> bool {
        let is_expired = problem.code == Some(ErrorCode::CheckoutTokenExpired);
        // The token is good: the shop may not take payments at present.
        if problem.code == Some(ErrorCode::AccountSuspended) {
            return false;
        }
        if !is_expired && !matches!(problem.status, 401 | 403) {
            return false;
        }
        // Money may be moving. Then a refusal that does not report the session's status must not be
        // shown as "nothing was taken".
        let in_doubt = match &self.screen {
            Screen::Waiting(..) => true,
            Screen::Form(_, form) => form.unconfirmed.is_some(),
            Screen::Expired(expiry) => expiry.status == SessionStatus::Pending,
            _ => false,
        };
        effects.push(self.stop());
        if !is_expired && !in_doubt {
            self.screen = Screen::InvalidToken;
            return true;
        }
        let default_status = if in_doubt { SessionStatus::Pending } else { SessionStatus::Open };
        let session = self.screen.session().map(Rc::clone);
        let reference = session.as_ref().map(|session| session.reference.clone());
        self.screen = Screen::Expired(Expiry {
            status: problem.checkout.unwrap_or(default_status),
            reference: problem.reference.clone().or(reference),
            transaction: self.screen.transaction().cloned(),
            session,
            is_checking: false,
        });
        true
    }

    /// Identifies what is shown: the kind of screen and its transaction. If either changes, the
    /// focus moves.
    fn screen_key(&self) -> (ScreenKind, Option<String>) {
        let kind = match &self.screen {
            // The screen after a form with input gets the focus, as after any form.
            Screen::Loading { form: Some(form), .. } if *form != Form::default() => {
                ScreenKind::Form
            }
            Screen::Loading { .. } => ScreenKind::Loading,
            Screen::Unreachable(_) => ScreenKind::Unreachable,
            Screen::InvalidToken => ScreenKind::InvalidToken,
            Screen::Form(session, form) if form.is_unusable(session) => ScreenKind::NoNetwork,
            Screen::Form(..) => ScreenKind::Form,
            Screen::Waiting(_, _, waiting) => match (&waiting.awaited, waiting.poll) {
                // While a code is being sent, its screen stays.
                (super::Awaited::Code(_), _) | (_, Poll::SendingCode) => ScreenKind::Code,
                _ => ScreenKind::Waiting,
            },
            Screen::Paid(..) => ScreenKind::Paid,
            Screen::Failed(..) => ScreenKind::Failed,
            Screen::Expired(expiry) => ScreenKind::Expired(expiry.status),
        };
        (kind, self.screen.transaction().map(|transaction| transaction.id.clone()))
    }
}

/// The kinds of screens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScreenKind {
    Loading,
    Unreachable,
    InvalidToken,
    NoNetwork,
    Form,
    Code,
    Waiting,
    Paid,
    Failed,
    Expired(SessionStatus),
}
