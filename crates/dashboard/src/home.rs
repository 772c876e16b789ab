//! The page Home: the money of today, what waits for somebody, the figures of a period, and the
//! newest payments.

use super::{
    error::DashboardError,
    first_steps, formats,
    home_before::{MAX_COUNTED, PeriodBefore},
    home_figures::{Sum, failures, kept, moved, network_rates, success},
    list_query::address_of,
    operator_warning, operators,
    payment_columns::PaymentColumns,
    payments::seen_types,
    period::{Days, PeriodQuery, RANGES, ShownPeriod},
    plot, repeated_charges, settings,
    state::DashboardState,
    statements::entitled_operators,
    views,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    response::Response,
};
use jiff::{Span, civil::Date};
use minijinja::{Value, context};
use tua_contract::Status;
use tua_domain::{
    calendar::day_of,
    people::Permission,
    refund::TransactionType,
    reporting::{Attention, DayTotal, ReportFilter},
};

/// How many payments the page lists.
const NEWEST: u32 = 10;

/// `GET /home`. Each number is a link to the list that it counts.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(query): Query<PeriodQuery>,
) -> Result<Response, DashboardError> {
    let today = day_of(visitor.person.now);
    let last_week = today.checked_sub(Span::new().days(7)).unwrap_or(today);
    let period = query.shown(today);
    let ShownPeriod { range, note, days, before, .. } = period;
    let all = period.all();
    let read = all.from.min(last_week)..=all.to.max(today);
    let seen = visitor.seen(ReportFilter::default());
    let totals = state.reports.day_totals(&visitor.scope, read.clone(), &seen).await?;
    let fees = state.reports.charge_fees(&visitor.scope, read).await?;
    let failed = state.reports.charge_failures(&visitor.scope, days.from..=days.to).await?;
    let compared = PeriodBefore::read(&state, &visitor, &period, &totals).await?;
    let whole_before = compared.until().is_none().then_some(before);
    let newest = state.reports.newest(&visitor.scope, &charges(), NEWEST).await?;
    let steps = first_steps::read(&state, &visitor).await?;
    let values = context! {
        warnings => operator_warning::warnings(&state, &visitor),
        done => steps.done,
        first_steps => (!steps.is_over).then_some(steps.rows),
        today => today_figures(&state, &visitor, &totals, today, last_week).await?,
        kept_today => kept(&totals, &fees, one_day(today), None),
        to_do => to_do(&state, &visitor).await?,
        waits_for_others => visitor.waiting.approvals.for_others,
        range,
        ranges => RANGES,
        from => days.from.to_string(),
        to => days.to.to_string(),
        period_note => note,
        before => context! {
            from => before.from.to_string(),
            to => before.to.to_string(),
            until => compared.until(),
        },
        moved => seen_types(&visitor)
            .map(|one| moved(&totals, days, &compared, one))
            .collect::<Vec<_>>(),
        kept => kept(&totals, &fees, days, whole_before),
        failures => failures(&failed, days),
        success => success(&totals, days, &compared),
        balances => operators::balances(&state, &visitor).await?,
        networks => network_rates(&state, &visitor.scope, &totals, days),
        plot => plot::draw(&totals, &period, today),
        days => plot::days(&totals, days).iter().map(|day| day.row()).collect::<Vec<_>>(),
        rows => repeated_charges::marked_rows(&state, &visitor, &newest).await?,
        columns => PaymentColumns::default().shown(),
        has_more_columns => false,
    };
    Ok(visitor.page("home.html", values))
}

fn one_day(day: Date) -> Days {
    Days { from: day, to: day }
}

/// The filter of charges alone.
fn charges() -> ReportFilter {
    ReportFilter { types: Some(vec![TransactionType::Charge]), ..ReportFilter::default() }
}

