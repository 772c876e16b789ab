//! Deliveries to a webhook endpoint.

use super::{
    error::{DashboardError, redirect},
    payment::{Notice, PathValues},
    state::DashboardState,
    views,
    visitor::Visitor,
    webhooks::find,
};
use crate::domain::{
    DeliveryId,
    ports::DeliveryFilter,
    webhook::{Delivery, delivery::DeliveryStatus},
};
use axum::{
    extract::{Query, State},
    response::Response,
};
use minijinja::context;
use serde::Deserialize;

/// How many deliveries a page shows.
const ROWS: u32 = 100;

/// How many failed deliveries one request sends again.
const RESENT_AT_ONCE: u32 = 1_000;

/// Which deliveries to list.
#[derive(Debug, Deserialize)]
pub(super) struct Chosen {
    #[serde(default)]
    status: String,
}

/// `GET /webhooks/{id}/deliveries`: newest first.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    Query(chosen): Query<Chosen>,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    let endpoint = find(&state, &visitor, &path).await?;
    let status = DeliveryStatus::parse(&chosen.status);
    let filter = DeliveryFilter { id: None, endpoint: Some(endpoint.id.clone()), status, limit: ROWS };
    let deliveries = state.store.deliveries(filter).await?;
    let values = context! {
        endpoint => context! { id => endpoint.id.as_str(), url => &endpoint.url },
        rows => deliveries.iter().map(views::delivery).collect::<Vec<_>>(),
        statuses => DeliveryStatus::ALL.iter().map(|one| one.as_str()).collect::<Vec<_>>(),
        status => status.map_or("", DeliveryStatus::as_str),
        most => ROWS,
        notice => notice.key(),
    };
    Ok(visitor.page("deliveries.html", values))
}

/// `POST /webhooks/{id}/deliveries/{delivery}/resend`.
pub(super) async fn resend(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    let endpoint = find(&state, &visitor, &path).await?;
    let wanted = path.get("delivery").filter(|id| !id.contains('\0')).ok_or(DashboardError::NotFound)?;
    let wanted = DeliveryId::new(wanted);
    let filter = DeliveryFilter { id: Some(wanted), endpoint: Some(endpoint.id.clone()), status: None, limit: 1 };
    let deliveries = state.store.deliveries(filter).await?;
    if deliveries.is_empty() {
        return Err(DashboardError::NotFound);
    }
    replay(&state, &visitor, &deliveries).await?;
    Ok(redirect(&visitor.href(&format!("/webhooks/{}/deliveries?done=resent", endpoint.id))))
}

/// `POST /webhooks/{id}/resend-failed`: all failed deliveries, the newest 1,000 at most.
pub(super) async fn resend_failed(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    let endpoint = find(&state, &visitor, &path).await?;
    let status = Some(DeliveryStatus::Failed);
    let filter = DeliveryFilter { id: None, endpoint: Some(endpoint.id.clone()), status, limit: RESENT_AT_ONCE };
    replay(&state, &visitor, &state.store.deliveries(filter).await?).await?;
    Ok(redirect(&visitor.href(&format!("/webhooks/{}/deliveries?done=resent", endpoint.id))))
}

async fn replay(state: &DashboardState, visitor: &Visitor, deliveries: &[Delivery]) -> Result<(), DashboardError> {
    let by = visitor.audit(state);
    for delivery in deliveries {
        state.store.replay_delivery(&delivery.id, &by).await?;
    }
    state.settlement.changes.notify_outbox();
    Ok(())
}
