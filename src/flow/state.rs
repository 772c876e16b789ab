//! The screens and the state behind them.

use super::effect::{Effect, Event, EventKind, Request};
use super::facts::{Session, SessionStanding, Transaction};
use super::form::Form;
use super::waiting::Waiting;
use std::rc::Rc;
use tua_contract::FailureCode;

/// The whole state of one checkout.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// What is shown.
    pub screen: Screen,
    /// What time the server's clock shows, in milliseconds since 1970; 0 until it is known.
    pub now_ms: i64,
    /// Whether the device says that it has no connection.
    pub is_offline: bool,
    /// Whether the server's last word was that it is busy or broken.
    pub is_busy: bool,
    /// Whether the receipt got onto the clipboard, once that was tried.
    pub copied: Option<bool>,
    /// The number of the job that is under way; answers with another number are late.
    pub(super) generation: u32,
    /// Attempts begun, each with an idempotency key of its own.
    pub(super) attempts: u32,
    /// Whether the page is out of sight.
    pub(super) is_hidden: bool,
    /// Whether `tua-ready` has been sent.
    pub(super) is_ready: bool,
    /// The last event, so that no change emits two.
    pub(super) last_event: Option<(EventKind, Option<String>)>,
    /// When the server may next be asked whether the time is over.
    pub(super) next_expiry_check_ms: i64,
}

/// One screen, with all that it needs and nothing that it does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Screen {
    /// The session is being read.
    Loading {
        /// How many times that has not worked.
        failures: u32,
        /// The form, which the payer can fill in meanwhile; without it an outline is shown.
        form: Option<Form>,
    },
    /// The session could not be read for now; the form keeps what was typed.
    Unreachable(Option<Form>),
    /// The server does not know this token.
    InvalidToken,
    /// The number and the network.
    Form(Rc<Session>, Form),
    /// A charge that is not decided: an approval, a code, or an answer to come.
    Waiting(Rc<Session>, Transaction, Waiting),
    /// Paid, by the server's word.
    Paid(Rc<Session>, Option<Transaction>),
    /// Not paid, by the server's word; the form keeps what was typed.
    Failed(Rc<Session>, Transaction, FailureCode, Form),
    /// The token's time is over, by the server's word.
    Expired(Expiry),
}

/// What is known of a session whose token has expired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expiry {
    /// How the session stood.
    pub standing: SessionStanding,
    /// The merchant's reference.
    pub reference: Option<String>,
    /// The session, if it was read before.
    pub session: Option<Rc<Session>>,
    /// The charge that was being waited for.
    pub transaction: Option<Transaction>,
    /// Whether the server is being asked once more.
    pub is_checking: bool,
}

impl Default for Screen {
    fn default() -> Self {
        Self::Loading { failures: 0, form: None }
    }
}

impl Screen {
    /// The session, wherever one is known.
    #[must_use]
    pub fn session(&self) -> Option<&Rc<Session>> {
        match self {
            Self::Loading { .. } | Self::Unreachable(_) | Self::InvalidToken => None,
            Self::Form(session, _)
            | Self::Waiting(session, ..)
            | Self::Paid(session, _)
            | Self::Failed(session, ..) => Some(session),
            Self::Expired(expiry) => expiry.session.as_ref(),
        }
    }

    /// The transaction that this screen is about.
    #[must_use]
    pub fn transaction(&self) -> Option<&Transaction> {
        match self {
            Self::Loading { .. } | Self::Unreachable(_) | Self::InvalidToken | Self::Form(..) => None,
            Self::Waiting(_, transaction, _) | Self::Failed(_, transaction, ..) => Some(transaction),
            Self::Paid(_, transaction) => transaction.as_ref(),
            Self::Expired(expiry) => expiry.transaction.as_ref(),
        }
    }

    /// The form that the payer can fill in now.
    pub(super) fn form_mut(&mut self) -> Option<&mut Form> {
        match self {
            Self::Form(_, form) | Self::Loading { form: Some(form), .. } => Some(form),
            _ => None,
        }
    }

    /// What the merchant's page is to know of this screen.
    fn event(&self) -> Option<EventKind> {
        match self {
            Self::Loading { .. } | Self::Form(..) => None,
            Self::Unreachable(_) => Some(EventKind::Unreachable),
            Self::InvalidToken => Some(EventKind::InvalidToken),
            Self::Waiting(..) => Some(EventKind::Pending),
            Self::Paid(..) => Some(EventKind::Successful),
            Self::Failed(_, _, code, _) => Some(EventKind::Failed(*code)),
            Self::Expired(Expiry { standing: SessionStanding::Paid, .. }) => Some(EventKind::Successful),
            Self::Expired(expiry) => Some(EventKind::Expired(expiry.standing)),
        }
    }
}

impl State {
    /// A new checkout, and its first request. `form` is shown while the session is read; without it an
    /// outline is, which suits a payer who has begun to pay already.
    #[must_use]
    pub fn begin(form: Option<Form>) -> (Self, Vec<Effect>) {
        let mut state = Self { screen: Screen::Loading { failures: 0, form }, ..Self::default() };
        let effect = state.ask(Request::Checkout);
        (state, vec![effect])
    }

    /// Sends a request in place of whatever was under way.
    pub(super) fn ask(&mut self, request: Request) -> Effect {
        self.generation = self.generation.wrapping_add(1);
        Effect::Ask(self.generation, request)
    }

    /// Pauses in place of whatever was under way.
    pub(super) fn sleep(&mut self, millis: u32) -> Effect {
        self.generation = self.generation.wrapping_add(1);
        Effect::Sleep(self.generation, millis)
    }

    /// Drops whatever is under way.
    pub(super) fn stop(&mut self) -> Effect {
        self.generation = self.generation.wrapping_add(1);
        Effect::Stop
    }

    /// Counts a new attempt.
    pub(super) fn new_attempt(&mut self) -> u32 {
        self.attempts += 1;
        self.attempts
    }

    /// Adds the events that the present screen calls for and that were not sent yet.
    pub(super) fn emit_events(&mut self, effects: &mut Vec<Effect>) {
        if !self.is_ready && self.screen.session().is_some() {
            self.is_ready = true;
            effects.push(Effect::Emit(self.event(EventKind::Ready)));
        }
        let Some(kind) = self.screen.event() else { return };
        let event = self.event(kind);
        let emitted = Some((kind, event.transaction_id.clone()));
        if self.last_event != emitted {
            self.last_event = emitted;
            effects.push(Effect::Emit(event));
        }
    }

    fn event(&self, kind: EventKind) -> Event {
        let session = self.screen.session();
        let expired = match &self.screen {
            Screen::Expired(expiry) => expiry.reference.clone(),
            _ => None,
        };
        Event {
            kind,
            transaction_id: self.screen.transaction().map(|transaction| transaction.id.clone()),
            reference: session.map(|session| session.reference.clone()).or(expired),
            checkout_id: session.map(|session| session.checkout_id.clone()),
            amount: session.map(|session| session.amount.clone()),
            currency: session.map(|session| session.currency.clone()),
        }
    }
}
