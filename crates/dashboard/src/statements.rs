//! Statements of operators: those that were imported, and the import of a file. The money at an
//! operator is that of all accounts that it serves, so a person sees the statements of the
//! operators alone whose every account is the person's.

use super::{
    error::{DashboardError, redirect},
    file_form::FileForm,
    operators::is_entitled,
    state::DashboardState,
    statement_faults, table_upload, views,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::Response,
};
use minijinja::{Value, context};
use serde::Deserialize;
use std::sync::Arc;
use tua_domain::{
    StatementId,
    calendar::day_of,
    file_lines::LineCounts,
    people::Permission,
    routing::OperatorEntry,
    statement::{StatementSummary, verification::StatementVerification},
};
use tua_tables::statement_file::{
    FileDays, ImportError, SHOWN_FAULTS, StatementSource, import_file,
};
use tua_use_cases::{
    statement_fetch::can_fetch,
    statements::{CheckedFile, ComparedStatement, LineFault},
};

/// How many bytes the form with the file may have.
pub(super) const FORM_MAX_BYTES: usize = 16 << 20;

/// How many statements a page shows.
const ROWS: u32 = 20;

/// The query of `GET /statements`.
#[derive(Debug, Deserialize)]
pub(super) struct StatementPageQuery {
    /// The last statement of the page before.
    #[serde(default)]
    after: String,
    /// `period` where the days of a comparison could not be read.
    #[serde(default)]
    fault: String,
}

/// Why a file was not imported.
#[derive(Default)]
pub(super) struct ImportFault {
    /// The key of a text.
    pub(super) fault: &'static str,
    /// What is wrong with the whole file, in the language of the page.
    pub(super) file: String,
    /// Why it was not fetched, in the words of the operator.
    pub(super) fetching: String,
    pub(super) lines: Vec<LineFault>,
    /// What became of the lines of the file.
    pub(super) counts: Option<LineCounts>,
}

/// A file that was uploaded or fetched.
pub(super) struct ReceivedFile {
    pub(super) bytes: Vec<u8>,
    /// The sheet of a workbook; `None`: that of the settings, or the only one with rows.
    pub(super) sheet: Option<String>,
    pub(super) days: FileDays,
}

/// `GET /statements`: one page of imported statements, and the form of an import.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(StatementPageQuery { after, fault }): Query<StatementPageQuery>,
) -> Result<Response, DashboardError> {
    let fault = if fault == "period" { "statements-bad-period" } else { "" };
    page(&state, &visitor, &after, ImportFault { fault, ..ImportFault::default() }).await
}

/// `POST /statements`: imports a file, or shows what is wrong with it. A file whose import was cut
/// off is continued.
pub(super) async fn import(
    State(state): State<DashboardState>,
    visitor: Visitor,
    sent: FileForm,
) -> Result<Response, DashboardError> {
    let refuse = |fault| ImportFault { fault, ..ImportFault::default() };
    let name = sent.text("operator").unwrap_or_default();
    let operators = entitled_operators(&state, &visitor).await?;
    let Some(operator) = operators.into_iter().find(|entry| entry.pin.name.as_str() == name) else {
        return page(&state, &visitor, "", refuse("statements-choose-operator")).await;
    };
    let Some(file) = sent.file("file").filter(|bytes| !bytes.is_empty()) else {
        return page(&state, &visitor, "", refuse("statements-choose-file")).await;
    };
    let sheet = sent.text("sheet").unwrap_or_default().trim().to_owned();
    let sheet = Some(sheet).filter(|sheet| !sheet.is_empty());
    let file = ReceivedFile { bytes: file.to_vec(), sheet, days: FileDays::default() };
    import_bytes(&state, &visitor, &operator, file).await
}