/// The money of today, beside that of the same weekday a week ago until the same time.
async fn today_figures(
    state: &DashboardState,
    visitor: &Visitor,
    totals: &[DayTotal],
    today: Date,
    last_week: Date,
) -> Result<Value, DashboardError> {
    let of = |day: Date| Sum::moved(totals, one_day(day), TransactionType::Charge);
    let whole = of(last_week);
    let is_counted = whole.payments <= MAX_COUNTED;
    let before = if is_counted {
        let filter = ReportFilter {
            status: Some(Status::Successful),
            from: Some(last_week),
            to: Some(last_week),
            until: visitor.person.now.checked_sub(Span::new().hours(7 * 24)).ok(),
            ..charges()
        };
        let totals = state.reports.totals(&visitor.scope, &filter).await?;
        totals.moved_pesewas(TransactionType::Charge)
    } else {
        whole.pesewas
    };
    let Sum { payments, pesewas } = of(today);
    let filter = ReportFilter { from: Some(today), to: Some(today), ..charges() };
    let in_progress = of_attention(Attention::InProgress);
    let on_their_way =
        state.reports.totals(&visitor.scope, &visitor.seen(in_progress.clone())).await?;
    Ok(context! {
        pending => on_their_way.payments(),
        pending_href => format!("/payments?{}", address_of(&in_progress)),
        day => today.to_string(),
        weekday => format!("weekday-{}", today.weekday().to_monday_one_offset()),
        month => format!("day-of-long-month-{}", today.month()),
        number => formats::day_number(visitor.person.language, today),
        amount => views::cedis(pesewas),
        payments,
        before => views::cedis(before),
        difference => views::cedis((pesewas - before).abs()),
        is_more => pesewas >= before,
        is_equal => pesewas == before,
        has_before => before > 0,
        is_whole_day => !is_counted,
        href => format!("/payments?{}", address_of(&filter)),
    })
}

/// What waits for the person: the key of its text and of its button, the number, and the page.
/// Only what is not zero, the most important first.
async fn to_do(state: &DashboardState, visitor: &Visitor) -> Result<Vec<Value>, DashboardError> {
    let mut all = vec![
        row("flagged", visitor.waiting.reviews, "/review".to_owned()),
        row("unapproved", visitor.waiting.approvals.for_reader, "/payouts".to_owned()),
    ];
    if visitor.may(Permission::ManageSettings) {
        let lift = state.payout_limits.read(&visitor.scope).await?.lift;
        let is_for_visitor = lift.is_some_and(|waiting| !settings::is_own(visitor, &waiting.lift));
        all.push(row("lift", u64::from(is_for_visitor), "/settings".to_owned()));
    }
    if visitor.may(Permission::ReadWebhooks) {
        let endpoints = state.webhook_endpoints.list_in(&visitor.scope).await?;
        let disabled = endpoints.iter().filter(|one| one.disabled_at.is_some()).count();
        all.push(row("endpoints", disabled as u64, "/webhooks".to_owned()));
        let failing = state.webhook_endpoints.failing(&visitor.scope).await?;
        all.push(row("failing", failing.len() as u64, "/webhooks".to_owned()));
    }
    if visitor.may(Permission::ManageStatements) {
        all.push(statements_to_do(state, visitor).await?);
    }
    all.push(uncertain_to_do(state, visitor).await?);
    Ok(all.into_iter().flatten().collect())
}

/// The statements that do not agree: a link to the only one, or to all.
async fn statements_to_do(
    state: &DashboardState,
    visitor: &Visitor,
) -> Result<Option<Value>, DashboardError> {
    let operators = entitled_operators(state, visitor).await?;
    let operators: Vec<_> = operators.iter().map(|one| one.pin.fingerprint.clone()).collect();
    let unresolved = state.statements.unresolved(&operators).await?;
    let href = match &unresolved[..] {
        [only] => format!("/statements/{only}"),
        _ => "/statements".to_owned(),
    };
    Ok(row("statements", unresolved.len() as u64, href))
}

/// The payments that are not confirmed or late: a link to the only one, or to all.
async fn uncertain_to_do(
    state: &DashboardState,
    visitor: &Visitor,
) -> Result<Option<Value>, DashboardError> {
    let filter = of_attention(Attention::Uncertain);
    let seen = visitor.seen(filter.clone());
    let count = state.reports.totals(&visitor.scope, &seen).await?.payments();
    let only =
        if count == 1 { state.reports.newest(&visitor.scope, &seen, 1).await?.pop() } else { None };
    let href = only.map_or_else(
        || format!("/payments?{}", address_of(&filter)),
        |only| format!("/payments/{}", only.order.id),
    );
    Ok(row("uncertain", count, href))
}

fn of_attention(attention: Attention) -> ReportFilter {
    ReportFilter { attention: Some(attention), ..ReportFilter::default() }
}

fn row(name: &str, count: u64, href: String) -> Option<Value> {
    (count > 0).then(|| {
        context! {
            key => format!("to-do-{name}"),
            action => format!("to-do-{name}-action"),
            count,
            href,
        }
    })
}
