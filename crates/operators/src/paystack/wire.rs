//! Paystack's JSON. Sources: the OpenAPI document of PaystackOSS, paystack.com/docs and its
//! published samples, all read in November 2026.

use crate::{connection::Response, exact::ExactText};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};
use tua_contract::Network;

/// The only currency of the service.
pub(super) const CURRENCY: &str = "GHS";

/// The request of `POST /charge`.
#[derive(Debug, Serialize)]
pub(super) struct ChargeRequest<'a> {
    pub(super) email: &'a str,
    /// What the payer pays, in pesewas.
    pub(super) amount: i64,
    pub(super) currency: &'static str,
    pub(super) reference: &'a str,
    pub(super) mobile_money: MobileMoney<'a>,
}

/// The wallet that is charged.
#[derive(Debug, Serialize)]
pub(super) struct MobileMoney<'a> {
    /// The local form, which begins with 0.
    pub(super) phone: &'a str,
    pub(super) provider: &'static str,
}

/// `POST /charge/submit_otp`. Vouchers are submitted here too.
#[derive(Debug, Serialize)]
pub(super) struct OtpRequest<'a> {
    pub(super) otp: &'a str,
    pub(super) reference: &'a str,
}

/// The request of `POST /transferrecipient`, which registers a wallet.
#[derive(Debug, Serialize)]
pub(super) struct RecipientRequest<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) name: &'a str,
    pub(super) account_number: &'a str,
    pub(super) bank_code: &'static str,
    pub(super) currency: &'static str,
}

/// The request of `POST /transfer`, from the merchant's balance.
#[derive(Debug, Serialize)]
pub(super) struct TransferRequest<'a> {
    pub(super) source: &'static str,
    /// What the recipient gets, in pesewas.
    pub(super) amount: i64,
    pub(super) currency: &'static str,
    pub(super) recipient: &'a str,
    pub(super) reference: &'a str,
    pub(super) reason: String,
}

/// The request of `POST /refund`.
#[derive(Debug, Serialize)]
pub(super) struct RefundRequest<'a> {
    /// Our reference of the charge.
    pub(super) transaction: &'a str,
    /// How much the payer gets back, in pesewas.
    pub(super) amount: i64,
    pub(super) currency: &'static str,
    /// Our name for the refund: a refund has no reference of the merchant.
    pub(super) merchant_note: &'a str,
}

/// The frame of every response.
#[derive(Debug, Deserialize)]
pub(super) struct Body {
    /// Whether the request was fulfilled; never the status of a payment.
    pub(super) status: bool,
    #[serde(default)]
    pub(super) message: Option<String>,
    /// `validation_error`, `processor_error` or `api_error`.
    #[serde(default, rename = "type")]
    pub(super) kind: Option<String>,
    #[serde(default)]
    pub(super) code: Option<String>,
    #[serde(default)]
    data: Option<Box<RawValue>>,
}

impl Body {
    /// The body of a response; `None` where it is not one of Paystack's.
    pub(super) fn read(response: &Response) -> Option<Self> {
        response.json()
    }

    /// The data, if it has this shape.
    pub(super) fn data<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(self.data.as_ref()?.get()).ok()
    }
}

/// A charge, while it waits for its payer or once it has ended; also a transfer.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Transaction {
    #[serde(default)]
    pub(super) id: Option<ExactText>,
    #[serde(default)]
    pub(super) status: Option<String>,
    #[serde(default)]
    pub(super) reference: Option<ExactText>,
    /// What was charged or is transferred, in pesewas.
    #[serde(default)]
    pub(super) amount: Option<ExactText>,
    #[serde(default)]
    pub(super) currency: Option<String>,
    /// Of a charge, in pesewas.
    #[serde(default)]
    pub(super) fees: Option<ExactText>,
    /// Of a transfer, in pesewas.
    #[serde(default)]
    pub(super) fee_charged: Option<ExactText>,
    #[serde(default)]
    pub(super) transfer_code: Option<String>,
    /// What the payer is asked to do: a text.
    #[serde(default)]
    display_text: Value,
    /// Why it failed: a text, or an object with one, or null.
    #[serde(default)]
    message: Value,
    #[serde(default)]
    gateway_response: Value,
    #[serde(default)]
    failures: Value,
}

impl Transaction {
    /// Whether a charge that waits for a code waits for the one of an SMS, by the text for the
    /// payer.
    pub(super) fn asks_for_passcode(&self) -> bool {
        let text = self.display_text.as_str().unwrap_or_default().to_lowercase();
        text.contains("otp") && !text.contains("voucher")
    }

    /// Every text about a failure, in lower case.
    pub(super) fn failure_text(&self) -> String {
        let texts = [&self.message, &self.gateway_response, &self.failures];
        texts
            .map(|value| if value.is_null() { String::new() } else { value.to_string() })
            .join(" ")
            .to_lowercase()
    }
}

/// The data of `POST /transferrecipient`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct Recipient {
    #[serde(default)]
    pub(super) id: Option<ExactText>,
    pub(super) recipient_code: String,
}

/// A refund, alone or in the list of refunds.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Refund {
    #[serde(default)]
    pub(super) id: Option<ExactText>,
    #[serde(default)]
    pub(super) status: Option<String>,
    /// How much the payer gets back, in pesewas.
    #[serde(default)]
    pub(super) amount: Option<ExactText>,
    #[serde(default)]
    pub(super) currency: Option<String>,
    #[serde(default)]
    pub(super) merchant_note: Option<String>,
}

/// An entry of `GET /balance`.
#[derive(Debug, Deserialize)]
pub(super) struct Balance {
    pub(super) currency: String,
    /// In a hundredth of the currency.
    pub(super) balance: ExactText,
}

/// The data of `GET /bank/resolve`.
#[derive(Debug, Deserialize)]
pub(super) struct Account {
    pub(super) account_name: String,
}

/// An entry of `GET /bank`.
#[derive(Debug, Deserialize)]
pub(super) struct Bank {
    pub(super) code: String,
}

/// The name of a network in charges.
pub(super) const fn provider(network: Network) -> &'static str {
    match network {
        Network::Mtn => "mtn",
        Network::Telecel => "vod",
        Network::AirtelTigo => "atl",
    }
}

/// The name of a network in recipients and in the look-up of names.
pub(super) const fn bank_code(network: Network) -> &'static str {
    match network {
        Network::Mtn => "MTN",
        Network::Telecel => "VOD",
        Network::AirtelTigo => "ATL",
    }
}
