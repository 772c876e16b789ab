//! Example values of the service's own types, from which the examples of bodies are made.

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde_json::Value;
use tua_api::resources::{CheckoutView, TransactionView, TransactionWithMessage};
use tua_contract::{Amount, Network, Phone, State, Status};
use tua_domain::{
    AccountId, Checkout, CheckoutId, CheckoutSummary, Details, KeyId, Kind, Mode, Scope,
    Transaction, TransactionId, TransactionOrder, Transfer,
    branding::{Branding, LogoName},
    checkout::{CheckoutStatus, CheckoutTerms, LIFETIME},
    tariff::Price,
    transaction::Conflict,
};

/// Named examples of one body.
pub(crate) type Examples = Vec<(&'static str, Value)>;

/// The public URL in examples that are the same for every service.
pub(crate) const EXAMPLE_URL: &str = "https://pay.example";

/// The identifier of the transaction in all examples.
pub(crate) const TRANSACTION_ID: &str = "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091";

const CHECKOUT_ID: &str = "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092";
const CREATED_AT: i64 = 1_795_255_200;

/// A transaction in the body of a webhook, as JSON.
pub(crate) fn transaction_body(kind: Kind, state: State) -> Value {
    json(&TransactionView::new(&transaction(kind, Network::Mtn, state)))
}

/// A successful transaction that its operator later reported as failed, in the body of a webhook.
pub(crate) fn conflicting_transaction_body(kind: Kind) -> Value {
    let conflict = Some(Conflict { observed: Status::Failed, at: created_at(), decision: None });
    let paid = transaction(kind, Network::Mtn, State::Successful);
    json(&TransactionView::new(&Transaction { conflict, ..paid }))
}

/// A reversed payout, in the body of a webhook.
pub(crate) fn reversed_payout_body() -> Value {
    let paid = transaction(Kind::Payout, Network::Mtn, State::Successful);
    json(&TransactionView::new(&Transaction { reversed_at: Some(created_at()), ..paid }))
}

/// A checkout session with this status, as a merchant reads it.
pub(crate) fn session_body(status: CheckoutStatus) -> Value {
    let charge = transaction(Kind::Charge, Network::Mtn, State::Successful);
    let charges = if status == CheckoutStatus::Paid { vec![charge] } else { Vec::new() };
    let summary = CheckoutSummary::of(charges);
    json(&CheckoutView::new(&checkout(), &summary, status))
}

/// A transaction of this kind, on this network and in this state.
pub(crate) fn transaction(kind: Kind, network: Network, state: State) -> Transaction {
    let order = TransactionOrder {
        id: TransactionId::new(TRANSACTION_ID),
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
    Transaction { state, version: 2, ..Transaction::begin(order, true, None, created_at()) }
}

/// An open checkout session.
pub(crate) fn checkout() -> Checkout {
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
            answer: None,
            return_url: Some("https://shop.example/thanks".to_owned()),
        },
        created_at: created_at(),
        expires_at: created_at() + LIFETIME,
        closed_at: None,
        created_by: Some(KeyId::new("key_019aa5f0c2007d3e8a1b4c5d6e7f8094")),
        link: None,
        sandbox_ahead: SignedDuration::ZERO,
    }
}

fn scope() -> Scope {
    Scope { account: AccountId::new("acc_019aa5f0c2007d3e8a1b4c5d6e7f8090"), mode: Mode::Test }
}

/// The amount of the examples: GHS 10.50.
#[expect(clippy::expect_used, reason = "a constant that a test reads")]
pub(crate) fn amount() -> Amount {
    Amount::parse("10.5").expect("an amount")
}

#[expect(clippy::expect_used, reason = "a constant that a test reads")]
fn phone() -> Phone {
    Phone::parse("0241234567").expect("a number")
}

/// When the resources of the examples were created.
pub(crate) fn created_at() -> Timestamp {
    Timestamp::from_second(CREATED_AT).unwrap_or_default()
}

/// The body of the response to a charge, payout or passcode: a message and the transaction.
pub(crate) fn body_with_message(message: &str, transaction: &Transaction) -> Value {
    json(&TransactionWithMessage { message, transaction: TransactionView::new(transaction) })
}

/// A view as JSON.
#[expect(clippy::expect_used, reason = "views are plain data")]
pub(crate) fn json(view: &impl Serialize) -> Value {
    serde_json::to_value(view).expect("a view has a JSON form")
}
