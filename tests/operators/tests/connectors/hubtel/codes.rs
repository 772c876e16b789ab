//! Every code and status of Hubtel's.

use super::{HUBTEL, charge, connect, connect_with, payout, settings};
use crate::connectors::{
    documented::{
        AMBIGUOUS, APPROVE, Claim, Duplicate, NeverReceived, NotSent, Outcome, PAID, PENDING,
        REVERSED, Row, Sources, Unanswered, Via, Wire, failed,
    },
    rig::{CallbackReceiver, Rig},
};
use tua_contract::{FailureCode as Code, Network};
use tua_domain::ports::Operator;

const NONE: Outcome = Outcome::None;

pub const SOURCES: Sources<'static> = Sources {
    page: "hubtel.md",
    modules: &["hubtel/codes.rs", "hubtel/convert/mod.rs", "hubtel/convert/refunds.rs"],
    not_codes: &[
        // Names of members.
        "amount",
        "charges",
        "clientreference",
        "currency",
        "currencycode",
        "externaltransactionid",
        "fees",
        "isregistered",
        "name",
        "networktransactionid",
        "orderid",
        "status",
        "transactionid",
        "transactionstatus",
        "GHS",
        // Words of a refusal of the reference.
        "client reference",
        "duplicate",
        "already",
        "exists",
        // Parts of texts that have rows.
        "pin",
        "wrong",
        "invalid",
        "incorrect",
        "no or",
        "the name is missing",
        "HTTP 401",
    ],
};

/// The codes of failures with the reason of a charge and of a payout. A callback has them, and so
/// may an answer.
const FAILURES: [(&str, Code, Code); 17] = [
    ("2001", Code::Unspecified, Code::Unspecified),
    ("2050", Code::InsufficientFunds, Code::InsufficientFunds),
    ("2051", Code::PayerNotFound, Code::RecipientNotFound),
    ("2100", Code::ApprovalTimeout, Code::ApprovalTimeout),
    ("2101", Code::WrongPin, Code::WrongPin),
    ("2102", Code::InsufficientFunds, Code::InsufficientFunds),
    ("2103", Code::PayerNotFound, Code::RecipientNotFound),
    ("2152", Code::PayerNotFound, Code::RecipientNotFound),
    ("2153", Code::PayerLimit, Code::RecipientLimit),
    ("2154", Code::PayerLimit, Code::RecipientLimit),
    ("2200", Code::PayerNotFound, Code::RecipientNotFound),
    ("2201", Code::PayerNotFound, Code::RecipientNotFound),
    ("3050", Code::PayerNotFound, Code::RecipientNotFound),
    ("4070", Code::OperatorRefused, Code::OperatorRefused),
    ("4075", Code::MerchantFloatLow, Code::MerchantFloatLow),
    ("4101", Code::NetworkUnavailable, Code::NetworkUnavailable),
    ("4103", Code::OperatorRefused, Code::OperatorRefused),
];

/// The texts of 2001.
const TEXTS: [(&str, Code, Code); 17] = [
    ("insufficient", Code::InsufficientFunds, Code::InsufficientFunds),
    ("limit", Code::PayerLimit, Code::RecipientLimit),
    ("limits, has insufficient funds", Code::Unspecified, Code::Unspecified),
    ("wrong pin", Code::WrongPin, Code::Unspecified),
    ("invalid pin", Code::WrongPin, Code::Unspecified),
    ("incorrect pin", Code::WrongPin, Code::Unspecified),
    ("no or an invalid pin", Code::WrongPin, Code::Unspecified),
    ("timeout", Code::ApprovalTimeout, Code::Unspecified),
    ("timed out", Code::ApprovalTimeout, Code::Unspecified),
    ("expired", Code::ApprovalTimeout, Code::Unspecified),
    ("declined", Code::CustomerRejected, Code::Unspecified),
    ("rejected by", Code::CustomerRejected, Code::Unspecified),
    ("cancelled by", Code::CustomerRejected, Code::Unspecified),
    ("missing permissions", Code::Unspecified, Code::OperatorRefused),
    ("not found", Code::PayerNotFound, Code::RecipientNotFound),
    ("not registered", Code::PayerNotFound, Code::RecipientNotFound),
    ("matches the channel", Code::PayerNotFound, Code::RecipientNotFound),
];

