//! Closed days of operators: the list, the report of a day, and closing the next one.

use super::{
    confirmation::{Confirmation, is_confirmed},
    error::{DashboardError, redirect},
    fields::{Fields, typed_day},
    formats,
    notice::Notice,
    payment::PathValues,
    state::DashboardState,
    statement::{exception, exception_payments},
    statements::entitled_operators,
    views,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::Response,
};
use jiff::civil::Date;
use minijinja::{Value, context};
use serde::Deserialize;
use tua_domain::{
    calendar::day_of,
    ledger::{LedgerAccount, Postings},
    routing::PinnedOperator,
    statement::{
        LineKind, Outcome,
        closing::{CloseDayError, DayFigures, LineSum},
    },
};
use tua_use_cases::day_closing::{ClosedDayList, ClosingObstacle, DayReport, DayState};

/// How many closed days are listed for each operator.
const ROWS: u32 = 100;

/// The query of `GET /statements/days`: a day to look at.
#[derive(Debug, Deserialize)]
pub(super) struct DayQuery {
    #[serde(default)]
    operator: String,
    #[serde(default)]
    day: String,
}

/// `GET /statements/days`: the closed days, and which ones can be closed; or the page of a day that
/// the person has chosen.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(chosen): Query<DayQuery>,
) -> Result<Response, DashboardError> {
    if let Some(day) = typed_day(&chosen.day) {
        let operators = entitled_operators(&state, &visitor).await?;
        let found = operators.iter().find(|one| one.pin.name.as_str() == chosen.operator);
        let name = found.ok_or(DashboardError::NotFound)?.pin.name.as_str();
        return Ok(redirect(&visitor.href(&format!("/statements/days/{name}/{day}"))));
    }
    let mut operators = Vec::new();
    for operator in entitled_operators(&state, &visitor).await? {
        let name = &operator.pin.name;
        let ClosedDayList { closed, next, previous, upcoming } =
            state.day_closing.list(&operator.pin.fingerprint, ROWS).await?;
        let rows = closed.iter().map(|one| {
            context! {
                day => one.day.to_string(),
                closed_at => one.closed_at.to_string(),
                closed_by => &one.closed_by,
                exceptions => one.exceptions,
            }
        });
        operators.push(context! {
            name => name.as_str(),
            next => next.map(|day| day.to_string()),
            previous => previous.map(|day| day.to_string()),
            upcoming => upcoming.day.to_string(),
            upcoming_from => upcoming.closable_from.to_string(),
            rows => rows.collect::<Vec<_>>(),
        });
    }
    let is_unreadable = !chosen.day.is_empty();
    let today = day_of(state.clock.now()).to_string();
    Ok(visitor.page("closed_days.html", context! { operators, is_unreadable, today }))
}

/// `GET /statements/days/{operator}/{day}`: the report of a closed day, or what the day would be
/// closed with now.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    let (operator, day) = find(&state, &visitor, &path).await?;
    page(&state, &visitor, &operator, day, notice.key(), "").await
}

/// `POST /statements/days/{operator}/{day}/close`. `sha256` is that of the figures that the page
/// showed: nobody signs others.
pub(super) async fn close(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let (operator, day) = find(&state, &visitor, &path).await?;
    if !is_confirmed(&fields) {
        return ask_to_close(&state, &visitor, &operator, day, &fields).await;
    }
    let mut seen = [0; 32];
    let closed = match hex::decode_to_slice(fields.get("sha256"), &mut seen) {
        Ok(()) => state.day_closing.close(&operator, day, Some(seen), &visitor.audit(&state)).await,
        Err(_) => Err(CloseDayError::Changed),
    };
    let fault = match closed {
        // A second click finds the day closed, with the person's own signature.
        Ok(_) | Err(CloseDayError::Closed) => {
            return Ok(redirect(
                &visitor.href(&format!("/statements/days/{}/{day}?done=day-closed", operator.name)),
            ));
        }
        Err(CloseDayError::Store(error)) => return Err(error.into()),
        Err(CloseDayError::NotEnded(_)) => "day-not-ended",
        Err(CloseDayError::NotPrevious(_)) => "day-not-previous",
        Err(CloseDayError::NotNext(_)) => "day-not-next",
        Err(CloseDayError::Incomplete(_)) => "day-incomplete",
        Err(CloseDayError::Nothing) => "day-nothing",
        Err(CloseDayError::Changed) => "day-changed",
    };
    page(&state, &visitor, &operator, day, "", fault).await
}

