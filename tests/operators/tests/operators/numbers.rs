//! The numbers of the emulator through every connector: what a merchant sees of charges and payouts
//! of every number, on every network (docs/reference/test-mode.md, Phone numbers).

use super::live::OPERATORS;
use serde_json::{Value, json};
use std::{collections::HashMap, time::Duration};
use tua_domain::{Kind, TransactionId};
use tua_emulator::{Decision, Operator};
use tua_test_support::{eventually, live_operators::LiveOperators};

/// What becomes of a payment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// It fails, with this failure code.
    Failed(&'static str),
    /// It succeeds after 2 s.
    Paid,
    /// It succeeds after 2 s, and the operator's callback is lost.
    Unreported,
    /// The response to the order is 503. It succeeds.
    Ambiguous,
    /// It asks for a passcode, and then succeeds after 2 s.
    AfterPasscode,
    /// It succeeds after 30 s.
    Late,
    /// It succeeds when a person approves it.
    OnDecision,
    /// It stays pending.
    Undecided,
}

use End::{AfterPasscode, Ambiguous, Failed, Late, OnDecision, Paid, Undecided, Unreported};

/// The last seven digits of a number, and what becomes of a charge and of a payout.
const NUMBERS: [(&str, End, End); 18] = [
    ("1230001", Failed("insufficient_funds"), Failed("insufficient_funds")),
    ("1230002", Failed("customer_rejected"), Failed("operator_refused")),
    ("1230003", Failed("approval_timeout"), Failed("operator_refused")),
    ("1230004", Failed("wrong_pin"), Failed("operator_refused")),
    ("1230005", Failed("payer_limit"), Failed("recipient_limit")),
    ("1230006", Failed("payer_not_found"), Failed("recipient_not_found")),
    ("1230007", Undecided, Undecided),
    ("1230008", Unreported, Unreported),
    ("1230009", Late, Late),
    ("1230010", Ambiguous, Ambiguous),
    ("1230011", AfterPasscode, Paid),
    ("1230012", OnDecision, Paid),
    // Anything else succeeds. Some of these once had outcomes of their own.
    ("1230013", Paid, Paid),
    ("1230014", Paid, Paid),
    ("9992001", Paid, Paid),
    ("9994103", Paid, Paid),
    ("9995000", Paid, Paid),
    ("1234567", Paid, Paid),
];

/// Where an operator's protocol cannot say what the table says: the operators by their names in the
/// settings, the number, and what happens there. Documented in `docs/operators`.
const EXCEPTIONS: [(&[&str], Kind, &str, End); 2] = [
    // MTN pays from the merchant's wallet. Its only code for too little money is about that wallet.
    (&["mtn"], Kind::Payout, "1230001", Failed("merchant_float_low")),
    // These have no codes that payers enter in a form.
    (&["mtn", "pawapay", "hubtel"], Kind::Charge, "1230011", Paid),
];

/// The first three digits of numbers of each network.
const PREFIXES: [(&str, &str); 3] = [("MTN", "024"), ("TELECEL", "020"), ("AIRTELTIGO", "027")];

/// A payment that has begun.
struct Payment {
    kind: Kind,
    number: &'static str,
    expected: End,
    id: String,
    /// `nextAction` of the 202.
    first_action: String,
}

/// A network of an operator, with a payment of each kind and number.
struct Row {
    operator: &'static str,
    network: &'static str,
    live: LiveOperators,
    payments: Vec<Payment>,
}

#[tokio::test]
async fn mtns_numbers() {
    assert_numbers(Operator::MTN_MOMO).await;
}

#[tokio::test]
async fn paystacks_numbers() {
    assert_numbers(Operator::PAYSTACK).await;
}

#[tokio::test]
async fn pawapays_numbers() {
    assert_numbers(Operator::PAWAPAY).await;
}

#[tokio::test]
async fn hubtels_numbers() {
    assert_numbers(Operator::HUBTEL).await;
}

