//! The form for the phone number and the network, and the request that charges once.

use super::effect::{Effect, Focus, Request};
use super::facts::{Problem, Session, Transaction};
use super::msg::Answer;
use super::networks::hint;
use super::notice::FormNotice;
use super::state::{Screen, State};
use std::rc::Rc;
use tua_contract::phone::PhoneError;
use tua_contract::{ErrorCode, Network, Phone, State as TransactionState};

/// The stored length of the phone field, in characters. A pasted text can have any size, and each
/// change renders it again. It is one more than [`Phone::parse_typed`] reads, so a number that was
/// cut is refused.
const PHONE_MAX_CHARS: usize = 65;

/// What the payer entered, its faults, and the state of the request.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Form {
    /// The phone number, as typed.
    pub phone: String,
    /// The network that the charge will use, if there is one yet.
    pub network: NetworkChoice,
    /// The fault of the phone number.
    pub phone_fault: Option<PhoneError>,
    /// Whether the form was submitted without a network.
    pub network_fault: bool,
    /// The notice above the button.
    pub notice: Option<FormNotice>,
    /// The state of the form's request.
    pub sending: Sending,
    /// An attempt whose result is not known. The same number and network reuse its idempotency key.
    pub(super) unconfirmed: Option<Attempt>,
}

/// The network, and who chose it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NetworkChoice {
    /// No network is chosen.
    #[default]
    None,
    /// The prefix of the number suggests this network.
    Hinted(Network),
    /// The payer chose this network. A prefix does not change it.
    Picked(Network),
}

/// The state of the form's request.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Sending {
    /// No request is in progress.
    #[default]
    Idle,
    /// The payer pressed Pay before the session was read. The charge is sent after that.
    Queued,
    /// The charge request is in progress.
    Charge(Attempt),
    /// The charge request got no usable response. The session is being read, which shows whether
    /// the charge exists.
    Checking {
        /// The attempt whose result is not known.
        attempt: Attempt,
        /// The number of failed requests for the session.
        failures: u32,
    },
}

/// One intended payment. A repeated request has the same idempotency key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    number: u32,
    phone: Phone,
    network: Network,
    payer_pays: String,
    /// Whether the request was repeated.
    is_resent: bool,
}

impl NetworkChoice {
    /// The network, hinted or picked.
    #[must_use]
    pub const fn network(self) -> Option<Network> {
        match self {
            Self::None => None,
            Self::Hinted(network) | Self::Picked(network) => Some(network),
        }
    }
}

impl Form {
    /// Sets the text of the phone field, and the network that its prefix hints at.
    pub(super) fn type_phone(&mut self, text: String) {
        if !matches!(self.network, NetworkChoice::Picked(_)) {
            self.network = hint(&text).map_or(NetworkChoice::None, NetworkChoice::Hinted);
        }
        self.network_fault &= self.network == NetworkChoice::None;
        self.phone_fault = None;
        self.phone = text.chars().take(PHONE_MAX_CHARS).collect();
    }

    /// Sets the network that the payer chose.
    pub(super) fn pick(&mut self, network: Network) {
        self.network = NetworkChoice::Picked(network);
        self.network_fault = false;
        self.notice = None;
    }

    /// Sets what the form shows. If it shows no network, or one that only the number before has
    /// suggested, the prefix suggests one.
    pub(super) fn fill(&mut self, phone: String, network: Option<Network>) {
        let before = self.network;
        self.type_phone(phone);
        if let Some(shown) = network {
            // A hint stays a hint, so that another prefix can replace it.
            if self.network.network() != network && before != NetworkChoice::Hinted(shown) {
                self.network = NetworkChoice::Picked(shown);
            }
        }
    }

