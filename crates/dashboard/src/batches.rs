//! Batches of payouts: each payout of one, its approval by a second person, and its results as a
//! file.

use super::{
    approvers,
    confirmation::is_confirmed,
    decisions::{Verb, about_batch},
    error::{DashboardError, redirect},
    fields::Fields,
    float_warning,
    notice::Notice,
    payment::PathValues,
    payouts::{decision_fault, name_of},
    recipient_names, security_headers,
    state::DashboardState,
    table_words::TableStyle,
    views,
    visitor::Visitor,
};
use axum::{
    extract::{Query, RawQuery, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use minijinja::{Value, context};
use std::collections::HashMap;
use tua_contract::{FailureCode, State as PaymentState, Status};
use tua_domain::{
    BatchId, Event, Transaction,
    approval::{DecideError, PayoutDecision},
    payout_batch::{self, AskedBy, PayoutBatch},
    review::DecisionNote,
};
use tua_tables::{export, payout_file::write_payouts};
use tua_use_cases::payees::{file_line, typed_name};

/// How many batches the list has, besides those that wait.
const LISTED_BATCHES: u32 = 50;

/// `GET /payouts/batches`: those that wait for an approval, then the newest.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
) -> Result<Response, DashboardError> {
    let batches = state.payout_lists.batches(&visitor.scope, LISTED_BATCHES).await?;
    let rows: Vec<_> =
        batches.iter().map(|one| context! { is_own => false, ..views::batch(one) }).collect();
    Ok(visitor.page("batches.html", context! { rows }))
}

/// `GET /payouts/batches/{id}`: one batch with each of its payouts.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    let batch = find(&state, &visitor, &path).await?;
    let notice = notice.key_while(batch.is_completed());
    page(&state, &visitor, &batch, notice, "").await
}

/// `POST /payouts/batches/{id}/approve`: the service sends its payouts. Limits, key and account are
/// checked again.
pub(super) async fn approve(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let batch = find(&state, &visitor, &path).await?;
    if state.payout_lists.origin_of(&batch, &visitor.person.session.user).await?.is_own {
        return page(&state, &visitor, &batch, "", "batch-own").await;
    }
    if !is_confirmed(&fields) {
        return Ok(about_batch(Verb::Approve, &batch, "").page(&visitor));
    }
    let by = name_of(&visitor)?;
    decide(&state, &visitor, &batch, PayoutDecision::Approve { by }, "batch-approved").await
}

/// `POST /payouts/batches/{id}/refuse`: its payouts that wait end, and no money moves.
pub(super) async fn refuse(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let batch = find(&state, &visitor, &path).await?;
    let typed = fields.get("note");
    let question = about_batch(Verb::Refuse, &batch, typed);
    if !is_confirmed(&fields) {
        return Ok(question.page(&visitor));
    }
    let Ok(note) = typed.parse::<DecisionNote>() else {
        return Ok(question.with_note_fault("fault-note").page(&visitor));
    };
    let by = name_of(&visitor)?;
    decide(&state, &visitor, &batch, PayoutDecision::Refuse { by, note }, "batch-refused").await
}

/// `POST /payouts/batches/{id}/cancel`: its payouts that are not sent end.
pub(super) async fn cancel(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let batch = find(&state, &visitor, &path).await?;
    if !is_confirmed(&fields) {
        return Ok(about_batch(Verb::Cancel, &batch, "").page(&visitor));
    }
    decide(&state, &visitor, &batch, PayoutDecision::Cancel, "batch-cancelled").await
}

/// `GET /payouts/batches/{id}/results`: the payouts as they are now, as CSV; with `?excel=1` for
/// Excel.
pub(super) async fn results(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    RawQuery(query): RawQuery,
) -> Result<Response, DashboardError> {
    let batch = find(&state, &visitor, &path).await?;
    let failed = |_| DashboardError::Failed(StatusCode::INTERNAL_SERVER_ERROR);
    let format = export::ExportFormat::of_csv_query(query.as_deref());
    let style = TableStyle { format, language: visitor.person.language };
    let header = style.transactions_header().map_err(failed)?;
    let lines = style.transaction_lines(&batch.lines).map_err(failed)?;
    let mut response = [header, lines].concat().into_response();
    let headers = response.headers_mut();
    security_headers::add(headers);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.media_type()));
    let name = format!("attachment; filename=\"{}.csv\"", batch.id);
    headers
        .extend(HeaderValue::try_from(name).ok().map(|name| (header::CONTENT_DISPOSITION, name)));
    Ok(response)
}

/// The batch of the path, if it belongs to the account and mode of the page.
async fn find(
    state: &DashboardState,
    visitor: &Visitor,
    path: &PathValues,
) -> Result<PayoutBatch, DashboardError> {
    let id = path.get("id").ok_or(DashboardError::NotFound)?;
    state.batches.of_scope(&visitor.scope, &BatchId::new(id)).await?.ok_or(DashboardError::NotFound)
}

async fn decide(
    state: &DashboardState,
    visitor: &Visitor,
    batch: &PayoutBatch,
    decision: PayoutDecision,
    done: &str,
) -> Result<Response, DashboardError> {
    match state.batches.decide(&batch.id, decision, &visitor.audit(state)).await {
        Ok(_) => Ok(redirect(&visitor.href(&format!("/payouts/batches/{}?done={done}", batch.id)))),
        Err(DecideError::Store(error)) => Err(error.into()),
        Err(refused) => {
            let now = state
                .batches
                .of_scope(&visitor.scope, &batch.id)
                .await?
                .ok_or(DashboardError::NotFound)?;
            page(state, visitor, &now, "", decision_fault(&refused)).await
        }
    }
}

