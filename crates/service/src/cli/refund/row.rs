//! A refund as the command line shows it.

use crate::cli::output;
use serde::Serialize;
use tua_contract::State;
use tua_domain::Transaction;

/// A refund, with the names of the members that the API has. Amounts are cedis as text, exact.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefundRow<'a> {
    refund_id: &'a str,
    /// The identifier of the refunded charge.
    transaction_id: &'a str,
    account_id: &'a str,
    mode: &'static str,
    amount: String,
    status: &'static str,
    pub(super) next_action: &'static str,
    /// Null while it waits for an approval.
    method: Option<&'static str>,
    /// Null in the sandbox, and while it waits for an approval.
    operator: Option<&'a str>,
    failure: Option<&'static str>,
    reason: Option<&'a str>,
    network: &'static str,
    phone_number: String,
    /// Our reference at the operator.
    operator_reference: String,
    created_at: String,
    updated_at: String,
}

impl<'a> RefundRow<'a> {
    /// The row of a refund.
    pub(super) fn new(refund: &'a Transaction) -> Self {
        let order = &refund.order;
        let of = order.refund.as_ref();
        Self {
            refund_id: order.id.as_str(),
            transaction_id: of.map(|of| of.charge.as_str()).unwrap_or_default(),
            account_id: order.scope.account.as_str(),
            mode: order.scope.mode.as_str(),
            amount: order.transfer.amount.to_string(),
            status: refund.state.status().as_str(),
            next_action: refund.state.next_action(),
            method: of.filter(|_| refund.is_routed()).map(|of| of.method.as_str()),
            operator: refund.operator.as_ref().map(|pin| pin.name.as_str()),
            failure: match refund.state {
                State::Failed(code) => Some(code.as_str()),
                State::Pending(_) | State::Successful => None,
            },
            reason: order.details.payer_message.as_deref(),
            network: order.transfer.network.as_str(),
            phone_number: order.transfer.phone.masked(),
            operator_reference: order.id.operator_reference(),
            created_at: output::time(refund.created_at),
            updated_at: output::time(refund.updated_at),
        }
    }

    pub(super) fn line(&self) -> String {
        format!(
            "{}  {} refund of {}  GHS {}  {} {}  {} by {}  {} {}  begun {}",
            self.refund_id,
            self.mode,
            self.transaction_id,
            self.amount,
            self.status,
            self.failure.unwrap_or(self.next_action),
            self.method.unwrap_or("not chosen yet"),
            self.operator.unwrap_or("the sandbox, or nobody yet"),
            self.network,
            self.phone_number,
            self.created_at
        )
    }
}
