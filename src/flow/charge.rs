//! The request that charges once, and what its answers change.

use super::effect::{Effect, Focus, Request};
use super::facts::{Problem, Session};
use super::form::{Attempt, FormRequestState};
use super::msg::ApiResponse;
use super::notice::FormNotice;
use super::state::{Screen, State};
use std::rc::Rc;
use tua_contract::phone::PhoneError;
use tua_contract::{ErrorCode, Network};

impl State {
    /// The payer pressed Pay while the form showed this. The network of a number that is known here
    /// is about to be shown.
    pub(super) fn submit(
        &mut self,
        phone: String,
        network: Option<Network>,
        effects: &mut Vec<Effect>,
    ) {
        let known = self
            .screen
            .form_mut()
            .filter(|form| form.phone == phone)
            .and_then(|form| form.network.network());
        let network = network.or(known);
        self.edit(|form| form.fill(phone, network));
        let is_shown = self.screen.form_mut().is_some_and(|form| form.network.network() == network);
        self.pay(network.is_some() && is_shown, effects);
    }

    /// Sends the charge, unless a request is in progress, a field has a fault, or no attempt is
    /// left. Before the session is read, the charge is queued. A network that was not shown is not
    /// charged: the next rendering shows it.
    pub(super) fn pay(&mut self, is_network_shown: bool, effects: &mut Vec<Effect>) {
        let had_network =
            self.screen.form_mut().is_some_and(|form| form.network.network().is_some());
        self.clear_down_network();
        // None while the session is loading.
        let session = self.screen.session().cloned();
        let is_exhausted = session.as_ref().is_some_and(|session| session.attempts_left == 0);
        let Some(form) = self.screen.form_mut() else { return };
        if !matches!(form.sending, FormRequestState::Idle) || is_exhausted {
            return;
        }
        let is_cleared = had_network && form.network.network().is_none();
        if is_network_shown && is_cleared && form.notice != Some(FormNotice::NetworkEnded) {
            form.notice = Some(FormNotice::NetworkUnavailable);
        }
        let (phone, network) = match form.parse(is_network_shown) {
            Ok(parsed) => parsed,
            Err(first) => return effects.push(Effect::Focus(first)),
        };
        form.notice = None;
        let Some(session) = session else {
            form.sending = FormRequestState::Queued;
            return;
        };
        let payer_pays = session.payer_pays(network).to_owned();
        let is_same = |old: &Attempt| {
            old.phone == phone && old.network == network && old.payer_pays == payer_pays
        };
        let attempt = match form.unconfirmed.clone().filter(is_same) {
            Some(again) => again,
            None => {
                Attempt { number: self.new_attempt(), phone, network, payer_pays, is_resent: false }
            }
        };
        self.charge(attempt, effects);
    }

    fn charge(&mut self, attempt: Attempt, effects: &mut Vec<Effect>) {
        let Screen::Form(_, form) = &mut self.screen else { return };
        form.sending = FormRequestState::Charge(attempt.clone());
        let Attempt { number, phone, network, payer_pays, .. } = attempt;
        effects.push(self.send_request(Request::Charge {
            attempt: number,
            phone,
            network,
            payer_pays,
        }));
    }