/// The lines that have failed as a file of payouts, for another batch; `None` where none has, while
/// lines are pending, and of lines whose failure is contradicted: their money may have moved. Lines
/// that a person declined or cancelled have not failed: they may have been paid in another way.
fn lines_to_pay_again(
    batch: &PayoutBatch,
    is_declined: bool,
) -> Result<Option<Value>, DashboardError> {
    let is_certain = |line: &&Transaction| {
        let is_ended_by_person =
            is_cancelled_unsent(line) || (is_declined && is_not_approved(line));
        let has_failed = matches!(line.state, PaymentState::Failed(_)) && !is_ended_by_person;
        has_failed && line.conflict.is_none() && !line.is_paid()
    };
    let failed: Vec<_> = batch.lines.iter().filter(is_certain).collect();
    if failed.is_empty() || !batch.is_completed() {
        return Ok(None);
    }
    let count = failed.len();
    let file = write_payouts(failed.into_iter().map(|line| &*line.order))
        .map_err(|_| DashboardError::Failed(StatusCode::INTERNAL_SERVER_ERROR))?;
    Ok(Some(context! { file, count }))
}

/// Whether a person or the merchant's server cancelled it. An operator can cancel only what it has.
fn is_cancelled_unsent(line: &Transaction) -> bool {
    line.state == PaymentState::Failed(FailureCode::Cancelled) && line.handed_over_at.is_none()
}

/// Whether a person declined it, or nobody approved it in time.
fn is_not_approved(line: &Transaction) -> bool {
    line.state == PaymentState::Failed(FailureCode::ApprovalRefused)
}

/// Who declined a line, when and why; `None` where nobody decided in time, or where its key was
/// revoked. All lines of a batch that were not approved ended in the same way.
fn declined_by(events: &[(Timestamp, Event)]) -> Option<Value> {
    events.iter().find_map(|(at, event)| match event {
        Event::ApprovalRefused { by, note } => Some(context! {
            who => by.as_str(),
            note => note.as_str(),
            at => at.to_string(),
        }),
        _ => None,
    })
}

async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    batch: &PayoutBatch,
    notice: &str,
    fault: &str,
) -> Result<Response, DashboardError> {
    let origin = state.payout_lists.origin_of(batch, &visitor.person.session.user).await?;
    let count =
        |status: Status| batch.lines.iter().filter(|line| line.state.status() == status).count();
    let waiting = payout_batch::waiting(&batch.lines);
    let typed: Vec<String> =
        waiting.iter().map(|line| typed_name(&line.order).unwrap_or_default()).collect();
    let transfers = waiting.iter().map(|line| &line.order.transfer);
    let payouts: Vec<_> = transfers.zip(typed.iter().map(String::as_str)).collect();
    let names = recipient_names::name_values(state, visitor, &payouts).await;
    let doubtful = recipient_names::count_doubtful(&names);
    let are_names_missing = names.contains(&None);
    let names: HashMap<_, _> = waiting.iter().map(|line| &line.order.id).zip(names).collect();
    // A merchant's own metadata can have a member of the same name.
    let is_of_file = !matches!(batch.asked_by, AskedBy::Key(_))
        && batch.lines.iter().all(|line| file_line(&line.order).is_some());
    let rows = batch.lines.iter().enumerate().map(|(index, line)| {
        let warning = batch.warnings.iter().find(|warning| warning.line == index);
        let of_file = file_line(&line.order).filter(|_| is_of_file);
        context! {
            number => of_file.unwrap_or(index as u64 + 1),
            recipient => names.get(&line.order.id),
            typed_name => typed_name(&line.order),
            repeats => warning.map(|warning| warning.earlier.as_str()),
            ..views::transaction(line)
        }
    });
    // Of those that are approved the float is reserved already.
    let waiting = payouts.iter().map(|(transfer, _)| (transfer.network, transfer.amount));
    let shortages = state.networks.float_shortages(
        &visitor.scope,
        waiting,
        &state.operator_floats.reserved().await?,
    );
    let is_own_request = origin.is_own && batch.approval_due().is_some();
    let approvers = if is_own_request {
        Some(approvers::of_request(state, visitor, &batch.asked_by, batch.total_pesewas()).await?)
    } else {
        None
    };
    let not_approved = batch.lines.iter().filter(|line| is_not_approved(line)).count();
    let declined = match batch.lines.iter().find(|line| is_not_approved(line)) {
        Some(line) => declined_by(&state.transaction_records.events(&line.order.id).await?),
        None => None,
    };
    let values = context! {
        shortages => float_warning::warnings(state, visitor, shortages).await?,
        approvers,
        declined => &declined,
        batch => context! {
            id => batch.id.as_str(),
            reference => &batch.reference,
            created_at => batch.created_at.to_string(),
            total => views::cedis(batch.total_pesewas()),
            count => batch.lines.len(),
            pending => count(Status::Pending),
            successful => count(Status::Successful),
            failed => count(Status::Failed) - not_approved,
            not_approved,
            warnings => batch.warnings.len(),
            asked_by => origin.name,
            is_of_key => matches!(batch.asked_by, AskedBy::Key(_)),
            until => batch.approval_due().map(|at| at.to_string()),
            is_own => origin.is_own,
            again => lines_to_pay_again(batch, declined.is_some())?,
            can_cancel => batch.lines.iter().any(|line| line.is_unsent()),
        },
        is_of_file,
        has_notes => batch.lines.iter().any(|line| line.order.details.payee_note.is_some()),
        rows => rows.collect::<Vec<_>>(),
        doubtful,
        are_names_missing,
        notice,
        fault,
    };
    let status = if fault.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    Ok(visitor.page_with(status, "batch.html", values))
}
