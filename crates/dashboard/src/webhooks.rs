//! Webhook endpoints: the addresses to which events are sent.

use super::{
    confirmation::{Confirmation, is_confirmed},
    error::{DashboardError, redirect},
    fields::Fields,
    notice::Notice,
    payment::PathValues,
    sandbox_clock,
    state::DashboardState,
    views,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::Response,
};
use jiff::{SignedDuration, Timestamp};
use minijinja::{Value, context};
use std::time::Duration;
use tua_domain::{EndpointId, webhook::Endpoint};
use tua_use_cases::PingError;
use tua_webhooks::endpoint_url::parse_url;

/// The longest time during which the previous secret also signs, in hours: 90 days, as on the
/// command line.
const MAX_OVERLAP_HOURS: i64 = 2160;

/// How long the page of a ping waits for its outcome. Later it offers to look again.
const PING_WAIT: Duration = Duration::from_secs(5);

/// The values of the page besides the endpoints.
#[derive(Default)]
struct EndpointPage<'a> {
    notice: &'a str,
    /// The endpoint of the notice; empty for none.
    notice_of: &'a str,
    fault: String,
    /// A new secret, which is shown this once.
    secret: Option<String>,
    /// The address of a form with a fault, so that nothing typed is lost.
    url: &'a str,
}

/// `GET /webhooks`: the endpoints of the account and mode.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    let notice_of = notice.of();
    let notice = notice.key();
    page(&state, &visitor, EndpointPage { notice, notice_of, ..EndpointPage::default() }).await
}

/// `POST /webhooks`: adds an endpoint, and shows its secret once.
pub(super) async fn add(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let typed = &*fields.visible("url");
    let url = match parse_url(typed, visitor.scope.mode, state.allow_private_webhooks) {
        Ok(url) => url,
        Err(fault) => {
            let shown =
                EndpointPage { fault: fault.to_owned(), url: typed, ..EndpointPage::default() };
            return page(&state, &visitor, shown).await;
        }
    };
    let by = visitor.audit(&state);
    let key = state.keys.current();
    let added = state.webhook_endpoints.add(visitor.scope.clone(), &url, &key, &by).await?;
    let secret = Some(added.secret);
    page(&state, &visitor, EndpointPage { secret, ..EndpointPage::default() }).await
}

/// `POST /webhooks/{id}/rotate`: the previous secret also signs for the chosen time. An unreadable
/// time counts as none.
pub(super) async fn rotate(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let endpoint = find(&state, &visitor, &path).await?;
    let by = visitor.audit(&state);
    let hours: i64 = fields.visible("overlap_hours").parse().unwrap_or_default();
    let until = by.at + SignedDuration::from_hours(hours.clamp(0, MAX_OVERLAP_HOURS));
    let key = state.keys.current();
    let rotated = state.webhook_endpoints.rotate_secret(&endpoint.id, until, &key, &by).await?;
    let secret = Some(rotated.ok_or(DashboardError::NotFound)?.secret);
    page(&state, &visitor, EndpointPage { secret, ..EndpointPage::default() }).await
}

/// `POST /webhooks/{id}/enable`: with `resend`, the events of the meantime are sent.
pub(super) async fn enable(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let endpoint = find(&state, &visitor, &path).await?;
    let resend = !fields.get("resend").is_empty();
    let by = visitor.audit(&state);
    let enabled = state.webhook_endpoints.enable(&endpoint.id, resend, &by).await?;
    enabled.ok_or(DashboardError::NotFound)?;
    Ok(back(&visitor, "enabled", &endpoint))
}

/// `POST /webhooks/{id}/disable`: events are recorded, and not sent.
pub(super) async fn disable(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    let endpoint = find(&state, &visitor, &path).await?;
    let disabled = state.webhook_endpoints.disable(&endpoint.id, &visitor.audit(&state)).await?;
    disabled.ok_or(DashboardError::NotFound)?;
    Ok(back(&visitor, "disabled", &endpoint))
}

/// `POST /webhooks/{id}/remove`: its pending deliveries fail, and its history stays.
pub(super) async fn remove(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let endpoint = find(&state, &visitor, &path).await?;
    if !is_confirmed(&fields) {
        let who = endpoint.url.clone();
        let action = format!("/webhooks/{}/remove", endpoint.id);
        let question = Confirmation::of("confirm-remove-endpoint", who, action, "/webhooks");
        return Ok(question.page(&visitor));
    }
    state.webhook_endpoints.remove(&endpoint.id, &visitor.audit(&state)).await?;
    Ok(redirect(&visitor.href("/webhooks?done=removed")))
}

/// `POST /webhooks/{id}/ping`: sends a test event, and shows what came of it.
pub(super) async fn ping(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    let endpoint = find(&state, &visitor, &path).await?;
    match state.webhook_endpoints.ping(&endpoint.id, state.clock.now()).await {
        Ok(sent) => {
            let ping = sent.ok_or(DashboardError::NotFound)?;
            let ping = state.deliveries.wait_for_attempt(ping, PING_WAIT).await?;
            let outcome = format!("/webhooks/{}/deliveries?ping={}", endpoint.id, ping.id);
            Ok(redirect(&visitor.href(&outcome)))
        }
        Err(PingError::Disabled) => Ok(back(&visitor, "ping-disabled", &endpoint)),
        Err(PingError::Store(error)) => Err(error.into()),
    }
}

/// The endpoint of the path, if it belongs to the account and mode of the page and was not removed.
pub(super) async fn find(
    state: &DashboardState,
    visitor: &Visitor,
    path: &PathValues,
) -> Result<Endpoint, DashboardError> {
    let id = EndpointId::new(path.get("id").ok_or(DashboardError::NotFound)?);
    let found = state.webhook_endpoints.find(Some(&visitor.scope), &id).await?;
    found.ok_or(DashboardError::NotFound)
}

/// The endpoint on its page, which says there what was done.
fn back(visitor: &Visitor, done: &str, endpoint: &Endpoint) -> Response {
    let id = &endpoint.id;
    redirect(&visitor.href(&format!("/webhooks?done={done}&of={id}#{id}")))
}

async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    shown: EndpointPage<'_>,
) -> Result<Response, DashboardError> {
    let now = state.clock.now();
    let endpoints = state.webhook_endpoints.list_in(&visitor.scope).await?;
    let failing = state.webhook_endpoints.failing(&visitor.scope).await?;
    let rows = endpoints.iter().map(|one| {
        let fails = failing.iter().find(|failing| failing.id == one.id);
        context! { failing => fails.map(|fails| views::delivery(&fails.last)), ..row(one, now) }
    });
    let values = context! {
        rows => rows.collect::<Vec<_>>(),
        notice => shown.notice,
        notice_of => shown.notice_of,
        fault => &shown.fault,
        secret => shown.secret,
        url => shown.url,
        clock_choices => sandbox_clock::CHOICES,
    };
    let status =
        if shown.fault.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    Ok(visitor.page_with(status, "webhooks.html", values))
}

fn row(endpoint: &Endpoint, now: Timestamp) -> Value {
    let overlap =
        endpoint.old_secret.as_ref().map(|(_, until)| *until).filter(|until| *until > now);
    context! {
        id => endpoint.id.as_str(),
        url => &endpoint.url,
        created_at => endpoint.created_at.to_string(),
        disabled_at => endpoint.disabled_at.map(|at| at.to_string()),
        overlap_until => overlap.map(|at| at.to_string()),
    }
}
