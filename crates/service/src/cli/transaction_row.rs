//! A transaction as the lists of the command line show it.

use super::output;
use serde::Serialize;
use tua_domain::Transaction;

/// The part of a row that all lists of transactions have.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TransactionRow<'a> {
    transaction_id: &'a str,
    /// Our reference at the operator.
    operator_reference: String,
    account_id: &'a str,
    mode: &'static str,
    r#type: &'static str,
    amount: String,
    payer_pays: String,
    network: &'static str,
    phone_number: String,
    reference: &'a str,
    created_at: String,
}

impl<'a> TransactionRow<'a> {
    pub(super) fn new(transaction: &'a Transaction) -> Self {
        let order = &transaction.order;
        Self {
            transaction_id: order.id.as_str(),
            operator_reference: order.id.operator_reference(),
            account_id: order.scope.account.as_str(),
            mode: order.scope.mode.as_str(),
            r#type: order.transaction_type().as_str(),
            amount: order.transfer.amount.to_string(),
            payer_pays: order.price.payer_pays.to_string(),
            network: order.transfer.network.as_str(),
            phone_number: order.transfer.phone.masked(),
            reference: &order.reference,
            created_at: output::time(transaction.created_at),
        }
    }

    pub(super) fn line(&self) -> String {
        format!(
            "{}  {} {} {} GHS {}  {} {}  {}  begun {}  at the operator {}",
            self.transaction_id,
            self.account_id,
            self.mode,
            self.r#type,
            self.amount,
            self.network,
            self.phone_number,
            self.reference,
            self.created_at,
            self.operator_reference
        )
    }
}
