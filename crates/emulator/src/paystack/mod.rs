//! Paystack Ghana: charges on three networks, transfers, refunds.

mod access;
mod banks;
mod charges;
mod checkout;
mod customers;
mod form;
mod outcomes;
mod paging;
mod recipients;
mod refunds;
mod responses;
mod settings;
mod signature;
mod state;
mod transaction;
mod transfers;
mod values;
mod webhooks;

pub use settings::{PaystackCredentials, PaystackSettings};
pub(crate) use state::Paystack;

use responses::FORMAT;
use values::PLATFORM;

use crate::{
    callback::Callback,
    chaos::WireFormat,
    decision::{Decision, DisputeEvent},
    extract::{nest, with_fallbacks},
    guard::guard,
    operator::{Call, Operator},
    order::Order,
    protocol::{Context, Protocol, Shared},
    settings::Settings,
    wire::json_header,
};
use axum::{
    Router,
    routing::{get, post, put},
};
use serde_json::{Map, Value};
use std::{sync::Arc, time::Duration};

impl Protocol for Paystack {
    fn operator(&self) -> Operator {
        Operator::PAYSTACK
    }

    fn format(&self) -> &'static WireFormat {
        &FORMAT
    }

    fn routes(self: Arc<Self>, shared: &Shared) -> Router {
        let guard = |call, routes| guard(shared, &*self, call, routes);
        let status = Router::new()
            .route("/charge/{reference}", get(charges::check))
            .route("/transaction/verify/{reference}", get(charges::verify))
            .route("/transaction/{id}", get(charges::read))
            .route("/transfer/verify/{reference}", get(transfers::verify))
            .route("/transfer/{id_or_code}", get(transfers::read))
            .route("/refund/{id}", get(refunds::read));
        let refund = Router::new()
            .route("/refund", post(refunds::create))
            .route("/refund/retry_with_customer_details/{id}", post(refunds::retry));
        let payout = Router::new()
            .route("/transfer", post(transfers::create))
            .route("/transfer/finalize_transfer", post(transfers::finalize));
        let other = Router::new()
            .route("/refund", get(refunds::list))
            .route("/transaction", get(charges::list))
            .route("/transaction/initialize", post(checkout::initialize))
            .route("/transfer", get(transfers::list))
            .route("/transferrecipient", post(recipients::create))
            .route("/transferrecipient", get(recipients::list))
            .route("/transferrecipient/{id_or_code}", get(recipients::read))
            .route("/transfer/enable_otp", post(recipients::enable_otp))
            .route("/transfer/disable_otp", post(recipients::request_disable_otp))
            .route("/transfer/disable_otp_finalize", post(recipients::disable_otp))
            .route("/customer", post(customers::create))
            .route("/customer", get(customers::list))
            .route("/customer/{email_or_code}", get(customers::read))
            .route("/customer/{email_or_code}", put(customers::update))
            .route("/balance", get(banks::balance))
            .route("/bank", get(banks::list))
            .route("/bank/resolve", get(banks::resolve))
            .route("/integration/payment_session_timeout", get(banks::session_timeout))
            .route("/integration/payment_session_timeout", put(banks::session_timeout));
        let routes = Router::new()
            .merge(guard(Call::Send, Router::new().route("/charge", post(charges::create))))
            .merge(guard(
                Call::Code,
                Router::new().route("/charge/submit_otp", post(charges::submit_otp)),
            ))
            .merge(guard(Call::Status, status))
            .merge(guard(Call::Payout, payout))
            .merge(guard(Call::Refund, refund))
            .merge(guard(Call::Other, other))
            // The payer's page, which is not called by the merchant's server.
            .route("/checkout/{access_code}", get(checkout::page).post(checkout::pay));
        nest(PLATFORM, with_fallbacks(routes))
            .with_state(Context { shared: shared.clone(), protocol: self })
    }

    /// Forms, and bodies without a type: Paystack's own client for Node.js sends JSON without one.
    fn read_other_body(&self, media_type: &str, body: &[u8]) -> Option<Value> {
        match media_type {
            _ if body.is_empty() => Some(Value::Object(Map::new())),
            form::MEDIA_TYPE => Some(form::to_json(body)),
            "" => serde_json::from_slice(body).ok(),
            _ => None,
        }
    }

    fn callback(&self, shared: &Shared, order: &Order) -> Option<Callback> {
        webhooks::webhook(shared, self, order)
    }

    fn sign(
        &self,
        shared: &Shared,
        callback: &Callback,
        body: &[u8],
    ) -> Vec<(&'static str, String)> {
        let signature = signature::sign(shared, body, callback.is_forged);
        vec![json_header(), ("x-paystack-signature", signature)]
    }

    fn is_received(&self, status: u16) -> bool {
        status == 200
    }

    fn retry_delay(&self, _: &Settings, attempt: u32) -> Option<Duration> {
        match attempt {
            1..=3 => Some(Duration::from_secs(3 * 60)),
            4..=75 => Some(Duration::from_secs(3600)),
            _ => None,
        }
    }

    fn supports(&self, _: Decision) -> bool {
        true
    }

    fn dispute(&self, shared: &Shared, order: &Order, event: DisputeEvent) -> Option<Callback> {
        webhooks::dispute(shared, order, event)
    }
}
