//! The connector to pawaPay: its state, and the calls of orders and their status.

use super::{
    active_conf::{ActiveConf, usual_provider},
    authorization::authorized,
    convert::{self, CURRENCY},
    keys::Keys,
    reasons::OrderKind,
    response_error::describe,
    settings::Settings,
    signatures::Signed,
    wire::{AccountDetails, OrderBody, Party},
};
use crate::connection::{Call, Connection, Reply, Response};
use reqwest::{StatusCode, header::HeaderName};
use secrecy::SecretString;
use serde::Serialize;
use std::sync::{Arc, Mutex, PoisonError};
use tua_domain::international::international;
use tua_domain::{
    Kind,
    ports::{Order, ReadError, SendPermit, SendResponse, StatusResponse},
};

/// The account in Ghana.
pub(super) const ACTIVE_CONF_PATH: &str = "/v2/active-conf?country=GHA";

/// The connector to pawaPay, for the three networks of Ghana.
#[derive(Debug)]
pub struct PawaPay {
    pub(super) connection: Arc<Connection>,
    pub(super) settings: Settings,
    /// It ends with a secret.
    pub(super) callback_url: SecretString,
    /// `None` before it was read for the first time.
    pub(super) conf: Mutex<Option<Arc<ActiveConf>>>,
    pub(super) keys: Arc<Keys>,
}

impl PawaPay {
    /// Connects it. Limits and status are known after the first
    /// [`tua_domain::ports::Operator::refresh`].
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

    pub(super) fn conf(&self) -> Option<Arc<ActiveConf>> {
        self.conf.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn authorize<'a>(&self, call: Call<'a>) -> Call<'a> {
        authorized(call, &self.settings.api_token)
    }

    /// Sends what moves money: signed where there is a key.
    pub(super) async fn post(
        &self,
        kind: OrderKind,
        reference: &str,
        body: &(impl Serialize + Sync),
        permit: &SendPermit,
    ) -> SendResponse {
        let path = kind.path();
        let Ok(body) = serde_json::to_vec(body) else { return SendResponse::NotSent };
        let Some(signed) = self.sign(path, &body) else { return SendResponse::NotSent };
        let call =
            self.authorize(Call::post(path)).json(body).record_for(reference).with_permit(permit);
        let call = signed
            .into_iter()
            .fold(call, |call, (name, value)| call.header(HeaderName::from_static(name), &value));
        convert::sent(self.connection.call(call).await, kind, reference)
    }

    /// The headers of the signature; none without a key. `None` where the request cannot be signed.
    pub(super) fn sign(&self, path: &str, body: &[u8]) -> Option<Signed> {
        let Some(key) = &self.settings.signing_key else { return Some(Vec::new()) };
        let base_url = self.connection.base_url();
        let mut url = base_url.clone();
        url.set_path(&format!("{}{path}", base_url.path().trim_end_matches('/')));
        key.sign(&url, body, self.connection.clock().now())
    }

    pub(super) async fn fetch_status(&self, kind: OrderKind, reference: &str) -> StatusResponse {
        let call =
            self.authorize(Call::get(format!("{}/{reference}", kind.path()))).record_for(reference);
        match self.connection.call(call).await {
            Reply::Response(response) => convert::status(&response, kind, reference),
            Reply::NotSent | Reply::NoResponse => StatusResponse::Unanswered,
        }
    }

    /// Sends a GET request that is about no order. Any whole response except refused credentials is
    /// `Ok`.
    pub(super) async fn get(&self, path: &str) -> Result<Response, ReadError> {
        self.response(self.authorize(Call::get(path))).await
    }

    /// The response to a call that is about no order, as [`Self::get`].
    pub(super) async fn response(&self, call: Call<'_>) -> Result<Response, ReadError> {
        match self.connection.call(call).await {
            Reply::Response(response)
                if matches!(response.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) =>
            {
                Err(ReadError::Refused(describe(&response)))
            }
            Reply::Response(response) => Ok(response),
            Reply::NotSent => Err(ReadError::Unanswered("no connection".to_owned())),
            Reply::NoResponse => Err(ReadError::Unanswered("no response".to_owned())),
        }
    }

    /// The wallet of an order. The provider is named as pawaPay reports it.
    pub(super) fn party(&self, order: &Order) -> Party {
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

    pub(super) fn body<'a>(&self, order: &'a Order) -> OrderBody<'a> {
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

/// A text as pawaPay accepts it: 4 to 22 letters, digits and spaces. Empty where too little is
/// left.
fn customer_message(text: &str) -> String {
    let accepted: String =
        text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == ' ').collect();
    let accepted: String = accepted.trim().chars().take(22).collect();
    if accepted.trim_end().len() >= 4 { accepted } else { String::new() }
}
