//! The screens and the state behind them.

use super::effect::{Effect, Event, EventKind, Request};
use super::facts::{Session, SessionStatus, Transaction};
use super::form::Form;
use super::waiting::Waiting;
use std::rc::Rc;
use tua_contract::FailureCode;

/// The whole state of one checkout.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// The screen, with the data that it shows.
    pub screen: Screen,
    /// The time of the server's clock, in milliseconds since 1970. 0 until a response had a date.
    pub now_ms: i64,
    /// Whether the device reports that it is offline.
    pub is_offline: bool,
    /// Whether the last response was a transient refusal: HTTP 429 or 5xx.
    pub is_busy: bool,
    /// Whether the receipt was copied to the clipboard. `None` before the payer asked for it.
    pub copied: Option<bool>,
    /// Identifies the current request or pause. The result of any other is ignored.
    pub(super) generation: u32,
    /// The number of attempts so far. Each attempt has its own idempotency key.
    pub(super) attempts: u32,
    /// Whether the page is hidden, as in `document.hidden`.
    pub(super) is_hidden: bool,
    /// Whether `tua-ready` has been emitted.
    pub(super) is_ready: bool,
    /// The last emitted event and its transaction, so that no event is emitted twice.
    pub(super) last_event: Option<(EventKind, Option<String>)>,
    /// The earliest time of the next request about the expiry, in milliseconds since 1970.
    pub(super) next_expiry_check_ms: i64,
}

/// A screen, with the data that it shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Screen {
    /// The session is being requested.
    Loading {
        /// The number of failed requests.
        failures: u32,
        /// The form, which the payer can fill in meanwhile. `None` shows an outline instead.
        form: Option<Form>,
    },
    /// The session could not be read. The form contains what the payer typed.
    Unreachable(Option<Form>),
    /// The server refused the token as invalid.
    InvalidToken,
    /// The form for the number and the network.
    Form(Rc<Session>, Form),
    /// A charge without an outcome yet: it needs an approval or a code, or its result.
    Waiting(Rc<Session>, Transaction, Waiting),
    /// The server reported that the session is paid.
    Paid(Rc<Session>, Option<Transaction>),
    /// The server reported that the charge failed. The form contains what the payer typed.
    Failed(Rc<Session>, Transaction, FailureCode, Form),
    /// The server reported that the token has expired.
    Expired(Expiry),
}

/// A session whose token has expired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expiry {
    /// The session's status when the token expired.
    pub status: SessionStatus,
    /// The merchant's reference, from the refusal, or else from the session if it was read.
    pub reference: Option<String>,
    /// The session, if it was read before the expiry.
    pub session: Option<Rc<Session>>,
    /// The charge without an outcome, if there was one.
    pub transaction: Option<Transaction>,
    /// Whether a request for the current status is in progress.
    pub is_checking: bool,
}

impl Default for Screen {
    fn default() -> Self {
        Self::Loading { failures: 0, form: None }
    }
}

impl Screen {
    /// The session, once it has been read.
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

    /// The transaction that this screen shows.
    #[must_use]
    pub fn transaction(&self) -> Option<&Transaction> {
        match self {
            Self::Loading { .. } | Self::Unreachable(_) | Self::InvalidToken | Self::Form(..) => {
                None
            }
            Self::Waiting(_, transaction, _) | Self::Failed(_, transaction, ..) => {
                Some(transaction)
            }
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

    /// The event that reports this screen to the merchant's page.
    fn event(&self) -> Option<EventKind> {
        match self {
            Self::Loading { .. } | Self::Form(..) => None,
            Self::Unreachable(_) => Some(EventKind::Unreachable),
            Self::InvalidToken => Some(EventKind::InvalidToken),
            Self::Waiting(..) => Some(EventKind::Pending),
            Self::Paid(..) => Some(EventKind::Successful),
            Self::Failed(_, _, code, _) => Some(EventKind::Failed(*code)),
            Self::Expired(Expiry { status: SessionStatus::Paid, .. }) => {
                Some(EventKind::Successful)
            }
            Self::Expired(expiry) => Some(EventKind::Expired(expiry.status)),
        }
    }
}

impl State {
    /// A new checkout, and its first request. `form` is shown while the session is being read.
    /// `None` shows an outline, for a payer who has already begun to pay.
    #[must_use]
    pub fn begin(form: Option<Form>) -> (Self, Vec<Effect>) {
        let mut state = Self { screen: Screen::Loading { failures: 0, form }, ..Self::default() };
        let effect = state.send_request(Request::Checkout);
        (state, vec![effect])
    }

    /// Sends a request. It replaces the current request or pause.
    pub(super) fn send_request(&mut self, request: Request) -> Effect {
        self.generation = self.generation.wrapping_add(1);
        Effect::Send(self.generation, request)
    }

    /// Begins a pause. It replaces the current request or pause.
    pub(super) fn sleep(&mut self, millis: u32) -> Effect {
        self.generation = self.generation.wrapping_add(1);
        Effect::Sleep(self.generation, millis)
    }

    /// Ends the current request or pause.
    pub(super) fn stop(&mut self) -> Effect {
        self.generation = self.generation.wrapping_add(1);
        Effect::Stop
    }

    /// The number of a new attempt.
    pub(super) fn new_attempt(&mut self) -> u32 {
        self.attempts += 1;
        self.attempts
    }

    /// Adds the events of the current screen that were not emitted yet.
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
