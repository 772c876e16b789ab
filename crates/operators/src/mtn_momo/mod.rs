//! MTN MoMo: Collections for charges, Disbursements for payouts and refunds
//! (docs/operators/mtn-momo.md).

mod api;
mod callback;
mod check;
mod connect;
mod connector;
mod convert;
mod headers;
mod reasons;
mod response_error;
pub mod settings;
mod token;
mod wire;

use super::{connection::Call, minor_units::minor_units};
use api::Product;
use async_trait::async_trait;
pub use connector::MtnMomo;
use reasons::OrderKind;
use reqwest::StatusCode;
use response_error::unexpected;
use tua_contract::{Amount, Code, Network, Phone};
use tua_domain::international::international;
use tua_domain::{
    Kind,
    capabilities::{Capabilities, RefundCapability},
    ports::{
        AccessTokenStatus, Balance, CallbackRefusal, CallbackRequest, CancelResponse, CheckResult,
        CodeResponse, Operator, Order, ReadError, RefundOrder, SendPermit, SendResponse, SentOrder,
        StatusResponse, VerifiedCallback,
    },
};
use wire::{BalanceBody, OrderBody, Party, RefundBody, UserInfoBody};

/// The most characters of a message. MTN refuses longer ones.
const MAX_MESSAGE: usize = 160;

const fn order_kind(kind: Kind) -> OrderKind {
    match kind {
        Kind::Charge => OrderKind::Charge,
        Kind::Payout => OrderKind::Payout,
    }
}

/// A text that MTN accepts as a message: it refuses apostrophes and other special characters, and
/// too long ones.
fn message(text: &str) -> String {
    let is_accepted = |c: &char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '.' | ',' | '-');
    text.chars().filter(is_accepted).take(MAX_MESSAGE).collect()
}

fn order_body<'a>(order: &'a Order, currency: &'a str) -> OrderBody<'a> {
    let party = Party::of_number(&order.transfer.phone);
    let (payer, payee) = match order.transfer.kind {
        Kind::Charge => (Some(party), None),
        Kind::Payout => (None, Some(party)),
    };
    let text = order.text(message).unwrap_or_else(|| "Payment".to_owned());
    OrderBody {
        amount: order.transfer.amount.to_string(),
        currency,
        external_id: &order.reference,
        payer,
        payee,
        payer_message: text.clone(),
        payee_note: text,
    }
}

/// The balance of a product.
async fn read_balance(product: &Product) -> Result<Balance, ReadError> {
    let path = format!("/{}/v1_0/account/balance", product.name);
    let response = product.read(|| Call::get(&path)).await?;
    let body: Option<BalanceBody> = response.json().filter(|_| response.status == StatusCode::OK);
    let balance = body.and_then(|body| {
        let minor_units = minor_units(body.available_balance.as_str())?;
        let account = product.name.to_owned();
        let pays_out = product.name == "disbursement";
        Some(Balance { account, minor_units, currency: body.currency, pays_out })
    });
    balance.ok_or_else(|| unexpected(product, &response))
}

#[async_trait]
impl Operator for MtnMomo {
    fn capabilities(&self) -> Capabilities {
        let kinds: Vec<_> = [(&self.collection, Kind::Charge), (&self.disbursement, Kind::Payout)]
            .into_iter()
            .filter_map(|(product, kind)| product.as_ref().map(|_| kind))
            .collect();
        Capabilities {
            // 409 RESOURCE_ALREADY_EXIST.
            refuses_repeats: true,
            // MTN documents no time after which RESOURCE_NOT_FOUND is final.
            never_received_is_final_after: None,
            has_account_names: true,
            has_balances: true,
            refunds: match self.disbursement {
                Some(_) => RefundCapability::Partial { within: None },
                None => RefundCapability::None,
            },
            ..Capabilities::serving(&[Network::Mtn], &kinds)
        }
    }

    async fn send(&self, order: &Order, permit: &SendPermit) -> SendResponse {
        let body = order_body(order, self.currency);
        self.post(order_kind(order.transfer.kind), &order.reference, &body, permit).await
    }

    /// Payers of MTN approve on the phone only.
    async fn submit_code(&self, _: &SentOrder, _: &Code) -> CodeResponse {
        CodeResponse::Unanswered
    }

    async fn query_status(&self, order: &SentOrder) -> StatusResponse {
        self.status(order_kind(order.transfer.kind), &order.reference, order.is_ahead_of_schedule)
            .await
    }

    /// MTN has no call for it.
    async fn cancel(&self, _: &SentOrder) -> CancelResponse {
        CancelResponse::NotConfirmed
    }

    async fn verify_callback(
        &self,
        request: &CallbackRequest,
    ) -> Result<VerifiedCallback, CallbackRefusal> {
        callback::verify(request)
    }

    fn access_token_status(&self) -> Vec<AccessTokenStatus> {
        let products = [(&self.collection, Kind::Charge), (&self.disbursement, Kind::Payout)];
        products
            .into_iter()
            .filter_map(|(product, kind)| Some(product.as_ref()?.tokens.status(kind)))
            .collect()
    }

    /// Each direction has a product of its own, with its own credentials and its own list of
    /// addresses.
    async fn probe(&self, kind: Kind) -> Result<(), ReadError> {
        let product = match kind {
            Kind::Charge => &self.collection,
            Kind::Payout => &self.disbursement,
        };
        read_balance(product.as_ref().ok_or(ReadError::Unsupported)?).await.map(drop)
    }

    async fn balances(&self) -> Result<Vec<Balance>, ReadError> {
        let mut balances = Vec::new();
        for product in self.products() {
            balances.push(read_balance(product).await?);
        }
        Ok(balances)
    }

    async fn account_name(
        &self,
        network: Network,
        phone: &Phone,
    ) -> Result<Option<String>, ReadError> {
        let product = self
            .products()
            .next()
            .filter(|_| network == Network::Mtn)
            .ok_or(ReadError::Unsupported)?;
        let path = format!(
            "/{}/v1_0/accountholder/msisdn/{}/basicuserinfo",
            product.name,
            international(phone)
        );
        let response = product.read(|| Call::get(&path)).await?;
        let body: Option<UserInfoBody> = response.json();
        match (response.status, body) {
            (StatusCode::OK, Some(UserInfoBody { given_name, family_name })) => {
                let names: Vec<_> = [given_name, family_name].into_iter().flatten().collect();
                Ok(Some(names.join(" ")).filter(|name| !name.trim().is_empty()))
            }
            (StatusCode::NOT_FOUND, _) if convert::is_unknown_resource(&response) => Ok(None),
            _ => Err(unexpected(product, &response)),
        }
    }

    async fn refund(&self, refund: &RefundOrder, permit: &SendPermit) -> SendResponse {
        let amount: Amount = refund.amount;
        let body = RefundBody {
            amount: amount.to_string(),
            currency: self.currency,
            external_id: &refund.reference,
            payer_message: "Refund".to_owned(),
            payee_note: "Refund".to_owned(),
            reference_id_to_refund: &refund.charge.reference,
        };
        self.post(OrderKind::Refund, &refund.reference, &body, permit).await
    }

    async fn query_refund_status(&self, refund: &RefundOrder) -> StatusResponse {
        self.status(OrderKind::Refund, &refund.reference, refund.charge.is_ahead_of_schedule).await
    }

    async fn check(&self) -> Vec<CheckResult> {
        self.check_settings().await
    }
}
