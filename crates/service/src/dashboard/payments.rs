//! The list of payments.

use super::{error::DashboardError, list_query::ListQuery, state::DashboardState, views, visitor::Visitor};
use crate::domain::{
    Kind,
    reporting::{Attention, ReportPage},
    use_cases::reports::list_page,
};
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use minijinja::context;
use tua_contract::{FailureCode, Network, Status};

/// How many payments a page shows.
const ROWS: u32 = 25;

/// `GET /payments`: a page of the payments that match, with their number and sums.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    RawQuery(query): RawQuery,
) -> Result<Response, DashboardError> {
    let list = ListQuery::read(query.as_deref());
    let store = state.store.as_ref();
    let page = ReportPage { limit: ROWS, position: list.position.clone() };
    let page = list_page(store, &visitor.scope, &list.filter, &page).await?;
    let totals = store.report_totals(&visitor.scope, &list.filter).await?;
    let values = context! {
        rows => page.transactions.iter().map(views::transaction).collect::<Vec<_>>(),
        newer => page.newer.map(|cursor| list.address_of_page("before", &cursor)),
        older => page.older.map(|cursor| list.address_of_page("after", &cursor)),
        count => totals.payments(),
        is_capped => totals.is_capped(),
        money_in => views::cedis(totals.moved_pesewas(Kind::Charge)),
        money_out => views::cedis(totals.moved_pesewas(Kind::Payout)),
        chips => list.chips(),
        unknown => &list.unknown,
        fields => list.fields(),
        filter_address => list.address(),
        kinds => Kind::ALL.iter().map(|one| one.as_str()).collect::<Vec<_>>(),
        statuses => Status::ALL.map(Status::as_str),
        networks => Network::ALL.map(Network::as_str),
        failures => FailureCode::ALL.map(FailureCode::as_str),
        attentions => Attention::ALL.iter().map(|one| one.as_str()).collect::<Vec<_>>(),
    };
    Ok(visitor.page("payments.html", values))
}
