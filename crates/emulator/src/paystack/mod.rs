//! Paystack Ghana: charges on three networks, transfers, refunds.

mod access;
mod banks;
mod charges;
mod outcomes;
mod recipients;
mod refunds;
mod responses;
mod signature;
mod state;
mod transaction;
mod transfers;
mod values;
mod webhooks;

pub(crate) use state::Paystack;

use responses::FORMAT;
use values::PLATFORM;

use crate::{
    callback::Callback,
    chaos::WireFormat,
    decision::{Decision, DisputeEvent},
    guard::guard,
    operator::{Call, Operator},
    order::Order,
    protocol::{Context, Protocol, Shared},
    settings::Settings,
    wire::{Refusal, json_header, refuse},
};
use axum::{
    Router,
    http::StatusCode,
    routing::{get, post, put},
};
use serde_json::json;
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
            .route("/transfer/verify/{reference}", get(transfers::verify))
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
            .route("/transferrecipient", post(recipients::create))
            .route("/transferrecipient/{id_or_code}", get(recipients::read))
            .route("/transfer/enable_otp", post(recipients::enable_otp))
            .route("/transfer/disable_otp", post(recipients::request_disable_otp))
            .route("/transfer/disable_otp_finalize", post(recipients::disable_otp))
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
            .fallback(unknown_path);
        Router::new()
            .nest(&format!("/{PLATFORM}"), routes)
            .with_state(Context { shared: shared.clone(), protocol: self })
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

async fn unknown_path() -> Refusal {
    refuse(StatusCode::NOT_FOUND, json!({"status": false, "message": "Not found"}))
}
