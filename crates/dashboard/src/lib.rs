//! The dashboard, `/dashboard` (docs/reference/dashboard.md): pages for the people of a shop, drawn
//! on the server with plain links and forms. It calls the use cases of the domain, as the API does,
//! and neither calls the other.
//!
//! The pages of an account have the account and the mode in their address. `routes` lists each of
//! them with the permission that it needs, and `guard` checks the permission before the page's
//! handler runs.

mod accent;
mod alert_channels;
mod alert_choices;
mod approvers;
mod ask;
mod ask_form;
mod asking;
mod audit_log;
mod batch_example;
mod batch_form;
mod batch_upload;
mod batches;
mod books;
mod branding;
mod charge_view;
mod chat;
mod checkouts;
mod closed_days;
mod confirmation;
mod connect_operator;
mod connected_operator;
mod cookies;
mod customer;
mod decisions;
mod deliveries;
mod demo;
mod demo_link;
mod device;
mod download;
mod enrol;
mod enrol_passkey;
mod error;
mod fields;
mod file_form;
mod first_password;
mod first_steps;
mod float_warning;
mod form_key;
mod formats;
mod guard;
mod home;
mod home_before;
mod home_figures;
mod journey;
mod key_rotation;
mod keys;
mod language;
mod limit_settings;
mod link_answers;
mod links;
mod list_query;
mod live;
mod mail_server;
mod money;
mod money_form;
mod navigation;
mod notice;
mod oidc;
mod operator_address;
mod operator_check;
mod operator_warning;
mod operators;
mod page_segments;
mod passkey_verifier;
mod passkeys;
mod pay;
mod pay_form;
mod payees;
mod payment;
mod payment_columns;
mod payments;
mod payouts;
mod people;
mod period;
mod person;
mod plot;
mod poster;
mod receipt;
mod recipient_names;
mod refund_form;
mod refunds;
mod repeatable_form;
mod repeated_charges;
mod review;
mod review_form;
mod routes;
mod same_origin;
mod sandbox_clock;
mod sealed_cookie;
mod security;
mod security_headers;
mod service_sentences;
mod settings;
mod sign_in;
mod single_payouts;
mod state;
mod statement;
mod statement_faults;
mod statement_fetch;
mod statement_period;
mod statements;
mod table_upload;
mod table_words;
mod templates;
mod texts;
mod till;
mod till_pin;
mod timeline;
mod unlock;
mod unsent_form;
mod unsent_question;
mod uploads;
mod views;
mod visitor;
mod webhooks;

use axum::{
    Router,
    middleware::{from_fn, from_fn_with_state},
    routing::{any, get, post},
};
use error::DashboardError;
use tower_http::compression::CompressionLayer;

pub use demo_link::{DEMO_EMAIL, DemoLink};
pub use guard::Proof;
pub use oidc::CALLBACK as OIDC_CALLBACK;
pub use passkey_verifier::PasskeyVerifier;
pub use routes::{AccountRoute, account_routes};
pub use state::{DashboardState, SignInProvider};

/// The routes of the dashboard.
pub fn router(state: DashboardState) -> Router {
    let signed_in = |route: axum::routing::MethodRouter<DashboardState>| {
        route.route_layer(from_fn_with_state(state.clone(), guard::require_session))
    };
    let mut router = Router::new()
        .route("/dashboard", signed_in(get(person::open)))
        .route("/dashboard/", get(async || error::redirect("/dashboard")))
        .route("/dashboard/sign-out", signed_in(post(person::sign_out)))
        .route(unlock::PAGE, get(unlock::show).post(unlock::unlock))
        .route(unsent_form::PAGE, signed_in(get(unsent_form::show)))
        .route("/dashboard/proof", signed_in(get(sign_in::show_proof).post(sign_in::prove)))
        .route("/dashboard/proof/passkey", signed_in(post(passkeys::begin_proof)))
        .route("/dashboard/proof/passkey/finish", signed_in(post(passkeys::prove)))
        .route("/dashboard/security", signed_in(get(security::show)))
        .route("/dashboard/security/password", signed_in(post(security::change_password)))
        .route(
            "/dashboard/security/password/new",
            signed_in(get(first_password::show).post(first_password::add)),
        )
        .route(
            "/dashboard/security/password/new/code.svg",
            signed_in(get(first_password::draw_code)),
        )
        .route("/dashboard/security/reports", signed_in(post(security::choose_reports)))
        .route("/dashboard/security/alerts/{account}", signed_in(post(security::choose_alerts)))
        .route(
            "/dashboard/security/recovery-codes",
            signed_in(post(security::replace_recovery_codes)),
        )
        .route("/dashboard/security/passkeys", signed_in(post(passkeys::register)))
        .route("/dashboard/security/passkeys/new", signed_in(post(passkeys::begin_registration)))
        .route("/dashboard/security/passkeys/{passkey}/remove", signed_in(post(passkeys::remove)))
        .route("/dashboard/security/sessions/{session}/end", signed_in(post(security::end_session)))
        .route("/dashboard/sign-in", get(sign_in::show).post(sign_in::sign_in))
        .route("/dashboard/sign-in/passkey", post(passkeys::begin_sign_in))
        .route("/dashboard/sign-in/passkey/finish", post(passkeys::sign_in))
        .route("/dashboard/enrol/{token}", get(enrol::show).post(enrol::enrol))
        .route("/dashboard/enrol/{token}/code.svg", get(enrol::draw_code))
        .route("/dashboard/enrol/{token}/passkey", post(enrol_passkey::begin))
        .route("/dashboard/enrol/{token}/passkey/finish", post(enrol_passkey::finish))
        .route("/dashboard/language/{code}", get(person::choose_language))
        .route("/dashboard/accounts", get(async || error::redirect("/dashboard")))
        .route("/dashboard/{*path}", any(async || DashboardError::NotFound));
    if state.oidc.is_some() {
        router = router
            .route("/dashboard/sign-in/oidc", post(oidc::begin_sign_in))
            .route("/dashboard/enrol/{token}/oidc", post(oidc::begin_enrolment))
            .route("/dashboard/proof/oidc", signed_in(post(oidc::begin_proof)))
            .route("/dashboard/security/identities", signed_in(post(oidc::begin_link)))
            .route(
                "/dashboard/security/identities/{identity}/remove",
                signed_in(post(oidc::remove)),
            )
            .route(oidc::CALLBACK, get(oidc::finish));
    }
    if state.demo.is_some() {
        router = router.route("/dashboard/demo/{token}", get(demo::open));
    }
    let layers =
        (CompressionLayer::new(), from_fn(error::draw), from_fn(error::require_encryption));
    routes::add_account_routes(router, &state).layer(layers).with_state(state)
}
