//! Paystack Ghana: charges on three networks, transfers, refunds (docs/operators/paystack.md).

mod approvals;
mod callback;
mod checks;
mod connect;
mod connector;
mod convert;
mod members;
mod named_recipient;
mod question;
mod recipients;
pub mod settings;
mod wire;

use crate::connection::Call;
use async_trait::async_trait;
use callback::About;
pub use connector::Paystack;
use connector::{expected_order, json};
use convert::FoundRefund;
use secrecy::ExposeSecret;
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
use wire::{CURRENCY, OtpRequest, RefundRequest, bank_code};

/// The smallest charge, in pesewas.
const MIN_CHARGE_PESEWAS: i64 = 10;

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
        let reply = self
            .call(Call::post("/charge/submit_otp").json(body).record_for(&order.reference))
            .await;
        convert::code_response(&reply, expected_order(&order.reference, order.transfer.network))
    }

    async fn query_status(&self, order: &SentOrder) -> StatusResponse {
        let reference = &order.reference;
        match order.transfer.kind {
            Kind::Charge => self.query_charge_status(order).await,
            Kind::Payout => {
                let reply = self
                    .call(Call::get(format!("/transfer/verify/{reference}")).record_for(reference))
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
        let call = Call::post("/refund")
            .json(body)
            .record_for(&refund.charge.reference)
            .with_permit(permit);
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
