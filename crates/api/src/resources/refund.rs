//! Refunds as responses and webhooks show them.

use super::{
    format::{json_number, rfc3339},
    transaction::{ConflictView, FailureView},
};
use crate::values;
use jiff::Timestamp;
use serde::Serialize;
use tua_contract::Amount;
use tua_domain::{Transaction, refund::RefundOf, routing::PinnedOperator};
use utoipa::ToSchema;

/// The return of a charge's money to its payer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Refund)]
pub struct RefundView<'a> {
    /// The identifier, for `GET /v1/refunds/{refundId}`.
    #[schema(examples("txn_019aa5f0c2007d3e8a1b4c5d6e7f8095"))]
    refund_id: &'a str,
    /// The identifier of the charge whose money is returned.
    #[schema(examples("txn_019aa5f0c2007d3e8a1b4c5d6e7f8091"))]
    transaction_id: &'a str,
    #[serde(serialize_with = "json_number")]
    #[schema(value_type = values::Amount)]
    amount: Amount,
    #[schema(value_type = values::Currency)]
    currency: &'static str,
    #[schema(value_type = values::Status)]
    status: &'static str,
    #[schema(value_type = values::NextAction)]
    next_action: &'static str,
    /// How the money returns. Null while the refund waits for an approval.
    #[schema(required, value_type = Option<values::RefundMethod>)]
    method: Option<&'static str>,
    /// The operator that returns it, by its name in the settings. Null in the sandbox, and while it
    /// waits for an approval.
    #[schema(required, examples("mtn"))]
    operator: Option<&'a str>,
    #[schema(required)]
    failure: Option<FailureView>,
    /// The merchant's own reason.
    #[schema(required)]
    reason: Option<&'a str>,
    #[schema(required)]
    conflict: Option<ConflictView>,
    #[serde(serialize_with = "rfc3339")]
    #[schema(value_type = values::Time)]
    created_at: Timestamp,
    /// When the refund last changed.
    #[serde(serialize_with = "rfc3339")]
    #[schema(value_type = values::Time)]
    updated_at: Timestamp,
}

impl<'a> RefundView<'a> {
    /// The refund as returned to a secret key and sent in webhooks.
    pub fn new(refund: &'a Transaction, of: &'a RefundOf) -> Self {
        let order = &refund.order;
        Self {
            refund_id: order.id.as_str(),
            transaction_id: of.charge.as_str(),
            amount: order.transfer.amount,
            currency: "GHS",
            status: refund.state.status().as_str(),
            next_action: refund.state.next_action(),
            method: refund.is_routed().then_some(of.method.as_str()),
            operator: refund.operator.as_ref().and_then(PinnedOperator::public_name),
            failure: FailureView::of(refund),
            // A refund keeps its reason here, and operators do not get it.
            reason: order.details.payer_message.as_deref(),
            conflict: ConflictView::of(refund.conflict),
            created_at: refund.created_at,
            updated_at: refund.updated_at,
        }
    }
}
