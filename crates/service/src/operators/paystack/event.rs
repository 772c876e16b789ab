//! The JSON of Paystack's callbacks. Sources as in `wire.rs`.

use super::wire::{CURRENCY, bank_code};
use crate::domain::ports::QuestionedRecipient;
use serde::Deserialize;
use serde_json::Value;
use tua_contract::{Amount, Network, Phone};

/// A callback: an event, or the question whether a transfer is approved, which may come without a frame.
#[derive(Debug, Deserialize)]
pub(super) struct Event {
    #[serde(default)]
    pub(super) event: Option<String>,
    #[serde(default)]
    pub(super) data: Option<EventData>,
    /// Of a question without a frame: the transfers to approve.
    #[serde(default)]
    transfers: Vec<TransferPart>,
    #[serde(flatten)]
    transfer: TransferPart,
}

/// The data of an event, as far as the connector reads it.
#[derive(Debug, Default, Deserialize)]
pub(super) struct EventData {
    #[serde(flatten)]
    pub(super) order: TransferPart,
    /// Of a refund or a dispute: the charge's reference.
    #[serde(default)]
    pub(super) transaction_reference: Option<String>,
    /// Of a dispute: the charge.
    #[serde(default)]
    pub(super) transaction: Value,
    /// The transfers to approve.
    #[serde(default)]
    transfers: Vec<TransferPart>,
}

/// What identifies a charge or a transfer. Amounts of Paystack are whole numbers, so `Value` keeps them exactly.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct TransferPart {
    #[serde(default)]
    pub(super) reference: Option<String>,
    /// In pesewas.
    #[serde(default)]
    amount: Value,
    #[serde(default)]
    currency: Value,
    /// An object with the wallet, or only an id or code of Paystack's.
    #[serde(default)]
    recipient: Value,
}

impl Event {
    /// Every transfer that the body has anything of, wherever it stands.
    pub(super) fn into_transfers(self) -> Vec<TransferPart> {
        let data = self.data.unwrap_or_default();
        let named = [self.transfer, data.order].into_iter().filter(TransferPart::has_content);
        named.chain(self.transfers).chain(data.transfers).collect()
    }
}

impl TransferPart {
    fn has_content(&self) -> bool {
        self.reference.is_some() || !self.amount.is_null() || !self.recipient.is_null()
    }

    /// The amount; `None` where it is missing, no whole number of pesewas, or in another currency.
    pub(super) fn amount(&self) -> Option<Amount> {
        if !self.currency.is_null() && self.currency.as_str() != Some(CURRENCY) {
            return None;
        }
        let pesewas = self.amount.as_i64().or_else(|| self.amount.as_str()?.parse().ok())?;
        Amount::from_pesewas(pesewas).ok()
    }

    /// The wallet that the money would go to.
    pub(super) fn recipient(&self) -> QuestionedRecipient {
        let details = &self.recipient["details"];
        let (number, bank) = (&details["account_number"], &details["bank_code"]);
        if number.is_null() && bank.is_null() {
            return QuestionedRecipient::Unnamed;
        }
        let phone = number.as_str().and_then(|digits| Phone::parse(digits).ok());
        let network = match bank.as_str() {
            Some(code) => Network::ALL.into_iter().find(|network| bank_code(*network) == code).map(Some),
            None => bank.is_null().then_some(None),
        };
        match phone.zip(network) {
            Some((phone, network)) => QuestionedRecipient::Wallet { phone, network },
            None => QuestionedRecipient::Other,
        }
    }
}

impl EventData {
    /// The reference of the charge that is disputed or refunded.
    pub(super) fn charge_reference(self) -> Option<String> {
        let within = self.transaction.get("reference").and_then(Value::as_str).map(str::to_owned);
        within.or(self.transaction_reference)
    }
}
