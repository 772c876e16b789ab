//! Deliveries to a webhook endpoint.

use super::{
    error::{DashboardError, redirect},
    fields::{Fields, typed_day},
    notice::Notice,
    payment::PathValues,
    state::DashboardState,
    views,
    visitor::Visitor,
    webhooks::find,
};
use axum::{
    extract::{Query, State},
    response::Response,
};
use minijinja::{Value, context};
use serde::Deserialize;
use tua_contract::plain_text::visible;
use tua_domain::{
    DeliveryId,
    ports::DeliveryFilter,
    reporting::ReportFilter,
    webhook::{Delivery, SubjectSnapshot, delivery::DeliveryStatus},
};
use tua_webhooks::payload;
use url::form_urlencoded::Serializer;

/// How many deliveries a page shows.
const ROWS: u32 = 100;

/// The query of the list of deliveries.
#[derive(Debug, Deserialize)]
pub(super) struct DeliveryQuery {
    #[serde(default)]
    status: String,
    #[serde(default)]
    from: String,
    #[serde(default)]
    to: String,
    /// A ping that was sent a moment ago: the page shows this delivery alone, and its outcome.
    #[serde(default)]
    ping: String,
}

/// `GET /webhooks/{id}/deliveries`: newest first.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    Query(chosen): Query<DeliveryQuery>,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    let endpoint = find(&state, &visitor, &path).await?;
    let status = DeliveryStatus::parse(&chosen.status);
    // No id has this character, and PostgreSQL could not compare it.
    let ping = Some(&chosen.ping).filter(|id| !id.is_empty() && !id.contains('\0'));
    let id = ping.cloned().map(DeliveryId::new);
    let period = of_period(&chosen.from, &chosen.to);
    let filter = DeliveryFilter { status, id, limit: ROWS, ..period };
    let unknown = unreadable(&filter, &chosen.from, &chosen.to);
    let from = filter.from.map(|day| day.to_string());
    let to = filter.to.map(|day| day.to_string());
    let deliveries = state.deliveries.list_to(&endpoint, filter).await?;
    let mut rows = Vec::with_capacity(deliveries.len());
    for delivery in &deliveries {
        rows.push(row(&state, &visitor, delivery).await?);
    }
    let values = context! {
        endpoint => context! { id => endpoint.id.as_str(), url => &endpoint.url },
        rows,
        ping,
        statuses => DeliveryStatus::ALL.iter().map(|one| one.as_str()).collect::<Vec<_>>(),
        status => status.map_or("", DeliveryStatus::as_str),
        has_period => from.is_some() || to.is_some(),
        from => from.unwrap_or_default(),
        to => to.unwrap_or_default(),
        most => ROWS,
        unknown,
        notice => notice.key(),
    };
    Ok(visitor.page("deliveries.html", values))
}

/// A delivery with what was sent, and the beginning of the response. A person who may not read
/// payouts sees neither of a payout's, because both may name its recipient.
async fn row(
    state: &DashboardState,
    visitor: &Visitor,
    delivery: &Delivery,
) -> Result<Value, DashboardError> {
    let subject = state.deliveries.subject(delivery).await?;
    let is_seen = match &subject {
        Some(SubjectSnapshot::Transaction(about)) => {
            visitor.seen(ReportFilter::default()).has_type(about.order.transaction_type())
        }
        Some(SubjectSnapshot::Checkout(..) | SubjectSnapshot::Endpoint(_)) => true,
        None => false,
    };
    let shown = views::delivery(delivery);
    if !is_seen {
        return Ok(context! { payload => (), response => (), ..shown });
    }
    let body = subject.map(|subject| payload::body(delivery, &subject)).transpose()?;
    Ok(context! { payload => body, ..shown })
}

/// The deliveries between two days, as typed. An unreadable day sets no limit.
fn of_period(from: &str, to: &str) -> DeliveryFilter {
    DeliveryFilter { from: typed_day(from), to: typed_day(to), ..DeliveryFilter::default() }
}

/// The names of the days that were typed and not understood.
fn unreadable(filter: &DeliveryFilter, from: &str, to: &str) -> Vec<&'static str> {
    let days = [("from", from, filter.from), ("to", to, filter.to)];
    days.iter()
        .filter(|(_, typed, day)| !visible(typed).is_empty() && day.is_none())
        .map(|(name, ..)| *name)
        .collect()
}

/// `POST /webhooks/{id}/deliveries/{delivery}/resend`: makes one delivery due again.
pub(super) async fn resend(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    let endpoint = find(&state, &visitor, &path).await?;
    let wanted = DeliveryId::new(path.get("delivery").ok_or(DashboardError::NotFound)?);
    let resent = state.deliveries.resend_to(&endpoint, wanted, &visitor.audit(&state)).await?;
    resent.ok_or(DashboardError::NotFound)?;
    Ok(redirect(&visitor.href(&format!("/webhooks/{}/deliveries?done=resent", endpoint.id))))
}

/// `POST /webhooks/{id}/resend-failed`: the failed and held deliveries of a period or of all
/// days, the newest 1,000 at most.
///
/// With an unreadable day nothing is sent, because without that limit it would be more than was
/// asked for; the list then says so.
pub(super) async fn resend_failed(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let endpoint = find(&state, &visitor, &path).await?;
    let from = &*fields.visible("from");
    let to = &*fields.visible("to");
    let filter = of_period(from, to);
    let period =
        Serializer::new(String::new()).append_pair("from", from).append_pair("to", to).finish();
    if !unreadable(&filter, from, to).is_empty() {
        return Ok(redirect(
            &visitor.href(&format!("/webhooks/{}/deliveries?{period}", endpoint.id)),
        ));
    }
    state.deliveries.resend_unsent_to(&endpoint, filter, &visitor.audit(&state)).await?;
    Ok(redirect(
        &visitor.href(&format!("/webhooks/{}/deliveries?done=resent&{period}", endpoint.id)),
    ))
}
