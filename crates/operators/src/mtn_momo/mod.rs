//! MTN MoMo: Collections for charges, Disbursements for payouts and refunds
//! (docs/operators/mtn-momo.md).

mod api;
mod callback;
mod check;
mod convert;
mod reasons;
pub mod settings;
mod token;
mod wire;

use super::{
    Environment,
    connection::{Call, Connection},
    international::international,
    minor_units::minor_units,
    settings::is_loopback,
};
use api::{CALLBACK_URL, Product, REFERENCE_ID};
use async_trait::async_trait;
use convert::ExpectedOrder;
use reasons::OrderKind;
use reqwest::StatusCode;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use settings::Settings;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tracing::warn;
use tua_contract::{Amount, Code, Network, Phone};
use tua_domain::{
    Kind,
    capabilities::{Capabilities, RefundCapability},
    ports::{
        AccessTokens, Balance, CallbackRefusal, CallbackRequest, CancelResponse, CheckResult,
        CodeResponse, Operator, Order, ReadError, RefundOrder, SendPermit, SendResponse, SentOrder,
        StatusResponse, VerifiedCallback,
    },
};
use wire::{BalanceBody, OrderBody, Party, RefundBody, UserInfoBody};

/// How many status reads MTN answers in a second, from one address (its community's page on
/// callbacks, read 2026-11).
pub const READS_PER_SECOND: u32 = 150;

/// The most characters of a message. MTN refuses longer ones.
const MAX_MESSAGE: usize = 160;

/// The connector to MTN MoMo, with the products that the merchant has.
#[derive(Debug)]
pub struct MtnMomo {
    connection: Arc<Connection>,
    collection: Option<Product>,
    disbursement: Option<Product>,
    /// GHS, or EUR in the sandbox.
    currency: &'static str,
    /// It ends with a secret.
    callback_url: SecretString,
    /// Whether orders name a callback address. MTN refuses addresses that are not `https`.
    has_callbacks: bool,
    /// Whether MTN has refused the host of the callback address. Then orders name none: their
    /// status is read anyway, and with a refused address no order would be accepted at all.
    is_callback_host_refused: AtomicBool,
}

impl MtnMomo {
    /// Creates the connector; nothing is called yet. Orders name the callback address only if it is
    /// `https`, or the API is on this machine.
    #[must_use]
    pub fn new(
        settings: Settings,
        environment: Environment,
        connection: Connection,
        callback_url: String,
    ) -> Self {
        let has_callbacks =
            callback_url.starts_with("https://") || is_loopback(connection.base_url());
        let connection = Arc::new(connection);
        let Settings { target_environment, collection, disbursement, .. } = settings;
        let product =
            |name, credentials| Product::new(name, &connection, &target_environment, credentials);
        Self {
            collection: collection.map(|credentials| product("collection", credentials)),
            disbursement: disbursement.map(|credentials| product("disbursement", credentials)),
            currency: match environment {
                Environment::Production => "GHS",
                // MTN's sandbox knows no other currency.
                Environment::Sandbox => "EUR",
            },
            callback_url: callback_url.into(),
            has_callbacks,
            is_callback_host_refused: AtomicBool::new(false),
            connection,
        }
    }

    fn products(&self) -> impl Iterator<Item = &Product> {
        self.collection.iter().chain(&self.disbursement)
    }

    /// The product and the resource of a kind of order; `None` where the merchant does not have the
    /// product.
    fn resource(&self, kind: OrderKind) -> Option<(&Product, String)> {
        let (product, resource) = match kind {
            OrderKind::Charge => (&self.collection, "requesttopay"),
            OrderKind::Payout => (&self.disbursement, "transfer"),
            OrderKind::Refund => (&self.disbursement, "refund"),
        };
        let product = product.as_ref()?;
        Some((product, format!("/{}/v1_0/{resource}", product.name)))
    }

    async fn post(
        &self,
        kind: OrderKind,
        reference: &str,
        body: &(impl Serialize + Sync),
        permit: &SendPermit,
    ) -> SendResponse {
        let Some((product, path)) = self.resource(kind) else { return SendResponse::NotSent };
        let Ok(body) = serde_json::to_vec(body) else { return SendResponse::NotSent };
        let is_callback_wanted =
            self.has_callbacks && !self.is_callback_host_refused.load(Ordering::Relaxed);
        let reply = product
            .send(permit, || {
                let call = Call::post(&path)
                    .header(REFERENCE_ID, reference)
                    .json(body.clone())
                    .about(reference);
                if is_callback_wanted {
                    call.secret_header(CALLBACK_URL, self.callback_url.expose_secret())
                } else {
                    call
                }
            })
            .await;
        if convert::is_callback_host_refused(&reply) {
            self.is_callback_host_refused.store(true, Ordering::Relaxed);
            warn!(
                "MTN refuses the host of the callback address; orders name none from now on \
                 (docs/operators/mtn-momo.md)"
            );
        }
        convert::sent(reply, kind)
    }

    async fn status(
        &self,
        kind: OrderKind,
        reference: &str,
        is_brought_forward: bool,
    ) -> StatusResponse {
        let Some((product, path)) = self.resource(kind) else { return StatusResponse::Unanswered };
        let path = format!("{path}/{reference}");
        let expected = ExpectedOrder { kind, reference, currency: self.currency };
        match product
            .read(|| Call::get(&path).about(reference).brought_forward(is_brought_forward))
            .await
        {
            Ok(response) => convert::status(&response, expected),
            Err(_) => StatusResponse::Unanswered,
        }
    }
}

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
    balance.ok_or_else(|| check::unexpected(product, &response))
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
        self.status(order_kind(order.transfer.kind), &order.reference, order.is_brought_forward)
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

    fn access_tokens(&self) -> Vec<AccessTokens> {
        let products = [(&self.collection, Kind::Charge), (&self.disbursement, Kind::Payout)];
        products
            .into_iter()
            .filter_map(|(product, kind)| Some(product.as_ref()?.tokens.measure(kind)))
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
            _ => Err(check::unexpected(product, &response)),
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
        self.status(OrderKind::Refund, &refund.reference, refund.charge.is_brought_forward).await
    }

    async fn check(&self) -> Vec<CheckResult> {
        self.check_settings().await
    }
}