/// The question before a day is closed, with the figures that are signed off: those that the person
/// has seen on the page of the day.
async fn ask_to_close(
    state: &DashboardState,
    visitor: &Visitor,
    operator: &PinnedOperator,
    day: Date,
    fields: &Fields,
) -> Result<Response, DashboardError> {
    let day_report = state.day_closing.report(operator, day).await?;
    let DayState::Open(draft) = day_report.state else {
        return page(state, visitor, operator, day, "", "").await;
    };
    let sha256 = hex::encode(draft.figures.digest);
    if fields.get("sha256") != sha256 {
        return page(state, visitor, operator, day, "", "day-changed").await;
    }
    let is_covered = state.statements.is_covered(&operator.fingerprint, day).await?;
    let language = visitor.person.language;
    let name = operator.name.as_str();
    let written = formats::written_day(language, &day.to_string());
    let who = format!("{}, {written}", formats::operator(language, name));
    let back = format!("/statements/days/{name}/{day}");
    let question = Confirmation {
        fields: vec![("sha256", sha256)],
        day: Some(context! {
            day => day.to_string(),
            sums => signed_sums(&draft.figures),
            has_lines => draft.figures.lines > 0,
            is_covered,
            exceptions => draft.found.exceptions,
            payments => exception_payments(state, &draft.found.listed).await?,
        }),
        ..Confirmation::of("confirm-close-day", who, format!("{back}/close"), &back)
    };
    Ok(question.page(visitor))
}

/// What is signed off, in short: what came in and went out by the statements, the fees, and the
/// money at the operator after the day.
fn signed_sums(figures: &DayFigures) -> Vec<Value> {
    let kinds = LineKind::ALL.iter().map(|kind| kind.as_str()).zip(figures.kinds);
    let kinds = kinds.chain([("REVERSAL", figures.reversals)]).filter(|(_, sum)| sum.count > 0);
    let sum = |(name, LineSum { count, pesewas, .. }): (&str, LineSum)| {
        context! { name, count, amount => views::cedis(pesewas) }
    };
    let fees: i64 =
        figures.kinds.iter().chain([&figures.reversals]).map(|sum| sum.fee_pesewas).sum();
    let fees = (fees != 0).then(|| views::cedis(fees));
    let balance = figures.closing().amount(LedgerAccount::OperatorFloat);
    let mut sums = kinds.map(sum).collect::<Vec<_>>();
    if figures.lines > 0 {
        sums.push(context! { name => "fees", count => 0, amount => fees });
    }
    sums.push(context! { name => "balance", count => 0, amount => views::cedis(balance) });
    sums
}

/// Operator and day of the path, if the person may see the operator's statements on this page.
async fn find(
    state: &DashboardState,
    visitor: &Visitor,
    path: &PathValues,
) -> Result<(PinnedOperator, Date), DashboardError> {
    let day: Date =
        path.get("day").and_then(|day| day.parse().ok()).ok_or(DashboardError::NotFound)?;
    if !(1970..=9999).contains(&day.year()) {
        return Err(DashboardError::NotFound);
    }
    let wanted = path.get("operator").ok_or(DashboardError::NotFound)?;
    let operators = entitled_operators(state, visitor).await?;
    let found = operators.into_iter().find(|operator| operator.pin.name.as_str() == wanted);
    Ok((found.ok_or(DashboardError::NotFound)?.pin.clone(), day))
}

