//! The HTTP services of the listeners.

use super::{
    dashboard_listener, http_parts::http_parts, listeners::Listeners, shared::Shared,
    use_cases::UseCases,
};
use axum::{Router, middleware::from_fn_with_state};
use std::sync::Arc;
use tua_config::{Config, DashboardPlace};
use tua_domain::public_url::PublicUrl;
use tua_net::limits::Limiter;
use tua_operators::sandbox::Sandbox;
use tua_web::{
    documentation,
    http::{self, HttpParts},
};

/// What the service and, where it has a listener of its own, the dashboard serve.
pub(super) struct Routers {
    /// The API, the hosted pages, the documentation, and the dashboard where it is on the service.
    pub(super) service: HttpParts,
    /// The dashboard, where it has a listener of its own.
    pub(super) dashboard: Option<Router>,
    /// The origin of links to the dashboard.
    pub(super) dashboard_url: PublicUrl,
}

impl Routers {
    /// # Errors
    /// One line: the client of the sign-in provider could not be built.
    pub(super) fn new(
        config: &Config,
        shared: &Shared,
        use_cases: &UseCases,
        sandbox: Arc<Sandbox>,
        limiter: Arc<Limiter>,
        listeners: &Listeners,
    ) -> Result<Self, String> {
        let mut service = http_parts(shared, use_cases, config, sandbox, limiter.clone());
        let own_address = listeners.dashboard.as_ref().map(|(_, address)| *address);
        let (dashboard_url, dashboard) =
            dashboard_listener::router(shared, use_cases, config, own_address)?;
        let dashboard = dashboard.layer(from_fn_with_state(limiter.clone(), http::count_page));
        let sign_in = (config.dashboard != DashboardPlace::Off).then(|| dashboard_url.to_string());
        service.hosted =
            service.hosted.merge(documentation::router(&shared.public_url, sign_in, limiter));
        let mut own_dashboard = None;
        match config.dashboard {
            DashboardPlace::OnService => service.hosted = service.hosted.merge(dashboard),
            DashboardPlace::OnListener(_) => {
                let metrics = shared.metrics.clone();
                own_dashboard =
                    Some(http::dashboard_service(dashboard, metrics, dashboard_url.clone()));
            }
            DashboardPlace::Off => {}
        }
        Ok(Self { service, dashboard: own_dashboard, dashboard_url })
    }
}
