//! Every status, error and text of Paystack's.

use super::{PAYSTACK, charge, connect, payout};
use crate::connectors::{
    documented::{
        AMBIGUOUS, APPROVE, Duplicate, Is, NeverReceived, NotSent, Outcome, PAID, PENDING,
        REVERSED, Row, Sources, Via, Wire, failed,
    },
    rig::Rig,
};
use tua_contract::{
    FailureCode as Code, Network,
    lifecycle::{Observation, Step},
};

const NONE: Outcome = Outcome::None;

pub const SOURCES: Sources<'static> = Sources {
    page: "paystack.md",
    modules: &[
        "paystack/convert/mod.rs",
        "paystack/convert/refunds.rs",
        "paystack/convert/refusal.rs",
        "paystack/convert/transfers.rs",
    ],
    not_codes: &[
        // Texts of errors that have a row by their code.
        "duplicate transaction reference",
        "duplicate reference",
        "reference already exists",
        "reference not found",
        "transfer not found",
        // Words of an error about a code of the payer.
        "voucher",
        "token",
        "the code",
        "reference",
        "key",
        "invalid",
        "incorrect",
        "wrong",
        "not valid",
        // Steps of cards and bank accounts.
        "send_pin",
        "send_phone",
        "send_birthday",
        "send_address",
        "open_url",
        "there was no response",
    ],
};

/// The texts of failures, with the reasons of a charge and of a payout.
const TEXTS: [(&str, Code, Code); 33] = [
    ("balance is not enough", Code::InsufficientFunds, Code::MerchantFloatLow),
    ("insufficient balance", Code::InsufficientFunds, Code::MerchantFloatLow),
    ("insufficient", Code::InsufficientFunds, Code::InsufficientFunds),
    ("not enough", Code::InsufficientFunds, Code::InsufficientFunds),
    ("incorrect pin", Code::WrongPin, Code::Unspecified),
    ("wrong pin", Code::WrongPin, Code::Unspecified),
    ("invalid pin", Code::WrongPin, Code::Unspecified),
    ("limit", Code::PayerLimit, Code::RecipientLimit),
    ("exceed", Code::PayerLimit, Code::RecipientLimit),
    ("declined by", Code::CustomerRejected, Code::Unspecified),
    ("rejected by", Code::CustomerRejected, Code::Unspecified),
    ("cancelled by", Code::CustomerRejected, Code::Unspecified),
    ("canceled by", Code::CustomerRejected, Code::Unspecified),
    ("timed out", Code::ApprovalTimeout, Code::Unspecified),
    ("time out", Code::ApprovalTimeout, Code::Unspecified),
    ("expired", Code::ApprovalTimeout, Code::Unspecified),
    ("another transaction", Code::PayerBusy, Code::Unspecified),
    ("in progress", Code::PayerBusy, Code::Unspecified),
    ("already being processed", Code::PayerBusy, Code::Unspecified),
    ("not found", Code::PayerNotFound, Code::RecipientNotFound),
    ("not registered", Code::PayerNotFound, Code::RecipientNotFound),
    ("number is invalid", Code::PayerNotFound, Code::RecipientNotFound),
    ("invalid account", Code::PayerNotFound, Code::RecipientNotFound),
    ("invalid phone", Code::PayerNotFound, Code::RecipientNotFound),
    ("unavailable", Code::NetworkUnavailable, Code::NetworkUnavailable),
    ("service is down", Code::NetworkUnavailable, Code::NetworkUnavailable),
    ("processor is down", Code::NetworkUnavailable, Code::NetworkUnavailable),
    ("refused", Code::Unspecified, Code::OperatorRefused),
    ("not permitted", Code::Unspecified, Code::OperatorRefused),
    ("not enabled", Code::NetworkUnavailable, Code::NetworkUnavailable),
    ("not supported by merchant", Code::NetworkUnavailable, Code::NetworkUnavailable),
    ("starter business", Code::NetworkUnavailable, Code::NetworkUnavailable),
    ("merchant may be inactive", Code::NetworkUnavailable, Code::NetworkUnavailable),
];

pub fn rows() -> Vec<Row> {
    let texts = TEXTS.into_iter().chain([("timeout", Code::ApprovalTimeout, Code::Unspecified)]);
    let texts = texts
        .map(|(text, charge, payout)| (text, Via::Reason, [failed(charge), failed(payout), NONE]));
    let unavailable = || failed(Code::NetworkUnavailable);
    let refused = || failed(Code::OperatorRefused);
    let unspecified = || failed(Code::Unspecified);
    let recipient = || failed(Code::RecipientNotFound);
    let code = Is(Observation::Awaits(Step::EnterOtp));
    let others = [
        ("pay_offline", Via::SentStatus, [APPROVE, NONE, NONE]),
        ("send_otp", Via::SentStatus, [code, NONE, NONE]),
        ("success", Via::SentStatus, [NONE, PAID, NONE]),
        ("success", Via::Status, [PAID, PAID, NONE]),
        ("failed", Via::SentStatus, [unspecified(), unspecified(), unspecified()]),
        ("failed", Via::Status, [unspecified(), unspecified(), unspecified()]),
        ("pending", Via::Status, [PENDING, PENDING, PENDING]),
        ("processing", Via::Status, [PENDING, PENDING, PENDING]),
        ("queued", Via::Status, [PENDING, PENDING, NONE]),
        ("ongoing", Via::Status, [PENDING, NONE, NONE]),
        ("timeout", Via::Status, [PENDING, NONE, NONE]),
        ("abandoned", Via::Status, [PENDING, refused(), NONE]),
        ("rejected", Via::Status, [NONE, refused(), NONE]),
        ("blocked", Via::Status, [NONE, refused(), NONE]),
        ("otp", Via::Status, [NONE, PENDING, NONE]),
        ("received", Via::Status, [NONE, PENDING, NONE]),
        ("reversed", Via::Status, [REVERSED, REVERSED, NONE]),
        ("processed", Via::Status, [NONE, NONE, PAID]),
        ("needs-attention", Via::Status, [NONE, NONE, PENDING]),
        ("duplicate_reference", Via::Refusal, [Duplicate, Duplicate, NONE]),
        ("validation_error", Via::Refusal, [refused(), refused(), PENDING]),
        ("invalid_transfer_recipient", Via::Refusal, [NONE, recipient(), NONE]),
        ("invalid_account_number", Via::Refusal, [NONE, recipient(), NONE]),
        (
            "insufficient_balance",
            Via::Refusal,
            [NONE, failed(Code::MerchantFloatLow), failed(Code::MerchantFloatLow)],
        ),
        ("processor_error", Via::Refusal, [AMBIGUOUS, AMBIGUOUS, AMBIGUOUS]),
        ("api_error", Via::Refusal, [AMBIGUOUS, AMBIGUOUS, AMBIGUOUS]),
        // Before a refund the list of refunds is read.
        ("401", Via::Revoked, [unavailable(), unavailable(), NotSent]),
        ("429", Via::TooMany, [AMBIGUOUS, AMBIGUOUS, AMBIGUOUS]),
        ("transaction_not_found", Via::ReadRefusal, [NeverReceived, NONE, NONE]),
        ("transfer_not_found", Via::ReadRefusal, [NONE, NeverReceived, NONE]),
    ];
    texts.chain(others).collect()
}

#[tokio::test]
async fn each_code_has_its_outcome() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let charge = || charge(Network::Mtn, "0241234567");
    let payout = || payout("0241234567");
    Wire::new(&rig, &*operator, PAYSTACK, charge, payout).assert_outcomes(rows()).await;
}
