//! Quotes as responses show them.

use super::format::{json_number, optional_pesewas_as_cedis, rfc3339};
use crate::values;
use jiff::Timestamp;
use serde::Serialize;
use tua_contract::Amount;
use tua_domain::{Caller, Kind, quote::Quote};
use utoipa::ToSchema;

/// What a payment would cost if it began now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Quote)]
pub struct QuoteView<'a> {
    #[schema(value_type = values::TransactionType)]
    r#type: &'static str,
    #[schema(value_type = values::Network)]
    network: &'static str,
    /// The merchant's price of a charge, or what the recipient of a payout gets.
    #[serde(serialize_with = "json_number")]
    #[schema(value_type = values::Amount)]
    amount: Amount,
    #[schema(value_type = values::Currency)]
    currency: &'static str,
    /// The operator's fee by its tariff. Null without a tariff, and for a checkout token where the
    /// merchant bears it.
    #[serde(serialize_with = "optional_pesewas_as_cedis")]
    #[schema(required, value_type = Option<values::Fee>)]
    fee: Option<i64>,
    /// What the operator is asked for: the amount, and the fee where the payer bears it.
    #[serde(serialize_with = "json_number")]
    #[schema(value_type = values::Amount)]
    payer_pays: Amount,
    /// What is left of a charge for the merchant. Null without a tariff, for a payout, and for a
    /// checkout token.
    #[serde(serialize_with = "optional_pesewas_as_cedis")]
    #[schema(required, value_type = Option<values::Fee>)]
    merchant_receives: Option<i64>,
    /// The smallest sum that the operator moves in one payment.
    #[serde(serialize_with = "json_number")]
    #[schema(value_type = values::Amount)]
    min: Amount,
    /// The largest sum that the operator moves in one payment.
    #[serde(serialize_with = "json_number")]
    #[schema(value_type = values::Amount)]
    max: Amount,
    /// The operator of the settings that would be chosen. Null for the sandbox, and for a checkout
    /// token.
    #[schema(required, examples("mtn"))]
    operator: Option<&'a str>,
    #[serde(serialize_with = "rfc3339")]
    #[schema(value_type = values::Time)]
    expires_at: Timestamp,
}

impl<'a> QuoteView<'a> {
    /// The quote for this caller. A payer gets neither the operator nor a fee that the merchant
    /// bears, nor what the merchant receives.
    pub fn new(quote: &'a Quote, caller: &Caller) -> Self {
        let Quote { terms, price, .. } = quote;
        let is_merchant = matches!(caller, Caller::Key(_));
        let is_fee_borne_by_payer = price.payers_fee_pesewas(terms.amount) > 0;
        Self {
            r#type: terms.kind.as_str(),
            network: terms.network.as_str(),
            amount: terms.amount,
            currency: "GHS",
            fee: price.fee_pesewas.filter(|_| is_merchant || is_fee_borne_by_payer),
            payer_pays: price.payer_pays,
            merchant_receives: price
                .merchant_receives_pesewas()
                .filter(|_| is_merchant && terms.kind == Kind::Charge),
            min: *quote.permitted_range.start(),
            max: *quote.permitted_range.end(),
            operator: quote.operator.as_ref().filter(|_| is_merchant).map(|name| name.as_str()),
            expires_at: quote.expires_at,
        }
    }
}
