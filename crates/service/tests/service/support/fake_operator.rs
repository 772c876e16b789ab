//! An operator with a memory: one order for each reference, a passcode, a decision. It can be told to
//! lose an answer after doing what was asked, or to break down in the middle.

use async_trait::async_trait;
use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard},
};
use tua_contract::{Code, FailureCode, Step, lifecycle::Observation};
use tua_service::domain::ports::{Answer, Cancelled, CodeAnswer, Operator, Order};

/// The passcode that it takes.
pub const RIGHT: &str = "2468";

/// An order, as the operator has it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Held {
    /// How often it was executed: never more than once.
    pub executed: usize,
    /// What became of it.
    pub ended: Option<Ended>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    Paid,
    Refused,
    Cancelled,
}

/// How a call goes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Mood {
    /// As it should.
    #[default]
    Well,
    /// It never comes to the operator, or the operator answers 5xx.
    Unheard,
    /// It is done, and the answer is lost on its way, or is half an answer.
    Unanswered,
    /// The connector itself panics, before or after.
    Panics,
}

#[derive(Debug, Default)]
pub struct FakeOperator {
    orders: Mutex<HashMap<String, Held>>,
    mood: Mutex<Mood>,
}

impl FakeOperator {
    /// How the calls go from now on.
    pub fn is(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    pub fn orders(&self) -> HashMap<String, Held> {
        self.held().clone()
    }

    /// The payer decides; the first decision stands.
    pub fn decide(&self, reference: &str, ended: Ended) {
        if let Some(order) = self.held().get_mut(reference) {
            order.ended = order.ended.or(Some(ended));
        }
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, Held>> {
        self.orders.lock().unwrap()
    }

    /// What is answered, in today's mood.
    fn call<T>(&self, lost: T, answer: impl FnOnce(&mut HashMap<String, Held>) -> T) -> T {
        let mood = *self.mood.lock().unwrap();
        match mood {
            Mood::Well => answer(&mut self.held()),
            Mood::Unheard => lost,
            Mood::Unanswered => {
                answer(&mut self.held());
                lost
            }
            Mood::Panics => {
                answer(&mut self.held());
                panic!("the connector met what it did not expect")
            }
        }
    }
}

fn standing(held: &Held) -> Observation {
    match held.ended {
        None => Observation::Awaits(Step::EnterOtp),
        Some(Ended::Paid) => Observation::Succeeded,
        Some(Ended::Refused) => Observation::Failed(FailureCode::CustomerRejected),
        Some(Ended::Cancelled) => Observation::Failed(FailureCode::OtpAttemptsExhausted),
    }
}

#[async_trait]
impl Operator for FakeOperator {
    fn refuses_repeats(&self) -> bool {
        true
    }

    async fn send(&self, order: &Order) -> Observation {
        self.call(Observation::Ambiguous, |orders| {
            let held = orders.entry(order.reference.clone()).or_default();
            held.executed += 1;
            standing(held)
        })
    }

    async fn submit_code(&self, reference: &str, code: &Code) -> CodeAnswer {
        self.call(CodeAnswer::Unanswered, |orders| match orders.get_mut(reference) {
            Some(held) if code.expose() == RIGHT => {
                held.ended = held.ended.or(Some(Ended::Paid));
                CodeAnswer::Accepted(standing(held))
            }
            Some(_) => CodeAnswer::Wrong,
            None => CodeAnswer::Unanswered,
        })
    }

    async fn ask(&self, reference: &str) -> Answer {
        self.call(Answer::Unanswered, |orders| match orders.get(reference) {
            Some(held) => Answer::Known(standing(held)),
            None => Answer::NeverReceived,
        })
    }

    async fn cancel(&self, reference: &str) -> Cancelled {
        self.call(Cancelled::No, |orders| match orders.get_mut(reference) {
            Some(held) if held.ended.is_none_or(|ended| ended == Ended::Cancelled) => {
                held.ended = Some(Ended::Cancelled);
                Cancelled::Yes
            }
            Some(Held { ended: Some(Ended::Refused), .. }) | None => Cancelled::Yes,
            Some(_) => Cancelled::No,
        })
    }
}
