//! pawaPay, an aggregator: deposits, payouts and refunds on three networks
//! (docs/operators/pawapay.md).

mod active_conf;
mod callback;
mod check;
mod convert;
mod keys;
mod reasons;
pub mod settings;
pub mod signatures;
mod statement;
mod wire;

use super::{
    connection::{Call, Connection, Reply, Response},
    international::international,
    minor_units::minor_units,
};
use active_conf::{ActiveConf, usual_provider};
use async_trait::async_trait;
use convert::CURRENCY;
use keys::Keys;
use reasons::OrderKind;
use reqwest::{
    StatusCode,
    header::{AUTHORIZATION, CONTENT_LENGTH, HeaderName},
};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use settings::Settings;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tua_contract::{Code, Network, lifecycle::Observation};
use tua_domain::{
    Kind,
    capabilities::{Availability, Capabilities, RefundCapability},
    ports::{
        Balance, CallbackRefusal, CallbackRequest, CancelResponse, CheckResult, CodeResponse,
        Operator, Order, ReadError, RefundOrder, SendPermit, SendResponse, SentOrder,
        StatusResponse, VerifiedCallback,
    },
    prompt_instructions::PromptInstructions,
    statement::period::StatementPeriod,
};
use wire::{AccountDetails, BalancesBody, OrderBody, Party, RefundBody};

/// pawaPay documents that `NOT_FOUND` is final after this time.
const NEVER_RECEIVED_IS_FINAL_AFTER: Duration = Duration::from_secs(15 * 60);

/// The account in Ghana.
const ACTIVE_CONF_PATH: &str = "/v2/active-conf?country=GHA";

/// The connector to pawaPay, for the three networks of Ghana.
#[derive(Debug)]
pub struct PawaPay {
    connection: Arc<Connection>,
    settings: Settings,
    /// It ends with a secret.
    callback_url: SecretString,
    /// `None` before it was read for the first time.
    conf: Mutex<Option<Arc<ActiveConf>>>,
    keys: Arc<Keys>,
}

impl PawaPay {
    /// Connects it. Limits and status are known after the first [`Operator::refresh`].
    #[must_use]
    pub fn new(settings: Settings, connection: Connection, callback_url: String) -> Self {
        let connection = Arc::new(connection);
        let keys = Arc::new(Keys::new(connection.clone(), settings.api_token.clone()));
        Self {
            connection,
            settings,
            callback_url: callback_url.into(),
            conf: Mutex::default(),
            keys,
        }
    }

