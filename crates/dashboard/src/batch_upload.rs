//! A batch of payouts from a file: checked line by line, and begun when the person confirms it.

use super::{
    approvers,
    batch_form::{BatchForm, FormFault, form},
    error::{DashboardError, redirect},
    file_form::FileForm,
    float_warning, recipient_names,
    state::DashboardState,
    views,
    visitor::Visitor,
};
use axum::{extract::State, http::StatusCode, response::Response};
use minijinja::{Value, context};
use tua_domain::{
    BatchId, TransactionId,
    payout_batch::{AskedBy, total_pesewas},
    ports::BeginError,
};
use tua_tables::payout_file::{
    CheckedLine, FILE_MAX_BYTES, LineFault, PayoutFile, Repeated, line_counts,
};
use tua_use_cases::CheckedBatch;

/// The maximum number of lines that the page lists for a fault above the file.
const LISTED_LINES: usize = 10;

/// How many bytes the form with the file may have.
pub(super) const FORM_MAX_BYTES: usize = FILE_MAX_BYTES;

/// `GET /payouts/upload`: the empty form for a file of payouts.
pub(super) async fn show(visitor: Visitor) -> Response {
    form(&visitor, &BatchForm::default(), &FormFault::default())
}

/// `POST /payouts/upload`: shows each line with its fault or warning, and the sum. Nothing is
/// begun.
pub(super) async fn check(
    State(state): State<DashboardState>,
    visitor: Visitor,
    sent: FileForm,
) -> Result<Response, DashboardError> {
    let form_values = match BatchForm::read(&sent).await {
        Ok(form_values) => form_values,
        Err(unread) => return unread.response(&visitor),
    };
    match form_values.lines() {
        Ok(file) => check_page(&state, &visitor, &form_values, &file, &BatchId::mint(), "").await,
        Err(fault) => Ok(form(&visitor, &form_values, &FormFault::of_file(&fault))),
    }
}

/// `POST /payouts/upload/confirm`: begins the batch. The same form begins one batch, however often
/// it is sent.
pub(super) async fn confirm(
    State(state): State<DashboardState>,
    visitor: Visitor,
    sent: FileForm,
) -> Result<Response, DashboardError> {
    let id = sent.text("id").and_then(|id| BatchId::parse(&id)).ok_or(DashboardError::NotFound)?;
    let form_values = match BatchForm::read(&sent).await {
        Ok(form_values) => form_values,
        Err(unread) => return unread.response(&visitor),
    };
    let file = match form_values.lines() {
        Ok(file) => file,
        Err(fault) => return Ok(form(&visitor, &form_values, &FormFault::of_file(&fault))),
    };
    let response = begin(&state, &visitor, &form_values, &file, &id).await;
    form_values.repeatable(&id).or_form_again(&visitor, response)
}

async fn begin(
    state: &DashboardState,
    visitor: &Visitor,
    form_values: &BatchForm,
    file: &PayoutFile,
    id: &BatchId,
) -> Result<Response, DashboardError> {
    let Some(batch) = form_values.batch(visitor, id.clone(), file) else {
        return check_page(state, visitor, form_values, file, id, "").await;
    };
    let fault = match state.batches.begin_for_person(batch, &visitor.audit(state)).await {
        Ok(batch) => {
            return Ok(redirect(
                &visitor.href(&format!("/payouts/batches/{}?done=batch-begun", batch.id)),
            ));
        }
        Err(BeginError::Store(error)) => return Err(error.into()),
        Err(BeginError::Overloaded(_)) => "upload-later",
        Err(BeginError::AccountSuspended) => "upload-suspended",
        // The check shows which limit it exceeds, or which lines no operator takes.
        Err(
            BeginError::LimitExceeded(_)
            | BeginError::LinesExceeded(_)
            | BeginError::LinesUnroutable(_),
        ) => "",
        Err(_) => return Err(DashboardError::NotFound),
    };
    check_page(state, visitor, form_values, file, id, fault).await
}

