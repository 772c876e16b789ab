//! The sandbox: an operator whose outcomes depend on the phone number
//! (docs/reference/test-mode.md).
//!
//! It behaves like a real operator: it responds to orders, persists them, sends callbacks, reports
//! the status of an order, and refuses a second order with the same reference. The status is a pure
//! function of the order and the time ([`script`]).

pub mod orders;
pub mod phone;
pub mod script;
pub mod statement;

use async_trait::async_trait;
use orders::{Received, SandboxOrders};
use script::Script;
use std::{sync::Arc, time::Duration};
use tokio::sync::{Notify, mpsc::UnboundedSender};
use tua_contract::{Code, Network, lifecycle::Observation};
use tua_domain::{
    Kind, Transfer,
    capabilities::{Capabilities, MAX_SEND_TIME, RefundCapability},
    poll_schedule::divide_delay,
    ports::{
        CallbackHint, CallbackRefusal, CallbackRequest, CancelResponse, Clock, CodeResponse,
        Operator, Order, ReadError, Receipt, RefundOrder, Report, SendPermit, SendResponse,
        SentOrder, StatusResponse, VerifiedCallback,
    },
    simulated_phone::SimulatedPhone,
    statement::period::StatementPeriod,
};

/// After this time an order that the sandbox does not know will never be executed
/// (docs/reference/test-mode.md).
const NEVER_RECEIVED_IS_FINAL_AFTER: Duration = Duration::from_secs(15 * 60);

/// The operator of test mode, which moves no money.
#[derive(Debug)]
pub struct Sandbox {
    /// Where its orders are stored: in the service's own database.
    pub orders: Arc<dyn SandboxOrders>,
    /// The time by which orders get their outcomes.
    pub clock: Arc<dyn Clock>,
    /// Divides every delay; above zero.
    pub speed: f64,
    /// Whether the simulated phone is served, so that prompts wait for a decision on it.
    pub phone: SimulatedPhone,
    /// Receives the reference of an order when its callback is due.
    pub callbacks: UnboundedSender<CallbackHint>,
    /// Notified when the simulated phone may show something else.
    pub changes: Arc<Notify>,
}

impl Sandbox {
    /// The script with the present speed, and with the simulated phone while it is served.
    fn script(&self) -> Script {
        Script { speed: self.speed, phone: self.phone.is_served() }
    }

    /// Notifies the simulated phone, and sends a callback when the order changes next, unless the
    /// script drops it. A restart drops it too, as with a real operator; then the change is found
    /// by asking.
    fn plan_callback(&self, received: &Received) {
        self.changes.notify_waiters();
        let Some(at) = self.script().calls_back_at(received, self.clock.now()) else { return };
        let clock = self.clock.clone();
        let callbacks = self.callbacks.clone();
        let reference = received.order.reference.clone();
        tokio::spawn(async move {
            clock.sleep_until(at).await;
            // Fails only while the service stops.
            let _ = callbacks.send(CallbackHint { reference });
        });
    }

    /// Takes an order or a refund, unless there is one with its reference.
    async fn receive(&self, received: Received, permit: &SendPermit) -> SendResponse {
        if !permit.is_valid() {
            return SendResponse::NotSent;
        }
        match self.orders.insert_order(received.clone()).await {
            Ok(true) => {}
            Ok(false) => return SendResponse::Duplicate,
            Err(_) => return Observation::Ambiguous.into(),
        }
        self.plan_callback(&received);
        self.report(self.script().answer_to_send(&received, self.clock.now()), &received).into()
    }

    async fn status_of(&self, reference: &str) -> StatusResponse {
        match self.orders.find_order(reference).await {
            Ok(Some(received)) => StatusResponse::Known(
                self.report(self.script().stands_at(&received, self.clock.now()), &received),
            ),
            Ok(None) => StatusResponse::NeverReceived,
            Err(_) => StatusResponse::Unanswered,
        }
    }

    /// What the sandbox reports of an order that it has.
    fn report(&self, observation: Observation, received: &Received) -> Report {
        let is_paid = observation == Observation::Succeeded;
        let reverses_at = self.script().reverses_at(received).filter(|_| is_paid);
        Report::new(observation)
            .with_receipt(Receipt::of(received.order.transfer.amount))
            .with_question_at(reverses_at)
    }
}

#[async_trait]
impl Operator for Sandbox {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            refuses_repeats: true,
            max_send_time: divide_delay(MAX_SEND_TIME, self.speed).unsigned_abs(),
            never_received_is_final_after: Some(NEVER_RECEIVED_IS_FINAL_AFTER),
            has_codes: true,
            has_statements: true,
            cancels: Kind::ALL.to_vec(),
            refunds: RefundCapability::Partial { within: None },
            ..Capabilities::serving(&Network::ALL, Kind::ALL)
        }
    }

    async fn send(&self, order: &Order, permit: &SendPermit) -> SendResponse {
        self.receive(Received::new(order.clone(), self.clock.now()), permit).await
    }

    async fn submit_code(&self, order: &SentOrder, code: &Code) -> CodeResponse {
        if !script::is_right(code) {
            return CodeResponse::Wrong;
        }
        match self.orders.accept_code(&order.reference, self.clock.now()).await {
            Ok(Some(received)) => {
                self.plan_callback(&received);
                CodeResponse::Accepted(
                    self.report(self.script().stands_at(&received, self.clock.now()), &received),
                )
            }
            Ok(None) => CodeResponse::Wrong,
            Err(_) => CodeResponse::Unanswered,
        }
    }

    async fn query_status(&self, order: &SentOrder) -> StatusResponse {
        self.status_of(&order.reference).await
    }

    async fn cancel(&self, order: &SentOrder) -> CancelResponse {
        match self.orders.cancel(&order.reference, self.clock.now()).await {
            Ok(true) => {
                self.changes.notify_waiters();
                CancelResponse::Confirmed
            }
            Ok(false) | Err(_) => CancelResponse::NotConfirmed,
        }
    }

    async fn refund(&self, refund: &RefundOrder, permit: &SendPermit) -> SendResponse {
        let order = Order {
            reference: refund.reference.clone(),
            transfer: Transfer {
                kind: Kind::Payout,
                amount: refund.amount,
                ..refund.charge.transfer.clone()
            },
            merchant: String::new(),
            message: None,
            email: None,
        };
        self.receive(Received::new(order, self.clock.now()).as_refund(), permit).await
    }

    async fn query_refund_status(&self, refund: &RefundOrder) -> StatusResponse {
        self.status_of(&refund.reference).await
    }

    async fn statement(&self, period: &StatementPeriod, _: Duration) -> Result<Vec<u8>, ReadError> {
        let received =
            self.orders.orders_received(statement::received_in(period), statement::MAX_ORDERS + 1);
        let orders = received.await.map_err(|error| ReadError::Unanswered(error.to_string()))?;
        statement::write(self.script(), &orders, period, self.clock.now())
    }

    /// The sandbox runs in this process, and reports changes by its channel.
    async fn verify_callback(
        &self,
        _: &CallbackRequest,
    ) -> Result<VerifiedCallback, CallbackRefusal> {
        Err(CallbackRefusal::Unreadable)
    }
}
