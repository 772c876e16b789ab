//! One statement: how its lines agree, each exception with its payment, and the exceptions as a
//! file.

use super::{
    error::DashboardError,
    notice::Notice,
    payment::PathValues,
    security_headers,
    state::DashboardState,
    statements::{entitled_operators, facts},
    table_words::TableStyle,
    views,
    visitor::Visitor,
};
use axum::{
    body::Body,
    extract::{Query, RawQuery, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use futures_util::stream;
use minijinja::{Value, context};
use serde::Deserialize;
use std::sync::Arc;
use tua_domain::{
    StatementId,
    routing::OperatorEntry,
    statement::{
        Outcome, StatementSummary,
        period::StatementPeriod,
        verification::{OutcomeSums, StatementException, StatementVerification},
    },
};
use tua_tables::export::{ExportError, ExportFormat};
use tua_use_cases::{statement_fetch::can_fetch, statements::ListedDifferences};

/// How many payments that do not agree are named on top of the page.
const NAMED_PAYMENTS: usize = 5;

/// The query of `GET /statements/{id}`.
#[derive(Debug, Deserialize)]
pub(super) struct ExceptionQuery {
    /// Those with this outcome; all of them where it is empty.
    #[serde(default)]
    outcome: String,
}

/// `GET /statements/{id}`: how the lines agree with the payments, and the exceptions, of one
/// outcome if one is chosen.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    Query(shown): Query<ExceptionQuery>,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    let FoundStatement { summary, operator } = find(&state, &visitor, &path).await?;
    let wanted = Outcome::parse(&shown.outcome);
    let ListedDifferences { found, listed, is_cut } =
        state.statements.list_differences(&summary, wanted).await?;
    let fetchable_days = found.transaction_days.filter(|(from, to)| {
        can_fetch(&operator) && StatementPeriod::new(*from, *to, visitor.person.now).is_ok()
    });
    let counts = Outcome::ALL.iter().zip(found.outcomes).filter(|(_, count)| *count > 0);
    let values = context! {
        statement => facts(&summary),
        sha256 => hex::encode(summary.statement.digest),
        agreeing => found.lines - found.differing_lines(),
        exceptions => found.exceptions,
        differing => found.differing_lines(),
        missing => found.missing_transactions(),
        agrees => found.agrees(),
        compared_from => found.transaction_days.map(|(from, _)| from.to_string()),
        compared_to => found.transaction_days.map(|(_, to)| to.to_string()),
        is_fetchable => fetchable_days.is_some(),
        // As it is called now.
        fetch_operator => operator.pin.name.as_str(),
        outcomes => counts
            .map(|(outcome, count)| context! {
                name => outcome.as_str(),
                count,
                is_shown => wanted == Some(*outcome),
            })
            .collect::<Vec<_>>(),
        sums => sum_rows(&found),
        wanted => wanted.map(Outcome::as_str),
        rows => listed.iter().map(exception).collect::<Vec<_>>(),
        payments => exception_payments(&state, &listed).await?,
        cut => is_cut.then_some("statement"),
        notice => notice.key(),
        fault => "",
    };
    Ok(visitor.page("statement.html", values))
}

/// What does not agree, with its sums: one row for each outcome.
pub(super) fn sum_rows(found: &StatementVerification) -> Vec<Value> {
    let sums = Outcome::ALL.iter().zip(found.outcomes).zip(found.sums);
    let differing =
        sums.filter(|((outcome, count), _)| *count > 0 && **outcome != Outcome::Matched);
    differing.map(|((outcome, count), sums)| sum_row(*outcome, count, &sums)).collect()
}

/// What the lines and payments of an outcome move, and by how much both sides differ.
fn sum_row(outcome: Outcome, count: u64, sums: &OutcomeSums) -> Value {
    let is_about_fees = outcome == Outcome::FeeDiffers;
    let (theirs, ours) =
        if is_about_fees { (sums.their_fees, sums.our_fees) } else { (sums.theirs, sums.ours) };
    context! {
        name => outcome.as_str(),
        count,
        is_about_fees,
        theirs => views::cedis(theirs),
        ours => views::cedis(ours),
        difference => views::cedis(theirs - ours),
    }
}

/// `GET /statements/{id}/differences`: every exception as CSV; with `?excel=1` for Excel. Pages are
/// read while earlier ones are sent.
pub(super) async fn differences(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    RawQuery(query): RawQuery,
) -> Result<Response, DashboardError> {
    let summary = find(&state, &visitor, &path).await?.summary;
    let format = ExportFormat::of_csv_query(query.as_deref());
    let found = state.statements.differences(&summary).await?;
    let style = TableStyle { format, language: visitor.person.language };
    let pages = stream::try_unfold((found, style, true), async |(mut found, style, is_first)| {
        if is_first {
            let header = style.differences_header()?;
            return Ok::<_, ExportError>(Some((header, (found, style, false))));
        }
        let Some(exceptions) = found.next().await? else { return Ok(None) };
        let lines = style.difference_lines(&exceptions)?;
        Ok(Some((lines, (found, style, false))))
    });
    let mut response = Body::from_stream(pages).into_response();
    let headers = response.headers_mut();
    security_headers::add(headers);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.media_type()));
    let name = format!("attachment; filename=\"{}.csv\"", summary.statement.id);
    headers
        .extend(HeaderValue::try_from(name).ok().map(|name| (header::CONTENT_DISPOSITION, name)));
    Ok(response)
}

