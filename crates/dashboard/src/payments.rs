//! The list of payments.

use super::{
    error::{DashboardError, redirect},
    fields::Fields,
    list_query::ListQuery,
    payment_columns::PaymentColumns,
    repeated_charges,
    state::DashboardState,
    views,
    visitor::Visitor,
};
use axum::{
    extract::{RawQuery, State},
    http::HeaderMap,
    response::Response,
};
use minijinja::context;
use tua_contract::{FailureCode, Network, Phone, Status};
use tua_domain::{
    operator_transaction_id::OperatorTransactionId,
    people::Permission,
    refund::TransactionType,
    reporting::{Attention, ReportFilter, ReportPageRequest, Search},
};
use tua_use_cases::{FoundPayment, LookupCoverage, reports::TransactionList};

/// How many payments a page shows.
const ROWS: u32 = 25;

/// `GET /payments`: a page of the payments that match, with their number and sums.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, DashboardError> {
    let columns = PaymentColumns::of_request(&state, &headers);
    page(&state, &visitor, &ListQuery::read(query.as_deref()), &columns, "").await
}

async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    list: &ListQuery,
    columns: &PaymentColumns,
    asked: &str,
) -> Result<Response, DashboardError> {
    let page = ReportPageRequest { limit: ROWS, position: list.position.clone() };
    let search = list.filter.search.clone().map(Search::of_newest);
    let filter = visitor.seen(ReportFilter { search, ..list.filter.clone() });
    let TransactionList { page, totals, is_incomplete, are_parts_incomplete } =
        state.reports.list(&visitor.scope, &filter, &page).await?;
    let totals_of_tabs = match filter.status {
        None => totals.clone(),
        Some(_) => {
            let of_any_status = ReportFilter { status: None, ..filter.clone() };
            state.reports.totals(&visitor.scope, &of_any_status).await?
        }
    };
    let values = context! {
        columns => columns.shown(),
        has_more_columns => columns.has_more(),
        column_names => PaymentColumns::choice(),
        rows => repeated_charges::marked_rows(state, visitor, &page.transactions).await?,
        newer => page.newer.map(|cursor| list.address_of_page("before", &cursor)),
        older => page.older.map(|cursor| list.address_of_page("after", &cursor)),
        customer => filter.search.as_ref().and_then(Search::phone).map(Phone::as_str),
        count => totals.payments(),
        is_capped => totals.is_capped(),
        is_incomplete,
        are_parts_incomplete,
        money_in => views::cedis(totals.moved_pesewas(TransactionType::Charge)),
        money_out => views::cedis(totals.moved_pesewas(TransactionType::Payout)),
        returned => views::cedis(totals.moved_pesewas(TransactionType::Refund)),
        can_ask => asked.is_empty() && totals.payments() == 0 && can_ask(state, visitor, &filter),
        asked,
        chips => list.chips(),
        unknown => &list.unknown,
        fields => list.fields(),
        tabs => std::iter::once(None)
            .chain(Status::ALL.map(Some))
            .map(|status| list.tab(status, &totals_of_tabs))
            .collect::<Vec<_>>(),
        filter_address => list.address(),
        is_reversed => list.is_reversed(),
        kinds => seen_types(visitor).map(|one| one.as_str()).collect::<Vec<_>>(),
        statuses => Status::ALL.map(Status::as_str),
        networks => Network::ALL.map(Network::as_str),
        failures => FailureCode::ALL.map(FailureCode::as_str),
        attentions => Attention::ALL.iter().map(|one| one.as_str()).collect::<Vec<_>>(),
    };
    Ok(visitor.page("payments.html", values))
}

/// The types of transactions that the person may see.
pub(super) fn seen_types(visitor: &Visitor) -> impl Iterator<Item = TransactionType> {
    let seen = visitor.seen(ReportFilter::default());
    TransactionType::ALL.iter().copied().filter(move |one| seen.has_type(*one))
}

/// Whether the text of the search may be an id that one of the account's operators can look up.
fn can_ask(state: &DashboardState, visitor: &Visitor, filter: &ReportFilter) -> bool {
    let is_id = |search: &Search| OperatorTransactionId::parse(search.text()).is_ok();
    visitor.may(Permission::CheckPayments)
        && filter.search.as_ref().is_some_and(is_id)
        && state.payment_search.can_ask(&visitor.scope)
}

/// `POST /payments/find`: asks the operators for the charge with an id of theirs, and then about
/// the charge.
pub(super) async fn find(
    State(state): State<DashboardState>,
    visitor: Visitor,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let typed = fields.get("q");
    let asked = match OperatorTransactionId::parse(typed) {
        Err(_) => "asked-no-id",
        Ok(id) => match state.payment_search.find(&visitor.scope, &id).await? {
            FoundPayment::Charge(charge) => {
                let id = &charge.order.id;
                state.status_queries.refresh(id).await;
                return Ok(redirect(&visitor.href(&format!("/payments/{id}?done=checked"))));
            }
            FoundPayment::None(LookupCoverage::AllAnswered) => "asked-not-found",
            FoundPayment::None(LookupCoverage::SomeUnanswered) => "asked-unanswered",
            FoundPayment::None(LookupCoverage::NoneCan) => "asked-none-can",
        },
    };
    let filter = ReportFilter { search: Search::parse(typed), ..ReportFilter::default() };
    let columns = PaymentColumns::of_request(&state, &headers);
    page(&state, &visitor, &ListQuery { filter, ..ListQuery::default() }, &columns, asked).await
}
