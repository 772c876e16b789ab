//! An operator with every behaviour that operators' documents allow: it is slow, loses responses,
//! does not find orders that it has, refuses repeats, and decides late.

use crate::{
    books::{Arrival, Standing},
    coverage::Happening,
    world::{ScheduledEvent, World},
};
use async_trait::async_trait;
use std::{sync::Arc, time::Duration};
use tua_contract::{Code, FailureCode, Network, Step, lifecycle::Observation};
use tua_domain::{
    Kind,
    capabilities::{Capabilities, RefundCapability},
    ports::{
        CallbackRefusal, CallbackRequest, CallbackSubject, CancelResponse, Clock, CodeResponse,
        Operator, Order, ReadError, Receipt, Report, SendPermit, SendResponse, SentOrder,
        StatusResponse, Verification, VerifiedCallback,
    },
};

/// After this time AT Money reports as never received only what it will not execute.
const NEVER_RECEIVED_IS_FINAL_AFTER: Duration = Duration::from_secs(10 * 60);

/// Whether an operator documents that it refuses a second order with the same reference.
#[must_use]
pub const fn refuses_repeats(network: Network) -> bool {
    !matches!(network, Network::Telecel)
}

/// The operator of one network.
#[derive(Debug)]
pub struct SimulatedOperator {
    /// The network that it serves.
    pub network: Network,
    /// Where its orders are, and what decides about its faults.
    pub world: Arc<World>,
}

/// What a report responds to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reported {
    /// The order was sent.
    Send,
    /// Its status was queried.
    Status,
}

/// Counts a call as under way until it is dropped.
struct Call<'a>(&'a World);

impl<'a> Call<'a> {
    fn begin(world: &'a World) -> Self {
        world.lock().calls += 1;
        Self(world)
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.0.lock().calls -= 1;
    }
}

impl SimulatedOperator {
    async fn wait(&self, from_ms: u64, to_ms: u64) {
        let time = self.world.between(from_ms, to_ms);
        self.world.clock.sleep_until_uptime(self.world.clock.uptime() + time).await;
        // The order in which tasks go on that could go on together.
        let yields = self.world.lock().random.u32(..3);
        for _ in 0..yields {
            tokio::task::yield_now().await;
        }
    }

    /// The report about an order that it has, in the response to `call`. A refusal of one of several
    /// sends is about this send alone: it does not show that the operator has the order.
    fn report(&self, reference: &str, call: Reported) -> Option<Report> {
        let uptime = self.world.clock.uptime();
        let mut state = self.world.lock();
        let is_repeat = state.sends.may_be_repeated(reference);
        let order = state.books.get_mut(reference)?;
        let is_refusal = matches!(order.standing, Standing::Refused);
        if !(call == Reported::Send && is_repeat && is_refusal) {
            order.acknowledged_at.get_or_insert(uptime);
        }
        Some(match order.standing {
            Standing::Waiting if order.kind == Kind::Charge => {
                Report::new(Observation::Awaits(Step::ApproveOnPhone))
            }
            Standing::Waiting => Report::new(Observation::StillPending),
            Standing::Executed => {
                Report::new(Observation::Succeeded).with_receipt(Receipt::of(order.amount))
            }
            Standing::Refused => Report::new(Observation::Failed(FailureCode::CustomerRejected)),
        })
    }
}

impl SimulatedOperator {
    /// Takes an order, or loses it.
    async fn take(&self, order: &Order, permit: &SendPermit) -> SendResponse {
        let _call = Call::begin(&self.world);
        let sent_at = self.world.clock.uptime();
        let deadline = sent_at + permit.remaining().unsigned_abs();
        self.wait(5, 400).await;
        if self.world.fails("connection stalled", 3) {
            self.wait(10_000, 40_000).await;
        }
        let is_refused =
            self.world.is_out(self.network) || self.world.fails("connection refused", 4);
        if !permit.is_valid() || is_refused {
            return SendResponse::NotSent;
        }
        self.world.record_send(&order.reference, deadline);
        let is_repeat = self.world.lock().books.get(&order.reference).is_some();
        let refuses = if is_repeat { 25 } else { 2 };
        if self.world.fails("send refused", refuses) {
            self.wait(5, 3_000).await;
            // Some look at the balance before they see that they have the order.
            let asks_balance = is_repeat && self.world.lock().random.bool();
            let code = if asks_balance {
                FailureCode::InsufficientFunds
            } else {
                FailureCode::OperatorRefused
            };
            return Observation::Failed(code).into();
        }
        if self.world.fails("order lost", 8) {
            self.wait(100, 40_000).await;
            return Observation::Ambiguous.into();
        }
        let left = u64::try_from(permit.remaining().as_millis()).unwrap_or(0);
        let is_late = self.world.fails("order late", 8);
        let after = self.world.between(1, if is_late { left.max(1) } else { 100.min(left.max(1)) });
        let send = self.world.lock().next_send();
        let arrival = ScheduledEvent::Arrive {
            send,
            sent_at,
            reference: order.reference.clone(),
            transfer: order.transfer.clone(),
        };
        self.world.plan(after, arrival);
        let arrives_at = self.world.clock.uptime() + after + Duration::from_millis(1);
        self.world.clock.sleep_until_uptime(arrives_at).await;
        self.wait(5, 3_000).await;
        if self.world.fails("response of the operator lost", 12) {
            self.wait(100, 40_000).await;
            return Observation::Ambiguous.into();
        }
        if self.world.fails("response slow", 10) {
            self.wait(1_000, 29_000).await;
        }
        let arrived = self.world.lock().arrivals.get(&send).copied();
        match arrived {
            Some(Arrival::Duplicate) => SendResponse::Duplicate,
            Some(_) => match self.report(&order.reference, Reported::Send) {
                Some(report) => report.into(),
                None => Observation::Ambiguous.into(),
            },
            None => Observation::Ambiguous.into(),
        }
    }

