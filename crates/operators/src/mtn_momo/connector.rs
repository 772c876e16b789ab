//! The connector to MTN MoMo: its state, and the calls of orders and their status.

use super::{
    api::Product,
    convert::{self, ExpectedOrder},
    headers::{CALLBACK_URL, REFERENCE_ID},
    reasons::OrderKind,
    settings::Settings,
};
use crate::{
    connection::{Call, Connection},
    environment::Environment,
    settings::is_loopback,
};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tracing::warn;
use tua_domain::ports::{SendPermit, SendResponse, StatusResponse};

/// The connector to MTN MoMo, with the products that the merchant has.
#[derive(Debug)]
pub struct MtnMomo {
    pub(super) connection: Arc<Connection>,
    pub(super) collection: Option<Product>,
    pub(super) disbursement: Option<Product>,
    /// GHS, or EUR in the sandbox.
    pub(super) currency: &'static str,
    /// It ends with a secret.
    pub(super) callback_url: SecretString,
    /// Whether orders name a callback address. MTN refuses addresses that are not `https`.
    pub(super) has_callbacks: bool,
    /// Whether MTN has refused the host of the callback address. Then orders name none: their
    /// status is read anyway, and with a refused address no order would be accepted at all.
    pub(super) is_callback_host_refused: AtomicBool,
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

    pub(super) fn products(&self) -> impl Iterator<Item = &Product> {
        self.collection.iter().chain(&self.disbursement)
    }

    /// The product and the resource of a kind of order; `None` where the merchant does not have the
    /// product.
    pub(super) fn resource(&self, kind: OrderKind) -> Option<(&Product, String)> {
        let (product, resource) = match kind {
            OrderKind::Charge => (&self.collection, "requesttopay"),
            OrderKind::Payout => (&self.disbursement, "transfer"),
            OrderKind::Refund => (&self.disbursement, "refund"),
        };
        let product = product.as_ref()?;
        Some((product, format!("/{}/v1_0/{resource}", product.name)))
    }

    pub(super) async fn post(
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
                    .record_for(reference);
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

    pub(super) async fn status(
        &self,
        kind: OrderKind,
        reference: &str,
        is_ahead_of_schedule: bool,
    ) -> StatusResponse {
        let Some((product, path)) = self.resource(kind) else { return StatusResponse::Unanswered };
        let path = format!("{path}/{reference}");
        let expected = ExpectedOrder { kind, reference, currency: self.currency };
        match product
            .read(|| Call::get(&path).record_for(reference).ahead_of_schedule(is_ahead_of_schedule))
            .await
        {
            Ok(response) => convert::status(&response, expected),
            Err(_) => StatusResponse::Unanswered,
        }
    }
}
