//! Tests of the state machine on the host.

mod an_hour;
mod anything;
mod early_form;
mod form;
mod networks;
mod prices;
mod receipt;
mod session;
mod waiting;

use super::*;
use tua_contract::{ErrorCode, FailureCode, State as TransactionState, Step};

/// A checkout, with the effects of its last message.
#[derive(Clone)]
struct TestFlow {
    state: State,
    effects: Vec<Effect>,
    job: u32,
}

impl TestFlow {
    fn begin() -> Self {
        Self::begin_with(None)
    }

    /// A checkout that shows the form while the session is being read.
    fn begin_with_form() -> Self {
        Self::begin_with(Some(Form::default()))
    }

    fn begin_with(form: Option<Form>) -> Self {
        let (state, effects) = State::begin(form);
        let mut flow = Self { state, effects, job: 0 };
        flow.record_job();
        flow
    }

    /// A checkout at the form of a session that is not paid.
    fn form() -> Self {
        Self::begin().answer(ApiResponse::Session(session()))
    }

    /// A checkout that waits for a charge with this next step.
    fn waiting(step: Step) -> Self {
        Self::form().fill().pay().answer(charge_answer(TransactionState::Pending(step)))
    }

    fn fill(self) -> Self {
        self.send(Msg::PhoneTyped("024 123 4567".to_owned()))
    }

    /// Presses Pay while the form shows what the state machine has.
    fn pay(self) -> Self {
        let form = self.state.screen.clone().form_mut().cloned().unwrap_or_default();
        self.send(Msg::Pay(form.phone, form.network.network()))
    }

    fn send(mut self, msg: Msg) -> Self {
        let (state, effects) = self.state.update(msg);
        (self.state, self.effects) = (state, effects);
        self.record_job();
        self
    }

    fn answer(self, answer: ApiResponse) -> Self {
        let job = self.job;
        self.send(Msg::Answered(job, Box::new(answer)))
    }

    fn end_pause(self) -> Self {
        let job = self.job;
        self.send(Msg::Slept(job))
    }

    fn record_job(&mut self) {
        for effect in &self.effects {
            if let Effect::Send(job, _) | Effect::Sleep(job, _) = effect {
                self.job = *job;
            }
        }
    }

    fn request(&self) -> Option<&Request> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Send(_, request) => Some(request),
            _ => None,
        })
    }

    fn pause_ms(&self) -> Option<u32> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Sleep(_, millis) => Some(*millis),
            _ => None,
        })
    }

    fn events(&self) -> Vec<EventKind> {
        let event = |effect: &Effect| match effect {
            Effect::Emit(event) => Some(event.kind),
            _ => None,
        };
        self.effects.iter().filter_map(event).collect()
    }

    fn focused(&self) -> Option<Focus> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Focus(focus) => Some(*focus),
            _ => None,
        })
    }
}

fn session() -> Session {
    Session {
        checkout_id: "chk_1".to_owned(),
        reference: "INV-1".to_owned(),
        amount: "10.5".to_owned(),
        currency: "GHS".to_owned(),
        merchant: "Adom Stores".to_owned(),
        accent: None,
        is_test: true,
        expires_at_ms: 1_800_000,
        return_url: None,
        is_paid: false,
        attempts_left: 5,
        down: [false; 3],
        ended: [false; 3],
        prices: Default::default(),
        prompt_instructions: Default::default(),
        transaction: None,
    }
}

fn transaction(state: TransactionState) -> Transaction {
    Transaction {
        id: "trx_1".to_owned(),
        state,
        network: Some(tua_contract::Network::Mtn),
        masked_phone: "*******567".to_owned(),
        payer_pays: None,
        code_attempts_left: None,
        operator_transaction_id: None,
        updated_at: String::new(),
    }
}

fn charge_answer(state: TransactionState) -> ApiResponse {
    ApiResponse::Transaction {
        transaction: transaction(state),
        etag: Some("\"1\"".to_owned()),
        was_held: false,
    }
}

fn refused(status: u16, code: ErrorCode) -> ApiResponse {
    ApiResponse::Refused(Problem { status, code: Some(code), ..Problem::default() })
}

fn expired(checkout: Option<SessionStatus>) -> ApiResponse {
    ApiResponse::Refused(Problem {
        status: 401,
        code: Some(ErrorCode::CheckoutTokenExpired),
        checkout,
        ..Problem::default()
    })
}

const DECLINED: TransactionState = TransactionState::Failed(FailureCode::CustomerRejected);