    fn conf(&self) -> Option<Arc<ActiveConf>> {
        self.conf.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn authorize<'a>(&self, call: Call<'a>) -> Call<'a> {
        authorized(call, &self.settings.api_token)
    }

    /// Sends what moves money: signed where there is a key.
    async fn post(
        &self,
        kind: OrderKind,
        reference: &str,
        body: &(impl Serialize + Sync),
        permit: &SendPermit,
    ) -> SendResponse {
        let path = kind.path();
        let Ok(body) = serde_json::to_vec(body) else { return SendResponse::NotSent };
        let Some(signed) = self.sign(path, &body) else { return SendResponse::NotSent };
        let call = self.authorize(Call::post(path)).json(body).about(reference).permitted(permit);
        let call = signed
            .into_iter()
            .fold(call, |call, (name, value)| call.header(HeaderName::from_static(name), &value));
        convert::sent(self.connection.call(call).await, kind, reference)
    }

    /// The headers of the signature; none without a key. `None` where the request cannot be signed.
    fn sign(&self, path: &str, body: &[u8]) -> Option<signatures::Signed> {
        let Some(key) = &self.settings.signing_key else { return Some(Vec::new()) };
        let base_url = self.connection.base_url();
        let mut url = base_url.clone();
        url.set_path(&format!("{}{path}", base_url.path().trim_end_matches('/')));
        key.sign(&url, body, self.connection.clock().now())
    }

    async fn status(&self, kind: OrderKind, reference: &str) -> StatusResponse {
        let call =
            self.authorize(Call::get(format!("{}/{reference}", kind.path()))).about(reference);
        match self.connection.call(call).await {
            Reply::Response(response) => convert::status(&response, kind, reference),
            Reply::NotSent | Reply::NoResponse => StatusResponse::Unanswered,
        }
    }

    /// Reads what is about no order. Any whole response except refused credentials is none of the
    /// errors.
    async fn read(&self, path: &str) -> Result<Response, ReadError> {
        self.response(self.authorize(Call::get(path))).await
    }

    /// The response to a call that is about no order, as [`Self::read`].
    async fn response(&self, call: Call<'_>) -> Result<Response, ReadError> {
        match self.connection.call(call).await {
            Reply::Response(response)
                if matches!(response.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) =>
            {
                Err(ReadError::Refused(check::describe(&response)))
            }
            Reply::Response(response) => Ok(response),
            Reply::NotSent => Err(ReadError::Unanswered("no connection".to_owned())),
            Reply::NoResponse => Err(ReadError::Unanswered("no response".to_owned())),
        }
    }

    /// The wallet of an order. The provider is named as pawaPay reports it.
    fn party(&self, order: &Order) -> Party {
        let network = order.transfer.network;
        let kind = order.transfer.kind;
        let conf = self.conf();
        let provider = conf
            .as_ref()
            .and_then(|conf| conf.provider(network, kind))
            .unwrap_or(usual_provider(network));
        let account_details = AccountDetails {
            phone_number: international(&order.transfer.phone),
            provider: provider.to_owned(),
        };
        Party { kind: "MMO", account_details }
    }

    fn body<'a>(&self, order: &'a Order) -> OrderBody<'a> {
        let party = self.party(order);
        let reference = order.reference.as_str();
        let body = OrderBody {
            deposit_id: None,
            payout_id: None,
            amount: order.transfer.amount.to_string(),
            currency: CURRENCY,
            payer: None,
            recipient: None,
            customer_message: order.text(customer_message),
        };
        match order.transfer.kind {
            Kind::Charge => OrderBody { deposit_id: Some(reference), payer: Some(party), ..body },
            Kind::Payout => {
                OrderBody { payout_id: Some(reference), recipient: Some(party), ..body }
            }
        }
    }
}

fn authorized<'a>(call: Call<'a>, api_token: &SecretString) -> Call<'a> {
    call.secret_header(AUTHORIZATION, &format!("Bearer {}", api_token.expose_secret()))
}

const fn order_kind(kind: Kind) -> OrderKind {
    match kind {
        Kind::Charge => OrderKind::Deposit,
        Kind::Payout => OrderKind::Payout,
    }
}

/// A text as pawaPay accepts it: 4 to 22 letters, digits and spaces. Empty where too little is
/// left.
fn customer_message(text: &str) -> String {
    let accepted: String =
        text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == ' ').collect();
    let accepted: String = accepted.trim().chars().take(22).collect();
    if accepted.trim_end().len() >= 4 { accepted } else { String::new() }
}

#[async_trait]
impl Operator for PawaPay {
    fn capabilities(&self) -> Capabilities {
        let unlimited = Capabilities::serving(&Network::ALL, Kind::ALL);
        Capabilities {
            services: self
                .conf()
                .map_or_else(|| unlimited.services.clone(), |conf| conf.services()),
            refuses_repeats: true,
            never_received_is_final_after: Some(NEVER_RECEIVED_IS_FINAL_AFTER),
            has_balances: true,
            has_statements: true,
            cancels: vec![Kind::Payout],
            refunds: RefundCapability::Partial { within: None },
            has_one_refund_at_a_time: true,
            ..unlimited
        }
    }

    fn availability(&self, network: Network, kind: Kind) -> Availability {
        self.conf().map_or(Availability::Operational, |conf| conf.availability(network, kind))
    }