/// Imports a file, or shows what is wrong with it.
pub(super) async fn import_bytes(
    state: &DashboardState,
    visitor: &Visitor,
    operator: &OperatorEntry,
    ReceivedFile { bytes, sheet, days }: ReceivedFile,
) -> Result<Response, DashboardError> {
    let by = visitor.audit(state);
    let refuse = |fault| ImportFault { fault, ..ImportFault::default() };
    let mut form = state.statement_forms.of_entry(operator);
    form.sheet = sheet.or(form.sheet);
    let source = match table_upload::read(move || StatementSource::read(&bytes[..], &form)).await? {
        Ok(source) => source,
        Err(file) => {
            let file = statement_faults::text(visitor.person.language, &file);
            return page(state, visitor, "", ImportFault { file, ..refuse("statements-bad-file") })
                .await;
        }
    };
    match import_file(&state.statements, &operator.pin, &source, days, &by).await {
        Ok((_, imported)) => {
            let done = match (imported.is_repeated, imported.new_days) {
                (false, _) => "statement-imported",
                (true, None) => "statement-repeated",
                (true, Some(_)) => "statement-days-changed",
            };
            Ok(redirect(&visitor.href(&format!("/statements/{}?done={done}", imported.id))))
        }
        Err(ImportError::Lines(CheckedFile { listed, counts, .. })) => {
            let refusal = ImportFault {
                lines: listed,
                counts: Some(counts),
                ..refuse("statements-bad-lines")
            };
            page(state, visitor, "", refusal).await
        }
        Err(ImportError::Store(error)) => Err(error.into()),
    }
}

/// The operators that serve the account and mode, and whose every account the person may see the
/// statements of.
pub(super) async fn entitled_operators(
    state: &DashboardState,
    visitor: &Visitor,
) -> Result<Vec<Arc<OperatorEntry>>, DashboardError> {
    let scope = &visitor.scope;
    let mut entitled = Vec::new();
    for entry in state.networks.operators.of_account(scope.mode, &scope.account) {
        if is_entitled(state, visitor, &entry, Permission::ManageStatements).await? {
            entitled.push(entry);
        }
    }
    Ok(entitled)
}

/// The list with the forms, and why nothing was imported.
pub(super) async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    after: &str,
    refusal: ImportFault,
) -> Result<Response, DashboardError> {
    let operators = entitled_operators(state, visitor).await?;
    // No id has one, and PostgreSQL could not compare it.
    let after = Some(after).filter(|id| !id.is_empty() && !id.contains('\0')).map(StatementId::new);
    let fingerprints: Vec<_> = operators.iter().map(|one| one.pin.fingerprint.clone()).collect();
    let list = state.statements.list(&fingerprints, after.as_ref(), ROWS).await?;
    let status =
        if refusal.fault.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let lines = refusal.lines.iter().take(SHOWN_FAULTS);
    let fetchable = operators.iter().filter(|one| can_fetch(one));
    let values = context! {
        rows => list.statements.iter().map(row).collect::<Vec<_>>(),
        next => list.next.map(|next| next.to_string()),
        operators => operators.iter().map(|one| one.pin.name.to_string()).collect::<Vec<_>>(),
        fetchable => fetchable.map(|one| one.pin.name.to_string()).collect::<Vec<_>>(),
        today => day_of(state.clock.now()).to_string(),
        fault => refusal.fault,
        notice => "",
        file_fault => refusal.file,
        fetch_fault => refusal.fetching,
        line_faults => lines
            .map(|one| {
                let fault = statement_faults::texts(visitor.person.language, &one.faults);
                context! { number => one.number, fault }
            })
            .collect::<Vec<_>>(),
        more_faults => refusal
            .counts
            .map_or(0, |counts| counts.refused.saturating_sub(SHOWN_FAULTS as u64)),
        file_lines => refusal.counts.as_ref().map(views::line_counts),
    };
    Ok(visitor.page_with(status, "statements.html", values))
}

fn row(ComparedStatement { summary, found }: &ComparedStatement) -> Value {
    let differing = found.as_ref().map(StatementVerification::differing_lines);
    // The summary may have fewer lines than were compared: an import may go on.
    let agreeing = found.as_ref().map(|found| found.lines - found.differing_lines());
    let missing = found.as_ref().map(StatementVerification::missing_transactions);
    context! { differing, agreeing, missing, ..facts(summary) }
}

/// What a statement is, without a comparison.
pub(super) fn facts(StatementSummary { statement, lines, late, days }: &StatementSummary) -> Value {
    context! {
        id => statement.id.as_str(),
        operator => statement.operator.name.as_str(),
        imported_at => statement.created_at.to_string(),
        is_complete => statement.completed_at.is_some(),
        is_abandoned => statement.abandoned_at.is_some(),
        lines,
        late,
        from => days.map(|(from, _)| from.to_string()),
        to => days.map(|(_, to)| to.to_string()),
    }
}
