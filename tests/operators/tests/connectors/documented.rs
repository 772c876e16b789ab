//! Every documented status and error, over the emulator. The rows of each connector are compared
//! with its page in `docs/operators` and with its modules: a code that is in one of them only is a
//! fault.

use super::rig::{CallbackReceiver, Rig, amount, sent};
use std::{collections::BTreeSet, fs, path::Path};
use tua_contract::{
    FailureCode,
    lifecycle::{Observation, Step},
};
use tua_domain::ports::{
    CallbackSubject, Operator, Order, RefundOrder, SendResponse, SentOrder, StatusResponse,
};
use tua_emulator::{Call, Decision, Failure, Fault, Operator as Emulated};

/// Where a code stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Via {
    /// The order is accepted: no fault.
    Sent,
    /// An error in answer to the order.
    Refusal,
    /// A status in answer to the order.
    SentStatus,
    /// An error in answer to a status read.
    ReadRefusal,
    /// A status in answer to a status read.
    Status,
    /// The answer to a status read about an order that the operator does not have.
    Missing,
    /// The reason of an order that has failed, which its status names.
    Reason,
    /// The code of a callback about an order that has failed.
    Callback,
    /// HTTP 429 to the order.
    TooMany,
    /// HTTP 403 with HTML to the order, as to an address that is not listed.
    OffList,
    /// Every credential is refused.
    Revoked,
}

/// What a connector makes of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// What is known of the order.
    Is(Observation),
    /// The order is there already.
    Duplicate,
    /// No byte of the order was sent, so it may be sent again.
    NotSent,
    /// The operator does not have the order.
    NeverReceived,
    /// The response says nothing.
    Unanswered,
    /// The failure that a callback claims.
    Claim(Option<FailureCode>),
    /// The operator does not document the code here.
    None,
}

pub use Outcome::{Claim, Duplicate, Is, NeverReceived, NotSent, Unanswered};

pub const AMBIGUOUS: Outcome = Is(Observation::Ambiguous);
pub const APPROVE: Outcome = Is(Observation::Awaits(Step::ApproveOnPhone));
pub const PENDING: Outcome = Is(Observation::StillPending);
pub const WAIT: Outcome = Is(Observation::Awaits(Step::Wait));
pub const PAID: Outcome = Is(Observation::Succeeded);
pub const REVERSED: Outcome = Is(Observation::Reversed);

pub const fn failed(code: FailureCode) -> Outcome {
    Is(Observation::Failed(code))
}

/// A code, and what becomes of a charge, a payout and a refund.
pub type Row = (&'static str, Via, [Outcome; 3]);

/// Tells which names in a page or module are codes.
pub struct Sources<'a> {
    /// The page in `docs/operators`.
    pub page: &'a str,
    /// The modules in `crates/operators/src`.
    pub modules: &'a [&'a str],
    /// Texts of the modules that are no codes of the operator.
    pub not_codes: &'a [&'a str],
}

impl Sources<'_> {
    /// Compares the rows with the page and the modules.
    pub fn assert_complete(&self, rows: &[Row]) {
        let rows: BTreeSet<String> = rows.iter().map(|(code, ..)| (*code).to_owned()).collect();
        let page = self.documented();
        let modules = self.matched();
        let missing = |of: &BTreeSet<String>| of.difference(&rows).cloned().collect::<Vec<_>>();
        assert_eq!(missing(&page), [""; 0], "codes of {} without a row", self.page);
        assert_eq!(missing(&modules), [""; 0], "codes of the modules without a row");
        let unknown: Vec<_> = rows.difference(&page).collect();
        assert_eq!(unknown, [""; 0], "rows that {} does not list", self.page);
    }

    /// The codes in the first columns of the page's tables of errors: what is in code type, or else
    /// every number of three or four digits.
    fn documented(&self) -> BTreeSet<String> {
        let page = read("../../docs/operators", self.page);
        let (_, section) =
            page.split_once("\n## Errors and what they become\n").expect("the section");
        let section = section.split("\n## ").next().unwrap();
        let cells = section.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
        let mut codes = BTreeSet::new();
        for cell in cells {
            if cell.contains('`') {
                codes.extend(cell.split('`').skip(1).step_by(2).map(str::to_owned));
                continue;
            }
            let words = cell.split(|c: char| !c.is_ascii_alphanumeric());
            let is_number = |word: &&str| {
                (3..=4).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit())
            };
            codes.extend(words.filter(is_number).map(str::to_owned));
        }
        codes
    }

    /// The texts that the modules compare with.
    fn matched(&self) -> BTreeSet<String> {
        let mut texts = BTreeSet::new();
        for module in self.modules {
            let source = read("../../crates/operators/src", module);
            let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let lines = code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//") && !line.contains("cfg("));
            for line in lines {
                texts.extend(line.split('"').skip(1).step_by(2).map(str::to_owned));
            }
        }
        let is_code = |text: &str| {
            text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" _-,".contains(&byte))
        };
        texts.retain(|text| {
            is_code(text) && !text.is_empty() && !self.not_codes.contains(&text.as_str())
        });
        texts
    }
}

fn read(folder: &str, file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A connector over the emulator, and how its orders look.
pub struct Wire<'a> {
    pub rig: &'a Rig,
    pub operator: &'a dyn Operator,
    pub emulated: Emulated,
    pub callbacks: Option<CallbackReceiver>,
    pub charge: fn() -> Order,
    pub payout: fn() -> Order,
    /// What a refund returns, of GHS 12.50.
    pub refunded_pesewas: i64,
}

