//! Every code, status and error of pawaPay's.

use super::{PAWAPAY, charge, connect, payout};
use crate::connectors::{
    documented::{
        AMBIGUOUS, APPROVE, Duplicate, NeverReceived, Outcome, PAID, PENDING, Row, Sources, Via,
        WAIT, Wire, failed,
    },
    rig::Rig,
};
use tua_contract::{FailureCode as Code, Network};

pub const SOURCES: Sources<'static> = Sources {
    page: "pawapay.md",
    modules: &["pawapay/convert.rs", "pawapay/reasons.rs"],
    // A step, the form of a response, the currency, and the end of several codes.
    not_codes: &["FINAL_STATUS", "FOUND", "GHS", "_NOT_ALLOWED"],
};

/// The codes of orders that are rejected or fail, with the reasons of a charge and of a payout or
/// refund.
const CODES: [(&str, Code, Code); 24] = [
    ("INSUFFICIENT_BALANCE", Code::InsufficientFunds, Code::InsufficientFunds),
    ("PAWAPAY_WALLET_OUT_OF_FUNDS", Code::MerchantFloatLow, Code::MerchantFloatLow),
    ("PAYMENT_NOT_APPROVED", Code::CustomerRejected, Code::CustomerRejected),
    ("PAYMENT_IN_PROGRESS", Code::PayerBusy, Code::PayerBusy),
    ("TRANSACTION_ALREADY_IN_PROCESS", Code::PayerBusy, Code::PayerBusy),
    ("PAYER_NOT_FOUND", Code::PayerNotFound, Code::PayerNotFound),
    ("RECIPIENT_NOT_FOUND", Code::RecipientNotFound, Code::RecipientNotFound),
    ("INVALID_PHONE_NUMBER", Code::PayerNotFound, Code::RecipientNotFound),
    ("PAYER_LIMIT_REACHED", Code::PayerLimit, Code::PayerLimit),
    ("RECIPIENT_LIMIT_REACHED", Code::RecipientLimit, Code::RecipientLimit),
    ("WALLET_LIMIT_REACHED", Code::PayerLimit, Code::RecipientLimit),
    ("PROVIDER_TEMPORARILY_UNAVAILABLE", Code::NetworkUnavailable, Code::NetworkUnavailable),
    ("MANUALLY_CANCELLED", Code::Cancelled, Code::Cancelled),
    ("INVALID_AMOUNT", Code::OperatorRefused, Code::OperatorRefused),
    ("AMOUNT_OUT_OF_BOUNDS", Code::OperatorRefused, Code::OperatorRefused),
    ("INVALID_CURRENCY", Code::OperatorRefused, Code::OperatorRefused),
    ("INVALID_PROVIDER", Code::OperatorRefused, Code::OperatorRefused),
    ("NOT_FOUND", Code::OperatorRefused, Code::OperatorRefused),
    ("INVALID_STATE", Code::OperatorRefused, Code::OperatorRefused),
    ("AMOUNT_TOO_LARGE", Code::OperatorRefused, Code::OperatorRefused),
    ("DEPOSIT_ALREADY_REFUNDED", Code::OperatorRefused, Code::OperatorRefused),
    ("REFUND_IN_PROGRESS", Code::Unspecified, Code::Unspecified),
    ("UNSPECIFIED_FAILURE", Code::Unspecified, Code::Unspecified),
    ("UNKNOWN_ERROR", Code::Unspecified, Code::Unspecified),
];

/// The codes that prove nothing about the money of a refund's deposit.
const DOUBTS: [&str; 8] = [
    "AMOUNT_TOO_LARGE",
    "DEPOSIT_ALREADY_REFUNDED",
    "INVALID_STATE",
    "NOT_FOUND",
    "PAYMENT_IN_PROGRESS",
    "REFUND_IN_PROGRESS",
    "TRANSACTION_ALREADY_IN_PROCESS",
    "UNKNOWN_ERROR",
];