    /// Answers a status query, or does not.
    async fn answer(&self, order: &SentOrder) -> StatusResponse {
        let _call = Call::begin(&self.world);
        self.wait(5, 2_000).await;
        if self.world.is_out(self.network) || self.world.fails("status unanswered", 12) {
            self.wait(100, 40_000).await;
            return StatusResponse::Unanswered;
        }
        if self.world.fails("status slow", 8) {
            self.wait(1_000, 27_000).await;
        }
        let uptime = self.world.clock.uptime();
        let may_be_denied = {
            let state = self.world.lock();
            state.books.get(&order.reference).is_none_or(|order| order.may_be_denied(uptime))
        };
        // Some of its machines find the order.
        if may_be_denied && self.world.lock().random.u32(..4) > 0 {
            return StatusResponse::NeverReceived;
        }
        match self.report(&order.reference, Reported::Status) {
            Some(report) => StatusResponse::Known(report),
            None => StatusResponse::NeverReceived,
        }
    }
}

#[async_trait]
impl Operator for SimulatedOperator {
    fn capabilities(&self) -> Capabilities {
        let is_final = self.network == Network::AirtelTigo;
        Capabilities {
            refuses_repeats: refuses_repeats(self.network),
            never_received_is_final_after: is_final.then_some(NEVER_RECEIVED_IS_FINAL_AFTER),
            refunds: RefundCapability::None,
            ..Capabilities::serving(&[self.network], Kind::ALL)
        }
    }

    async fn send(&self, order: &Order, permit: &SendPermit) -> SendResponse {
        self.world.lock().sends.begin(&order.reference);
        let response = self.take(order, permit).await;
        let happening = match &response {
            SendResponse::NotSent => {
                self.world.lock().sends.end_unwritten(&order.reference);
                Happening::SendNotSent
            }
            SendResponse::Duplicate => Happening::SendDuplicate,
            SendResponse::Observed(report) => match report.observation {
                Observation::Ambiguous => Happening::SendUnanswered,
                Observation::Failed(
                    FailureCode::OperatorRefused | FailureCode::InsufficientFunds,
                ) => Happening::SendRefused,
                _ => Happening::SendAnswered,
            },
        };
        self.world.happens(&order.reference, happening);
        response
    }

    async fn submit_code(&self, _: &SentOrder, _: &Code) -> CodeResponse {
        CodeResponse::Unanswered
    }

    async fn query_status(&self, order: &SentOrder) -> StatusResponse {
        let response = self.answer(order).await;
        let happening = match &response {
            StatusResponse::Unanswered => Happening::StatusUnanswered,
            StatusResponse::NeverReceived => Happening::StatusNeverReceived,
            StatusResponse::Known(report) => match report.observation {
                Observation::Succeeded | Observation::Failed(_) => Happening::StatusFinal,
                _ => Happening::StatusPending,
            },
        };
        self.world.happens(&order.reference, happening);
        response
    }

    async fn probe(&self, _: Kind) -> Result<(), ReadError> {
        let _call = Call::begin(&self.world);
        self.wait(5, 2_000).await;
        if self.world.is_out(self.network) || self.world.fails("probe unanswered", 20) {
            return Err(ReadError::Unanswered("no response".to_owned()));
        }
        Ok(())
    }

    async fn cancel(&self, _: &SentOrder) -> CancelResponse {
        CancelResponse::NotConfirmed
    }

    /// The body of its callbacks is our reference.
    async fn verify_callback(
        &self,
        request: &CallbackRequest,
    ) -> Result<VerifiedCallback, CallbackRefusal> {
        let reference =
            String::from_utf8(request.body.clone()).map_err(|_| CallbackRefusal::Unreadable)?;
        let subject = CallbackSubject::Order { reference, claim: None };
        Ok(VerifiedCallback::new(Verification::SecretPathAlone, subject))
    }
}
