//! The figures of a period, and what waits for somebody.

use super::{
    error::DashboardError, first_steps, list_query::address_of, operators::networks, plot,
    state::DashboardState, views, visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    response::Response,
};
use jiff::{Span, civil::Date};
use minijinja::{Value, context};
use serde::Deserialize;
use tua_contract::{Network, Status};
use tua_domain::{
    Kind,
    calendar::day_of,
    reporting::{Attention, DayTotal, FilterTotals, ReportFilter},
};
use tua_use_cases::reports::PeriodFigures;

/// The longest period, in days. The plot has one group of bars for each day.
const MAX_DAYS: i32 = 92;

/// The query of `GET /home`: the period of its figures.
#[derive(Debug, Deserialize)]
pub(super) struct PeriodQuery {
    #[serde(default)]
    range: String,
    #[serde(default)]
    from: String,
    #[serde(default)]
    to: String,
}

/// The days whose figures are shown, in UTC.
struct ShownPeriod {
    from: Date,
    /// The last day, included.
    to: Date,
    /// `day`, `week` or `month`; `own` for days that the person has chosen.
    range: &'static str,
}

impl PeriodQuery {
    /// The period that ends today, or the chosen one, shortened to [`MAX_DAYS`].
    fn shown(&self, today: Date) -> ShownPeriod {
        let ago = |days: i32| today.checked_sub(Span::new().days(days)).unwrap_or(today);
        let own = self.from.parse::<Date>().ok().zip(self.to.parse::<Date>().ok());
        match (own.filter(|(from, to)| from <= to), self.range.as_str()) {
            (Some((from, to)), _) => ShownPeriod {
                from: from.max(to.checked_sub(Span::new().days(MAX_DAYS - 1)).unwrap_or(from)),
                to,
                range: "own",
            },
            (None, "day") => ShownPeriod { from: today, to: today, range: "day" },
            (None, "month") => ShownPeriod { from: ago(29), to: today, range: "month" },
            (None, _) => ShownPeriod { from: ago(6), to: today, range: "week" },
        }
    }
}

/// `GET /home`. Each number is a link to the list that it counts.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(period): Query<PeriodQuery>,
) -> Result<Response, DashboardError> {
    let ShownPeriod { from, to, range } = period.shown(day_of(state.clock.now()));
    let PeriodFigures { totals, attention: waiting } =
        state.reports.period_figures(&visitor.scope, from..=to).await?;
    let endpoints = state.webhook_endpoints.list_in(&visitor.scope).await?;
    let in_period = ReportFilter { from: Some(from), to: Some(to), ..ReportFilter::default() };
    let listed = |key: &str, totals: &FilterTotals, filter: ReportFilter| {
        let href = format!("/payments?{}", address_of(&filter));
        context! { key, count => totals.payments(), is_capped => totals.is_capped(), href }
    };
    let attention = |key: &str, totals: &FilterTotals, attention: Attention| {
        listed(key, totals, ReportFilter { attention: Some(attention), ..ReportFilter::default() })
    };
    let pending = ReportFilter { status: Some(Status::Pending), ..ReportFilter::default() };
    let steps = first_steps::read(&state, &visitor).await?;
    let days = plot::days(&totals, from, to);
    let values = context! {
        done => steps.done,
        first_steps => (!steps.is_over).then_some(steps.rows),
        from => from.to_string(),
        to => to.to_string(),
        range,
        ranges => ["day", "week", "month"],
        moved => Kind::ALL.iter().map(|kind| moved(&totals, *kind, &in_period)).collect::<Vec<_>>(),
        networks => Network::ALL.map(|network| success(&totals, network, &in_period)),
        waiting => [
            listed("home-pending", &waiting.pending, pending),
            attention("home-uncertain", &waiting.uncertain, Attention::Uncertain),
            attention("home-flagged", &waiting.flagged, Attention::Flagged),
            attention("home-unapproved", &waiting.unapproved, Attention::Unapproved),
        ],
        disabled_endpoints => endpoints.iter().filter(|one| one.disabled_at.is_some()).count(),
        services => networks(&state.networks, &visitor.scope),
        plot => plot::draw(&days),
        days => days.iter().map(|day| day.row()).collect::<Vec<_>>(),
    };
    Ok(visitor.page("home.html", values))
}

/// The money that moved in one direction.
fn moved(totals: &[DayTotal], kind: Kind, period: &ReportFilter) -> Value {
    let is_counted = |one: &&DayTotal| one.kind == kind && one.status == Status::Successful;
    let Sum { payments, pesewas } = sum(totals.iter().filter(is_counted));
    let filter =
        ReportFilter { kind: Some(kind), status: Some(Status::Successful), ..period.clone() };
    context! {
        key => format!("home-moved-{}", kind.as_str()),
        payments,
        amount => views::cedis(pesewas),
        href => format!("/payments?{}", address_of(&filter)),
    }
}

/// How many of the charges on a network succeeded, of those that are final.
fn success(totals: &[DayTotal], network: Network, period: &ReportFilter) -> Value {
    let count = |status: Status| {
        sum(totals.iter().filter(|one| {
            one.kind == Kind::Charge && one.network == network && one.status == status
        }))
        .payments
    };
    let successful = count(Status::Successful);
    let failed = count(Status::Failed);
    let href = |status| {
        let filter = ReportFilter {
            kind: Some(Kind::Charge),
            network: Some(network),
            status: Some(status),
            ..period.clone()
        };
        format!("/payments?{}", address_of(&filter))
    };
    let percent = (successful * 100 + (successful + failed) / 2).checked_div(successful + failed);
    context! {
        network => network.as_str(),
        successful,
        failed,
        percent,
        successful_href => href(Status::Successful),
        failed_href => href(Status::Failed),
    }
}

/// The number of payments, and the sum of their amounts.
#[derive(Default)]
struct Sum {
    payments: u64,
    pesewas: i64,
}

fn sum<'a>(totals: impl Iterator<Item = &'a DayTotal>) -> Sum {
    totals.fold(Sum::default(), |sum, one| Sum {
        payments: sum.payments + one.payments,
        pesewas: sum.pesewas + one.pesewas,
    })
}
