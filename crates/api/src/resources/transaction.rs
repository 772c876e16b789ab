//! Transactions as responses and webhooks show them.

use super::format::{json_number, metadata, optional_pesewas_as_cedis, optional_rfc3339, rfc3339};
use crate::values;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use tua_contract::{Amount, FailureCode, State, Status};
use tua_domain::{
    BatchId, Caller, Kind, Transaction, refund, routing::PinnedOperator, transaction::Conflict,
};
use utoipa::ToSchema;

/// A charge or payout, as a checkout token sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PayersTransaction)]
pub struct PayersTransactionView<'a> {
    /// The identifier, for `GET /v1/status/{transactionId}` and `POST /v1/submit-otp`.
    #[schema(examples("txn_019aa5f0c2007d3e8a1b4c5d6e7f8091"))]
    transaction_id: &'a str,
    #[schema(value_type = values::Status)]
    status: &'static str,
    #[schema(value_type = values::TransactionType)]
    r#type: &'static str,
    #[serde(serialize_with = "json_number")]
    #[schema(value_type = values::Amount)]
    amount: Amount,
    #[schema(value_type = values::Currency)]
    currency: &'static str,
    /// What the operator is asked for: the amount, and the fee where the payer bears it.
    #[serde(serialize_with = "json_number")]
    #[schema(value_type = values::Amount)]
    payer_pays: Amount,
    /// The merchant's own name for the payment. Generated where the request had none.
    #[schema(examples("order-17"))]
    reference: &'a str,
    #[schema(value_type = values::Network)]
    network: &'static str,
    #[schema(value_type = values::LiveOrTest)]
    mode: &'static str,
    #[schema(value_type = values::NextAction)]
    next_action: &'static str,
    /// How many codes may still be submitted. Null if no code is expected.
    #[schema(required)]
    code_attempts_left: Option<u8>,
    #[schema(required)]
    failure: Option<FailureView>,
    /// The checkout session of the charge, or null.
    #[schema(required)]
    checkout_id: Option<&'a str>,
    #[serde(serialize_with = "rfc3339")]
    #[schema(value_type = values::Time)]
    created_at: Timestamp,
    /// When the transaction last changed.
    #[serde(serialize_with = "rfc3339")]
    #[schema(value_type = values::Time)]
    updated_at: Timestamp,
    /// The payer's or recipient's number. For a checkout token, only the last three digits are
    /// readable.
    #[schema(examples("0241234567"))]
    phone_number: String,
    /// The operator's id of the transaction, as in the payer's SMS. Null until it is known.
    #[schema(required, examples("1234567890"))]
    operator_transaction_id: Option<&'a str>,
}

/// A charge or payout, as secret keys and webhooks see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Transaction)]
pub struct TransactionView<'a> {
    #[serde(flatten)]
    transaction: PayersTransactionView<'a>,
    #[serde(flatten)]
    merchants: MerchantsView<'a>,
}

/// The members that only secret keys and webhooks show.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MerchantsPart)]
struct MerchantsView<'a> {
    /// The payer's or recipient's e-mail address.
    #[schema(required)]
    email: Option<&'a str>,
    #[schema(required, value_type = Option<values::Metadata>)]
    metadata: Option<&'a RawValue>,
    /// What the payer answered to the question of the payment link. Absent where nothing was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(examples("Kofi Mensah, class 3B"))]
    answer: Option<&'a str>,
    /// For a charge: a text that the payer sees. For a payout: a private note of the merchant.
    #[schema(required)]
    payer_message: Option<&'a str>,
    /// For a charge: a private note of the merchant. For a payout: a text that the recipient sees.
    #[schema(required)]
    payee_note: Option<&'a str>,
    #[schema(required)]
    conflict: Option<ConflictView>,
    /// The batch of payouts that it is a line of.
    #[schema(required, examples("bat_019aa5f0c2007d3e8a1b4c5d6e7f8096"))]
    batch_id: Option<&'a str>,
    /// When the operator returned a successful payout.
    #[serde(serialize_with = "optional_rfc3339")]
    #[schema(required, value_type = Option<values::Time>)]
    reversed_at: Option<Timestamp>,
    /// The operator that serves it, by its name in the settings. Null in the sandbox, and while it
    /// waits for an approval.
    #[schema(required, examples("mtn"))]
    operator: Option<&'a str>,
    /// The operator's fee in GHS. Null if the operator did not report one.
    #[serde(serialize_with = "optional_pesewas_as_cedis")]
    #[schema(required, value_type = Option<values::Fee>)]
    operator_fee: Option<i64>,
    /// What the successful refunds of a charge returned, in GHS. Null for a payout.
    #[serde(serialize_with = "optional_pesewas_as_cedis")]
    #[schema(required, value_type = Option<values::Sum>)]
    refunded_amount: Option<i64>,
    /// What is left of a charge to refund, in GHS. Null for a payout.
    #[serde(serialize_with = "optional_pesewas_as_cedis")]
    #[schema(required, value_type = Option<values::Sum>)]
    refundable_amount: Option<i64>,
}

