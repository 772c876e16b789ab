//! The emulator as operators of live payments, which is not killed, and the comparison with its
//! books.

use crate::{service::Shop, verify::FinalStatuses};
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::{collections::HashMap, sync::Arc, time::Duration};
use tokio::net::TcpListener;
use tua_domain::TransactionId;
use tua_emulator::{
    Call, ClockMode, Decision, Emulator, Fault, Operator, OrderRow, Rule, Running, Settings, Speed,
};

/// How much faster than real time the emulator is.
const SPEED: &str = "50";

/// Lost responses to orders and lost callbacks, so that the outcome is often unknown at first.
const FAULTS: [&str; 4] = [
    "send=close-after,every=9",
    "payout=error-after,every=7",
    "callback=lost,every=3",
    "status=half-json,every=11",
];

/// The routes of even and of odd seeds. Together they use every connector.
const ROUTES: [&str; 2] = [
    "[routes.live]\nMTN = [\"mtn\", \"paystack\"]\nTELECEL = [\"paystack\", \"pawapay\"]\n\
     AIRTELTIGO = [\"pawapay\", \"hubtel\"]\n",
    "[routes.live]\nMTN = [\"hubtel\", \"mtn\"]\nTELECEL = [\"pawapay\", \"hubtel\"]\n\
     AIRTELTIGO = [\"paystack\", \"pawapay\"]\n",
];

/// Limits that the clients do not reach.
const LIMITS: &str = "[limits]\nsecret-key = { quota = 1000000, window = 1 }\n\
    prompt-live = { quota = 1000000, window = 1 }\n\
    prompt-daily = { quota = 1000000, window = 1 }\npasscode = { quota = 1000000, window = 1 }\n\
    passcode-phone = { quota = 1000000, window = 1 }\n";

/// A running emulator, which has the role of every live operator.
pub struct Operators(Running);

impl Operators {
    /// Starts an emulator on a port of its own.
    pub async fn start() -> Result<Self> {
        let clock = ClockMode::Running(Speed::parse(SPEED).context("a speed")?);
        let chaos =
            FAULTS.iter().map(|fault| Ok(fault.parse::<Rule>()?)).collect::<Result<Vec<_>>>()?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        Ok(Self(Emulator::start(listener, Settings { clock, chaos, ..Settings::default() })?))
    }

    /// Starts an emulator whose clock stands still, so that its orders stay pending, and without
    /// faults.
    pub async fn start_paused() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let settings = Settings { clock: ClockMode::Manual, ..Settings::default() };
        Ok(Self(Emulator::start(listener, settings)?))
    }

    /// Moves the clock of an emulator that was started with [`Self::start_paused`].
    pub fn advance(&self, by: Duration) {
        self.0.clock().advance(by);
    }

    /// Lets that clock run as fast as real time: signatures of requests have real times, and are
    /// refused by a clock that is minutes ahead.
    pub fn run_clock(self: &Arc<Self>) {
        const TICK: Duration = Duration::from_millis(100);
        let operators = Arc::downgrade(self);
        tokio::spawn(async move {
            while let Some(operators) = operators.upgrade() {
                operators.advance(TICK);
                drop(operators);
                tokio::time::sleep(TICK).await;
            }
        });
    }

    /// Loses the response to the next charge of MTN.
    pub fn lose_next_response(&self) {
        self.0.chaos().set_once(Operator::MTN_MOMO, Call::Send, Fault::CloseAfter);
    }

    /// Approves a charge at pawaPay, which calls back, but answers no question about it until
    /// [`Self::recover`].
    pub fn approve_without_answers(&self, id: &TransactionId) -> Result<()> {
        self.0.chaos().set(Operator::PAWAPAY, Call::Status, Fault::Unavailable);
        Ok(self.0.decide(Operator::PAWAPAY, &id.operator_reference(), Decision::Approve)?)
    }

    /// How often pawaPay was asked about an order.
    pub fn questions(&self) -> u64 {
        self.0.requests().of_call(Operator::PAWAPAY, Call::Status)
    }

    /// Lets every operator respond as it should, from now on.
    pub fn recover(&self) {
        self.0.chaos().clear();
    }

    /// The settings of a service that uses it. `printed` is what `tua emulate --print-config`
    /// prints for its address.
    pub fn settings(printed: &str, seed: u64) -> Result<String> {
        let (operators, _) = printed.split_once("[routes.live]").context("the routes")?;
        let routes = ROUTES[usize::from(seed % 2 == 1)];
        Ok([operators, routes, LIMITS].concat())
    }

    /// Its host and port, such as `127.0.0.1:40001`.
    pub fn address(&self) -> String {
        self.0.address().to_string()
    }

    /// Sends the callbacks to the service, as set in the operators' dashboards.
    pub fn call_back(&self, shop: &Shop) -> Result<()> {
        self.0.set_callback_url(Operator::MTN_MOMO, &shop.origin);
        for (name, operator) in [("paystack", Operator::PAYSTACK), ("pawapay", Operator::PAWAPAY)] {
            self.0.set_callback_url(operator, shop.callback_url(name)?);
        }
        Ok(())
    }

    /// Checks that every payment agrees with the books, and that each was handed over once, to one
    /// operator.
    pub fn check(&self, statuses: &FinalStatuses) -> Result<usize> {
        let mut orders: HashMap<String, OrderRow> = HashMap::new();
        for order in self.0.orders() {
            let id = TransactionId::of_written_reference(&order.reference)
                .context("a reference of the service")?;
            let id = id.as_str().to_owned();
            ensure!(
                statuses.contains_key(&id),
                "{} has an order of {id}, which nobody asked for",
                order.operator.as_str()
            );
            if let Some(other) = orders.insert(id.clone(), order) {
                bail!(
                    "{id} was handed over twice: to {} and to {}",
                    other.operator.as_str(),
                    orders[&id].operator.as_str()
                );
            }
        }
        for (id, ended) in statuses {
            check_one(id, ended, orders.get(id))?;
        }
        let paid = statuses.values().filter(|ended| ended["status"] == "SUCCESSFUL").count();
        ensure!(
            paid * 4 > statuses.len(),
            "only {paid} of {} payments succeeded: the run proves little",
            statuses.len()
        );
        Ok(orders.len())
    }
}

/// A payment succeeded if and only if the operator moved exactly its amount.
fn check_one(id: &str, ended: &Value, order: Option<&OrderRow>) -> Result<()> {
    let row = order.map(serde_json::to_value).transpose()?.unwrap_or(Value::Null);
    let ours = &ended["status"];
    let theirs = &row["state"];
    ensure!(
        (ours == "SUCCESSFUL") == (theirs == "SUCCESSFUL"),
        "{id} is {ours}, its operator has {row}"
    );
    if ours == "SUCCESSFUL" {
        let same =
            ended["amount"].as_f64() == row["amount"].as_f64() && ended["operator"].is_string();
        ensure!(same, "{id} is {ended}, its operator has {row}");
    }
    // It may wait for a review: its operator has no order and does not refuse repeated ones, or
    // reports no final failure.
    ensure!(
        ours != "PENDING" || row.is_null() || theirs == "FAILED",
        "{id} is still pending, its operator has {row}"
    );
    Ok(())
}
