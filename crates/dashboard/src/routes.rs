//! The pages of an account, each with the permission that it needs. This is the only table: the
//! router is made from it, and a test sends a request with every role to each row.

use super::{
    accent, alert_channels, ask, audit_log, batch_example, batch_upload, batches, books, branding,
    checkouts, closed_days, connect_operator, connected_operator, customer, deliveries, download,
    first_steps,
    guard::{Guard, Proof, require_permission},
    home, key_rotation, keys, limit_settings, links, mail_server, operator_check, operators,
    page_segments::page_segments,
    pay, payees, payment, payment_columns, payments, payouts, people, poster, receipt, refunds,
    review, sandbox_clock, settings, single_payouts,
    state::DashboardState,
    statement, statement_fetch, statement_period, statements, till, till_pin, webhooks,
};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    handler::Handler,
    http::Method,
    middleware::from_fn_with_state,
    routing::{MethodFilter, MethodRouter, on},
};
use tua_domain::people::Permission as P;

/// Every page and action below `/dashboard/accounts/{account}/{mode}`.
#[must_use]
pub fn account_routes() -> Vec<AccountRoute> {
    vec![
        AccountRoute::get("/home", P::ReadPayments, home::show),
        AccountRoute::get("/home/steps", P::ReadPayments, first_steps::show),
        AccountRoute::get("/payments", P::ReadPayments, payments::list),
        AccountRoute::post("/payments/find", P::CheckPayments, payments::find),
        AccountRoute::post("/payments/columns", P::ReadPayments, payment_columns::choose),
        AccountRoute::get("/payments/export/{format}", P::ExportPayments, download::download),
        AccountRoute::get("/home/export/{format}", P::ExportPayments, download::summary),
        AccountRoute::get("/payments/{id}", P::ReadPayments, payment::show),
        AccountRoute::get("/payments/{id}/receipt", P::ReadPayments, receipt::show),
        AccountRoute::post("/payments/{id}/check", P::CheckPayments, payment::check),
        AccountRoute::post("/payments/{id}/resend", P::ResendWebhooks, payment::resend),
        AccountRoute::post("/payments/{id}/cancel", P::DecidePayouts, payment::cancel),
        AccountRoute::post("/payments/{id}/settle", P::SettlePayments, payment::settle)
            .with_fresh_proof(),
        AccountRoute::post("/payments/{id}/refund", P::RefundPayments, refunds::begin)
            .with_fresh_proof(),
        AccountRoute::get("/payments/customers/{phone}", P::ReadPayments, customer::show),
        AccountRoute::get("/refunds", P::ReadPayments, refunds::list),
        AccountRoute::get("/review", P::SettlePayments, review::list),
        AccountRoute::get("/payouts", P::ReadPayouts, payouts::list),
        AccountRoute::post("/payouts/{id}/approve", P::DecidePayouts, payouts::approve)
            .with_fresh_proof(),
        AccountRoute::post("/payouts/{id}/refuse", P::DecidePayouts, payouts::refuse)
            .with_fresh_proof(),
        AccountRoute::get("/payouts/upload", P::DecidePayouts, batch_upload::show),
        AccountRoute::post("/payouts/upload", P::DecidePayouts, batch_upload::check)
            .with_body_of(batch_upload::FORM_MAX_BYTES),
        AccountRoute::post("/payouts/upload/confirm", P::DecidePayouts, batch_upload::confirm)
            .with_body_of(batch_upload::FORM_MAX_BYTES)
            .with_fresh_proof(),
        AccountRoute::get("/payouts/upload/example", P::DecidePayouts, batch_example::download),
        AccountRoute::get("/payouts/single", P::ReadPayouts, single_payouts::list),
        AccountRoute::get("/payouts/batches", P::ReadPayouts, batches::list),
        AccountRoute::get("/payouts/batches/{id}", P::ReadPayouts, batches::show),
        AccountRoute::get("/payouts/batches/{id}/results", P::ReadPayouts, batches::results),
        AccountRoute::post("/payouts/batches/{id}/approve", P::DecidePayouts, batches::approve)
            .with_fresh_proof(),
        AccountRoute::post("/payouts/batches/{id}/refuse", P::DecidePayouts, batches::refuse)
            .with_fresh_proof(),
        AccountRoute::post("/payouts/batches/{id}/cancel", P::DecidePayouts, batches::cancel),
        AccountRoute::get("/checkouts", P::ReadPayments, checkouts::list),
        AccountRoute::post("/checkouts/{id}/close", P::CloseCheckouts, checkouts::close),
        AccountRoute::get("/links", P::ReadPayments, links::list),
        AccountRoute::post("/links", P::ManageLinks, links::create),
        AccountRoute::get("/links/{id}", P::ReadPayments, links::show),
        AccountRoute::get("/links/{id}/qr.svg", P::ReadPayments, links::draw_code),
        AccountRoute::get("/links/{id}/poster", P::ReadPayments, poster::show),
        AccountRoute::post("/links/{id}/close", P::ManageLinks, links::close),
        AccountRoute::post("/links/{id}/reopen", P::ManageLinks, links::reopen),
        AccountRoute::get("/ask", P::AskPayments, ask::show),
        AccountRoute::post("/ask", P::AskPayments, ask::begin),
        AccountRoute::get("/ask/{id}", P::AskPayments, ask::follow),
        AccountRoute::post("/ask/{id}/code", P::AskPayments, ask::submit_code),
        AccountRoute::get("/till", P::AskPayments, till::show),
        AccountRoute::post("/till", P::AskPayments, till::begin),
        AccountRoute::get("/till/manifest.webmanifest", P::AskPayments, till::manifest),
        AccountRoute::get("/till/links/{id}/qr.svg", P::AskPayments, till::draw_code),
        AccountRoute::post("/till/lock", P::AskPayments, till_pin::lock),
        AccountRoute::get("/till/pin", P::AskPayments, till_pin::show).with_fresh_proof(),
        AccountRoute::post("/till/pin", P::AskPayments, till_pin::set).with_fresh_proof(),
        AccountRoute::post("/till/pin/remove", P::AskPayments, till_pin::remove).with_fresh_proof(),
        AccountRoute::get("/till/{id}", P::AskPayments, till::follow),
        AccountRoute::post("/till/{id}/code", P::AskPayments, till::submit_code),
        AccountRoute::get("/payees", P::ReadPayouts, payees::list),
        AccountRoute::get("/payouts/new", P::DecidePayouts, pay::show),
        AccountRoute::post("/payouts/new", P::DecidePayouts, pay::check).with_fresh_proof(),
        AccountRoute::post("/payouts/new/confirm", P::DecidePayouts, pay::confirm)
            .with_fresh_proof(),
        AccountRoute::get("/reports/month", P::ManageStatements, books::show),
        AccountRoute::get("/reports/month.csv", P::ExportPayments, books::csv),
        AccountRoute::get("/reports/month-excel.csv", P::ExportPayments, books::excel_csv),
        AccountRoute::get("/reports/month.xlsx", P::ExportPayments, books::xlsx),
        AccountRoute::get("/reports/month.pdf", P::ExportPayments, books::pdf),
        AccountRoute::get("/statements", P::ManageStatements, statements::list),
        AccountRoute::post("/statements", P::ManageStatements, statements::import)
            .with_body_of(statements::FORM_MAX_BYTES),
        AccountRoute::post("/statements/fetch", P::ManageStatements, statement_fetch::fetch),
        AccountRoute::get("/statements/period", P::ManageStatements, statement_period::show),
        AccountRoute::get("/statements/days", P::ManageStatements, closed_days::list),
        AccountRoute::get(
            "/statements/days/{operator}/{day}",
            P::ManageStatements,
            closed_days::show,
        ),
        AccountRoute::post(
            "/statements/days/{operator}/{day}/close",
            P::ManageStatements,
            closed_days::close,
        )
        .with_fresh_proof(),
        AccountRoute::get("/statements/{id}", P::ManageStatements, statement::show),
        AccountRoute::get(
            "/statements/{id}/differences",
            P::ManageStatements,
            statement::differences,
        ),
        AccountRoute::get("/webhooks", P::ReadWebhooks, webhooks::list),
        AccountRoute::post("/webhooks", P::ManageWebhooks, webhooks::add).with_fresh_proof(),
        AccountRoute::post("/webhooks/sandbox-clock", P::ManageWebhooks, sandbox_clock::advance),
        AccountRoute::post("/webhooks/{id}/rotate", P::ManageWebhooks, webhooks::rotate)
            .with_fresh_proof(),
        AccountRoute::post("/webhooks/{id}/enable", P::ManageWebhooks, webhooks::enable),
        AccountRoute::post("/webhooks/{id}/disable", P::ManageWebhooks, webhooks::disable),
        AccountRoute::post("/webhooks/{id}/remove", P::ManageWebhooks, webhooks::remove)
            .with_fresh_proof(),
        AccountRoute::post("/webhooks/{id}/ping", P::ManageWebhooks, webhooks::ping),
        AccountRoute::get("/webhooks/{id}/deliveries", P::ReadWebhooks, deliveries::list),
        AccountRoute::post(
            "/webhooks/{id}/resend-failed",
            P::ResendWebhooks,
            deliveries::resend_failed,
        ),
        AccountRoute::post(
            "/webhooks/{id}/deliveries/{delivery}/resend",
            P::ResendWebhooks,
            deliveries::resend,
        ),
        AccountRoute::get("/operators", P::ReadOperators, operators::list),
        AccountRoute::post("/operators/{name}/check", P::ReadOperators, operator_check::check),
        AccountRoute::get("/operators/new", P::ManageOperators, connect_operator::show)
            .with_fresh_proof(),
        AccountRoute::post("/operators/new", P::ManageOperators, connect_operator::connect)
            .with_fresh_proof(),
        AccountRoute::get(
            "/operators/connected/{id}",
            P::ManageOperators,
            connected_operator::show,
        ),
        AccountRoute::post(
            "/operators/connected/{id}/check",
            P::ManageOperators,
            connected_operator::check,
        )
        .with_fresh_proof(),
        AccountRoute::post(
            "/operators/connected/{id}/serve",
            P::ManageOperators,
            connected_operator::serve,
        )
        .with_fresh_proof(),
        AccountRoute::get(
            "/operators/connected/{id}/replace",
            P::ManageOperators,
            connect_operator::show_replace,
        )
        .with_fresh_proof(),
        AccountRoute::post(
            "/operators/connected/{id}/replace",
            P::ManageOperators,
            connect_operator::replace,
        )
        .with_fresh_proof(),
        AccountRoute::post(
            "/operators/connected/{id}/retire",
            P::ManageOperators,
            connected_operator::retire,
        )
        .with_fresh_proof(),
        AccountRoute::get("/people", P::ManagePeople, people::list),
        AccountRoute::post("/people/invite", P::ManagePeople, people::invite).with_fresh_proof(),
        AccountRoute::post("/people/{user}/role", P::ManagePeople, people::change_role)
            .with_fresh_proof(),
        AccountRoute::post("/people/{user}/remove", P::ManagePeople, people::remove)
            .with_fresh_proof(),
        AccountRoute::post("/people/{user}/sign-out", P::ManagePeople, people::sign_out)
            .with_fresh_proof(),
        AccountRoute::post("/people/{user}/reset", P::ManagePeople, people::reset)
            .with_fresh_proof(),
        AccountRoute::get("/keys", P::ManageKeys, keys::list),
        AccountRoute::post("/keys/create", P::ManageKeys, keys::create).with_fresh_proof(),
        AccountRoute::post("/keys/{key}/rotate", P::ManageKeys, key_rotation::rotate)
            .with_fresh_proof(),
        AccountRoute::post("/keys/{key}/revoke", P::ManageKeys, keys::revoke).with_fresh_proof(),
        AccountRoute::get("/audit", P::ReadAuditLog, audit_log::list),
        AccountRoute::post("/audit/verify", P::ReadAuditLog, audit_log::verify),
        AccountRoute::get("/settings", P::ManageSettings, settings::show),
        AccountRoute::get(
            "/settings/mail/given-up",
            P::ManageSettings,
            settings::show_given_up_mail,
        ),
        AccountRoute::get("/settings/mail", P::ManageMail, mail_server::show),
        AccountRoute::post("/settings/mail", P::ManageMail, mail_server::save).with_fresh_proof(),
        AccountRoute::post("/settings/mail/test", P::ManageMail, mail_server::test)
            .with_fresh_proof(),
        AccountRoute::post("/settings/mail/remove", P::ManageMail, mail_server::remove)
            .with_fresh_proof(),
        AccountRoute::get("/alerts", P::ManageSettings, alert_channels::show),
        AccountRoute::post("/alerts", P::ManageSettings, alert_channels::add).with_fresh_proof(),
        AccountRoute::post("/alerts/{id}/topics", P::ManageSettings, alert_channels::choose_topics)
            .with_fresh_proof(),
        AccountRoute::post("/alerts/{id}/test", P::ManageSettings, alert_channels::send_test),
        AccountRoute::post("/alerts/{id}/remove", P::ManageSettings, alert_channels::remove)
            .with_fresh_proof(),
        AccountRoute::post("/settings/name", P::ManageSettings, settings::rename),
        AccountRoute::get("/settings/logo.png", P::ReadPayments, branding::logo),
        AccountRoute::get("/settings/accent", P::ManageSettings, accent::show),
        AccountRoute::post("/settings/branding", P::ManageSettings, branding::change)
            .with_body_of(branding::FORM_MAX_BYTES),
        AccountRoute::post("/settings/receipts", P::ManageSettings, settings::send_receipts),
        AccountRoute::post("/settings/payouts", P::ManageSettings, limit_settings::limit_payouts)
            .with_fresh_proof(),
        AccountRoute::post(
            "/settings/payouts/approve",
            P::ManageSettings,
            limit_settings::approve_lift,
        )
        .with_fresh_proof(),
        AccountRoute::post(
            "/settings/payouts/refuse",
            P::ManageSettings,
            limit_settings::refuse_lift,
        )
        .with_fresh_proof(),
    ]
}