    /// Handles the answer to the form's request.
    pub(super) fn form_response_received(
        &mut self,
        answer: ApiResponse,
        effects: &mut Vec<Effect>,
    ) {
        let Screen::Form(session, form) = &mut self.screen else { return };
        match (std::mem::take(&mut form.sending), answer) {
            (FormRequestState::Charge(_), ApiResponse::Transaction { transaction, .. }) => {
                let session = Session {
                    attempts_left: session.attempts_left.saturating_sub(1),
                    ..(**session).clone()
                };
                let form = std::mem::take(form);
                self.show_transaction(Rc::new(session), transaction, form, effects);
            }
            (FormRequestState::Charge(attempt), ApiResponse::Refused(problem)) => {
                self.charge_refused(attempt, &problem, effects)
            }
            (FormRequestState::Charge(attempt), _) => self.check_charge(attempt, effects),
            (FormRequestState::Checking { attempt, .. }, ApiResponse::Session(seen)) => {
                self.charge_checked(attempt, seen, effects)
            }
            (FormRequestState::Checking { attempt, failures }, answer) => {
                if let ApiResponse::Refused(problem) = &answer {
                    if self.end_if_refused(problem, effects) {
                        return;
                    }
                }
                let failures = failures.saturating_add(1);
                let Screen::Form(_, form) = &mut self.screen else { return };
                form.sending = FormRequestState::Checking { attempt, failures };
                effects.push(self.backoff(failures, &answer));
            }
            // The answer to a request about the expiry or the networks, while no charge is in
            // progress.
            (FormRequestState::Idle | FormRequestState::Queued, ApiResponse::Session(seen)) => {
                let form = std::mem::take(form);
                self.refresh_session(seen, form, effects);
            }
            (FormRequestState::Idle | FormRequestState::Queued, ApiResponse::Refused(problem)) => {
                self.end_if_refused(&problem, effects);
            }
            (FormRequestState::Idle | FormRequestState::Queued, _) => {}
        }
    }

    /// Reads the session, because the response to the charge was lost or does not show its result.
    /// The charge must not count as failed: the session shows whether it exists.
    fn check_charge(&mut self, attempt: Attempt, effects: &mut Vec<Effect>) {
        let Screen::Form(_, form) = &mut self.screen else { return };
        form.unconfirmed = Some(attempt.clone());
        form.sending = FormRequestState::Checking { attempt, failures: 0 };
        effects.push(self.send_request(Request::Checkout));
    }

    fn charge_checked(&mut self, attempt: Attempt, seen: Session, effects: &mut Vec<Effect>) {
        let Screen::Form(known, form) = &mut self.screen else { return };
        let id = |session: &Session| {
            session.transaction.as_ref().map(|transaction| transaction.id.clone())
        };
        if seen.is_paid || id(&seen) != id(known) {
            let form = std::mem::take(form);
            self.show_session(seen, form, effects);
        } else if attempt.is_resent {
            *known = Rc::new(seen);
            form.notice = Some(FormNotice::NotSent);
            effects.push(Effect::Focus(Focus::Screen));
        } else {
            *known = Rc::new(seen);
            self.charge(Attempt { is_resent: true, ..attempt }, effects);
        }
    }

    fn charge_refused(&mut self, attempt: Attempt, problem: &Problem, effects: &mut Vec<Effect>) {
        if self.end_if_refused(problem, effects) {
            return;
        }
        let Screen::Form(session, form) = &mut self.screen else { return };
        let points_at = |field: &str| problem.pointers.iter().any(|pointer| pointer == field);
        match (problem.code, problem.status) {
            (Some(code @ (ErrorCode::NetworkUnavailable | ErrorCode::QuoteChanged)), _) => {
                form.notice = Some(match code {
                    ErrorCode::QuoteChanged => FormNotice::PriceChanged,
                    _ => FormNotice::NetworkUnavailable,
                });
                // The session shows which networks are down now, and what they cost.
                effects.push(self.send_request(Request::Checkout));
                return effects.push(Effect::Focus(Focus::Screen));
            }
            (Some(ErrorCode::AccountSuspended), _) => {
                form.notice = Some(FormNotice::AccountSuspended)
            }
            (Some(ErrorCode::LinkInUse), _) => form.notice = Some(FormNotice::LinkInUse),
            (Some(ErrorCode::AttemptsExhausted), _) => {
                *session = Rc::new(Session { attempts_left: 0, ..(**session).clone() });
            }
            (_, 429) => form.notice = Some(FormNotice::TooMany),
            // Another tab or this attempt has already created a charge, or the server failed while
            // it processed the request.
            (_, 409 | 500..) => return self.check_charge(attempt, effects),
            (_, 422) if points_at("/phoneNumber") => {
                form.phone_fault = Some(PhoneError::WrongLength)
            }
            _ => form.notice = Some(FormNotice::Refused),
        }
        effects.push(Effect::Focus(if form.phone_fault.is_some() {
            Focus::Phone
        } else {
            Focus::Screen
        }));
    }
}