pub fn rows() -> Vec<Row> {
    let claims = FAILURES.into_iter().chain(TEXTS).chain([(
        "character",
        Code::OperatorRefused,
        Code::OperatorRefused,
    )]);
    let claims = claims.map(|(code, charge, payout)| {
        (code, Via::Callback, [Claim(Some(charge)), Claim(Some(payout)), NONE])
    });
    let unavailable = || failed(Code::NetworkUnavailable);
    let refused = || failed(Code::OperatorRefused);
    let unspecified = || failed(Code::Unspecified);
    let short = || failed(Code::MerchantFloatLow);
    let others = [
        ("0000", Via::Callback, [Claim(None), Claim(None), NONE]),
        ("0005", Via::Callback, [Claim(None), Claim(None), NONE]),
        ("5000", Via::Callback, [Claim(None), Claim(None), NONE]),
        (
            "4000",
            Via::Callback,
            [Claim(Some(Code::OperatorRefused)), Claim(Some(Code::OperatorRefused)), NONE],
        ),
        ("0001", Via::Sent, [APPROVE, PENDING, PENDING]),
        ("2001", Via::Refusal, [unspecified(), unspecified(), PENDING]),
        (
            "3050",
            Via::Refusal,
            [failed(Code::PayerNotFound), failed(Code::RecipientNotFound), AMBIGUOUS],
        ),
        ("4000", Via::Refusal, [refused(), refused(), refused()]),
        ("4070", Via::Refusal, [refused(), refused(), PENDING]),
        ("4075", Via::Refusal, [short(), short(), PENDING]),
        ("4101", Via::Refusal, [unavailable(), unavailable(), unavailable()]),
        ("4103", Via::Refusal, [refused(), refused(), PENDING]),
        ("4509", Via::Refusal, [NONE, NONE, PENDING]),
        ("4515", Via::Refusal, [NONE, NONE, Duplicate]),
        ("0005", Via::Refusal, [AMBIGUOUS, AMBIGUOUS, AMBIGUOUS]),
        ("5000", Via::Refusal, [AMBIGUOUS, AMBIGUOUS, AMBIGUOUS]),
        ("3000", Via::Refusal, [NONE, NONE, PENDING]),
        ("3000", Via::ReadRefusal, [NeverReceived, NeverReceived, Unanswered]),
        // Before a refund its charge is read.
        ("401", Via::Revoked, [unavailable(), unavailable(), NotSent]),
        ("403", Via::OffList, [unavailable(), unavailable(), unavailable()]),
        ("429", Via::TooMany, [AMBIGUOUS, AMBIGUOUS, AMBIGUOUS]),
        ("Paid", Via::Status, [PAID, NONE, PENDING]),
        ("Unpaid", Via::Status, [PENDING, NONE, Unanswered]),
        ("Refunded", Via::Status, [REVERSED, NONE, PAID]),
        ("success", Via::Status, [NONE, PAID, NONE]),
        ("paid", Via::Status, [NONE, PAID, NONE]),
        ("pending", Via::Status, [NONE, PENDING, NONE]),
        ("unpaid", Via::Status, [NONE, PENDING, NONE]),
        ("failed", Via::Status, [NONE, unspecified(), NONE]),
    ];
    claims.chain(others).collect()
}

#[tokio::test]
async fn each_code_of_a_callback_has_its_outcome() {
    let rig = Rig::start().await;
    let callbacks = CallbackReceiver::start().await;
    let operator = connect_with(&rig, settings(), &callbacks.url);
    let rows = rows().into_iter().filter(|(_, via, _)| *via == Via::Callback).collect();
    wire(&rig, &*operator, Some(callbacks)).assert_outcomes(rows).await;
}

#[tokio::test]
async fn each_code_of_a_response_has_its_outcome() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let rows = rows().into_iter().filter(|(_, via, _)| *via != Via::Callback).collect();
    wire(&rig, &*operator, None).assert_outcomes(rows).await;
}

fn wire<'a>(
    rig: &'a Rig,
    operator: &'a dyn Operator,
    callbacks: Option<CallbackReceiver>,
) -> Wire<'a> {
    let charge = || charge(Network::Mtn, "0241234567");
    let payout = || payout("0241234567");
    Wire { callbacks, refunded_pesewas: 1250, ..Wire::new(rig, operator, HUBTEL, charge, payout) }
}
