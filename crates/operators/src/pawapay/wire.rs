//! pawaPay's JSON (Merchant API, version 2). Unknown members are ignored; what is read is what its
//! API reference lists (2026-11).

use crate::exact::ExactText;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The body of a deposit or payout.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrderBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposit_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payout_id: Option<&'a str>,
    pub amount: String,
    pub currency: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payer: Option<Party>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipient: Option<Party>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_message: Option<String>,
}

/// A payer or recipient: a mobile-money wallet, `MMO`.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct Party {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub account_details: AccountDetails,
}

/// The number and the provider of a wallet.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct AccountDetails {
    pub phone_number: String,
    pub provider: String,
}

/// The body of a refund, which goes to the payer of the deposit.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefundBody<'a> {
    pub refund_id: &'a str,
    pub deposit_id: &'a str,
    pub amount: String,
    pub currency: &'static str,
}

/// Why something was refused, or failed.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct FailureReason {
    pub failure_code: Option<String>,
    /// A text for people.
    #[serde(default)]
    pub failure_message: Value,
}

/// The response to an order, or to its cancellation.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct InitiatedBody {
    pub deposit_id: Option<String>,
    pub payout_id: Option<String>,
    pub refund_id: Option<String>,
    pub status: String,
    pub next_step: Option<String>,
    pub failure_reason: Option<FailureReason>,
}

/// The response to a refused request.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct ErrorBody {
    pub failure_reason: FailureReason,
}

/// The response to a status read.
#[derive(Deserialize, Debug)]
pub(super) struct StatusBody {
    /// Whether there is an order.
    pub status: String,
    pub data: Option<OrderData>,
}

/// The order as pawaPay has it.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrderData {
    pub deposit_id: Option<String>,
    pub payout_id: Option<String>,
    pub refund_id: Option<String>,
    pub status: String,
    pub amount: Option<ExactText>,
    pub currency: Option<String>,
    pub provider_transaction_id: Option<ExactText>,
    pub failure_reason: Option<FailureReason>,
}

/// What the merchant's account may do now.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct ActiveConfBody {
    #[serde(default)]
    pub signature_configuration: SignatureConfiguration,
    #[serde(default)]
    pub countries: Vec<CountryBody>,
}

/// Which messages the account signs.
#[derive(Deserialize, Clone, Copy, Default, Debug)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct SignatureConfiguration {
    pub signed_requests_only: bool,
    pub signed_callbacks: bool,
}

/// A country of [`ActiveConfBody`].
#[derive(Deserialize, Debug)]
pub(super) struct CountryBody {
    pub country: String,
    #[serde(default)]
    pub providers: Vec<ProviderBody>,
}

/// A provider of a country.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProviderBody {
    pub provider: String,
    pub display_name: Option<String>,
    #[serde(default)]
    pub currencies: Vec<CurrencyBody>,
}

/// A currency of a provider, with its operations by name.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct CurrencyBody {
    pub currency: String,
    #[serde(default)]
    pub operation_types: std::collections::HashMap<String, OperationBody>,
}

/// What a provider offers for one operation.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct OperationBody {
    pub min_amount: Option<ExactText>,
    pub max_amount: Option<ExactText>,
    pub status: Option<String>,
    pub callback_url: Option<String>,
    /// Nested texts, whose form differs between channels.
    pub pin_prompt_instructions: Option<Value>,
}

/// The response about the balances of the merchant's wallets.
#[derive(Deserialize, Debug)]
pub(super) struct BalancesBody {
    pub balances: Vec<BalanceBody>,
}

/// The balance of one wallet at pawaPay.
#[derive(Deserialize, Debug)]
pub(super) struct BalanceBody {
    pub country: String,
    pub balance: ExactText,
    pub currency: String,
    #[serde(default)]
    pub provider: Option<String>,
}

/// The request for a statement.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct StatementRequest<'a> {
    pub wallet: Wallet,
    /// Required. pawaPay calls it when the file is ready. The service polls instead.
    pub callback_url: &'a str,
    pub start_date: String,
    pub end_date: String,
    pub compressed: bool,
}

/// The merchant's money in a country.
#[derive(Serialize, Debug)]
pub(super) struct Wallet {
    pub country: &'static str,
    pub currency: &'static str,
}

/// The response to [`StatementRequest`].
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequestedStatement {
    #[serde(default)]
    pub statement_id: String,
    pub status: String,
}

/// The response to the question whether a statement is made. Without data it is not found.
#[derive(Deserialize, Debug)]
pub(super) struct StatementBody {
    pub data: Option<MadeStatement>,
}

/// A requested statement: whether its file is made, and where it is.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct MadeStatement {
    pub status: String,
    /// Its query is a credential for the file.
    pub download_url: Option<String>,
}

/// A public key of pawaPay's.
#[derive(Deserialize, Debug)]
pub(super) struct PublicKeyBody {
    pub id: String,
    /// The `SubjectPublicKeyInfo` of the key, in PEM.
    pub key: String,
}
