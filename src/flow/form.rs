//! The number, the network, and sending them once.

use super::effect::{Effect, Focus, Request};
use super::facts::{Problem, Session, Transaction};
use super::msg::Answer;
use super::state::{Screen, State};
use std::rc::Rc;
use tua_contract::phone::PhoneError;
use tua_contract::{ErrorCode, Network, Phone, State as Standing};

/// As much of a number's text as is kept: a paste can be of any size, and is drawn again at every change.
const LONGEST: usize = 64;

/// What the payer has entered, and what has become of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Form {
    /// The number, as typed.
    pub phone: String,
    /// The network.
    pub network: Choice,
    /// What is wrong with the number.
    pub phone_fault: Option<PhoneError>,
    /// Whether a network is still missing.
    pub network_fault: bool,
    /// What has to be said above the button.
    pub notice: Option<FormNotice>,
    /// Whether it is on its way.
    pub sending: Sending,
    /// An attempt whose fate was never learnt; sending the same again reuses its key.
    pub(super) unconfirmed: Option<Attempt>,
}

/// The network, and whose choice it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// Nobody's yet.
    #[default]
    None,
    /// The number's prefix suggests it.
    Hinted(Network),
    /// The payer picked it; no prefix overrides that.
    Picked(Network),
}

/// Where the form's request is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Sending {
    /// There is none.
    #[default]
    No,
    /// The payer has pressed Pay before the session was read; the charge is sent once it is.
    Queued,
    /// The charge is on its way.
    Charge(Attempt),
    /// The charge was not answered: the session is being read to see whether it arrived.
    Checking {
        /// The charge in doubt.
        attempt: Attempt,
        /// How often reading the session has not worked.
        failures: u32,
    },
}

/// One intention to pay, however often it has to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    number: u32,
    phone: Phone,
    network: Network,
    /// Whether it has been sent a second time.
    is_resent: bool,
}

/// What has to be said above the form's button.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormNotice {
    /// It could not be sent; sending it again cannot charge twice.
    NotSent,
    /// No operator serves this network right now.
    NetworkUnavailable,
    /// Too many requests.
    TooMany,
    /// Refused for a reason that the payer cannot mend here.
    Refused,
}

impl Choice {
    /// The network itself.
    #[must_use]
    pub const fn network(self) -> Option<Network> {
        match self {
            Self::None => None,
            Self::Hinted(network) | Self::Picked(network) => Some(network),
        }
    }
}

impl Form {
    /// Takes the number's new text, and the hint that it gives.
    pub(super) fn type_phone(&mut self, text: String) {
        if !matches!(self.network, Choice::Picked(_)) {
            self.network = hint(&text).map_or(Choice::None, Choice::Hinted);
        }
        self.network_fault &= self.network == Choice::None;
        self.phone_fault = None;
        self.phone = text.chars().take(LONGEST).collect();
    }

    /// Takes the payer's own choice.
    pub(super) fn pick(&mut self, network: Network) {
        self.network = Choice::Picked(network);
        self.network_fault = false;
        self.notice = None;
    }

    /// Takes what was typed and chosen before this machine ran. No network was hinted at there, so none is
    /// taken that the payer has not seen.
    pub(super) fn fill(&mut self, phone: String, network: Option<Network>) {
        self.type_phone(phone);
        self.network = network.map_or(Choice::None, Choice::Picked);
    }

    /// The form's content, or every fault at once and where the first one is.
    fn parse(&mut self) -> Result<(Phone, Network), Focus> {
        let phone = Phone::parse_typed(&self.phone);
        let network = self.network.network();
        self.phone_fault = phone.as_ref().err().copied();
        self.network_fault = network.is_none();
        match (phone, network) {
            (Ok(phone), Some(network)) => Ok((phone, network)),
            (Err(_), _) => Err(Focus::Phone),
            (Ok(_), None) => Err(Focus::Network),
        }
    }
}

/// The network that the digits typed so far hint at.
fn hint(text: &str) -> Option<Network> {
    let digits: String = text.chars().filter(char::is_ascii_digit).take(9).collect();
    let national = digits.strip_prefix("00233").or_else(|| digits.strip_prefix("233")).unwrap_or(&digits);
    let national = national.strip_prefix('0').unwrap_or(national);
    Network::hinted_by_prefix(&["0", national.get(..2)?].concat())
}

impl State {
    /// Sends the form, unless it is being sent already or cannot be. Before the session is read it waits.
    pub(super) fn pay(&mut self, effects: &mut Vec<Effect>) {
        let is_exhausted = self.screen.session().is_some_and(|session| session.attempts_left == 0);
        let is_loading = matches!(self.screen, Screen::Loading { .. });
        let Some(form) = self.screen.form_mut() else { return };
        if !matches!(form.sending, Sending::No) || is_exhausted {
            return;
        }
        let (phone, network) = match form.parse() {
            Ok(parsed) => parsed,
            Err(first) => return effects.push(Effect::Focus(first)),
        };
        form.notice = None;
        if is_loading {
            form.sending = Sending::Queued;
            return;
        }
        let again = form.unconfirmed.clone().filter(|old| old.phone == phone && old.network == network);
        let attempt = again.unwrap_or_else(|| Attempt { number: self.new_attempt(), phone, network, is_resent: false });
        self.charge(attempt, effects);
    }

    fn charge(&mut self, attempt: Attempt, effects: &mut Vec<Effect>) {
        let Screen::Form(_, form) = &mut self.screen else { return };
        form.sending = Sending::Charge(attempt.clone());
        let Attempt { number, phone, network, .. } = attempt;
        effects.push(self.ask(Request::Charge { attempt: number, phone, network }));
    }