/// A page or an action of an account.
#[derive(Debug)]
pub struct AccountRoute {
    /// GET for a page, POST for a form.
    pub method: Method,
    /// The path after account and mode.
    pub path: &'static str,
    /// What the person must be permitted to do in the account.
    pub permission: P,
    /// How fresh the proof must be.
    pub proof: Proof,
    /// How many bytes a form may have, if not as everywhere.
    body_max_bytes: Option<usize>,
    handler: MethodRouter<DashboardState>,
}

impl AccountRoute {
    fn get<H: Handler<T, DashboardState>, T: 'static>(
        path: &'static str,
        permission: P,
        handler: H,
    ) -> Self {
        let handler = on(MethodFilter::GET, handler);
        Self {
            method: Method::GET,
            path,
            permission,
            proof: Proof::Session,
            body_max_bytes: None,
            handler,
        }
    }

    fn post<H: Handler<T, DashboardState>, T: 'static>(
        path: &'static str,
        permission: P,
        handler: H,
    ) -> Self {
        let handler = on(MethodFilter::POST, handler);
        Self {
            method: Method::POST,
            path,
            permission,
            proof: Proof::Session,
            body_max_bytes: None,
            handler,
        }
    }

    /// Also asks for password and code, if they were not given within the last five minutes.
    fn with_fresh_proof(self) -> Self {
        Self { proof: Proof::Fresh, ..self }
    }

    /// Accepts larger forms than other routes do.
    fn with_body_of(self, bytes: usize) -> Self {
        Self { body_max_bytes: Some(bytes), ..self }
    }

    /// The handler behind its guard, and the whole path. `pages` are the paths of all pages.
    fn guarded(
        self,
        state: &DashboardState,
        pages: &[&str],
    ) -> (String, MethodRouter<DashboardState>) {
        let page_segments = page_segments(self.path, pages);
        let guard = Guard {
            state: state.clone(),
            permission: self.permission,
            proof: self.proof,
            page_segments,
            upload_bytes: self.body_max_bytes,
        };
        let path = format!("/dashboard/accounts/{{account}}/{{mode}}{}", self.path);
        let handler = self.handler.route_layer(from_fn_with_state(guard, require_permission));
        let handler = match self.body_max_bytes {
            Some(bytes) => handler.layer(DefaultBodyLimit::max(bytes)),
            None => handler,
        };
        (path, handler)
    }
}

/// Adds every route, behind its guard.
pub(super) fn add_account_routes(
    router: Router<DashboardState>,
    state: &DashboardState,
) -> Router<DashboardState> {
    let routes = account_routes();
    let pages: Vec<&str> =
        routes.iter().filter(|one| one.method == Method::GET).map(|one| one.path).collect();
    routes.into_iter().fold(router, |router, route| {
        let (path, handler) = route.guarded(state, &pages);
        router.route(&path, handler)
    })
}