/// An order on the wire.
enum Sending {
    Order(Order),
    Refund(RefundOrder),
}

impl<'a> Wire<'a> {
    /// One without callbacks, whose refunds return GHS 1.00.
    pub fn new(
        rig: &'a Rig,
        operator: &'a dyn Operator,
        emulated: Emulated,
        charge: fn() -> Order,
        payout: fn() -> Order,
    ) -> Self {
        Self { rig, operator, emulated, callbacks: None, charge, payout, refunded_pesewas: 100 }
    }

    /// Runs each row for each direction.
    pub async fn assert_outcomes(&mut self, rows: Vec<Row>) {
        for (code, via, outcomes) in rows {
            for (number, expected) in outcomes.into_iter().enumerate() {
                if expected == Outcome::None {
                    continue;
                }
                let outcome = self.outcome(number, code, via).await;
                let direction = ["charge", "payout", "refund"][number];
                assert_eq!(outcome, expected, "{code} ({via:?}) of a {direction}");
            }
        }
    }

    async fn outcome(&mut self, direction: usize, code: &'static str, via: Via) -> Outcome {
        let sending = match direction {
            0 => Sending::Order((self.charge)()),
            1 => Sending::Order((self.payout)()),
            _ => Sending::Refund(RefundOrder {
                reference: (self.charge)().reference,
                charge: self.paid_charge().await,
                amount: amount(self.refunded_pesewas),
            }),
        };
        let call = [Call::Send, Call::Payout, Call::Refund][direction];
        // Paystack lists refunds, and has no status of one.
        let is_listed = self.emulated == Emulated::PAYSTACK && direction == 2;
        let read = if is_listed { Call::Other } else { Call::Status };
        let set = |call, fault| _ = self.rig.emulator.chaos().set(self.emulated, call, fault);
        match via {
            Via::Refusal => set(call, Fault::Refusal(code)),
            Via::SentStatus => set(call, Fault::Status(code)),
            Via::TooMany => set(call, Fault::TooManyRequests),
            Via::OffList => set(call, Fault::OffList),
            Via::Revoked => self.rig.emulator.revoke_credentials(self.emulated),
            Via::Sent
            | Via::ReadRefusal
            | Via::Status
            | Via::Missing
            | Via::Reason
            | Via::Callback => {}
        }
        let response = self.send(&sending).await;
        self.rig.emulator.chaos().clear();
        self.rig.emulator.restore_credentials(self.emulated);
        match via {
            Via::ReadRefusal => set(read, Fault::Refusal(code)),
            Via::Status => set(read, Fault::Status(code)),
            Via::Missing => set(read, Fault::NotFound),
            Via::Reason | Via::Callback => {
                let decision = if code == "0000" {
                    Decision::Approve
                } else {
                    Decision::Decline(Failure::Code(code))
                };
                // Some operators give refunds a reference of their own.
                let reference = self.rig.emulator.orders().pop().expect("an order").reference;
                self.rig.emulator.decide(self.emulated, &reference, decision).unwrap();
            }
            _ => return response,
        }
        let outcome =
            if via == Via::Callback { self.claim().await } else { self.ask(&sending).await };
        self.rig.emulator.chaos().clear();
        outcome
    }

    /// A new charge that is paid.
    async fn paid_charge(&self) -> SentOrder {
        let charge = (self.charge)();
        self.operator.send(&charge, &self.rig.permit()).await;
        self.rig.advance(super::faults::SOON);
        let StatusResponse::Known(report) = self.operator.query_status(&sent(&charge)).await else {
            panic!("no paid charge")
        };
        SentOrder { operator_transaction_id: report.details.transaction_id, ..sent(&charge) }
    }

    async fn send(&self, sending: &Sending) -> Outcome {
        let (response, amount) = match sending {
            Sending::Order(order) => {
                (self.operator.send(order, &self.rig.permit()).await, order.transfer.amount)
            }
            Sending::Refund(refund) => {
                (self.operator.refund(refund, &self.rig.permit()).await, refund.amount)
            }
        };
        match response {
            SendResponse::Observed(report) => Is(report.compare(amount).observation),
            SendResponse::Duplicate => Duplicate,
            SendResponse::NotSent => NotSent,
        }
    }

    async fn ask(&self, sending: &Sending) -> Outcome {
        let (answer, amount) = match sending {
            Sending::Order(order) => {
                (self.operator.query_status(&sent(order)).await, order.transfer.amount)
            }
            Sending::Refund(refund) => {
                (self.operator.query_refund_status(refund).await, refund.amount)
            }
        };
        match answer {
            StatusResponse::Known(report) => Is(report.compare(amount).observation),
            StatusResponse::NeverReceived => NeverReceived,
            StatusResponse::Unanswered => Unanswered,
        }
    }

    /// What the next callback claims.
    async fn claim(&mut self) -> Outcome {
        let request = self.callbacks.as_mut().expect("callbacks").next().await;
        let subject =
            self.operator.verify_callback(&request).await.expect("verified").into_subject();
        let CallbackSubject::Order { claim, .. } = subject else { panic!("{subject:?}") };
        Claim(claim.map(|claim| claim.code))
    }
}
