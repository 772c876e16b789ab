//! An operator that keeps orders: one for each reference, with a passcode and a decision. It can
//! lose requests and responses, and panic.

use async_trait::async_trait;
use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard},
};
use tua_contract::{Amount, Code, FailureCode, Network, Step, lifecycle::Observation};
use tua_domain::{
    Kind,
    capabilities::Capabilities,
    ports::{
        Balance, CallbackRefusal, CallbackRequest, CancelResponse, CodeResponse, Operator, Order,
        ReadError, Receipt, Report, SendPermit, SendResponse, SentOrder, StatusResponse,
        VerifiedCallback,
    },
};

/// The passcode that it accepts.
pub const CORRECT_CODE: &str = "2468";

/// An order as the operator stores it.
#[derive(Clone, Copy, Default, Debug)]
pub struct HeldOrder {
    /// How often it was executed. It must never be more than once.
    pub executed: usize,
    /// Its outcome, when it has one.
    pub outcome: Option<OrderOutcome>,
}

/// The final status of an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrderOutcome {
    /// The payer has paid.
    Paid,
    /// The payer has rejected it.
    Rejected,
    /// The service has cancelled it.
    Cancelled,
}

/// How calls to the operator fail, if they do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum FailureMode {
    /// They do not fail.
    #[default]
    Normal,
    /// The operator does not receive the request, or responds with a 5xx.
    RequestLost,
    /// The operator executes the request, and its response is lost or truncated.
    ResponseLost,
    /// The connector panics after the operator has executed the request.
    Panic,
}

/// An operator that has no orders at first, and an empty balance.
#[derive(Debug, Default)]
pub struct FakeOperator {
    orders: Mutex<HashMap<String, HeldOrder>>,
    mode: Mutex<FailureMode>,
    balance: Mutex<BalanceState>,
}

/// The money for payouts, in pesewas, and how often it was read.
#[derive(Clone, Copy, Default, Debug)]
struct BalanceState {
    pesewas: i64,
    reads: usize,
}

impl FakeOperator {
    /// How calls fail from now on.
    pub fn set_failure(&self, mode: FailureMode) {
        *self.mode.lock().unwrap() = mode;
    }

    /// The money for payouts from now on, in pesewas.
    pub fn set_balance(&self, pesewas: i64) {
        self.balance.lock().unwrap().pesewas = pesewas;
    }

    /// How often the balance was read.
    pub fn balance_reads(&self) -> usize {
        self.balance.lock().unwrap().reads
    }

    /// The orders by their reference.
    pub fn orders(&self) -> HashMap<String, HeldOrder> {
        self.held().clone()
    }

    /// The payer's decision. Only the first one counts.
    pub fn decide(&self, reference: &str, outcome: OrderOutcome) {
        if let Some(order) = self.held().get_mut(reference) {
            order.outcome = order.outcome.or(Some(outcome));
        }
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, HeldOrder>> {
        self.orders.lock().unwrap()
    }

    /// Applies the failure mode to a call.
    fn call<T>(&self, lost: T, answer: impl FnOnce(&mut HashMap<String, HeldOrder>) -> T) -> T {
        let mode = *self.mode.lock().unwrap();
        match mode {
            FailureMode::Normal => answer(&mut self.held()),
            FailureMode::RequestLost => lost,
            FailureMode::ResponseLost => {
                answer(&mut self.held());
                lost
            }
            FailureMode::Panic => {
                answer(&mut self.held());
                panic!("planned panic of the connector")
            }
        }
    }
}

/// A report of an order for this amount.
pub fn confirmed(observation: Observation, amount: Amount) -> Report {
    Report::new(observation).with_receipt(Receipt::of(amount))
}

fn observation(held: &HeldOrder) -> Observation {
    match held.outcome {
        None => Observation::Awaits(Step::EnterOtp),
        Some(OrderOutcome::Paid) => Observation::Succeeded,
        Some(OrderOutcome::Rejected) => Observation::Failed(FailureCode::CustomerRejected),
        Some(OrderOutcome::Cancelled) => Observation::Failed(FailureCode::OtpAttemptsExhausted),
    }
}

#[async_trait]
impl Operator for FakeOperator {
    fn capabilities(&self) -> Capabilities {
        Capabilities { refuses_repeats: true, ..Capabilities::serving(&Network::ALL, Kind::ALL) }
    }

    async fn send(&self, order: &Order, _: &SendPermit) -> SendResponse {
        self.call(Observation::Ambiguous.into(), |orders| {
            let held = orders.entry(order.reference.clone()).or_default();
            held.executed += 1;
            confirmed(observation(held), order.transfer.amount).into()
        })
    }

    async fn submit_code(&self, order: &SentOrder, code: &Code) -> CodeResponse {
        self.call(CodeResponse::Unanswered, |orders| match orders.get_mut(&order.reference) {
            Some(held) if code.expose() == CORRECT_CODE => {
                held.outcome = held.outcome.or(Some(OrderOutcome::Paid));
                CodeResponse::Accepted(confirmed(observation(held), order.transfer.amount))
            }
            Some(_) => CodeResponse::Wrong,
            None => CodeResponse::Unanswered,
        })
    }

    async fn query_status(&self, order: &SentOrder) -> StatusResponse {
        self.call(StatusResponse::Unanswered, |orders| match orders.get(&order.reference) {
            Some(held) => {
                StatusResponse::Known(confirmed(observation(held), order.transfer.amount))
            }
            None => StatusResponse::NeverReceived,
        })
    }

    async fn cancel(&self, order: &SentOrder) -> CancelResponse {
        self.call(CancelResponse::NotConfirmed, |orders| match orders.get_mut(&order.reference) {
            Some(held) if held.outcome.is_none_or(|outcome| outcome == OrderOutcome::Cancelled) => {
                held.outcome = Some(OrderOutcome::Cancelled);
                CancelResponse::Confirmed
            }
            Some(HeldOrder { outcome: Some(OrderOutcome::Rejected), .. }) | None => {
                CancelResponse::Confirmed
            }
            Some(_) => CancelResponse::NotConfirmed,
        })
    }

    async fn balances(&self) -> Result<Vec<Balance>, ReadError> {
        let mut state = self.balance.lock().unwrap();
        state.reads += 1;
        let account = "disbursement".to_owned();
        let currency = "GHS".to_owned();
        Ok(vec![Balance { account, minor_units: state.pesewas, currency, pays_out: true }])
    }

    async fn verify_callback(
        &self,
        _: &CallbackRequest,
    ) -> Result<VerifiedCallback, CallbackRefusal> {
        Err(CallbackRefusal::Unreadable)
    }
}
