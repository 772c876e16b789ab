//! An operator that does as a test tells it, and counts what it is told.

use crate::support::eventually;
use async_trait::async_trait;
use std::{
    collections::HashMap,
    fmt,
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};
use tokio::sync::Notify;
use tua_contract::{Code, Network, lifecycle::Observation};
use tua_service::domain::ports::{Answer, Cancelled, CodeAnswer, Operator, Operators, Order};

/// What is said the first, second, … time about a reference; `None` is never.
type Line<T> = Box<dyn Fn(usize) -> Option<T> + Send + Sync>;

/// A scripted operator: prompts the payer, and nothing more happens, until it is told otherwise.
pub struct ScriptedOperator {
    send: Line<Observation>,
    ask: Line<Answer>,
    code: Line<CodeAnswer>,
    cancel: Line<Cancelled>,
    /// Sends are answered only once this is notified.
    gate: Option<Arc<Notify>>,
    /// Whether it refuses a reference that it has seen.
    pub refuses_repeats: bool,
    calls: Mutex<HashMap<(&'static str, String), usize>>,
    asking: AtomicUsize,
    most_asking: AtomicUsize,
}

impl ScriptedOperator {
    pub fn new() -> Self {
        use tua_contract::Step::ApproveOnPhone;
        Self {
            send: Box::new(|_| Some(Observation::Awaits(ApproveOnPhone))),
            ask: Box::new(|_| Some(Answer::Known(Observation::StillPending))),
            code: Box::new(|_| Some(CodeAnswer::Wrong)),
            cancel: Box::new(|_| Some(Cancelled::Yes)),
            gate: None,
            refuses_repeats: true,
            calls: Mutex::default(),
            asking: AtomicUsize::new(0),
            most_asking: AtomicUsize::new(0),
        }
    }

    pub fn sends(mut self, line: impl Fn(usize) -> Option<Observation> + Send + Sync + 'static) -> Self {
        self.send = Box::new(line);
        self
    }

    pub fn asks(mut self, line: impl Fn(usize) -> Option<Answer> + Send + Sync + 'static) -> Self {
        self.ask = Box::new(line);
        self
    }

    pub fn codes(mut self, line: impl Fn(usize) -> Option<CodeAnswer> + Send + Sync + 'static) -> Self {
        self.code = Box::new(line);
        self
    }

    pub fn cancels(mut self, line: impl Fn(usize) -> Option<Cancelled> + Send + Sync + 'static) -> Self {
        self.cancel = Box::new(line);
        self
    }

    pub fn gated(mut self, gate: Arc<Notify>) -> Self {
        self.gate = Some(gate);
        self
    }

    /// For [`crate::support::TestApp`]: this operator behind test mode.
    pub fn behind_test(self: &Arc<Self>) -> impl FnOnce(Operators) -> Operators + use<> {
        let operator = self.clone();
        |operators| operators.with_test(operator)
    }

    /// For [`crate::support::TestApp`]: this operator behind live mode, on MTN.
    pub fn behind_live(self: &Arc<Self>) -> impl FnOnce(Operators) -> Operators + use<> {
        let operator = self.clone();
        |operators| operators.with_live(Network::Mtn, operator)
    }

    /// How often each reference was sent, asked about and so on.
    pub fn each(&self, call: &'static str) -> Vec<usize> {
        let calls = self.calls.lock().unwrap();
        calls.iter().filter(|((name, _), _)| *name == call).map(|(_, count)| *count).collect()
    }

    /// How often this was done, over all references.
    pub fn count(&self, call: &'static str) -> usize {
        self.each(call).iter().sum()
    }

    /// How many questions were under way at the same time, at the most.
    pub fn most_asking(&self) -> usize {
        self.most_asking.load(Ordering::SeqCst)
    }

    /// Returns once this was done so often, ten seconds at the most.
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

impl fmt::Debug for ScriptedOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ScriptedOperator")
    }
}

#[async_trait]
impl Operator for ScriptedOperator {
    fn refuses_repeats(&self) -> bool {
        self.refuses_repeats
    }

    async fn send(&self, order: &Order) -> Observation {
        let time = self.note("send", &order.reference);
        if let Some(gate) = &self.gate {
            gate.notified().await;
        }
        said((self.send)(time)).await
    }

    async fn submit_code(&self, reference: &str, _: &Code) -> CodeAnswer {
        said((self.code)(self.note("code", reference))).await
    }

    async fn ask(&self, reference: &str) -> Answer {
        let time = self.note("ask", reference);
        let asking = self.asking.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_asking.fetch_max(asking, Ordering::SeqCst);
        let answer = said((self.ask)(time)).await;
        self.asking.fetch_sub(1, Ordering::SeqCst);
        answer
    }

    async fn cancel(&self, reference: &str) -> Cancelled {
        said((self.cancel)(self.note("cancel", reference))).await
    }
}

async fn said<T>(line: Option<T>) -> T {
    match line {
        Some(line) => line,
        None => pending().await,
    }
}
