//! Payouts to one person each, without those of batches.

use super::{
    error::DashboardError, list_query::ListQuery, payment_columns::PaymentColumns,
    repeated_charges, state::DashboardState, visitor::Visitor,
};
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use minijinja::context;
use tua_domain::{
    refund::TransactionType,
    reporting::{ReportFilter, ReportPageRequest},
};
use tua_use_cases::reports::list_page;

/// How many payouts a page shows.
const ROWS: u32 = 25;

/// `GET /payouts/single`: newest first.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    RawQuery(query): RawQuery,
) -> Result<Response, DashboardError> {
    let list = ListQuery::read(query.as_deref());
    let filter = ReportFilter {
        types: Some(vec![TransactionType::Payout]),
        is_single: true,
        status: list.filter.status,
        ..ReportFilter::default()
    };
    let request = ReportPageRequest { limit: ROWS, position: list.position.clone() };
    let reports = state.reports.reports.as_ref();
    let page = list_page(reports, &visitor.scope, &filter, &request).await?;
    let values = context! {
        rows => repeated_charges::marked_rows(&state, &visitor, &page.transactions).await?,
        columns => PaymentColumns::default().shown(),
        has_more_columns => false,
        newer => page.newer.map(|cursor| list.address_of_page("before", &cursor)),
        older => page.older.map(|cursor| list.address_of_page("after", &cursor)),
        tabs => ListQuery::plain_tabs(),
        status => list.filter.status.map_or("", |status| status.as_str()),
    };
    Ok(visitor.page("single_payouts.html", values))
}
