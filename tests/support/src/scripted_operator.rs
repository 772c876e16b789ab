//! An operator with scripted responses, which counts its calls.

use crate::eventually;
use async_trait::async_trait;
use std::{
    collections::HashMap,
    fmt,
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::sync::Notify;
use tua_contract::{Code, Network, lifecycle::Observation};
use tua_domain::{
    Kind, TransactionId, Transfer,
    capabilities::{Availability, Capabilities, RefundCapability},
    operator_transaction_id::OperatorTransactionId,
    ports::{
        CallbackRefusal, CallbackRequest, CallbackSubject, CancelResponse, CodeResponse, Operator,
        Order, ReadError, Receipt, RefundOrder, Report, SendPermit, SendResponse, SentOrder,
        StatusResponse, Verification, VerifiedCallback,
    },
    routing::Operators,
};

/// The response to the first, second, … call for a reference; `None` never returns.
type Script<T> = Box<dyn Fn(usize) -> Option<T> + Send + Sync>;

/// By default it prompts the payer, and the order stays pending.
pub struct ScriptedOperator {
    send: Script<SendResponse>,
    ask: Script<StatusResponse>,
    code: Script<CodeResponse>,
    cancel: Script<CancelResponse>,
    /// Sends return when this is notified.
    gate: Option<Arc<Notify>>,
    /// Whether only the first send for a reference waits for the gate.
    is_first_gated: bool,
    /// The code with this number returns when this is notified.
    code_gate: Option<(usize, Arc<Notify>)>,
    /// The status query with this number returns when this is notified.
    query_gate: Option<(usize, Arc<Notify>)>,
    /// Whether it rejects a reference that it has received before.
    pub refuses_repeats: bool,
    /// When its "never received" becomes final.
    pub never_received_is_final_after: Option<Duration>,
    /// What it can do to return the money of a charge. It responds to refunds as to sends.
    refunds: RefundCapability,
    /// Our references by its own ids of charges; `None`: it cannot look charges up.
    ids: Option<Mutex<HashMap<String, String>>>,
    /// Whether it reports that it is down.
    pub is_down: AtomicBool,
    calls: Mutex<HashMap<(&'static str, String), usize>>,
    asking: AtomicUsize,
    max_concurrent_queries: AtomicUsize,
}

impl ScriptedOperator {
    /// An operator that prompts the payer, and whose orders stay pending.
    pub fn new() -> Self {
        use tua_contract::Step::ApproveOnPhone;
        Self {
            send: Box::new(|_| Some(Observation::Awaits(ApproveOnPhone).into())),
            ask: Box::new(|_| Some(StatusResponse::known(Observation::StillPending))),
            code: Box::new(|_| Some(CodeResponse::Wrong)),
            cancel: Box::new(|_| Some(CancelResponse::Confirmed)),
            gate: None,
            is_first_gated: false,
            code_gate: None,
            query_gate: None,
            refuses_repeats: true,
            never_received_is_final_after: None,
            refunds: RefundCapability::None,
            ids: None,
            is_down: AtomicBool::new(false),
            calls: Mutex::default(),
            asking: AtomicUsize::new(0),
            max_concurrent_queries: AtomicUsize::new(0),
        }
    }

    /// It responds to orders with these observations.
    pub fn sends(
        self,
        script: impl Fn(usize) -> Option<Observation> + Send + Sync + 'static,
    ) -> Self {
        self.responds(move |time| script(time).map(SendResponse::from))
    }

    /// It responds to orders with these responses.
    pub fn responds(
        mut self,
        script: impl Fn(usize) -> Option<SendResponse> + Send + Sync + 'static,
    ) -> Self {
        self.send = Box::new(script);
        self
    }

    /// It responds to queries of a status.
    pub fn asks(
        mut self,
        script: impl Fn(usize) -> Option<StatusResponse> + Send + Sync + 'static,
    ) -> Self {
        self.ask = Box::new(script);
        self
    }

    /// It responds to codes.
    pub fn codes(
        mut self,
        script: impl Fn(usize) -> Option<CodeResponse> + Send + Sync + 'static,
    ) -> Self {
        self.code = Box::new(script);
        self
    }

    /// It responds to cancellations.
    pub fn cancels(
        mut self,
        script: impl Fn(usize) -> Option<CancelResponse> + Send + Sync + 'static,
    ) -> Self {
        self.cancel = Box::new(script);
        self
    }

    /// It can look charges up by its own ids; see [`Self::name`].
    pub fn finding(mut self) -> Self {
        self.ids = Some(Mutex::default());
        self
    }

    /// Gives a transaction an id of its own, under which it finds it.
    pub fn name(&self, transaction: &str, id: &str) {
        let reference = TransactionId::new(transaction).operator_reference();
        self.ids.as_ref().unwrap().lock().unwrap().insert(id.to_owned(), reference);
    }

    /// It can return the money of a charge in this way.
    pub fn refunding(mut self, refunds: RefundCapability) -> Self {
        self.refunds = refunds;
        self
    }

    /// Its responses to orders wait until the gate is notified.
    pub fn gated(mut self, gate: Arc<Notify>) -> Self {
        self.gate = Some(gate);
        self
    }

    /// As [`Self::gated`], but only the first send for a reference waits.
    pub fn first_gated(mut self, gate: Arc<Notify>) -> Self {
        self.is_first_gated = true;
        self.gated(gate)
    }

    /// The `number`th code returns when the gate is notified.
    pub fn gated_code(mut self, number: usize, gate: Arc<Notify>) -> Self {
        self.code_gate = Some((number, gate));
        self
    }

    /// The `number`th status query returns when the gate is notified.
    pub fn gated_query(mut self, number: usize, gate: Arc<Notify>) -> Self {
        self.query_gate = Some((number, gate));
        self
    }

    /// For [`crate::TestApp`]: this operator serves test mode.
    pub fn behind_test(self: &Arc<Self>) -> impl FnOnce(Operators) -> Operators + use<> {
        let operator = self.clone();
        |operators| operators.with_test(operator)
    }

    /// For [`crate::TestApp`]: this operator serves MTN in live mode.
    pub fn behind_live(self: &Arc<Self>) -> impl FnOnce(Operators) -> Operators + use<> {
        let operator = self.clone();
        |operators| operators.with_live(Network::Mtn, operator)
    }

    /// The number of these calls for each reference.
    pub fn each(&self, call: &'static str) -> Vec<usize> {
        let calls = self.calls.lock().unwrap();
        calls.iter().filter(|((name, _), _)| *name == call).map(|(_, count)| *count).collect()
    }

    /// The number of these calls for all references.
    pub fn count(&self, call: &'static str) -> usize {
        self.each(call).iter().sum()
    }

    /// The highest number of concurrent queries.
    pub fn max_concurrent_queries(&self) -> usize {
        self.max_concurrent_queries.load(Ordering::SeqCst)
    }

    /// Waits for this number of calls, at most ten seconds.
    pub async fn called(&self, call: &'static str, times: usize) {
        eventually(call, async || self.count(call) >= times).await;
    }

    fn note(&self, call: &'static str, reference: &str) -> usize {
        let mut calls = self.calls.lock().unwrap();
        let count = calls.entry((call, reference.to_owned())).or_default();
        *count += 1;
        *count
    }
}

impl Default for ScriptedOperator {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ScriptedOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ScriptedOperator")
    }
}

#[async_trait]
impl Operator for ScriptedOperator {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            refuses_repeats: self.refuses_repeats,
            never_received_is_final_after: self.never_received_is_final_after,
            finds_charges_by_own_id: self.ids.is_some(),
            refunds: self.refunds,
            has_one_refund_at_a_time: true,
            ..Capabilities::serving(&Network::ALL, Kind::ALL)
        }
    }

    fn availability(&self, _: Network, _: Kind) -> Availability {
        if self.is_down.load(Ordering::SeqCst) {
            Availability::Down
        } else {
            Availability::Operational
        }
    }

    async fn send(&self, order: &Order, permit: &SendPermit) -> SendResponse {
        if !permit.is_valid() {
            return SendResponse::NotSent;
        }
        let time = self.note("send", &order.reference);
        if let Some(gate) = self.gate.as_ref().filter(|_| time == 1 || !self.is_first_gated) {
            gate.notified().await;
        }
        match respond((self.send)(time)).await {
            SendResponse::Observed(report) => {
                SendResponse::Observed(complete(report, &order.transfer))
            }
            response => response,
        }
    }

    async fn submit_code(&self, order: &SentOrder, _: &Code) -> CodeResponse {
        let time = self.note("code", &order.reference);
        if let Some((_, gate)) = self.code_gate.as_ref().filter(|(number, _)| *number == time) {
            gate.notified().await;
        }
        match respond((self.code)(time)).await {
            CodeResponse::Accepted(report) => {
                CodeResponse::Accepted(complete(report, &order.transfer))
            }
            response => response,
        }
    }

    async fn query_status(&self, order: &SentOrder) -> StatusResponse {
        let time = self.note("ask", &order.reference);
        let asking = self.asking.fetch_add(1, Ordering::SeqCst) + 1;
        self.max_concurrent_queries.fetch_max(asking, Ordering::SeqCst);
        if let Some((_, gate)) = self.query_gate.as_ref().filter(|(number, _)| *number == time) {
            gate.notified().await;
        }
        let answer = respond((self.ask)(time)).await;
        self.asking.fetch_sub(1, Ordering::SeqCst);
        match answer {
            StatusResponse::Known(report) => {
                StatusResponse::Known(complete(report, &order.transfer))
            }
            answer => answer,
        }
    }

    async fn cancel(&self, order: &SentOrder) -> CancelResponse {
        respond((self.cancel)(self.note("cancel", &order.reference))).await
    }

    async fn find_charge(&self, id: &OperatorTransactionId) -> Result<Option<String>, ReadError> {
        self.note("find", id.as_str());
        let ids = self.ids.as_ref().ok_or(ReadError::Unsupported)?;
        Ok(ids.lock().unwrap().get(id.as_str()).cloned())
    }

    async fn refund(&self, refund: &RefundOrder, permit: &SendPermit) -> SendResponse {
        if !permit.is_valid() {
            return SendResponse::NotSent;
        }
        let transfer = Transfer { amount: refund.amount, ..refund.charge.transfer.clone() };
        match respond((self.send)(self.note("refund", &refund.reference))).await {
            SendResponse::Observed(report) => SendResponse::Observed(complete(report, &transfer)),
            response => response,
        }
    }

    async fn query_refund_status(&self, refund: &RefundOrder) -> StatusResponse {
        let transfer = Transfer { amount: refund.amount, ..refund.charge.transfer.clone() };
        match respond((self.ask)(self.note("ask_refund", &refund.reference))).await {
            StatusResponse::Known(report) => StatusResponse::Known(complete(report, &transfer)),
            answer => answer,
        }
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

/// A scripted report with a receipt for exactly what was asked, unless the script has one of its
/// own.
fn complete(report: Report, asked: &Transfer) -> Report {
    let receipt = report.receipt.clone().unwrap_or_else(|| Receipt::of(asked.amount));
    report.with_receipt(receipt)
}

async fn respond<T>(response: Option<T>) -> T {
    match response {
        Some(response) => response,
        None => pending().await,
    }
}
