//! The people who were paid before: a page to find one of them, and to pay again.

use super::{
    error::DashboardError, money_form::grouped, state::DashboardState, views, visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    response::Response,
};
use minijinja::{Value, context};
use serde::Deserialize;
use tua_contract::plain_text::visible;
use tua_use_cases::{Payee, PayeeSearch};

/// The query of `GET /payees`.
#[derive(Debug, Deserialize)]
pub(super) struct PayeesQuery {
    /// A part of a name or of a number.
    #[serde(default)]
    q: String,
}

/// `GET /payees`: whom the newest payouts paid, each wallet once.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(PayeesQuery { q }): Query<PayeesQuery>,
) -> Result<Response, DashboardError> {
    let q = visible(&q);
    let payees = state.payees.search(&visitor.scope, &PayeeSearch::new(&q)).await?;
    let rows: Vec<_> = payees.iter().map(row).collect();
    Ok(visitor.page("payees.html", context! { rows, q }))
}

/// A payee as the lists of this page and of the form show it.
pub(super) fn row(payee: &Payee) -> Value {
    context! {
        payout => payee.payout.as_str(),
        name => &payee.name,
        phone => payee.phone.as_str(),
        number => grouped(&payee.phone),
        network => payee.network.as_str(),
        amount => views::cedis(payee.amount.pesewas()),
        paid_at => payee.paid_at.to_string(),
    }
}
