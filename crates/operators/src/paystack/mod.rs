//! Paystack Ghana: charges on three networks, transfers, refunds (docs/operators/paystack.md).

mod approvals;
mod callback;
mod checks;
mod convert;
mod named_recipient;
mod question;
mod recipients;
pub mod settings;
mod wire;

use crate::{
    configured::Environment,
    connection::{Call, Connection, Reply},
};
use async_trait::async_trait;
use callback::About;
use convert::{ExpectedOrder, FoundRefund};
use recipients::Recipients;
use reqwest::header::AUTHORIZATION;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use settings::Settings;
use tua_contract::{Amount, Code, Network, Phone};
use tua_domain::{
    Kind,
    capabilities::{Capabilities, RefundCapability},
    ports::{
        Balance, CallbackRefusal, CallbackRequest, CallbackSubject, CancelResponse, CheckResult,
        CodeResponse, Operator, Order, ReadError, RefundOrder, SendPermit, SendResponse, SentOrder,
        StatusResponse, VerifiedCallback,
    },
};
use wire::{
    CURRENCY, ChargeRequest, MobileMoney, OtpRequest, RecipientRequest, RefundRequest,
    TransferRequest, bank_code, provider,
};

/// The smallest charge, in pesewas.
const MIN_CHARGE_PESEWAS: i64 = 10;

/// The connector to one Paystack account.
#[derive(Debug)]
pub struct Paystack {
    settings: Settings,
    environment: Environment,
    connection: Connection,
    /// A secret. A callback needs it, and a signature.
    callback_url: SecretString,
    recipients: Recipients,
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
    const fn domain(&self) -> &'static str {
        settings::domain(self.environment)
    }

    async fn call(&self, call: Call<'_>) -> Reply {
        let credentials = format!("Bearer {}", self.settings.secret_key.expose_secret());
        self.connection.call(call.secret_header(AUTHORIZATION, &credentials)).await
    }

    async fn send_charge(&self, order: &Order, permit: &SendPermit) -> SendResponse {
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
        let call = Call::post("/charge").json(body).about(&order.reference).permitted(permit);
        convert::charge_response(
            &self.call(call).await,
            expected_order(&order.reference, transfer.network),
        )
    }

    /// Sends a transfer. A recipient whose code was kept may have been deleted at Paystack since:
    /// then no transfer was created, and the wallet is registered again, once.
    async fn send_transfer(&self, order: &Order, permit: &SendPermit) -> SendResponse {
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
            kind: named_recipient::MOBILE_MONEY,
            // Required. The owner's name is not known, and this name is visible in the merchant's
            // dashboard only.
            name: phone.as_str(),
            account_number: phone.as_str(),
            bank_code: bank_code(network),
            currency: CURRENCY,
        };
        let Some(body) = json(&request) else { return SendResponse::NotSent };
        let reply =
            self.call(Call::post("/transferrecipient").json(body).about(&order.reference)).await;
        let recipient = match convert::recipient(&reply) {
            Ok(recipient) => recipient,
            Err(response) => return response,
        };
        let code = recipient.recipient_code.clone();
        self.recipients.insert(network, phone, recipient);
        let reply = self.transfer(order, &code, permit).await;
        convert::transfer_response(&reply, expected_order(&order.reference, network))
    }

    async fn transfer(&self, order: &Order, recipient: &str, permit: &SendPermit) -> Reply {
        let request = TransferRequest {
            source: "balance",
            amount: order.transfer.amount.pesewas(),
            currency: CURRENCY,
            recipient,
            reference: &order.reference,
            reason: order.text(str::to_owned).unwrap_or_default(),
        };
        let Some(body) = json(&request) else { return Reply::NotSent };
        self.call(Call::post("/transfer").json(body).about(&order.reference).permitted(permit))
            .await
    }

    /// The status of a charge. `/transaction/verify` has the final status, amount, currency and
    /// fee. It does not say what the payer must do, and `/charge` does: it is asked in addition
    /// where the payer must do something, because the answer to the send, which said so too, may
    /// have been lost.
    async fn query_charge_status(&self, order: &SentOrder) -> StatusResponse {
        let reference = &order.reference;
        let expected = expected_order(reference, order.transfer.network);
        let reply =
            self.call(Call::get(format!("/transaction/verify/{reference}")).about(reference)).await;
        let verified = convert::charge_status(&reply, expected);
        if !convert::is_ongoing(&reply) {
            return verified;
        }
        let reply = self.call(Call::get(format!("/charge/{reference}")).about(reference)).await;
        match convert::charge_status(&reply, expected) {
            StatusResponse::Known(report) => StatusResponse::Known(report),
            StatusResponse::NeverReceived | StatusResponse::Unanswered => verified,
        }
    }

    /// The refunds of a charge. Paystack filters by its own id of the charge.
    async fn refunds_of(&self, refund: &RefundOrder) -> Reply {
        let charge = &refund.charge;
        let name = charge.operator_transaction_id.as_deref().unwrap_or(&charge.reference);
        let query: String = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("transaction", name)
            .append_pair("perPage", "100")
            .finish();
        self.call(Call::get(format!("/refund?{query}")).about(&refund.charge.reference)).await
    }
}

