//! The dashboard: its router, and its address where it has a listener of its own.

use super::{shared::Shared, use_cases::UseCases};
use crate::{
    config::{Config, dashboard_origin},
    dashboard::{self, DashboardState, DemoLink},
    domain::use_cases::{Batches, Payouts, Refunds},
    http::{BodyTimeout, PublicUrl},
};
use axum::Router;
use std::{net::SocketAddr, sync::Arc};

/// The router of the dashboard, and the origin that its links have.
pub(super) fn router(
    shared: &Shared,
    use_cases: &UseCases,
    config: &Config,
    own_address: Option<SocketAddr>,
) -> (PublicUrl, Router) {
    let Shared { clock, public_url, .. } = shared;
    let scheme = if config.is_tls() { "https" } else { "http" };
    let own = own_address.map(|address| PublicUrl(format!("{scheme}://{address}").into()));
    let public_url = PublicUrl(dashboard_origin(&own.unwrap_or_else(|| public_url.clone()).0).into());
    let body_timeout = BodyTimeout(config.connection_limits.body_timeout);
    let router = dashboard::router(DashboardState {
        demo: config.demo_link.map(DemoLink::new),
        store: shared.store.clone(),
        clock: clock.clone(),
        sessions: use_cases.sessions.clone(),
        enrolments: use_cases.enrolments.clone(),
        keys: shared.keys.clone(),
        settlement: use_cases.settlement.clone(),
        payouts: Arc::new(Payouts { settlement: use_cases.settlement.clone() }),
        batches: Batches { payments: use_cases.payments.clone() },
        refunds: Refunds { payments: use_cases.payments.clone() },
        mailer: shared.mailer.clone(),
        networks: use_cases.networks.clone(),
        allow_private_webhooks: config.allow_private_webhooks,
        public_url: public_url.clone(),
        body_timeout,
    });
    (public_url, router)
}
