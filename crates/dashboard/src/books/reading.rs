//! Reads a month for a person.

use super::model::OperatorStatements;
use crate::{
    error::DashboardError, state::DashboardState, statements::entitled_operators, visitor::Visitor,
};
use tua_domain::{
    books::{
        agreement::{DayAgreement, OperatorAgreement},
        month::Month,
        report::MonthlyReport,
    },
    reporting::FailureCount,
    routing::PinnedOperator,
};
use tua_use_cases::MonthlyReading;

/// A month, as far as the person may see it.
pub(super) struct MonthBooks {
    pub(super) report: MonthlyReport,
    pub(super) statements: Vec<OperatorStatements>,
    /// Why payments of the month failed.
    pub(super) failures: Vec<FailureCount>,
    /// The same of the days with which the month is compared.
    pub(super) failures_before: Vec<FailureCount>,
}

/// What a reading found.
pub(super) enum Read {
    Books(Box<MonthBooks>),
    /// The sums of days are being made; they reach this day.
    Preparing(jiff::civil::Date),
}

/// Reads a month. Statements and closed days are those of operators whose every account is the
/// person's.
pub(super) async fn read(
    state: &DashboardState,
    visitor: &Visitor,
    month: Month,
) -> Result<Read, DashboardError> {
    let settings: Vec<PinnedOperator> =
        state.networks.operators.entries().iter().map(|entry| entry.pin.clone()).collect();
    let report = match state.monthly_reports.read(&visitor.scope, month, &settings).await? {
        MonthlyReading::Report(report) => *report,
        MonthlyReading::NotBegun => return Err(DashboardError::NotFound),
        MonthlyReading::Preparing { until } => return Ok(Read::Preparing(until)),
    };
    let entitled = entitled_operators(state, visitor).await?;
    let pins = entitled.iter().map(|entry| entry.pin.clone()).collect();
    let agreements = state.monthly_reports.agreements(&report.period, pins).await?;
    let statements = statements(&report, agreements, &settings);
    let failures = async |days| state.reports.charge_failures(&visitor.scope, days).await;
    let failures_before = failures(report.period.before.clone()).await?;
    let failures = failures(report.period.days.clone()).await?;
    Ok(Read::Books(Box::new(MonthBooks { report, statements, failures, failures_before })))
}

/// What is known of the days of each operator: of those with movements or money, and of others that
/// have a statement or a closed day.
fn statements(
    report: &MonthlyReport,
    agreements: Vec<OperatorAgreement>,
    settings: &[PinnedOperator],
) -> Vec<OperatorStatements> {
    let moved = |pin: &PinnedOperator| {
        report.operators.iter().any(|one| {
            one.operator.as_ref().is_some_and(|other| other.fingerprint == pin.fingerprint)
        })
    };
    let is_known = |one: &OperatorAgreement| {
        moved(&one.operator)
            || one.days.iter().any(|(_, day)| *day != DayAgreement::OpenWithoutStatement)
    };
    let of = |pin: &PinnedOperator| {
        agreements.iter().any(|one| one.operator.fingerprint == pin.fingerprint)
    };
    let mut others = Vec::new();
    for one in &report.operators {
        match &one.operator {
            None => others.push(OperatorStatements::Sandbox),
            Some(pin) if of(pin) => {}
            Some(pin) if settings.iter().any(|known| known.fingerprint == pin.fingerprint) => {
                others.push(OperatorStatements::Hidden(pin.name.to_string()));
            }
            Some(pin) => others.push(OperatorStatements::Former(pin.name.to_string())),
        }
    }
    let known = agreements.into_iter().filter(is_known).map(OperatorStatements::Known);
    known.collect::<Vec<_>>().into_iter().chain(others).collect()
}
