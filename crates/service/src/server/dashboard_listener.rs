//! The dashboard: its router, and its address where it has a listener of its own.

use super::{shared::Shared, use_cases::UseCases};
use crate::shared_use_cases::{
    day_closing, exports, payout_lists, refund_lists, statements, transaction_records,
};
use axum::Router;
use std::{net::SocketAddr, sync::Arc};
use tua_config::{Config, is_readable_origin};
use tua_dashboard::{
    self, DashboardState, DemoLink, OIDC_CALLBACK, PasskeyVerifier, SignInProvider,
};
use tua_domain::{people::LinkDelivery, public_url::PublicUrl};
use tua_oidc::{OidcSettings, Provider};
use tua_tables::statement_file::StatementForms;
use tua_use_cases::{
    Branding, DayCharges, FirstSteps, MonthlyReports, OperatorChecks, Passkeys, Payees,
    PayoutLimits, PersonSecurity, ProviderSignIn, Reports, Reviews,
};
use tua_web::http::BodyTimeout;

/// The router of the dashboard, and the origin that its links have.
///
/// # Errors
/// One line: the client of the sign-in provider could not be built.
pub(super) fn router(
    shared: &Shared,
    use_cases: &UseCases,
    config: &Config,
    own_address: Option<SocketAddr>,
) -> Result<(PublicUrl, Router), String> {
    let Shared { clock, public_url, .. } = shared;
    let public_url = config.dashboard_url_at(public_url, own_address);
    warn_if_unreachable(&public_url);
    let body_timeout = BodyTimeout(config.connection_limits.body_timeout);
    let oidc = match &config.oidc {
        Some(settings) => Some(sign_in_provider(settings, shared, &public_url)?),
        None => None,
    };
    let store = &shared.store;
    let changes = &shared.changes;
    let router = tua_dashboard::router(DashboardState {
        demo: config.demo_link.map(DemoLink::new),
        clock: clock.clone(),
        sessions: use_cases.sessions.clone(),
        accounts: use_cases.accounts.clone(),
        api_keys: use_cases.api_keys.clone(),
        audit_log: use_cases.audit_log.clone(),
        webhook_endpoints: use_cases.webhook_endpoints.clone(),
        alert_channels: use_cases.alert_channels.clone(),
        sandbox_clock: use_cases.sandbox_clock.clone(),
        deliveries: use_cases.deliveries.clone(),
        links: use_cases.link_management.clone(),
        new_links: use_cases.links.clone(),
        mail_outbox: use_cases.mail_outbox.clone(),
        operator_floats: use_cases.operator_floats.clone(),
        operator_connections: shared.connections.clone(),
        operator_checks: OperatorChecks { clock: clock.clone(), changes: changes.clone() },
        members: use_cases.members.clone(),
        person_security: PersonSecurity {
            sessions: use_cases.sessions.clone(),
            people: store.clone(),
            passkeys: store.clone(),
            identities: store.clone(),
            mail_outbox: store.clone(),
        },
        stored_passkeys: Passkeys { store: store.clone(), clock: clock.clone() },
        transaction_records: transaction_records(store, changes.clone()),
        reports: Reports {
            reports: store.clone(),
            accounts: store.clone(),
            audit_log: store.clone(),
        },
        exports: exports(store, clock.clone()),
        first_steps: FirstSteps {
            reports: store.clone(),
            operators: shared.operators.clone(),
            clock: clock.clone(),
        },
        reviews: Reviews {
            reviews: store.clone(),
            accounts: store.clone(),
            changes: changes.clone(),
        },
        refund_lists: refund_lists(store),
        payout_lists: payout_lists(store),
        payout_limits: PayoutLimits {
            approvals: store.clone(),
            lifts: store.clone(),
            people: store.clone(),
            clock: clock.clone(),
        },
        checkouts: use_cases.checkouts.clone(),
        statements: statements(store),
        day_closing: day_closing(store, clock.clone()),
        monthly_reports: MonthlyReports::new(
            store.clone(),
            store.clone(),
            store.clone(),
            clock.clone(),
        ),
        branding: Branding { accounts: store.clone() },
        enrolments: use_cases.enrolments.clone(),
        keys: shared.keys.clone(),
        status_queries: use_cases.status_queries.clone(),
        payment_search: use_cases.payment_search.clone(),
        payments: use_cases.payments.clone(),
        codes: use_cases.codes.clone(),
        day_charges: DayCharges {
            reports: store.clone(),
            transactions: store.clone(),
            clock: clock.clone(),
        },
        payees: Payees { reports: store.clone(), transactions: store.clone() },
        payouts: use_cases.payouts.clone(),
        batches: use_cases.batches.clone(),
        refunds: use_cases.refunds.clone(),
        passkeys: PasskeyVerifier::for_origin(&public_url),
        oidc,
        networks: use_cases.networks.clone(),
        statement_forms: StatementForms::of(&config.operators),
        allow_private_webhooks: config.allow_private_webhooks,
        public_url: public_url.clone(),
        payer_url: shared.public_url.clone(),
        simulated_phone: shared.test_settings.phone.clone(),
        retention_live: config.retention_live,
        mail_servers: use_cases.mail_servers.clone(),
        invitation_links: config
            .mail
            .as_ref()
            .map_or(LinkDelivery::Shown, |mail| mail.invitation_links),
        body_timeout,
    });
    Ok((public_url, router))
}

/// Nobody on another machine can sign in over plain HTTP, and the person who starts the service
/// should know it.
fn warn_if_unreachable(url: &PublicUrl) {
    if is_readable_origin(url) {
        tracing::warn!(
            %url,
            "the dashboard refuses other machines, because its address is plain HTTP, where others \
             can read passwords: use TLS, or a proxy with TLS that --dashboard-url and \
             --trusted-proxies name"
        );
    }
}

/// The sign-in provider, which is not asked for anything before somebody signs in.
fn sign_in_provider(
    settings: &OidcSettings,
    shared: &Shared,
    origin: &PublicUrl,
) -> Result<SignInProvider, String> {
    let Shared { store, clock, .. } = shared;
    let mappings = settings.roles.clone();
    let provider =
        Provider::new(settings.clone(), format!("{origin}{OIDC_CALLBACK}"), clock.clone())?;
    let people = ProviderSignIn {
        identities: store.clone(),
        people: store.clone(),
        accounts: store.clone(),
        clock: clock.clone(),
        mappings,
    };
    Ok(SignInProvider { provider: Arc::new(provider), people })
}
