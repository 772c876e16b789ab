//! What an account and mode had with one phone number: sums, names, and the newest payments.

use super::{
    error::DashboardError, payment::PathValues, payment_columns::PaymentColumns, repeated_charges,
    state::DashboardState, views, visitor::Visitor,
};
use axum::{extract::State, response::Response};
use minijinja::{Value, context};
use tua_contract::Phone;
use tua_domain::{
    Kind, Transaction,
    people::Permission,
    privacy::erased_phone,
    refund::TransactionType,
    reporting::{Position, ReportFilter, ReportPageRequest, Search},
};
use tua_use_cases::{payees::typed_name, reports::TransactionList};

/// How many of the newest payments the page shows. Name and e-mail address are read from them.
const ROWS: u32 = 25;

/// `GET /payments/customers/{phone}`: payments, refunds and payouts of a number, as far as the
/// person may see them. A number without any is not found, and so is that of erased people.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    let phone = path.get("phone").and_then(|text| Phone::parse(text).ok());
    let phone = phone.filter(|phone| *phone != erased_phone()).ok_or(DashboardError::NotFound)?;
    let filter = visitor.seen(ReportFilter {
        search: Some(Search::of_phone(phone.clone())),
        ..ReportFilter::default()
    });
    let newest = ReportPageRequest { limit: ROWS, position: Position::First };
    let TransactionList { page, totals, .. } =
        state.reports.list(&visitor.scope, &filter, &newest).await?;
    if page.transactions.is_empty() {
        return Err(DashboardError::NotFound);
    }
    let found = &page.transactions;
    let moved = |of| (totals.moved(of), views::cedis(totals.moved_pesewas(of)));
    let sums = |(payments, sum): (u64, Value)| context! { payments, sum };
    let values = context! {
        phone => phone.as_str(),
        network => found[0].order.transfer.network.as_str(),
        name => found.iter().find_map(|one| typed_name(&one.order)),
        email => found.iter().find_map(|one| one.order.details.email.as_ref()),
        paid => sums(moved(TransactionType::Charge)),
        refunded => sums(moved(TransactionType::Refund)),
        sent => sums(moved(TransactionType::Payout)),
        count => totals.payments(),
        is_capped => totals.is_capped(),
        rows => repeated_charges::marked_rows(&state, &visitor, found).await?,
        columns => PaymentColumns::default().shown(),
        has_more_columns => false,
        has_more => page.older.is_some(),
        charge => newest_id(found, &visitor, Permission::AskPayments, Kind::Charge),
        payout => newest_id(found, &visitor, Permission::DecidePayouts, Kind::Payout),
    };
    Ok(visitor.page("customer.html", values))
}

/// The id of the newest charge or payout, which a form can repeat, if the person may.
fn newest_id<'a>(
    found: &'a [Transaction],
    visitor: &Visitor,
    permission: Permission,
    kind: Kind,
) -> Option<&'a str> {
    let order = found.iter().map(|one| &one.order);
    let mut repeatable =
        order.filter(|order| order.transfer.kind == kind && order.refund.is_none());
    visitor.may(permission).then(|| repeatable.next().map(|order| order.id.as_str())).flatten()
}
