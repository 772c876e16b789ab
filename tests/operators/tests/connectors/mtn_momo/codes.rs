//! Every reason, status and error of MTN's.

use super::{MTN, charge, connect, payout};
use crate::connectors::{
    documented::{
        AMBIGUOUS, APPROVE, Duplicate, NeverReceived, Outcome, PAID, PENDING, Row, Sources, Via,
        Wire, failed,
    },
    rig::Rig,
};
use tua_contract::FailureCode as Code;

pub const SOURCES: Sources<'static> = Sources {
    page: "mtn-momo.md",
    modules: &["mtn_momo/convert.rs", "mtn_momo/reasons.rs"],
    not_codes: &[],
};

/// The reasons of failed orders, with those of a charge and of a payout. Those of a refund are a
/// payout's, unless they prove nothing about its charge.
const REASONS: [(&str, Code, Code); 22] = [
    ("APPROVAL_REJECTED", Code::CustomerRejected, Code::CustomerRejected),
    ("REJECTED", Code::CustomerRejected, Code::CustomerRejected),
    ("PAYMENT_NOT_APPROVED", Code::CustomerRejected, Code::CustomerRejected),
    ("EXPIRED", Code::ApprovalTimeout, Code::ApprovalTimeout),
    ("COULD_NOT_PERFORM_TRANSACTION", Code::ApprovalTimeout, Code::ApprovalTimeout),
    ("NOT_ENOUGH_FUNDS", Code::InsufficientFunds, Code::MerchantFloatLow),
    ("PAYER_NOT_FOUND", Code::PayerNotFound, Code::PayerNotFound),
    ("SENDER_ACCOUNT_NOT_ACTIVE", Code::PayerNotFound, Code::OperatorRefused),
    ("PAYEE_NOT_FOUND", Code::RecipientNotFound, Code::RecipientNotFound),
    ("PAYER_LIMIT_REACHED", Code::PayerLimit, Code::PayerLimit),
    ("PAYEE_LIMIT_REACHED", Code::RecipientLimit, Code::RecipientLimit),
    ("PAYEE_NOT_ALLOWED_TO_RECEIVE", Code::OperatorRefused, Code::RecipientLimit),
    ("SERVICE_UNAVAILABLE", Code::NetworkUnavailable, Code::NetworkUnavailable),
    ("TRANSACTION_CANCELED", Code::Cancelled, Code::Cancelled),
    ("NOT_ALLOWED", Code::OperatorRefused, Code::OperatorRefused),
    ("NOT_ALLOWED_TARGET_ENVIRONMENT", Code::OperatorRefused, Code::OperatorRefused),
    ("INVALID_CALLBACK_URL_HOST", Code::OperatorRefused, Code::OperatorRefused),
    ("INVALID_CURRENCY", Code::OperatorRefused, Code::OperatorRefused),
    ("TRANSFER_TYPE_UNKNOWN", Code::OperatorRefused, Code::OperatorRefused),
    ("VALIDATION_ERROR", Code::OperatorRefused, Code::OperatorRefused),
    ("INTERNAL_PROCESSING_ERROR", Code::Unspecified, Code::Unspecified),
    ("LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED", Code::Unspecified, Code::Unspecified),
];

/// Reasons that say that the order is not decided.
const UNDECIDED: [&str; 5] =
    ["PENDING", "ONGOING", "DELAYED", "PAYER_DELAYED", "TRANSACTION_NOT_COMPLETED"];

pub fn rows() -> Vec<Row> {
    let reasons = REASONS.into_iter().map(|(code, charge, payout)| {
        let refund = if code == "NOT_ALLOWED" { PENDING } else { failed(payout) };
        (code, Via::Reason, [failed(charge), failed(payout), refund])
    });
    let undecided =
        UNDECIDED.into_iter().map(|code| (code, Via::Reason, [PENDING, PENDING, PENDING]));
    let all = |outcome: Outcome| [outcome.clone(), outcome.clone(), outcome];
    let unspecified = failed(Code::Unspecified);
    let refused = failed(Code::OperatorRefused);
    let errors = [
        "INTERNAL_PROCESSING_ERROR",
        "INVALID_CALLBACK_URL_HOST",
        "INVALID_CURRENCY",
        "NOT_ALLOWED",
        "NOT_ALLOWED_TARGET_ENVIRONMENT",
        "PAYER_NOT_FOUND",
        "PAYEE_NOT_FOUND",
        "RESOURCE_NOT_FOUND",
        "SERVICE_UNAVAILABLE",
    ];
    let errors =
        errors.into_iter().map(|code| (code, Via::Refusal, [AMBIGUOUS, AMBIGUOUS, AMBIGUOUS]));
    let others = [
        ("TRANSACTION_NOT_FOUND", Via::Reason, [unspecified.clone(), unspecified.clone(), PENDING]),
        ("202", Via::Sent, [APPROVE, PENDING, PENDING]),
        ("RESOURCE_ALREADY_EXIST", Via::Refusal, all(Duplicate)),
        ("BAD_REQUEST", Via::Refusal, all(refused.clone())),
        ("VALIDATION_ERROR", Via::Refusal, all(refused)),
        ("invalid_token", Via::Refusal, all(failed(Code::NetworkUnavailable))),
        ("FORBIDDEN_IP", Via::Refusal, all(failed(Code::NetworkUnavailable))),
        ("429", Via::TooMany, all(AMBIGUOUS)),
        ("RESOURCE_NOT_FOUND", Via::ReadRefusal, all(NeverReceived)),
        ("SUCCESSFUL", Via::Status, all(PAID)),
        ("PENDING", Via::Status, [APPROVE, PENDING, PENDING]),
        ("CREATED", Via::Status, [APPROVE, PENDING, PENDING]),
        ("FAILED", Via::Status, all(unspecified)),
    ];
    reasons.chain(undecided).chain(errors).chain(others).collect()
}

#[tokio::test]
async fn each_code_has_its_outcome() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let charge = || charge("0241234567");
    let payout = || payout("0241234567");
    Wire::new(&rig, &operator, MTN, charge, payout).assert_outcomes(rows()).await;
}
