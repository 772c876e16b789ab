//! Hubtel: receiving and sending money on three networks, full refunds (docs/operators/hubtel.md).

mod callback;
mod checks;
mod codes;
mod connect;
mod connector;
mod convert;
mod hosts;
mod members;
pub mod settings;
mod wire;

use crate::connection::Call;
use async_trait::async_trait;
use connector::{Hubtel, json};
use convert::RefundEligibility;
use secrecy::ExposeSecret;
use std::time::Duration;
use tua_contract::{Code, FailureCode, Network, Phone, lifecycle::Observation};
use tua_domain::international::international;
use tua_domain::{
    Kind,
    capabilities::{Capabilities, RefundCapability},
    operator_transaction_id::OperatorTransactionId,
    ports::{
        Balance, CallbackRefusal, CallbackRequest, CancelResponse, CheckResult, CodeResponse,
        Operator, Order, ReadError, RefundOrder, SendPermit, SendResponse, SentOrder,
        StatusResponse, VerifiedCallback,
    },
};
use wire::{RefundRequest, channel};

/// How long a charge can be refunded.
const REFUND_WINDOW: Duration = Duration::from_secs(45 * 24 * 3600);

#[async_trait]
impl Operator for Hubtel {
    fn capabilities(&self) -> Capabilities {
        let kinds: &[Kind] = match &self.settings.prepaid_deposit_id {
            Some(_) => &[Kind::Charge, Kind::Payout],
            None => &[Kind::Charge],
        };
        Capabilities {
            // Hubtel documents that a reference must not be repeated, but not that it refuses a
            // repeated one.
            refuses_repeats: false,
            has_account_names: true,
            // "hubtelTransactionId, networkTransactionId or clientReference" (the transaction
            // status check).
            finds_charges_by_own_id: true,
            refunds: RefundCapability::Full { within: Some(REFUND_WINDOW) },
            has_one_refund_at_a_time: true,
            needs_verified_numbers: true,
            ..Capabilities::serving(&Network::ALL, kinds)
        }
    }

    async fn send(&self, order: &Order, permit: &SendPermit) -> SendResponse {
        match order.transfer.kind {
            Kind::Charge => self.receive(order, permit).await,
            Kind::Payout => self.send_money(order, permit).await,
        }
    }

    /// Hubtel has no codes: payers approve on the phone.
    async fn submit_code(&self, _: &SentOrder, _: &Code) -> CodeResponse {
        CodeResponse::Unanswered
    }

    async fn query_status(&self, order: &SentOrder) -> StatusResponse {
        let reference = &order.reference;
        match order.transfer.kind {
            Kind::Charge => {
                convert::charge_status(&self.receive_status(reference).await, reference)
            }
            Kind::Payout => convert::payout_status(&self.send_status(reference).await, reference),
        }
    }

    /// Hubtel offers no cancellation.
    async fn cancel(&self, _: &SentOrder) -> CancelResponse {
        CancelResponse::NotConfirmed
    }

    async fn verify_callback(
        &self,
        request: &CallbackRequest,
    ) -> Result<VerifiedCallback, CallbackRefusal> {
        callback::read(request)
    }

    /// The status of an order that does not exist, from the service of the direction.
    async fn probe(&self, kind: Kind) -> Result<(), ReadError> {
        let reply = match kind {
            Kind::Charge => self.receive_status(checks::NO_ORDER).await,
            Kind::Payout => self.send_status(checks::NO_ORDER).await,
        };
        convert::read_response(&reply).map(drop)
    }

    /// Hubtel reports no balance, so the list is empty. What the response shows is that Hubtel
    /// works: it is the status of an order that does not exist.
    async fn balances(&self) -> Result<Vec<Balance>, ReadError> {
        convert::read_response(&self.receive_status(checks::NO_ORDER).await).map(|_| Vec::new())
    }

    async fn account_name(
        &self,
        network: Network,
        phone: &Phone,
    ) -> Result<Option<String>, ReadError> {
        let account = &self.settings.pos_sales_id;
        let channel = channel(network);
        let number = international(phone);
        let path = format!(
            "/v2/merchantaccount/merchants/{account}/mobilemoney/verify\
             ?channel={channel}&customerMsisdn={number}"
        );
        convert::account_name(&self.call(&self.hosts.names, Call::get(path)).await)
    }

    async fn find_charge(&self, id: &OperatorTransactionId) -> Result<Option<String>, ReadError> {
        let path = format!(
            "/transactions/{}/status?networkTransactionId={id}",
            self.settings.pos_sales_id
        );
        convert::found_reference(&self.call(&self.hosts.receive_status, Call::get(path)).await)
    }

    /// Reads the charge first: its status has the id that the refund needs, and shows whether it is
    /// refunded already.
    async fn refund(&self, refund: &RefundOrder, permit: &SendPermit) -> SendResponse {
        let charge = &refund.charge;
        if refund.amount != charge.transfer.amount {
            // Hubtel returns whole amounts only, so nothing is sent.
            return Observation::Failed(FailureCode::OperatorRefused).into();
        }
        let order_id = match convert::refund_eligibility(
            &self.receive_status(&charge.reference).await,
            &charge.reference,
        ) {
            RefundEligibility::Eligible(order_id) => order_id,
            RefundEligibility::AlreadyRefunded => return SendResponse::Duplicate,
            RefundEligibility::Unknown => return SendResponse::NotSent,
        };
        let Some(body) = json(&RefundRequest { callback_url: self.callback_url.expose_secret() })
        else {
            return SendResponse::NotSent;
        };
        let order_id: String = url::form_urlencoded::byte_serialize(order_id.as_bytes()).collect();
        let path = format!("/refund/{}/order/{order_id}", self.settings.pos_sales_id);
        let call = Call::post(path).json(body).record_for(&charge.reference).with_permit(permit);
        convert::refund_response(&self.call(&self.hosts.refunds, call).await)
    }

    async fn query_refund_status(&self, refund: &RefundOrder) -> StatusResponse {
        let reference = &refund.charge.reference;
        convert::refund_status(&self.receive_status(reference).await, reference)
    }

    async fn check(&self) -> Vec<CheckResult> {
        let receive = self.receive_status(checks::NO_ORDER).await;
        let send = match self.settings.prepaid_deposit_id {
            Some(_) => Some(self.send_status(checks::NO_ORDER).await),
            None => None,
        };
        let now = self.hosts.receive_status.clock().now();
        checks::all(&receive, send.as_ref(), self.callback_url.expose_secret(), now)
    }
}
