//! Converts domain types to the state machine's types.

use tua_checkout::flow;
use tua_contract::Amount;
use tua_domain::{
    Checkout, CheckoutSummary, Mode, Transaction, capabilities::Availability,
    quote::NetworkForPayers, routing::NetworkEnd,
};
use url::Url;

/// A session as its payer may see it.
#[must_use]
pub fn session(
    checkout: &Checkout,
    summary: &CheckoutSummary,
    networks: &[NetworkForPayers; 3],
) -> flow::Session {
    flow::Session {
        checkout_id: checkout.id.as_str().to_owned(),
        reference: checkout.reference.clone(),
        amount: checkout.terms.amount.to_string(),
        currency: "GHS".to_owned(),
        merchant: checkout.merchant.clone(),
        accent: checkout.branding.accent.map(|accent| accent.to_string()),
        is_test: checkout.scope.mode == Mode::Test,
        expires_at_ms: checkout.expires_at.as_millisecond(),
        return_url: return_url(checkout),
        is_paid: summary.paid,
        attempts_left: summary.attempts_left(),
        down: networks.each_ref().map(|served| served.availability == Availability::Down),
        ended: networks.each_ref().map(|served| served.end == Some(NetworkEnd::Retired)),
        prices: Box::new(networks.each_ref().map(|served| price(served, checkout.terms.amount))),
        prompt_instructions: Box::new(networks.each_ref().map(prompt_instructions)),
        transaction: summary.latest.as_ref().map(transaction),
    }
}

/// The shop's address, which learns from its query which checkout the payer comes from.
pub fn return_url(checkout: &Checkout) -> Option<String> {
    let mut url = Url::parse(checkout.terms.return_url.as_ref()?).ok()?;
    url.query_pairs_mut()
        .append_pair("checkoutId", checkout.id.as_str())
        .append_pair("reference", &checkout.reference);
    Some(url.into())
}

/// What a charge costs a payer who bears a fee.
fn price(served: &NetworkForPayers, amount: Amount) -> Option<flow::Price> {
    let price = served.price?;
    let fee = Amount::from_pesewas(price.payers_fee_pesewas(amount)).ok()?;
    Some(flow::Price { fee: fee.to_string(), payer_pays: price.payer_pays.to_string() })
}

fn prompt_instructions(served: &NetworkForPayers) -> Vec<flow::LocalizedText> {
    let texts = served.prompt_instructions.texts().iter();
    texts
        .map(|(language, text)| flow::LocalizedText {
            language: language.clone(),
            text: text.clone(),
        })
        .collect()
}

/// A charge as its payer may see it: the number is masked.
#[must_use]
pub fn transaction(transaction: &Transaction) -> flow::Transaction {
    flow::Transaction {
        id: transaction.order.id.as_str().to_owned(),
        state: transaction.state,
        network: Some(transaction.order.transfer.network),
        masked_phone: transaction.order.transfer.phone.masked(),
        payer_pays: Some(transaction.order.price.payer_pays.to_string()),
        code_attempts_left: transaction.code_attempts_left().map(u32::from),
        operator_transaction_id: transaction.details.transaction_id.clone(),
        updated_at: transaction.updated_at.to_string(),
    }
}
