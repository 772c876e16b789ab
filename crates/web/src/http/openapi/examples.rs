//! Examples of bodies. The examples of responses are made by the types that the service responds
//! with.

use crate::http::{checkout::OpenedCheckout, transactions::Listing};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use tua_api::resources::{CheckoutView, Outcome, SessionView, TransactionView};
use tua_contract::{Amount, FailureCode, Network, Phone, State, Status, Step};
use tua_domain::{
    AccountId, Checkout, CheckoutId, CheckoutSummary, Details, KeyId, Kind, Mode, NewTransaction,
    Scope, Transaction, TransactionId, Transfer,
    branding::{Branding, LogoName},
    capabilities::Availability,
    checkout::{CheckoutStatus, CheckoutTerms, LIFETIME},
    listing::Cursor,
    prompt_instructions::PromptInstructions,
    quote::NetworkForPayers,
    tariff::Price,
    transaction::Conflict,
};

/// Named examples of one body.
pub(super) type Examples = Vec<(&'static str, Value)>;

const TOKEN: &str = "tua_checkout_Xo3kP0d7m1y1nC5vWc9lq2rB8sT4uE6hJfKzLxVbNaM";

pub(super) fn none() -> Examples {
    Vec::new()
}

pub(super) fn charge_request() -> Examples {
    let merchants = json!({
        "amount": 10.5,
        "phoneNumber": "0241234567",
        "network": "MTN",
        "currency": "GHS",
        "reference": "order-17",
        "payerMessage": "Adom Stores, order 17",
        "payeeNote": "Saturday",
    });
    vec![
        ("secretKey", merchants),
        (
            "checkoutToken",
            json!({ "phoneNumber": "0241234567", "network": "MTN", "payerPays": 10.71 }),
        ),
    ]
}

pub(super) fn payout_request() -> Examples {
    let body = json!({
        "amount": 5,
        "phoneNumber": "0241234567",
        "network": "MTN",
        "payeeNote": "Refund of order 17",
        "email": "ama@example.com",
        "metadata": { "order": 17 },
    });
    vec![("refund", body)]
}

pub(super) fn checkout_request() -> Examples {
    let body = json!({
        "amount": 10.5, "currency": "GHS", "email": "ama@example.com", "reference": "order-17",
        "metadata": { "order": 17 }, "returnUrl": "https://shop.example/thanks"
    });
    vec![("order", body)]
}

pub(super) fn code_request() -> Examples {
    vec![("voucher", json!({ "transactionId": ID, "otp": "123456" }))]
}

pub(super) fn charge_outcome() -> Examples {
    let approve = transaction(Kind::Charge, Network::Mtn, State::Pending(Step::ApproveOnPhone));
    let voucher = transaction(Kind::Charge, Network::Telecel, State::Pending(Step::EnterVoucher));
    let refused =
        transaction(Kind::Charge, Network::Mtn, State::Failed(FailureCode::InsufficientFunds));
    vec![
        ("approveOnPhone", outcome("Started. The payer must approve it on the phone.", &approve)),
        (
            "enterVoucher",
            outcome(
                "Started. The payer must create a voucher on the phone and enter it.",
                &voucher,
            ),
        ),
        (
            "failedAtOnce",
            outcome("Failed. No money moved. The member failure shows the reason.", &refused),
        ),
    ]
}

pub(super) fn payout_outcome() -> Examples {
    let waits = transaction(Kind::Payout, Network::Mtn, State::Pending(Step::Wait));
    let unapproved = transaction(Kind::Payout, Network::Mtn, State::UNAPPROVED);
    vec![
        ("accepted", outcome("Accepted. The outcome is not known yet.", &waits)),
        (
            "needsApproval",
            outcome(
                "Accepted, not sent. A person must approve this payout. Until then no money moves.",
                &unapproved,
            ),
        ),
    ]
}

pub(super) fn cancelled_payout() -> Examples {
    let cancelled = transaction(Kind::Payout, Network::Mtn, State::Failed(FailureCode::Cancelled));
    vec![("cancelled", outcome(crate::http::payout_cancel::CANCELLED, &cancelled))]
}

pub(super) fn code_outcome() -> Examples {
    let mut wrong = transaction(Kind::Charge, Network::Telecel, State::Pending(Step::EnterVoucher));
    wrong.code_attempts = 1;
    let right = transaction(Kind::Charge, Network::Telecel, State::Successful);
    vec![
        ("right", outcome("The code was right. The money has moved.", &right)),
        ("wrong", outcome("The code was wrong. 4 attempts are left.", &wrong)),
    ]
}

pub(super) fn statuses() -> Examples {
    let paid = transaction(Kind::Charge, Network::Mtn, State::Successful);
    let waits = transaction(Kind::Charge, Network::Mtn, State::Pending(Step::ApproveOnPhone));
    vec![
        ("successful", json(&TransactionView::for_merchant(&paid))),
        ("toAToken", json(&TransactionView::for_payer(&waits))),
    ]
}

pub(super) fn listing() -> Examples {
    let paid = transaction(Kind::Charge, Network::Mtn, State::Successful);
    let next_cursor = Some(Cursor::after(&paid).write());
    vec![("page", json(&Listing { data: vec![TransactionView::for_merchant(&paid)], next_cursor }))]
}

pub(super) fn opened_checkout() -> Examples {
    vec![("opened", json(&OpenedCheckout::new(&checkout(), TOKEN, super::EXAMPLE_URL)))]
}

pub(super) fn checkouts() -> Examples {
    let waits = transaction(Kind::Charge, Network::Mtn, State::Pending(Step::ApproveOnPhone));
    let fresh = CheckoutSummary { attempts: 0, paid: false, latest: None };
    let pending = CheckoutSummary { attempts: 1, paid: false, latest: Some(waits) };
    let checkout = checkout();
    let served = |network, availability, price| {
        let steps = |steps: &str| [("en".to_owned(), steps.to_owned())].into_iter().collect();
        let prompt_instructions = match network {
            Network::Mtn => steps("Dial *170# on your phone. Choose My Wallet, then My Approvals."),
            Network::Telecel | Network::AirtelTigo => PromptInstructions::default(),
        };
        NetworkForPayers { network, end: None, availability, price, prompt_instructions }
    };
    let with_fee = amount_of("10.71").map(|payer_pays| Price { payer_pays, fee_pesewas: Some(21) });
    let networks = [
        served(Network::Mtn, Availability::Operational, with_fee),
        served(Network::Telecel, Availability::Down, None),
        served(Network::AirtelTigo, Availability::Degraded, Some(Price::without_tariff(amount()))),
    ];
    vec![
        (
            "fresh",
            json(&CheckoutView::new(&checkout, &fresh, networks.clone(), super::EXAMPLE_URL)),
        ),
        ("pending", json(&CheckoutView::new(&checkout, &pending, networks, super::EXAMPLE_URL))),
    ]
}

/// The transaction in the body of a webhook.
pub(super) fn merchants_transaction(kind: Kind, state: State) -> Value {
    json(&TransactionView::for_merchant(&transaction(kind, Network::Mtn, state)))
}

/// A transaction with a conflict, in the body of a webhook.
pub(super) fn contradicted_transaction(kind: Kind) -> Value {
    let conflict = Some(Conflict { observed: Status::Failed, at: created_at(), decision: None });
    let paid = transaction(kind, Network::Mtn, State::Successful);
    json(&TransactionView::for_merchant(&Transaction { conflict, ..paid }))
}

/// A reversed payout, in the body of a webhook.
pub(super) fn reversed_payout() -> Value {
    let paid = transaction(Kind::Payout, Network::Mtn, State::Successful);
    json(&TransactionView::for_merchant(&Transaction { reversed_at: Some(created_at()), ..paid }))
}

/// The session in the body of a webhook.
pub(super) fn merchants_session(status: CheckoutStatus) -> Value {
    let paid = status == CheckoutStatus::Paid;
    let charge = transaction(Kind::Charge, Network::Mtn, State::Successful);
    let summary = CheckoutSummary { attempts: paid.into(), paid, latest: paid.then_some(charge) };
    json(&SessionView::new(&checkout(), &summary, status))
}

/// Sessions that a merchant reads.
pub(super) fn merchants_sessions() -> Examples {
    vec![
        ("open", merchants_session(CheckoutStatus::Open)),
        ("paid", merchants_session(CheckoutStatus::Paid)),
    ]
}

/// A session that a merchant has closed.
pub(super) fn closed_session() -> Examples {
    vec![("closed", merchants_session(CheckoutStatus::Closed))]
}

pub(super) const ID: &str = "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091";
const CHECKOUT_ID: &str = "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092";
const CREATED_AT: i64 = 1_795_255_200;

pub(super) fn transaction(kind: Kind, network: Network, state: State) -> Transaction {
    let begun = NewTransaction {
        id: TransactionId::new(ID),
        scope: scope(),
        reference: "order-17".to_owned(),
        checkout: (kind == Kind::Charge).then(|| CheckoutId::new(CHECKOUT_ID)),
        transfer: Transfer { kind, amount: amount(), network, phone: phone() },
        price: Price::without_tariff(amount()),
        details: Details {
            email: Some("ama@example.com".to_owned()),
            metadata: Some(r#"{"order":17}"#.to_owned()),
            ..Details::default()
        },
        link: None,
        refund: None,
        key: None,
        batch: None,
        needs_approval: false,
    };
    Transaction { state, version: 2, ..Transaction::begin(begun, true, None, created_at()) }
}

fn checkout() -> Checkout {
    Checkout {
        id: CheckoutId::new(CHECKOUT_ID),
        scope: scope(),
        merchant: "Adom Stores".to_owned(),
        branding: Branding {
            accent: "#0a6a50".parse().ok(),
            logo: LogoName::parse("7d0a5c1e9b3f4a6288c1d2e3f4a5b6c7"),
        },
        seed: [0; 16],
        reference: "order-17".to_owned(),
        terms: CheckoutTerms {
            amount: amount(),
            email: Some("ama@example.com".to_owned()),
            metadata: Some(r#"{"order":17}"#.to_owned()),
            return_url: Some("https://shop.example/thanks".to_owned()),
        },
        created_at: created_at(),
        expires_at: created_at() + LIFETIME,
        closed_at: None,
        created_by: Some(KeyId::new("key_019aa5f0c2007d3e8a1b4c5d6e7f8094")),
        link: None,
    }
}

fn scope() -> Scope {
    Scope { account: AccountId::new("acc_019aa5f0c2007d3e8a1b4c5d6e7f8090"), mode: Mode::Test }
}

fn amount_of(text: &str) -> Option<Amount> {
    Amount::parse(text).ok()
}

#[expect(clippy::expect_used, reason = "a constant that a test reads")]
fn amount() -> Amount {
    Amount::parse("10.5").expect("an amount")
}

#[expect(clippy::expect_used, reason = "a constant that a test reads")]
fn phone() -> Phone {
    Phone::parse("0241234567").expect("a number")
}

pub(super) fn created_at() -> Timestamp {
    Timestamp::from_second(CREATED_AT).unwrap_or_default()
}

fn outcome(message: &str, transaction: &Transaction) -> Value {
    json(&Outcome { message, transaction: TransactionView::for_merchant(transaction) })
}

#[expect(clippy::expect_used, reason = "views are plain data")]
pub(super) fn json(view: &impl Serialize) -> Value {
    serde_json::to_value(view).expect("a view has a JSON form")
}

pub(super) fn quote_request() -> Examples {
    let merchants = json!({ "type": "CHARGE", "amount": 120, "network": "MTN" });
    vec![("secretKey", merchants), ("checkoutToken", json!({ "network": "MTN" }))]
}

/// Quotes with each bearer of the fee, and without a tariff.
pub(super) fn quotes() -> Examples {
    let quote = |fee: Value, payer_pays: Value, merchant_receives: Value| {
        json!({
            "type": "CHARGE",
            "network": "MTN",
            "amount": 120,
            "currency": "GHS",
            "fee": fee,
            "payerPays": payer_pays,
            "merchantReceives": merchant_receives,
            "min": 0.5,
            "max": 5000,
            "operator": "mtn",
            "expiresAt": "2026-11-21T10:05:00.000Z",
        })
    };
    vec![
        ("payerBearsTheFee", quote(json!(1.2), json!(121.2), json!(120))),
        ("merchantBearsTheFee", quote(json!(1.2), json!(120), json!(118.8))),
        ("noTariff", quote(Value::Null, json!(120), Value::Null)),
    ]
}

/// Networks of which one is served by a later choice, and one by nobody.
pub(super) fn networks() -> Vec<(&'static str, Value)> {
    let service = |status: &str| json!({ "status": status, "min": 0.5, "max": 5000 });
    let down = json!({ "status": "DOWN", "min": null, "max": null });
    let network = |name: &str, charge: Value, payout: Value| {
        json!({
            "network": name,
            "charge": charge,
            "payout": payout,
        })
    };
    let data = [
        network("MTN", service("OPERATIONAL"), service("OPERATIONAL")),
        network("TELECEL", service("DEGRADED"), service("OPERATIONAL")),
        network("AIRTELTIGO", down.clone(), down),
    ];
    vec![("networks", json!({ "data": data }))]
}