    /// The form's content. Sets every fault. `is_network_shown`: whether the payer has seen the
    /// network.
    ///
    /// # Errors
    /// The field with the first fault.
    fn parse(&mut self, is_network_shown: bool) -> Result<(Phone, Network), Focus> {
        let phone = Phone::parse_typed(&self.phone);
        let network = self.network.network().filter(|_| is_network_shown);
        self.phone_fault = phone.as_ref().err().copied();
        self.network_fault = network.is_none();
        match (phone, network) {
            (Ok(phone), Some(network)) => Ok((phone, network)),
            (Err(_), _) => Err(Focus::Phone),
            (Ok(_), None) => Err(Focus::Network),
        }
    }
}

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
        if !matches!(form.sending, Sending::Idle) || is_exhausted {
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
            form.sending = Sending::Queued;
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
        form.sending = Sending::Charge(attempt.clone());
        let Attempt { number, phone, network, payer_pays, .. } = attempt;
        effects.push(self.send_request(Request::Charge {
            attempt: number,
            phone,
            network,
            payer_pays,
        }));
    }

    /// Handles the answer to the form's request.
    pub(super) fn form_answered(&mut self, answer: Answer, effects: &mut Vec<Effect>) {
        let Screen::Form(session, form) = &mut self.screen else { return };
        match (std::mem::take(&mut form.sending), answer) {
            (Sending::Charge(_), Answer::Transaction { transaction, .. }) => {
                let session = Session {
                    attempts_left: session.attempts_left.saturating_sub(1),
                    ..(**session).clone()
                };
                let form = std::mem::take(form);
                self.show_transaction(Rc::new(session), transaction, form, effects);
            }
            (Sending::Charge(attempt), Answer::Refused(problem)) => {
                self.charge_refused(attempt, &problem, effects)
            }
            (Sending::Charge(attempt), _) => self.check_charge(attempt, effects),
            (Sending::Checking { attempt, .. }, Answer::Session(seen)) => {
                self.charge_checked(attempt, seen, effects)
            }
            (Sending::Checking { attempt, failures }, answer) => {
                if let Answer::Refused(problem) = &answer {
                    if self.end_if_refused(problem, effects) {
                        return;
                    }
                }
                let failures = failures.saturating_add(1);
                let Screen::Form(_, form) = &mut self.screen else { return };
                form.sending = Sending::Checking { attempt, failures };
                effects.push(self.backoff(failures, &answer));
            }
            // The answer to a request about the expiry or the networks, while no charge is in
            // progress.
            (Sending::Idle | Sending::Queued, Answer::Session(seen)) => {
                let form = std::mem::take(form);
                self.refresh_session(seen, form, effects);
            }
            (Sending::Idle | Sending::Queued, Answer::Refused(problem)) => {
                self.end_if_refused(&problem, effects);
            }
            (Sending::Idle | Sending::Queued, _) => {}
        }
    }

    /// Reads the session, because the response to the charge was lost or does not show its result.
    /// The charge must not count as failed: the session shows whether it exists.
    fn check_charge(&mut self, attempt: Attempt, effects: &mut Vec<Effect>) {
        let Screen::Form(_, form) = &mut self.screen else { return };
        form.unconfirmed = Some(attempt.clone());
        form.sending = Sending::Checking { attempt, failures: 0 };
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

    /// Shows the session after its first reading, and sends the queued charge.
    pub(super) fn show_first_session(
        &mut self,
        session: Session,
        form: Form,
        effects: &mut Vec<Effect>,
    ) {
        let is_queued = matches!(form.sending, Sending::Queued);
        self.show_session(session, Form { sending: Sending::Idle, ..form }, effects);
        // Any other screen shows a charge that exists already, so the queued one is dropped.
        let Screen::Form(session, form) = &mut self.screen else { return };
        if !is_queued {
            return;
        }
        // The payer has not seen a fee yet.
        if form.network.network().is_some_and(|network| session.fee(network).is_some()) {
            form.notice = Some(FormNotice::PriceChanged);
            return effects.push(Effect::Focus(Focus::Screen));
        }
        self.pay(true, effects);
    }

    /// Shows the screen for the session's status.
    pub(super) fn show_session(&mut self, session: Session, form: Form, effects: &mut Vec<Effect>) {
        let transaction = session.transaction.clone();
        let session = Rc::new(session);
        match transaction {
            _ if session.is_paid => {
                let paid = transaction
                    .filter(|transaction| transaction.state == TransactionState::Successful);
                self.screen = Screen::Paid(session, paid);
            }
            Some(transaction) => self.show_transaction(session, transaction, form, effects),
            None => self.screen = Screen::Form(session, form),
        }
    }

    /// As [`State::show_session`], but an earlier failed charge does not replace the form that the
    /// payer is filling in.
    fn refresh_session(&mut self, session: Session, form: Form, effects: &mut Vec<Effect>) {
        match &session.transaction {
            Some(Transaction { state: TransactionState::Failed(_), .. }) if !session.is_paid => {
                self.screen = Screen::Form(Rc::new(session), form);
            }
            _ => self.show_session(session, form, effects),
        }
    }

    /// Shows the screen for the transaction's state.
    pub(super) fn show_transaction(
        &mut self,
        session: Rc<Session>,
        transaction: Transaction,
        form: Form,
        effects: &mut Vec<Effect>,
    ) {
        // The attempt in doubt has become this transaction.
        let form = Form { unconfirmed: None, ..form };
        match transaction.state {
            TransactionState::Successful => self.screen = Screen::Paid(session, Some(transaction)),
            TransactionState::Failed(code) => {
                self.screen = Screen::Failed(session, transaction, code, form)
            }
            TransactionState::Pending(step) => self.wait(session, transaction, step, form, effects),
        }
    }
}
