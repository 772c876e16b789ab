//! The machine, walked through on the host.

mod an_hour;
mod anything;
mod early_form;
mod form;
mod receipt;
mod session;
mod waiting;

use super::*;
use tua_contract::{ErrorCode, FailureCode, State as Standing, Step};

/// A checkout, with what it ordered last.
#[derive(Clone)]
struct Walk {
    state: State,
    effects: Vec<Effect>,
    job: u32,
}

impl Walk {
    fn begin() -> Self {
        Self::begin_with(None)
    }

    /// With the form shown while the session is read.
    fn begin_with_form() -> Self {
        Self::begin_with(Some(Form::default()))
    }

    fn begin_with(form: Option<Form>) -> Self {
        let (state, effects) = State::begin(form);
        let mut walk = Self { state, effects, job: 0 };
        walk.note_job();
        walk
    }

    /// On the form of a session that nobody has paid yet.
    fn form() -> Self {
        Self::begin().answer(Answer::Session(session()))
    }

    /// Waiting for a charge that stands at this step.
    fn waiting(step: Step) -> Self {
        Self::form().fill().say(Msg::Pay).answer(news(Standing::Pending(step)))
    }

    fn fill(self) -> Self {
        self.say(Msg::PhoneTyped("024 123 4567".to_owned()))
    }

    fn say(mut self, msg: Msg) -> Self {
        let (state, effects) = self.state.update(msg);
        (self.state, self.effects) = (state, effects);
        self.note_job();
        self
    }

    fn answer(self, answer: Answer) -> Self {
        let job = self.job;
        self.say(Msg::Answered(job, Box::new(answer)))
    }

    fn slept(self) -> Self {
        let job = self.job;
        self.say(Msg::Slept(job))
    }

    fn note_job(&mut self) {
        for effect in &self.effects {
            if let Effect::Ask(job, _) | Effect::Sleep(job, _) = effect {
                self.job = *job;
            }
        }
    }

    fn asked(&self) -> Option<&Request> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Ask(_, request) => Some(request),
            _ => None,
        })
    }

    fn slept_for(&self) -> Option<u32> {
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
        is_test: true,
        expires_at_ms: 1_800_000,
        return_url: None,
        is_paid: false,
        attempts_left: 5,
        transaction: None,
    }
}

fn transaction(state: Standing) -> Transaction {
    Transaction {
        id: "trx_1".to_owned(),
        state,
        network: Some(tua_contract::Network::Mtn),
        masked_phone: "*******567".to_owned(),
        code_attempts_left: None,
        updated_at: String::new(),
    }
}

fn news(state: Standing) -> Answer {
    Answer::Transaction { transaction: transaction(state), etag: Some("\"1\"".to_owned()), held: false }
}

fn refused(status: u16, code: ErrorCode) -> Answer {
    Answer::Refused(Problem { status, code: Some(code), ..Problem::default() })
}

fn expired(checkout: Option<SessionStanding>) -> Answer {
    Answer::Refused(Problem {
        status: 401,
        code: Some(ErrorCode::CheckoutTokenExpired),
        checkout,
        ..Problem::default()
    })
}

const DECLINED: Standing = Standing::Failed(FailureCode::CustomerRejected);
