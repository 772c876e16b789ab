//! The component's state machine, run on the server: the screen of a session, and the request that
//! a posted form needs. Pure; its state ends with the HTTP request.

use jiff::Timestamp;
use tua_checkout::flow::{
    ApiResponse, Awaited, Effect, Msg, Problem, Request, Screen, Session, SessionStatus, State,
    facts::SecretText,
};
use tua_contract::{ErrorCode, Network, Phone};
use tua_domain::checkout::EndedCheckout;

/// What is known of the token in the page's address.
#[derive(Clone, Debug)]
pub enum TokenState {
    /// No session has this token.
    Unknown,
    /// Expired, or its session was closed. It still shows the merchant's reference and the status
    /// of the session (docs/reference/credentials.md).
    Ended(String, SessionStatus),
    /// Valid, with its session.
    Valid(Box<Session>),
}

impl TokenState {
    /// A session that has ended.
    #[must_use]
    pub fn ended(EndedCheckout { status, reference }: &EndedCheckout) -> Self {
        let status = SessionStatus::parse(status.as_str()).unwrap_or(SessionStatus::Pending);
        Self::Ended(reference.clone(), status)
    }
}

/// A form that the payer has submitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SubmittedForm {
    /// The number and the network, as typed and chosen.
    Form(String, Option<Network>),
    /// A passcode or voucher, as typed.
    Code(SecretText),
    /// The same number and network once more, after a failure. They are known here, and shown to
    /// nobody.
    Again(Phone, Network),
}

/// The request that follows from a posted form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RequestedAction {
    /// A charge to the wallet with this number and network.
    Charge(Phone, Network),
    /// A check of this passcode or voucher for the transaction with this id.
    CheckCode(String, SecretText),
    /// No request: the form has faults, and is shown again with them.
    ShowFaults,
    /// No request: the session has changed since, and its current screen is shown.
    ShowSession,
}

/// The state machine, and its request that has no response yet.
#[derive(Debug)]
pub struct ServerFlow {
    state: State,
    pending_request: Option<(u32, Request)>,
}

impl ServerFlow {
    /// The flow at the screen of this token.
    #[must_use]
    pub fn to(token: TokenState, now: Timestamp) -> Self {
        let (mut state, effects) = State::begin(None);
        state.now_ms = now.as_millisecond();
        let flow = Self { state, pending_request: None }.with_effects(effects);
        let refused = |problem| Box::new(ApiResponse::Refused(Problem { status: 401, ..problem }));
        match token {
            TokenState::Unknown => flow.answered(refused(Problem::default())),
            TokenState::Valid(session) => flow.answered(Box::new(ApiResponse::Session(*session))),
            TokenState::Ended(reference, status) => flow.answered(refused(Problem {
                code: Some(ErrorCode::CheckoutTokenExpired),
                checkout: Some(status),
                reference: Some(reference),
                ..Problem::default()
            })),
        }
    }

    /// As [`ServerFlow::to`], but at the form where the last charge has failed.
    #[must_use]
    pub fn to_form(token: TokenState, now: Timestamp) -> Self {
        Self::to(token, now).update(Msg::ChangeNumber)
    }

    /// The flow at the form, filled with the number and network of another page's form.
    #[must_use]
    pub fn filled(
        token: TokenState,
        phone: String,
        network: Option<Network>,
        now: Timestamp,
    ) -> Self {
        Self::to_form(token, now).update(Msg::Filled(phone, network))
    }

    /// The flow after this form was submitted, and the request that it then waits for.
    #[must_use]
    pub fn sending(
        token: TokenState,
        form: SubmittedForm,
        now: Timestamp,
    ) -> (Self, RequestedAction) {
        let flow = match form {
            SubmittedForm::Form(number, network) => {
                Self::to_form(token, now).update(Msg::Pay(number, network))
            }
            SubmittedForm::Again(phone, network) => {
                let again = Self::to(token, now).update(Msg::TryAgain);
                again.update(Msg::Pay(phone.as_str().to_owned(), Some(network)))
            }
            SubmittedForm::Code(code) => Self::to(token, now).update(Msg::SendCode(code.0)),
        };
        let requested_action = flow.requested_action();
        (flow, requested_action)
    }

    /// Shows the number that was sent to nobody: see [`SubmittedForm::Again`].
    #[must_use]
    pub fn without_number(mut self) -> Self {
        if let Screen::Form(_, form) = &mut self.state.screen {
            form.phone.clear();
        }
        self
    }

    /// The flow after the response to its pending request.
    #[must_use]
    pub fn answered(self, answer: Box<ApiResponse>) -> Self {
        match self.pending_request {
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
                self.pending_request = Some((generation, request));
            }
        }
        self
    }

    fn requested_action(&self) -> RequestedAction {
        match (&self.state.screen, &self.pending_request) {
            (Screen::Form(..), Some((_, Request::Charge { phone, network, .. }))) => {
                RequestedAction::Charge(phone.clone(), *network)
            }
            (Screen::Waiting(..), Some((_, Request::Code { transaction_id, code, .. }))) => {
                RequestedAction::CheckCode(transaction_id.clone(), code.clone())
            }
            (Screen::Form(_, form), _) if form.phone_fault.is_some() || form.network_fault => {
                RequestedAction::ShowFaults
            }
            (Screen::Waiting(_, _, waiting), _) if matches!(&waiting.awaited, Awaited::Code(entry) if entry.fault.is_some()) => {
                RequestedAction::ShowFaults
            }
            _ => RequestedAction::ShowSession,
        }
    }
}