    fn prompt_instructions(&self, network: Network) -> PromptInstructions {
        self.conf().map(|conf| conf.instructions(network)).unwrap_or_default()
    }

    async fn send(&self, order: &Order, permit: &SendPermit) -> SendResponse {
        self.post(order_kind(order.transfer.kind), &order.reference, &self.body(order), permit)
            .await
    }

    /// Payers approve on the phone only.
    async fn submit_code(&self, _: &SentOrder, _: &Code) -> CodeResponse {
        CodeResponse::Unanswered
    }

    async fn query_status(&self, order: &SentOrder) -> StatusResponse {
        self.status(order_kind(order.transfer.kind), &order.reference).await
    }

    /// A payout that pawaPay holds back because its provider is delayed can be cancelled; nothing
    /// else can.
    async fn cancel(&self, order: &SentOrder) -> CancelResponse {
        if order.transfer.kind != Kind::Payout {
            return CancelResponse::NotConfirmed;
        }
        let path = format!("{}/fail-enqueued/{}", OrderKind::Payout.path(), order.reference);
        // Gateways require the length of a request without a body.
        let call =
            self.authorize(Call::post(path)).header(CONTENT_LENGTH, "0").about(&order.reference);
        let reply = self.connection.call(call).await;
        if !convert::is_cancellation_accepted(&reply) {
            return CancelResponse::NotConfirmed;
        }
        // The acceptance of a request is not its effect.
        match self.query_status(order).await {
            StatusResponse::Known(report)
                if matches!(report.observation, Observation::Failed(_)) =>
            {
                CancelResponse::Confirmed
            }
            StatusResponse::Known(_)
            | StatusResponse::NeverReceived
            | StatusResponse::Unanswered => CancelResponse::NotConfirmed,
        }
    }

    async fn verify_callback(
        &self,
        request: &CallbackRequest,
    ) -> Result<VerifiedCallback, CallbackRefusal> {
        self.verify(request).await
    }

    async fn balances(&self) -> Result<Vec<Balance>, ReadError> {
        let response = self.read("/v2/wallet-balances?country=GHA").await?;
        let body: Option<BalancesBody> =
            response.json().filter(|_| response.status == StatusCode::OK);
        let body = body.ok_or_else(|| check::unexpected(&response))?;
        let balance = |balance: wire::BalanceBody| {
            let provider = balance.provider.filter(|provider| !provider.is_empty());
            Some(Balance {
                account: provider.unwrap_or(balance.country),
                minor_units: minor_units(balance.balance.as_str())?,
                currency: balance.currency,
                pays_out: true,
            })
        };
        let balances: Option<Vec<_>> = body.balances.into_iter().map(balance).collect();
        balances.ok_or_else(|| check::unexpected(&response))
    }

    async fn statement(
        &self,
        period: &StatementPeriod,
        time_limit: Duration,
    ) -> Result<Vec<u8>, ReadError> {
        self.read_statement(period, time_limit).await
    }

    async fn refund(&self, refund: &RefundOrder, permit: &SendPermit) -> SendResponse {
        let body = RefundBody {
            refund_id: &refund.reference,
            deposit_id: &refund.charge.reference,
            amount: refund.amount.to_string(),
            currency: CURRENCY,
        };
        self.post(OrderKind::Refund, &refund.reference, &body, permit).await
    }

    async fn query_refund_status(&self, refund: &RefundOrder) -> StatusResponse {
        self.status(OrderKind::Refund, &refund.reference).await
    }

    async fn refresh(&self) {
        let response = self.read(ACTIVE_CONF_PATH).await.ok();
        let body = response
            .filter(|response| response.status == StatusCode::OK)
            .and_then(|response| response.json());
        if let Some(conf) = body.map(ActiveConf::of) {
            *self.conf.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(conf));
        }
        if self.settings.signed_callbacks {
            self.keys.read().await;
        }
    }

    async fn check(&self) -> Vec<CheckResult> {
        self.check_settings().await
    }
}
