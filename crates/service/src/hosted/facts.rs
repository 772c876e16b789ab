//! Converts domain types to the state machine's types.

use crate::domain::{Checkout, CheckoutSummary, Mode, Transaction};
use tua_checkout::flow;

/// A session as its payer may see it. `down`: whether each network of `Network::ALL` is down.
#[must_use]
pub fn session(checkout: &Checkout, standing: &CheckoutSummary, down: [bool; 3]) -> flow::Session {
    flow::Session {
        checkout_id: checkout.id.as_str().to_owned(),
        reference: checkout.reference.clone(),
        amount: checkout.terms.amount.to_string(),
        currency: "GHS".to_owned(),
        merchant: checkout.merchant.clone(),
        accent: checkout.branding.accent.map(|accent| accent.to_string()),
        is_test: checkout.scope.mode == Mode::Test,
        expires_at_ms: checkout.expires_at.as_millisecond(),
        return_url: checkout.terms.return_url.clone(),
        is_paid: standing.paid,
        attempts_left: standing.attempts_left(),
        down,
        transaction: standing.latest.as_ref().map(transaction),
    }
}

/// A charge as its payer may see it: the number is masked.
#[must_use]
pub fn transaction(transaction: &Transaction) -> flow::Transaction {
    flow::Transaction {
        id: transaction.begun.id.as_str().to_owned(),
        state: transaction.state,
        network: Some(transaction.begun.transfer.network),
        masked_phone: transaction.begun.transfer.phone.masked(),
        code_attempts_left: transaction.code_attempts_left().map(u32::from),
        operator_id: transaction.details.transaction_id.clone(),
        updated_at: transaction.updated_at.to_string(),
    }
}