/// A statement, and the operator of which it is.
struct FoundStatement {
    summary: StatementSummary,
    operator: Arc<OperatorEntry>,
}

/// The statement of the path, if it is of an operator whose statements the person may see on this
/// page.
async fn find(
    state: &DashboardState,
    visitor: &Visitor,
    path: &PathValues,
) -> Result<FoundStatement, DashboardError> {
    let id = path.get("id").filter(|id| !id.contains('\0')).ok_or(DashboardError::NotFound)?;
    let summary =
        state.statements.find(&StatementId::new(id)).await?.ok_or(DashboardError::NotFound)?;
    let operators = entitled_operators(state, visitor).await?;
    let fingerprint = &summary.statement.operator.fingerprint;
    let operator = operators.into_iter().find(|one| one.pin.fingerprint == *fingerprint);
    let operator = operator.ok_or(DashboardError::NotFound)?;
    Ok(FoundStatement { summary, operator })
}

/// The first payments among the exceptions, each as lists show it.
pub(super) async fn exception_payments(
    state: &DashboardState,
    listed: &[StatementException],
) -> Result<Vec<Value>, DashboardError> {
    let mut payments = Vec::new();
    for one in listed.iter().filter(|one| one.transaction.is_some()).take(NAMED_PAYMENTS) {
        let (Some(id), Some(scope)) = (&one.transaction, &one.scope) else { continue };
        if let Some(found) = state.transaction_records.find_in(scope, id).await? {
            payments.push(context! { ..exception(one), ..views::transaction(&found) });
        }
    }
    Ok(payments)
}

/// A line that does not agree. The person is in every account of the operator, so the payment has a
/// page for the person.
pub(super) fn exception(one: &StatementException) -> Value {
    let payment = one.transaction.as_ref().zip(one.scope.as_ref());
    let payment = payment.map(|(id, scope)| {
        format!("/dashboard/accounts/{}/{}/payments/{id}", scope.account, scope.mode.as_str())
    });
    context! {
        outcome => one.outcome.as_str(),
        number => one.line.as_ref().map(|(_, number)| number),
        operator_id => &one.operator_transaction_id,
        id => one.transaction.as_ref().map(ToString::to_string),
        payment,
        theirs => one.theirs.map(|(pesewas, _)| views::cedis(pesewas)),
        their_fee => one.theirs.and_then(|(_, fee)| fee).map(views::cedis),
        ours => one.ours.map(|(pesewas, _)| views::cedis(pesewas)),
        our_fee => one.ours.and_then(|(_, fee)| fee).map(views::cedis),
    }
}