/// The codes of [`CODES`] that no order is rejected with: an order fails with them later, or they
/// are an error.
const NO_REJECTIONS: [&str; 12] = [
    "INSUFFICIENT_BALANCE",
    "MANUALLY_CANCELLED",
    "PAYER_LIMIT_REACHED",
    "PAYER_NOT_FOUND",
    "PAYMENT_NOT_APPROVED",
    "RECIPIENT_LIMIT_REACHED",
    "RECIPIENT_NOT_FOUND",
    "UNKNOWN_ERROR",
    "UNSPECIFIED_FAILURE",
    "WALLET_LIMIT_REACHED",
    "TRANSACTION_ALREADY_IN_PROCESS",
    "PAYMENT_IN_PROGRESS",
];

pub fn rows() -> Vec<Row> {
    let all = |outcome: Outcome| [outcome.clone(), outcome.clone(), outcome];
    let outcomes = |code, charge, other| {
        let refund = if DOUBTS.contains(&code) { PENDING } else { failed(other) };
        [failed(charge), failed(other), refund]
    };
    let reasons = |(code, charge, other)| (code, Via::Reason, outcomes(code, charge, other));
    let rejections = |(code, charge, other)| (code, Via::Refusal, outcomes(code, charge, other));
    let is_rejection = |(code, ..): &(&str, _, _)| !NO_REJECTIONS.contains(code);
    let malformed = [
        "INVALID_INPUT",
        "MISSING_PARAMETER",
        "UNSUPPORTED_PARAMETER",
        "INVALID_PARAMETER",
        "DUPLICATE_METADATA_FIELD",
    ];
    let malformed =
        malformed.into_iter().map(|code| (code, Via::Refusal, all(failed(Code::OperatorRefused))));
    let denied = [
        "NO_AUTHENTICATION",
        "AUTHENTICATION_ERROR",
        "AUTHORISATION_ERROR",
        "HTTP_SIGNATURE_ERROR",
        "DEPOSITS_NOT_ALLOWED",
        "PAYOUTS_NOT_ALLOWED",
        "REFUNDS_NOT_ALLOWED",
    ];
    let denied =
        denied.into_iter().map(|code| (code, Via::Refusal, all(failed(Code::NetworkUnavailable))));
    let others = [
        ("ACCEPTED", Via::SentStatus, [APPROVE, PENDING, PENDING]),
        ("DUPLICATE_IGNORED", Via::SentStatus, all(Duplicate)),
        (
            "REJECTED",
            Via::SentStatus,
            [failed(Code::Unspecified), failed(Code::Unspecified), PENDING],
        ),
        ("UNKNOWN_ERROR", Via::Refusal, all(AMBIGUOUS)),
        ("429", Via::TooMany, all(AMBIGUOUS)),
        // With HTTP 200.
        ("NOT_FOUND", Via::Missing, all(NeverReceived)),
        ("ACCEPTED", Via::Status, [APPROVE, PENDING, PENDING]),
        ("PROCESSING", Via::Status, [APPROVE, PENDING, PENDING]),
        ("ENQUEUED", Via::Status, all(WAIT)),
        ("IN_RECONCILIATION", Via::Status, all(WAIT)),
        ("COMPLETED", Via::Status, all(PAID)),
        ("FAILED", Via::Status, all(failed(Code::Unspecified))),
    ];
    let codes = CODES.into_iter().map(reasons);
    codes
        .chain(CODES.into_iter().filter(is_rejection).map(rejections))
        .chain(malformed)
        .chain(denied)
        .chain(others)
        .collect()
}

#[tokio::test]
async fn each_code_has_its_outcome() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let charge = || charge(Network::Mtn, "0593456789");
    let payout = || payout(Network::Mtn, "0593456789");
    Wire::new(&rig, &operator, PAWAPAY, charge, payout).assert_outcomes(rows()).await;
}