    /// What the form's request came to.
    pub(super) fn answer_form(&mut self, answer: Answer, effects: &mut Vec<Effect>) {
        let Screen::Form(session, form) = &mut self.screen else { return };
        match (std::mem::take(&mut form.sending), answer) {
            (Sending::Charge(_), Answer::Transaction { transaction, .. }) => {
                let session = Session { attempts_left: session.attempts_left.saturating_sub(1), ..(**session).clone() };
                let form = std::mem::take(form);
                self.land_transaction(Rc::new(session), transaction, form, effects);
            }
            (Sending::Charge(attempt), Answer::Refused(problem)) => self.charge_refused(attempt, &problem, effects),
            (Sending::Charge(attempt), _) => self.check(attempt, effects),
            (Sending::Checking { attempt, .. }, Answer::Session(seen)) => self.checked(attempt, seen, effects),
            (Sending::Checking { attempt, failures }, answer) => {
                if let Answer::Refused(problem) = &answer
                    && self.end_if_refused(problem, effects)
                {
                    return;
                }
                let failures = failures.saturating_add(1);
                let Screen::Form(_, form) = &mut self.screen else { return };
                form.sending = Sending::Checking { attempt, failures };
                effects.push(self.back_off(failures, &answer));
            }
            // The look whether the time is over, while nothing is being sent.
            (Sending::No | Sending::Queued, Answer::Session(seen)) => {
                let form = std::mem::take(form);
                self.land_again(seen, form, effects);
            }
            (Sending::No | Sending::Queued, Answer::Refused(problem)) => {
                self.end_if_refused(&problem, effects);
            }
            (Sending::No | Sending::Queued, _) => {}
        }
    }

    /// The charge was not answered, or answered in a way that leaves its fate open. It must not be
    /// taken for failed: the session tells whether it arrived.
    fn check(&mut self, attempt: Attempt, effects: &mut Vec<Effect>) {
        let Screen::Form(_, form) = &mut self.screen else { return };
        form.unconfirmed = Some(attempt.clone());
        form.sending = Sending::Checking { attempt, failures: 0 };
        effects.push(self.ask(Request::Checkout));
    }

    fn checked(&mut self, attempt: Attempt, seen: Session, effects: &mut Vec<Effect>) {
        let Screen::Form(known, form) = &mut self.screen else { return };
        let id = |session: &Session| session.transaction.as_ref().map(|transaction| transaction.id.clone());
        if seen.is_paid || id(&seen) != id(known) {
            let form = std::mem::take(form);
            self.land(seen, form, effects);
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
            (Some(ErrorCode::NetworkUnavailable), _) => form.notice = Some(FormNotice::NetworkUnavailable),
            (Some(ErrorCode::AttemptsExhausted), _) => {
                *session = Rc::new(Session { attempts_left: 0, ..(**session).clone() });
            }
            (_, 429) => form.notice = Some(FormNotice::TooMany),
            // Another tab, or this very attempt, got there first; or the server broke down on the way.
            (_, 409 | 500..) => return self.check(attempt, effects),
            (_, 422) if points_at("/phoneNumber") => form.phone_fault = Some(PhoneError::WrongLength),
            _ => form.notice = Some(FormNotice::Refused),
        }
        effects.push(Effect::Focus(if form.phone_fault.is_some() { Focus::Phone } else { Focus::Screen }));
    }

    /// Shows the session that was being read, and sends the form that waited for it.
    pub(super) fn land_first(&mut self, session: Session, form: Form, effects: &mut Vec<Effect>) {
        let is_queued = matches!(form.sending, Sending::Queued);
        self.land(session, Form { sending: Sending::No, ..form }, effects);
        // On any other screen the payer decides anew.
        if is_queued && matches!(self.screen, Screen::Form(..)) {
            self.pay(effects);
        }
    }

    /// Shows the session that the server describes.
    pub(super) fn land(&mut self, session: Session, form: Form, effects: &mut Vec<Effect>) {
        let transaction = session.transaction.clone();
        let session = Rc::new(session);
        match transaction {
            _ if session.is_paid => {
                let paid = transaction.filter(|transaction| transaction.state == Standing::Successful);
                self.screen = Screen::Paid(session, paid);
            }
            Some(transaction) => self.land_transaction(session, transaction, form, effects),
            None => self.screen = Screen::Form(session, form),
        }
    }

    /// As [`State::land`], for a payer who is in the form already: an old failure does not take it away.
    fn land_again(&mut self, session: Session, form: Form, effects: &mut Vec<Effect>) {
        match &session.transaction {
            Some(Transaction { state: Standing::Failed(_), .. }) if !session.is_paid => {
                self.screen = Screen::Form(Rc::new(session), form);
            }
            _ => self.land(session, form, effects),
        }
    }

    /// Shows where the transaction stands.
    pub(super) fn land_transaction(
        &mut self,
        session: Rc<Session>,
        transaction: Transaction,
        form: Form,
        effects: &mut Vec<Effect>,
    ) {
        // Whatever was in doubt has become this transaction.
        let form = Form { unconfirmed: None, ..form };
        match transaction.state {
            Standing::Successful => self.screen = Screen::Paid(session, Some(transaction)),
            Standing::Failed(code) => self.screen = Screen::Failed(session, transaction, code, form),
            Standing::Pending(step) => self.wait(session, transaction, step, form, effects),
        }
    }
}
