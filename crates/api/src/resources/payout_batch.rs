//! Batches of payouts as responses show them.

use super::{
    format::{pesewas_as_cedis, rfc3339},
    transaction::{TransactionView, TransactionWithMessage},
};
use crate::values;
use jiff::Timestamp;
use serde::Serialize;
use tua_domain::{Transaction, payout_batch::PayoutBatch};
use utoipa::ToSchema;

/// A batch of payouts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PayoutBatch)]
pub struct PayoutBatchView<'a> {
    /// The identifier, for GET /v1/payouts/batches/{batchId}.
    #[schema(examples("bat_019aa5f0c2007d3e8a1b4c5d6e7f8096"))]
    batch_id: &'a str,
    #[schema(value_type = values::BatchStatus)]
    status: &'static str,
    /// The merchant's own name for the batch. Generated where the request had none.
    #[schema(examples("salaries-november"))]
    reference: &'a str,
    /// The number of payouts.
    #[schema(minimum = 1, maximum = 1000)]
    count: usize,
    #[serde(serialize_with = "pesewas_as_cedis")]
    #[schema(value_type = values::Sum)]
    total: i64,
    #[schema(value_type = values::Currency)]
    currency: &'static str,
    /// Payouts that repeat an earlier one. They are no faults: the batch was begun with them.
    warnings: Vec<WarningView<'a>>,
    /// Each payout, in the order of the request.
    payouts: Vec<TransactionWithMessage<'a>>,
    #[serde(serialize_with = "rfc3339")]
    #[schema(value_type = values::Time)]
    created_at: Timestamp,
}

/// A payout of a batch that may be a mistake.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BatchWarning)]
struct WarningView<'a> {
    /// The payout in the request, as a JSON pointer (RFC 6901).
    #[schema(examples("/payouts/5"))]
    pointer: String,
    #[schema(value_type = values::BatchWarningCode)]
    code: &'static str,
    /// The latest earlier payout of the same amount to the same wallet, in this batch or in the
    /// last 7 days.
    #[schema(examples("txn_019aa5f0c2007d3e8a1b4c5d6e7f8091"))]
    transaction_id: &'a str,
}

impl<'a> PayoutBatchView<'a> {
    /// What a secret key sees. `message` is the text about each payout.
    pub fn new(batch: &'a PayoutBatch, message: impl Fn(&Transaction) -> &'static str) -> Self {
        let warnings = batch.warnings.iter().map(|warning| WarningView {
            pointer: format!("/payouts/{}", warning.line),
            code: "repeated_payout",
            transaction_id: warning.earlier.as_str(),
        });
        let payout = |line| TransactionWithMessage {
            message: message(line),
            transaction: TransactionView::new(line),
        };
        Self {
            batch_id: batch.id.as_str(),
            status: batch.status(),
            reference: &batch.reference,
            count: batch.lines.len(),
            total: batch.total_pesewas(),
            currency: "GHS",
            warnings: warnings.collect(),
            payouts: batch.lines.iter().map(payout).collect(),
            created_at: batch.created_at,
        }
    }
}