/// The lines of a file, and what would happen if it were begun now.
async fn check_page(
    state: &DashboardState,
    visitor: &Visitor,
    form_values: &BatchForm,
    file: &PayoutFile,
    id: &BatchId,
    fault: &str,
) -> Result<Response, DashboardError> {
    let batch = form_values.batch(visitor, id.clone(), file);
    let check = match &batch {
        Some(batch) => Some(state.batches.check(batch).await?),
        None => None,
    };
    let lines = file.checked(check.as_ref());
    let faulty = lines.iter().filter(|line| !line.faults.is_empty()).count();
    let fault = if check.as_ref().is_some_and(CheckedBatch::exceeds_daily_limit) {
        "upload-day-limit"
    } else {
        fault
    };
    let is_fine = faulty == 0 && fault.is_empty();
    let recipients = if is_fine {
        recipients(state, visitor, file).await
    } else {
        // The file is uploaded again once it is right.
        vec![None; lines.len()]
    };
    let doubtful = recipient_names::count_doubtful(&recipients);
    let are_names_missing = is_fine && recipients.contains(&None);
    let rows =
        lines.iter().zip(recipients).map(|(line, recipient)| context! { recipient, ..row(line) });
    let needs_approval = check.as_ref().is_some_and(|checked| checked.check.needs_approval);
    let approvers = if is_fine && needs_approval {
        let asked_by = AskedBy::Person(visitor.person.session.user.id.clone());
        let total = batch.as_ref().map_or(0, |batch| total_pesewas(&batch.lines));
        Some(approvers::of_request(state, visitor, &asked_by, total).await?)
    } else {
        None
    };
    let shortages = check.as_ref().map_or_else(Vec::new, |check| check.shortages.clone());
    let values = context! {
        shortages => float_warning::warnings(state, visitor, shortages).await?,
        rows => rows.collect::<Vec<_>>(),
        doubtful,
        are_names_missing,
        faulty,
        line_faults => line_faults(&lines),
        can_begin => is_fine,
        id => id.as_str(),
        csv => &form_values.csv,
        reference => &form_values.reference,
        footer => &form_values.footer,
        count => file.lines.len(),
        file_lines => views::line_counts(&line_counts(file, &lines)),
        has_references => file.lines.iter().any(|line| !line.cells.reference.is_empty()),
        has_notes => file.lines.iter().any(|line| !line.cells.note.is_empty()),
        renamed_networks => file.lines.iter().filter(|line| line.renamed_network.is_some()).count(),
        total => batch.as_ref().map(|batch| views::cedis(total_pesewas(&batch.lines))),
        fees => check.as_ref().and_then(CheckedBatch::fees_pesewas).map(views::cedis),
        guessed_networks => file.lines.iter().filter(|line| line.is_network_guessed).count(),
        repeated => check.as_ref().map_or(0, |checked| checked.check.warnings.len()),
        needs_approval,
        approvers,
        fault,
        notice => "",
    };
    let status = if is_fine { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    Ok(visitor.page_with(status, "batch_check.html", values))
}

/// The registered name of each line's recipient.
async fn recipients(
    state: &DashboardState,
    visitor: &Visitor,
    file: &PayoutFile,
) -> Vec<Option<Value>> {
    let lines = file.lines.iter();
    let payouts =
        lines.filter_map(|line| Some((&line.payout.as_ref()?.transfer, line.cells.name.as_str())));
    let payouts: Vec<_> = payouts.collect();
    recipient_names::name_values(state, visitor, &payouts).await
}

/// The key of the text about a fault, and the column that it is about.
fn line_fault(fault: &LineFault) -> Value {
    context! { key => format!("line-{}", fault.code_and_explanation().0), column => fault.column() }
}

/// Each fault of the file once, with its lines, in the order of their first lines.
fn line_faults(lines: &[CheckedLine<'_>]) -> Vec<Value> {
    let mut groups: Vec<(LineFault, Vec<u64>)> = Vec::new();
    for line in lines {
        for fault in &line.faults {
            match groups.iter_mut().find(|(known, _)| known == fault) {
                Some((_, numbers)) => numbers.push(line.line.number),
                None => groups.push((*fault, vec![line.line.number])),
            }
        }
    }
    let group = |(fault, numbers): (LineFault, Vec<u64>)| {
        let listed: Vec<String> =
            numbers.iter().take(LISTED_LINES).map(ToString::to_string).collect();
        context! {
            fault => line_fault(&fault),
            lines => listed.join(", "),
            count => numbers.len(),
            more => numbers.len().saturating_sub(LISTED_LINES),
        }
    };
    groups.into_iter().map(group).collect()
}

fn row(CheckedLine { line, faults, repeats, tier, .. }: &CheckedLine<'_>) -> Value {
    // A payment that exists has a page; another line of this file has none yet.
    let (repeats_line, payment) = match repeats {
        Some(Repeated::Line(number)) => (Some(number), None),
        Some(Repeated::Payout(id)) => (None, Some(TransactionId::as_str(id))),
        None => (None, None),
    };
    let transfer = line.payout.as_ref().map(|payout| &payout.transfer);
    context! {
        number => line.number,
        phone => transfer.map_or(line.cells.phone.as_str(), |transfer| transfer.phone.as_str()),
        network => transfer.map_or(
            line.cells.network.as_str(),
            |transfer| transfer.network.as_str(),
        ),
        amount => transfer.map_or_else(
            || Value::from(line.cells.amount.clone()),
            |transfer| views::cedis(transfer.amount.pesewas()),
        ),
        reference => &line.cells.reference,
        note => &line.cells.note,
        expected_name => &line.cells.name,
        faults => faults.iter().map(line_fault).collect::<Vec<_>>(),
        written_network => &line.cells.network,
        renamed_network => line.renamed_network.map(tua_contract::Network::as_str),
        is_network_guessed => line.is_network_guessed,
        is_repeated => repeats.is_some(),
        repeats_line,
        payment,
        tier => views::tier_text(*tier),
        has_other_prefix => line.has_other_prefix,
    }
}
