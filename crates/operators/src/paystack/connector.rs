//! The connector to a Paystack account: its state, and the calls of orders and their status.

use super::{
    convert::{self, ExpectedOrder},
    named_recipient::MOBILE_MONEY,
    recipients::Recipients,
    settings::{self, Settings},
    wire::{
        CURRENCY, ChargeRequest, MobileMoney, RecipientRequest, TransferRequest, bank_code,
        provider,
    },
};
use crate::{
    connection::{Call, Connection, Reply},
    environment::Environment,
};
use reqwest::header::AUTHORIZATION;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use tua_contract::Network;
use tua_domain::ports::{Order, RefundOrder, SendPermit, SendResponse, SentOrder, StatusResponse};

/// The connector to one Paystack account.
#[derive(Debug)]
pub struct Paystack {
    pub(super) settings: Settings,
    pub(super) environment: Environment,
    pub(super) connection: Connection,
    /// A secret. A callback needs it, and a signature.
    pub(super) callback_url: SecretString,
    pub(super) recipients: Recipients,
}

impl Paystack {
    /// A connector. `callback_url` is what the merchant enters in Paystack's dashboard.
    #[must_use]
    pub fn new(
        settings: Settings,
        environment: Environment,
        connection: Connection,
        callback_url: String,
    ) -> Self {
        Self {
            settings,
            environment,
            connection,
            callback_url: callback_url.into(),
            recipients: Recipients::new(),
        }
    }

    /// Paystack's word for the mode of the secret key, which fits the environment.
    pub(super) const fn domain(&self) -> &'static str {
        settings::domain(self.environment)
    }

    pub(super) async fn call(&self, call: Call<'_>) -> Reply {
        let credentials = format!("Bearer {}", self.settings.secret_key.expose_secret());
        self.connection.call(call.secret_header(AUTHORIZATION, &credentials)).await
    }

    pub(super) async fn send_charge(&self, order: &Order, permit: &SendPermit) -> SendResponse {
        let transfer = &order.transfer;
        let request = ChargeRequest {
            email: order.email.as_deref().unwrap_or(&self.settings.email_fallback),
            amount: transfer.amount.pesewas(),
            currency: CURRENCY,
            reference: &order.reference,
            mobile_money: MobileMoney {
                phone: transfer.phone.as_str(),
                provider: provider(transfer.network),
            },
        };
        let Some(body) = json(&request) else { return SendResponse::NotSent };
        let call =
            Call::post("/charge").json(body).record_for(&order.reference).with_permit(permit);
        convert::charge_response(
            &self.call(call).await,
            expected_order(&order.reference, transfer.network),
        )
    }

    /// Sends a transfer. A recipient whose code was kept may have been deleted at Paystack since:
    /// then no transfer was created, and the wallet is registered again, once.
    pub(super) async fn send_transfer(&self, order: &Order, permit: &SendPermit) -> SendResponse {
        let network = order.transfer.network;
        let phone = &order.transfer.phone;
        if let Some(code) = self.recipients.find(network, phone) {
            let reply = self.transfer(order, &code, permit).await;
            if !convert::refuses_recipient(&reply) {
                return convert::transfer_response(
                    &reply,
                    expected_order(&order.reference, network),
                );
            }
            self.recipients.remove(network, phone);
        }
        let request = RecipientRequest {
            kind: MOBILE_MONEY,
            // Required. The owner's name is not known, and this name is visible in the merchant's
            // dashboard only.
            name: phone.as_str(),
            account_number: phone.as_str(),
            bank_code: bank_code(network),
            currency: CURRENCY,
        };
        let Some(body) = json(&request) else { return SendResponse::NotSent };
        let reply = self
            .call(Call::post("/transferrecipient").json(body).record_for(&order.reference))
            .await;
        let recipient = match convert::recipient(&reply) {
            Ok(recipient) => recipient,
            Err(response) => return response,
        };
        let code = recipient.recipient_code.clone();
        self.recipients.insert(network, phone, recipient);
        let reply = self.transfer(order, &code, permit).await;
        convert::transfer_response(&reply, expected_order(&order.reference, network))
    }

    pub(super) async fn transfer(
        &self,
        order: &Order,
        recipient: &str,
        permit: &SendPermit,
    ) -> Reply {
        let request = TransferRequest {
            source: "balance",
            amount: order.transfer.amount.pesewas(),
            currency: CURRENCY,
            recipient,
            reference: &order.reference,
            reason: order.text(str::to_owned).unwrap_or_default(),
        };
        let Some(body) = json(&request) else { return Reply::NotSent };
        self.call(
            Call::post("/transfer").json(body).record_for(&order.reference).with_permit(permit),
        )
        .await
    }

    /// The status of a charge. `/transaction/verify` has the final status, amount, currency and
    /// fee. It does not contain what the payer must do, but `/charge` does. So `/charge` is called
    /// too if the payer must do something, because the response to the send, which also contained
    /// it, may have been lost.
    pub(super) async fn query_charge_status(&self, order: &SentOrder) -> StatusResponse {
        let reference = &order.reference;
        let expected = expected_order(reference, order.transfer.network);
        let reply = self
            .call(Call::get(format!("/transaction/verify/{reference}")).record_for(reference))
            .await;
        let verified = convert::charge_status(&reply, expected);
        if !convert::is_ongoing(&reply) {
            return verified;
        }
        let reply =
            self.call(Call::get(format!("/charge/{reference}")).record_for(reference)).await;
        match convert::charge_status(&reply, expected) {
            StatusResponse::Known(report) => StatusResponse::Known(report),
            StatusResponse::NeverReceived | StatusResponse::Unanswered => verified,
        }
    }

    /// The refunds of a charge. Paystack filters by its own id of the charge.
    pub(super) async fn refunds_of(&self, refund: &RefundOrder) -> Reply {
        let charge = &refund.charge;
        let name = charge.operator_transaction_id.as_deref().unwrap_or(&charge.reference);
        let query: String = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("transaction", name)
            .append_pair("perPage", "100")
            .finish();
        self.call(Call::get(format!("/refund?{query}")).record_for(&refund.charge.reference)).await
    }
}

pub(super) const fn expected_order(reference: &str, network: Network) -> ExpectedOrder<'_> {
    ExpectedOrder { reference, network }
}

/// A request as JSON. Serialising these types cannot fail, and an order that could not be written
/// is not sent.
pub(super) fn json(request: &impl Serialize) -> Option<Vec<u8>> {
    serde_json::to_vec(request).ok()
}