const fn expected_order(reference: &str, network: Network) -> ExpectedOrder<'_> {
    ExpectedOrder { reference, network }
}

/// A request as JSON. Serialising these types cannot fail, and an order that could not be written
/// is not sent.
fn json(request: &impl Serialize) -> Option<Vec<u8>> {
    serde_json::to_vec(request).ok()
}

#[async_trait]
impl Operator for Paystack {
    fn capabilities(&self) -> Capabilities {
        let mut capabilities = Capabilities {
            // "Duplicate Transaction Reference", and the documented rule that a transfer is retried
            // by its reference.
            refuses_repeats: true,
            has_codes: true,
            has_account_names: true,
            has_balances: true,
            refunds: RefundCapability::Partial { within: None },
            // A refund carries no reference that Paystack compares.
            has_one_refund_at_a_time: true,
            ..Capabilities::serving(&Network::ALL, Kind::ALL)
        };
        for service in
            capabilities.services.iter_mut().filter(|service| service.kind == Kind::Charge)
        {
            if let Ok(least) = Amount::from_pesewas(MIN_CHARGE_PESEWAS) {
                service.amounts = least..=*service.amounts.end();
            }
        }
        capabilities
    }

    async fn send(&self, order: &Order, permit: &SendPermit) -> SendResponse {
        match order.transfer.kind {
            Kind::Charge => self.send_charge(order, permit).await,
            Kind::Payout => self.send_transfer(order, permit).await,
        }
    }

    async fn submit_code(&self, order: &SentOrder, code: &Code) -> CodeResponse {
        let request = OtpRequest { otp: code.expose(), reference: &order.reference };
        let Some(body) = json(&request) else { return CodeResponse::Unanswered };
        let reply =
            self.call(Call::post("/charge/submit_otp").json(body).about(&order.reference)).await;
        convert::code_response(&reply, expected_order(&order.reference, order.transfer.network))
    }

    async fn query_status(&self, order: &SentOrder) -> StatusResponse {
        let reference = &order.reference;
        match order.transfer.kind {
            Kind::Charge => self.query_charge_status(order).await,
            Kind::Payout => {
                let reply = self
                    .call(Call::get(format!("/transfer/verify/{reference}")).about(reference))
                    .await;
                convert::transfer_status(&reply, expected_order(reference, order.transfer.network))
            }
        }
    }

    /// Paystack offers no cancellation.
    async fn cancel(&self, _: &SentOrder) -> CancelResponse {
        CancelResponse::NotConfirmed
    }

    async fn verify_callback(
        &self,
        request: &CallbackRequest,
    ) -> Result<VerifiedCallback, CallbackRefusal> {
        let (verification, about) =
            callback::verify(request, &self.settings.secret_key, self.domain())?;
        let subject = match about {
            About::Subject(subject) => subject,
            About::Question(question) => CallbackSubject::Approval(self.resolve(question).await),
        };
        Ok(VerifiedCallback::new(verification, subject))
    }

    async fn balances(&self) -> Result<Vec<Balance>, ReadError> {
        checks::balances(&self.call(Call::get("/balance")).await)
    }

    async fn account_name(
        &self,
        network: Network,
        phone: &Phone,
    ) -> Result<Option<String>, ReadError> {
        let phone = phone.as_str();
        let bank = bank_code(network);
        let path = format!("/bank/resolve?account_number={phone}&bank_code={bank}");
        checks::account_name(&self.call(Call::get(path)).await)
    }

    /// Looks for the refund before it is sent: Paystack would execute a second one.
    async fn refund(&self, refund: &RefundOrder, permit: &SendPermit) -> SendResponse {
        match convert::find_refund(&self.refunds_of(refund).await, &refund.reference) {
            FoundRefund::Found(_) => return SendResponse::Duplicate,
            FoundRefund::Unanswered => return SendResponse::NotSent,
            FoundRefund::Missing => {}
        }
        let request = RefundRequest {
            transaction: &refund.charge.reference,
            amount: refund.amount.pesewas(),
            currency: CURRENCY,
            merchant_note: &refund.reference,
        };
        let Some(body) = json(&request) else { return SendResponse::NotSent };
        let call =
            Call::post("/refund").json(body).about(&refund.charge.reference).permitted(permit);
        convert::refund_response(&self.call(call).await, &refund.reference)
    }

    async fn query_refund_status(&self, refund: &RefundOrder) -> StatusResponse {
        convert::refund_status(&self.refunds_of(refund).await, &refund.reference)
    }

    async fn check(&self) -> Vec<CheckResult> {
        let balance = self.call(Call::get("/balance")).await;
        let banks = self.call(Call::get("/bank?currency=GHS&type=mobile_money")).await;
        let now = self.connection.clock().now();
        checks::all(self.environment, &balance, &banks, self.callback_url.expose_secret(), now)
    }
}