async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    operator: &PinnedOperator,
    day: Date,
    notice: &str,
    fault: &str,
) -> Result<Response, DashboardError> {
    let day_report = state.day_closing.report(operator, day).await?;
    let is_covered = state.statements.is_covered(&operator.fingerprint, day).await?;
    let can_close = day_report.can_close();
    let DayReport { state: day_state, is_first, obstacle } = day_report;
    // What does not agree now, also where the day was closed before.
    let (figures, outcomes, exceptions, found, closed) = match day_state {
        DayState::Closed(verified) => {
            let closed = context! {
                at => verified.closed.closed_at.to_string(),
                by => &verified.closed.closed_by,
                agrees => verified.agrees,
            };
            (
                verified.closed.figures,
                verified.closed.outcomes,
                verified.closed.exceptions,
                state.day_closing.differences(&operator.fingerprint, day).await?,
                Some(closed),
            )
        }
        DayState::Open(draft) => {
            (draft.figures, draft.found.outcomes, draft.found.exceptions, draft.found, None)
        }
    };
    let values = context! {
        operator => operator.name.as_str(),
        day => day.to_string(),
        closed,
        can_close,
        obstacle => obstacle.map(obstacle_value),
        is_first,
        is_covered,
        exceptions,
        outcomes => Outcome::ALL.iter().zip(outcomes).filter(|(_, count)| *count > 0)
            .map(|(outcome, count)| context! { name => outcome.as_str(), count })
            .collect::<Vec<_>>(),
        payments => exception_payments(state, &found.listed).await?,
        rows => found.listed.iter().map(exception).collect::<Vec<_>>(),
        cut => found.is_cut().then_some("day"),
        notice,
        fault,
        ..report(&figures)
    };
    let status = if fault.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    Ok(visitor.page_with(status, "closed_day.html", values))
}

/// An amount of the ledger as accountants write it: without a sign, on the side of the debits or of
/// the credits.
fn balance(pesewas: i64) -> Value {
    let side = match pesewas {
        0 => "",
        1.. => "ledger-debit",
        _ => "ledger-credit",
    };
    context! { amount => views::cedis(pesewas.saturating_abs()), side }
}

/// The key of the text that says why the day cannot be closed now, with the time or day that it
/// names.
fn obstacle_value(obstacle: ClosingObstacle) -> Value {
    let (key, from, next) = match obstacle {
        ClosingObstacle::NotEnded(from) => ("day-obstacle-not-ended", Some(from), None),
        ClosingObstacle::NotNext(next) => ("day-obstacle-not-next", None, Some(next)),
        ClosingObstacle::NotPrevious => ("day-not-previous", None, None),
    };
    context! {
        key,
        from => from.map(|at| at.to_string()),
        next => next.map(|day| day.to_string()),
    }
}

fn report(figures: &DayFigures) -> Value {
    let closing = figures.closing();
    let cedis = |postings: &Postings, account| balance(postings.amount(account));
    let account = |one: &LedgerAccount| {
        context! {
            name => one.as_str(),
            opening => cedis(&figures.opening, *one),
            posted => cedis(&figures.posted, *one),
            closing => cedis(&closing, *one),
        }
    };
    let sum = |name: &str, LineSum { count, pesewas, fee_pesewas }: LineSum| {
        // The lines of many operators have no fees, which is not a fee of nought.
        let has_fee = count == 0 || fee_pesewas != 0;
        let fee = has_fee.then(|| views::cedis(fee_pesewas));
        context! { name, count, amount => views::cedis(pesewas), fee }
    };
    let kinds = LineKind::ALL.iter().zip(figures.kinds).map(|(kind, one)| sum(kind.as_str(), one));
    context! {
        balances => LedgerAccount::ALL.iter().map(account).collect::<Vec<_>>(),
        lines => kinds.chain([sum("REVERSAL", figures.reversals)]).collect::<Vec<_>>(),
        has_lines => figures.lines > 0,
        entries => figures.entries,
        sha256 => hex::encode(figures.digest),
    }
}
