//! What the HTTP interface is made of.

use super::{shared::Shared, use_cases::UseCases};
use std::sync::Arc;
use tua_config::Config;
use tua_net::limits::{AddressConcurrency, Limiter};
use tua_operators::sandbox::Sandbox;
use tua_use_cases::{KeyEndpoints, PayersSearch};
use tua_web::{
    hosted::{self, HostedState},
    http::{
        BodyTimeout, CallbackState, EndpointAddresses, HttpParts, HttpState, PhoneState, StateParts,
    },
};

/// The API, the hosted pages, and what operators call back.
pub(super) fn http_parts(
    shared: &Shared,
    use_cases: &UseCases,
    config: &Config,
    sandbox: Arc<Sandbox>,
    limiter: Arc<Limiter>,
) -> HttpParts {
    let Shared { clock, metrics, enforcement, public_url, stopping, .. } = shared;
    let body_timeout = BodyTimeout(config.connection_limits.body_timeout);
    let hosted = hosted::router(HostedState {
        checkouts: use_cases.checkouts.clone(),
        payments: use_cases.payments.clone(),
        codes: use_cases.codes.clone(),
        links: use_cases.links.clone(),
        payment_search: PayersSearch {
            search: use_cases.payment_search.clone(),
            hints: use_cases.callbacks.hints.clone(),
        },
        limiter: limiter.clone(),
        body_timeout,
        clock: clock.clone(),
        public_url: public_url.clone(),
    });
    let phone = config.sandbox_phone.then(|| PhoneState {
        sandbox,
        clock: clock.clone(),
        stopping: stopping.clone(),
        body_timeout,
        public_url: public_url.clone(),
    });
    let state = HttpState::from(StateParts {
        authentication: use_cases.authentication.clone(),
        limiter,
        payments: use_cases.payments.clone(),
        payouts: use_cases.payouts.clone(),
        batches: use_cases.batches.clone(),
        refunds: use_cases.refunds.clone(),
        links: use_cases.links.clone(),
        codes: use_cases.codes.clone(),
        checkouts: use_cases.checkouts.clone(),
        transactions: use_cases.transactions.clone(),
        events: use_cases.events.clone(),
        webhook_endpoints: KeyEndpoints {
            endpoints: use_cases.webhook_endpoints.clone(),
            idempotency: use_cases.idempotency.clone(),
        },
        endpoint_addresses: EndpointAddresses { allow_private: config.allow_private_webhooks },
        networks: use_cases.networks.clone(),
        polls: Arc::new(AddressConcurrency::new(config.limits.of_polls(enforcement.clone()))),
        readiness: use_cases.readiness.clone(),
        test_log: shared.test_log.clone(),
        sandbox_clock: use_cases.sandbox_clock.clone(),
        body_timeout,
        public_url: public_url.clone(),
    });
    let callbacks = CallbackState {
        callbacks: use_cases.callbacks.clone(),
        metrics: metrics.clone(),
        body_timeout,
        authority: public_url.authority().into(),
    };
    let metrics = metrics.clone();
    let admission = use_cases.admission.clone();
    let clock = clock.clone();
    HttpParts { state, metrics, admission, clock, phone, hosted, callbacks }
}