async fn assert_numbers(emulated: Operator) {
    let (operator, _, networks) = OPERATORS.into_iter().find(|row| row.1 == emulated).unwrap();
    let mut faults = Vec::new();
    for network in networks {
        let row = Row::begin(operator, network).await;
        faults.extend(row.wrong_first_actions());
        row.submit_codes().await;
        row.live.emulator.clock().advance(Duration::from_secs(3));
        faults.extend(row.wrong_ends(soon_status).await);
        row.approve(emulated);
        row.live.emulator.clock().advance(Duration::from_secs(30));
        faults.extend(row.wrong_ends(final_status).await);
        faults.extend(row.wrong_callbacks().await);
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The status after 3 s, without a decision.
fn soon_status(end: End) -> String {
    match end {
        Late | OnDecision | Undecided => "PENDING".to_owned(),
        end => final_status(end),
    }
}

fn final_status(end: End) -> String {
    match end {
        Failed(code) => format!("FAILED {code}"),
        Undecided => "PENDING".to_owned(),
        Paid | Unreported | Ambiguous | AfterPasscode | Late | OnDecision => {
            "SUCCESSFUL".to_owned()
        }
    }
}

/// What the table, or an exception, says of a payment.
fn expected(operator: &str, kind: Kind, number: &str) -> End {
    let exception = EXCEPTIONS
        .into_iter()
        .find(|row| row.0.contains(&operator) && row.1 == kind && row.2 == number);
    let (_, charge, payout) = NUMBERS.into_iter().find(|row| row.0 == number).unwrap();
    let by_table = match kind {
        Kind::Charge => charge,
        Kind::Payout => payout,
    };
    exception.map_or(by_table, |(.., end)| end)
}

impl Row {
    async fn begin(operator: &'static str, network: &'static str) -> Self {
        let routes = format!("{network} = [\"{operator}\"]\n");
        let live = LiveOperators::with_stopped_emulator(&routes).await;
        let (_, prefix) = PREFIXES.into_iter().find(|(name, _)| *name == network).unwrap();
        let mut payments = Vec::new();
        for (number, ..) in NUMBERS {
            for (kind, path) in [(Kind::Charge, "/v1/charge"), (Kind::Payout, "/v1/payout")] {
                let phone = format!("{prefix}{number}");
                let body = json!({ "amount": 10.5, "phoneNumber": phone, "network": network });
                let begun = live.shop.post(path, &body).await.is(202);
                payments.push(Payment {
                    kind,
                    number,
                    expected: expected(operator, kind, number),
                    id: begun.id(),
                    first_action: begun.json()["nextAction"].as_str().unwrap().to_owned(),
                });
            }
        }
        Self { operator, network, live, payments }
    }

    fn fault(&self, payment: &Payment, is: &str, wanted: &str) -> String {
        let Payment { kind, number, .. } = payment;
        let Self { operator, network, .. } = self;
        format!("{operator} {network} {kind:?} {number}: {is}, not {wanted}")
    }

    /// A charge asks for the approval on the phone, a passcode or, at Paystack, a voucher. An
    /// ambiguous one asks for nothing, and a failed one neither.
    fn wrong_first_actions(&self) -> Vec<String> {
        let has_vouchers = self.operator == "paystack" && self.network == "TELECEL";
        let expected = |end| match end {
            Ambiguous => "WAIT",
            AfterPasscode => "ENTER_OTP",
            Failed("payer_not_found") if has_vouchers || self.operator == "hubtel" => "NONE",
            _ if has_vouchers => "ENTER_VOUCHER",
            _ => "APPROVE_ON_PHONE",
        };
        let charges = self.payments.iter().filter(|payment| payment.kind == Kind::Charge);
        let wrong = charges.filter(|charge| charge.first_action != expected(charge.expected));
        wrong
            .map(|charge| self.fault(charge, &charge.first_action, expected(charge.expected)))
            .collect()
    }

    async fn submit_codes(&self) {
        for payment in &self.payments {
            if matches!(payment.first_action.as_str(), "ENTER_OTP" | "ENTER_VOUCHER") {
                let code = json!({ "transactionId": payment.id, "otp": "123456" });
                self.live.shop.post("/v1/submit-otp", &code).await.is(200);
            }
        }
    }

    /// Every payment as the merchant's list shows it: its status, and the code of its failure.
    async fn statuses(&self) -> HashMap<String, String> {
        let list = self.live.shop.get("/v1/transactions?limit=100").await.is(200).json();
        let rows = list["data"].as_array().unwrap().iter();
        rows.map(|row| (text(&row["transactionId"]), status(row))).collect()
    }

    /// Waits until the statuses are as wanted, and returns where they do not become so. What is not
    /// reported by callback is found when the operator is asked, so the clock moves on: by less
    /// than the minute for which the reason of a failure may be missing.
    async fn wrong_ends(&self, wanted: fn(End) -> String) -> Vec<String> {
        let mut statuses = HashMap::new();
        for _ in 0..6 {
            let waiting = async {
                loop {
                    statuses = self.statuses().await;
                    if self.payments.iter().all(|one| statuses[&one.id] == wanted(one.expected)) {
                        break;
                    }
                    tokio::task::yield_now().await;
                }
            };
            if tokio::time::timeout(Duration::from_secs(3), waiting).await.is_ok() {
                return Vec::new();
            }
            self.live.app.advance(8);
        }
        let wrong = self.payments.iter().filter(|one| statuses[&one.id] != wanted(one.expected));
        wrong.map(|one| self.fault(one, &statuses[&one.id], &wanted(one.expected))).collect()
    }

    /// Lost callbacks that have arrived. Asked at the end, when all others have come.
    async fn wrong_callbacks(&self) -> Vec<String> {
        let path = format!("/callbacks/{}", self.operator);
        let has_callback = async |payment: &Payment| {
            let id = TransactionId::new(&payment.id);
            let exchanges = self.live.app.running().store.exchanges(&id).await.unwrap();
            exchanges.iter().any(|exchange| exchange.path == path)
        };
        let last = self.payments.last().unwrap();
        eventually("a callback is kept", async || has_callback(last).await).await;
        let mut wrong = Vec::new();
        for payment in self.payments.iter().filter(|payment| payment.expected == Unreported) {
            if has_callback(payment).await {
                wrong.push(self.fault(payment, "a callback", "a lost one"));
            }
        }
        wrong
    }

    /// A person approves what waits for a decision.
    fn approve(&self, emulated: Operator) {
        let orders = self.live.orders();
        for payment in self.payments.iter().filter(|payment| payment.expected == OnDecision) {
            let reference = &orders[&payment.id].reference;
            self.live.emulator.decide(emulated, reference, Decision::Approve).unwrap();
        }
    }
}

fn status(transaction: &Value) -> String {
    match transaction["failure"]["code"].as_str() {
        Some(code) => format!("{} {code}", text(&transaction["status"])),
        None => text(&transaction["status"]),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