/// A final response that contradicts the final status. The status does not change. People must look
/// at it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Conflict)]
pub(super) struct ConflictView {
    #[schema(value_type = values::Status)]
    observed: &'static str,
    #[serde(serialize_with = "rfc3339")]
    #[schema(value_type = values::Time)]
    at: Timestamp,
    /// The status that a person found to be right. Null until the conflict is reviewed.
    #[schema(required, value_type = Option<values::Status>)]
    decision: Option<&'static str>,
}

/// Why the payment failed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Failure)]
pub(super) struct FailureView {
    #[schema(value_type = values::FailureReason)]
    code: &'static str,
    /// A text for people.
    #[schema(examples("The payer declined. No money moved."))]
    message: String,
    /// Whether a new transaction with the same data may succeed.
    retryable: bool,
}

/// A transaction, with a text about the request, as a secret key sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransactionWithMessage)]
pub struct TransactionWithMessage<'a> {
    /// The result of the request, for people.
    #[schema(examples("Started. The payer must approve it on the phone."))]
    pub message: &'a str,
    /// The transaction as it is now.
    #[serde(flatten)]
    pub transaction: TransactionView<'a>,
}

/// A transaction, with a text about the request, as a checkout token sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PayersTransactionWithMessage)]
pub struct TransactionForPayerWithMessage<'a> {
    /// The result of the request, for people.
    #[schema(examples("Started. The payer must approve it on the phone."))]
    message: &'a str,
    /// The transaction as it is now.
    #[serde(flatten)]
    transaction: PayersTransactionView<'a>,
}

