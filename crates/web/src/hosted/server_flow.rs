//! The component's state machine, run on the server: the screen of a session, and the request that
//! a posted form needs. Pure; its state ends with the HTTP request.

use jiff::Timestamp;
use tua_checkout::flow::{
    Answer, Awaited, Effect, Msg, Problem, Request, Screen, Session, SessionStatus, State,
    facts::SecretText,
};
use tua_contract::{ErrorCode, Network, Phone};
use tua_domain::checkout::EndedCheckout;

/// What is known of the token in the page's address.
#[derive(Clone, Debug)]
pub enum Known {
    /// Nothing: it is none.
    Nothing,
    /// It has ended. All that it still tells (docs/reference/credentials.md): the merchant's
    /// reference, and how the session stands.
    Expired(String, SessionStatus),
    /// It is valid: the session that it belongs to.
    Open(Box<Session>),
}

impl Known {
    /// A session that has ended.
    #[must_use]
    pub fn ended(EndedCheckout { status, reference }: &EndedCheckout) -> Self {
        let status = SessionStatus::parse(status.as_str()).unwrap_or(SessionStatus::Pending);
        Self::Expired(reference.clone(), status)
    }
}

/// A form that the page posted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sent {
    /// The number and the network, as typed and chosen.
    Form(String, Option<Network>),
    /// A passcode or voucher, as typed.
    Code(SecretText),
    /// The same number and network once more, after a failure. They are known here, and shown to
    /// nobody.
    Again(Phone, Network),
}

/// What a posted form asks the service for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A charge to the wallet with this number and network.
    Charge(Phone, Network),
    /// A look at this code, for this transaction.
    Code(String, SecretText),
    /// Nothing, for it is at fault: it is shown again.
    Faults,
    /// Nothing, for the session has moved on: its present screen is shown.
    News,
}

/// The machine, and the request that it waits for.
#[derive(Debug)]
pub struct ServerFlow {
    state: State,
    asked: Option<(u32, Request)>,
}

impl ServerFlow {
    /// To the screen that a token has at this moment.
    #[must_use]
    pub fn to(known: Known, now: Timestamp) -> Self {
        let (mut state, effects) = State::begin(None);
        state.now_ms = now.as_millisecond();
        let flow = Self { state, asked: None }.with_effects(effects);
        let refused = |problem| Box::new(Answer::Refused(Problem { status: 401, ..problem }));
        match known {
            Known::Nothing => flow.answered(refused(Problem::default())),
            Known::Open(session) => flow.answered(Box::new(Answer::Session(*session))),
            Known::Expired(reference, status) => flow.answered(refused(Problem {
                code: Some(ErrorCode::CheckoutTokenExpired),
                checkout: Some(status),
                reference: Some(reference),
                ..Problem::default()
            })),
        }
    }

    /// As [`ServerFlow::to`], then back to the form where the last charge has failed.
    #[must_use]
    pub fn to_form(known: Known, now: Timestamp) -> Self {
        Self::to(known, now).update(Msg::ChangeNumber)
    }

    /// To the form, with what was typed and chosen elsewhere.
    #[must_use]
    pub fn filled(known: Known, phone: String, network: Option<Network>, now: Timestamp) -> Self {
        Self::to_form(known, now).update(Msg::Filled(phone, network))
    }

    /// What a posted form asks for, and the machine that then waits for the answer.
    #[must_use]
    pub fn sending(known: Known, sent: Sent, now: Timestamp) -> (Self, Wanted) {
        let flow = match sent {
            Sent::Form(number, network) => {
                Self::to_form(known, now).update(Msg::Pay(number, network))
            }
            Sent::Again(phone, network) => {
                let again = Self::to(known, now).update(Msg::TryAgain);
                again.update(Msg::Pay(phone.as_str().to_owned(), Some(network)))
            }
            Sent::Code(code) => Self::to(known, now).update(Msg::SendCode(code.0)),
        };
        let wanted = flow.wanted();
        (flow, wanted)
    }

    /// Shows the number that was sent to nobody: see [`Sent::Again`].
    #[must_use]
    pub fn without_number(mut self) -> Self {
        if let Screen::Form(_, form) = &mut self.state.screen {
            form.phone.clear();
        }
        self
    }

    /// Lets the machine take the answer to what it asked for.
    #[must_use]
    pub fn answered(self, answer: Box<Answer>) -> Self {
        match self.asked {
            Some((generation, _)) => self.update(Msg::Answered(generation, answer)),
            None => self,
        }
    }

    /// The state that it has reached.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Whether the payer can fill in the form.
    #[must_use]
    pub const fn is_form(&self) -> bool {
        matches!(self.state.screen, Screen::Form(..))
    }

    /// Whether only the outcome is waited for, and nothing can be typed meanwhile.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        matches!(
            &self.state.screen,
            Screen::Waiting(_, _, waiting) if !matches!(waiting.awaited, Awaited::Code(_)),
        )
    }

    fn update(self, msg: Msg) -> Self {
        let (state, effects) = self.state.update(msg);
        Self { state, ..self }.with_effects(effects)
    }

    fn with_effects(mut self, effects: Vec<Effect>) -> Self {
        for effect in effects {
            if let Effect::Send(generation, request) = effect {
                self.asked = Some((generation, request));
            }
        }
        self
    }

    fn wanted(&self) -> Wanted {
        match (&self.state.screen, &self.asked) {
            (Screen::Form(..), Some((_, Request::Charge { phone, network, .. }))) => {
                Wanted::Charge(phone.clone(), *network)
            }
            (Screen::Waiting(..), Some((_, Request::Code { transaction_id, code, .. }))) => {
                Wanted::Code(transaction_id.clone(), code.clone())
            }
            (Screen::Form(_, form), _) if form.phone_fault.is_some() || form.network_fault => {
                Wanted::Faults
            }
            (Screen::Waiting(_, _, waiting), _) if matches!(&waiting.awaited, Awaited::Code(entry) if entry.fault.is_some()) => {
                Wanted::Faults
            }
            _ => Wanted::News,
        }
    }
}
