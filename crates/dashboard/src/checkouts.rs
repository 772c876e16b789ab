//! Checkout sessions: those that are open, and those with an id or a reference.

use super::{
    confirmation::{Confirmation, is_confirmed},
    error::{DashboardError, redirect},
    fields::Fields,
    notice::Notice,
    payment::PathValues,
    state::DashboardState,
    views,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    response::Response,
};
use minijinja::context;
use serde::Deserialize;
use tua_contract::plain_text::visible;
use tua_domain::{CheckoutId, checkout::CheckoutStatus, ports::CloseError};
use tua_use_cases::MerchantsCheckout;

/// How many sessions a page shows.
const ROWS: u32 = 50;

/// The query of `GET /checkouts`.
#[derive(Debug, Deserialize)]
pub(super) struct CheckoutSearch {
    #[serde(default)]
    q: String,
}

/// `GET /checkouts`: the newest first.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(find): Query<CheckoutSearch>,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    let text = &*visible(&find.q);
    let now = state.clock.now();
    let wanted = Some(text).filter(|text| !text.is_empty());
    let mut rows = Vec::new();
    for MerchantsCheckout { checkout, summary, status } in
        state.checkouts.list(&visitor.scope, wanted, ROWS).await?
    {
        rows.push(context! {
            id => checkout.id.as_str(),
            reference => &checkout.reference,
            email => &checkout.terms.email,
            amount => views::cedis(checkout.terms.amount.pesewas()),
            status => status.as_str(),
            created_at => checkout.created_at.to_string(),
            expires_at => checkout.ends_at().to_string(),
            payment => summary.latest.as_ref().map(|latest| latest.order.id.as_str()),
            can_close => checkout.ends_at() > now && status != CheckoutStatus::Paid,
        });
    }
    Ok(visitor
        .page("checkouts.html", context! { rows, q => text, notice => notice.key(), fault => "" }))
}

/// `POST /checkouts/{id}/close`: the session takes no further charge.
pub(super) async fn close(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let id = CheckoutId::new(path.get("id").ok_or(DashboardError::NotFound)?);
    if !is_confirmed(&fields) {
        let found = state.checkouts.list(&visitor.scope, Some(id.as_str()), ROWS).await?;
        // A reference may look like the id of another session.
        let found = found.iter().find(|found| found.checkout.id == id);
        let checkout = &found.ok_or(DashboardError::NotFound)?.checkout;
        let who = checkout.reference.clone();
        let action = format!("/checkouts/{id}/close");
        let question = Confirmation::of("confirm-close-checkout", who, action, "/checkouts");
        return Ok(question.page(&visitor));
    }
    match state.checkouts.close_as(&visitor.scope, &id, &visitor.audit(&state)).await {
        Ok(_) => Ok(redirect(&visitor.href("/checkouts?done=closed"))),
        Err(CloseError::Store(error)) => Err(error.into()),
        Err(_) => Err(DashboardError::NotFound),
    }
}