/// A transaction as its caller sees it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum TransactionForCaller<'a> {
    /// For a checkout token.
    Payer(Box<PayersTransactionView<'a>>),
    /// For a secret key.
    Merchant(Box<TransactionView<'a>>),
}

/// A transaction, with a text about the request, as its caller sees it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum TransactionForCallerWithMessage<'a> {
    /// For a checkout token.
    Payer(Box<TransactionForPayerWithMessage<'a>>),
    /// For a secret key.
    Merchant(Box<TransactionWithMessage<'a>>),
}

impl<'a> TransactionForCaller<'a> {
    /// What this caller sees of a transaction that it may see.
    pub fn new(transaction: &'a Transaction, caller: &Caller) -> Self {
        match caller {
            Caller::Token(_) => Self::Payer(Box::new(PayersTransactionView::new(transaction))),
            Caller::Key(_) => Self::Merchant(Box::new(TransactionView::new(transaction))),
        }
    }
}

impl<'a> TransactionForCallerWithMessage<'a> {
    /// What this caller sees of a transaction that it may see, with this text.
    pub fn new(message: &'a str, transaction: &'a Transaction, caller: &Caller) -> Self {
        match TransactionForCaller::new(transaction, caller) {
            TransactionForCaller::Payer(transaction) => {
                Self::Payer(Box::new(TransactionForPayerWithMessage {
                    message,
                    transaction: *transaction,
                }))
            }
            TransactionForCaller::Merchant(transaction) => {
                Self::Merchant(Box::new(TransactionWithMessage {
                    message,
                    transaction: *transaction,
                }))
            }
        }
    }
}

impl<'a> TransactionView<'a> {
    /// The transaction as returned to a secret key and sent in webhooks.
    pub fn new(transaction: &'a Transaction) -> Self {
        let phone_number = transaction.order.transfer.phone.as_str().to_owned();
        Self {
            transaction: PayersTransactionView {
                phone_number,
                ..PayersTransactionView::new(transaction)
            },
            merchants: MerchantsView::new(transaction),
        }
    }
}

impl<'a> PayersTransactionView<'a> {
    /// What a checkout token sees.
    pub fn new(transaction: &'a Transaction) -> Self {
        let order = &transaction.order;
        Self {
            transaction_id: order.id.as_str(),
            status: transaction.state.status().as_str(),
            r#type: order.transaction_type().as_str(),
            amount: order.transfer.amount,
            currency: "GHS",
            payer_pays: order.price.payer_pays,
            reference: &order.reference,
            network: order.transfer.network.as_str(),
            mode: order.scope.mode.as_str(),
            next_action: transaction.state.next_action(),
            code_attempts_left: transaction.code_attempts_left(),
            failure: FailureView::of(transaction),
            checkout_id: order.checkout.as_ref().map(tua_domain::CheckoutId::as_str),
            created_at: transaction.created_at,
            updated_at: transaction.updated_at,
            phone_number: order.transfer.phone.masked(),
            operator_transaction_id: transaction.details.transaction_id.as_deref(),
        }
    }
}

impl<'a> MerchantsView<'a> {
    fn new(transaction: &'a Transaction) -> Self {
        let order = &transaction.order;
        let is_charge = order.transfer.kind == Kind::Charge;
        Self {
            email: order.details.email.as_deref(),
            metadata: metadata(order.details.metadata.as_deref()),
            answer: order.details.answer.as_deref(),
            payer_message: order.details.payer_message.as_deref(),
            payee_note: order.details.payee_note.as_deref(),
            conflict: ConflictView::of(transaction.conflict),
            batch_id: order.batch.as_ref().map(BatchId::as_str),
            reversed_at: transaction.reversed_at,
            operator: transaction.operator.as_ref().and_then(PinnedOperator::public_name),
            operator_fee: transaction.details.fee_pesewas,
            refunded_amount: is_charge.then_some(transaction.refunds.returned),
            refundable_amount: is_charge.then(|| refund::left(transaction).unwrap_or(0).max(0)),
        }
    }
}

impl ConflictView {
    pub(super) fn of(conflict: Option<Conflict>) -> Option<Self> {
        let Conflict { observed, at, decision } = conflict?;
        Some(Self { observed: observed.as_str(), at, decision: decision.map(Status::as_str) })
    }
}

impl FailureView {
    /// Nothing for a transaction that has not failed.
    pub(super) fn of(transaction: &Transaction) -> Option<Self> {
        let State::Failed(code) = transaction.state else { return None };
        Some(Self {
            code: code.as_str(),
            message: format!("{} {}", failure_reason(code), moved_money(transaction.conflict)),
            retryable: code.is_retryable(),
        })
    }
}

/// Whether the money of a failed transaction moved, as far as it is known.
fn moved_money(conflict: Option<Conflict>) -> &'static str {
    match conflict.map(|conflict| (conflict.observed, conflict.decision)) {
        Some((_, Some(Status::Successful))) => "But a review found that money moved.",
        Some((Status::Successful, None)) => "But its operator reports that money moved.",
        Some(_) | None => "No money moved.",
    }
}

const fn failure_reason(code: FailureCode) -> &'static str {
    match code {
        FailureCode::InsufficientFunds => "The wallet does not contain enough money.",
        FailureCode::CustomerRejected => "The payer declined.",
        FailureCode::ApprovalTimeout => "The payer did not approve in time.",
        FailureCode::WrongPin => "The payer entered a wrong PIN.",
        FailureCode::OtpAttemptsExhausted => "Five wrong codes were entered.",
        FailureCode::PayerNotFound => "The number has no wallet on this network.",
        FailureCode::RecipientNotFound => "The recipient's number has no wallet on this network.",
        FailureCode::PayerLimit => "The payer's wallet has reached a limit.",
        FailureCode::RecipientLimit => "The recipient's wallet has reached a limit.",
        FailureCode::NotSent => "The payment was not sent to the operator.",
        FailureCode::ApprovalRefused => "It was not approved.",
        FailureCode::Cancelled => "The payment was cancelled before it was sent.",
        FailureCode::PayerBusy => "Another prompt is open on the payer's phone.",
        FailureCode::MerchantFloatLow => "The merchant's wallet cannot cover this payment.",
        FailureCode::NetworkUnavailable => "The network was not available.",
        FailureCode::OperatorRefused => "The operator refused.",
        FailureCode::Unspecified => "The operator gave no reason.",
    }
}
