//! Fetches a statement of the sandbox in the evening of a past day, before the last payment of that
//! day: so one payment of its days has no line. It agrees once the same days are fetched again.

use super::{
    super::{
        super::merchant::line,
        past_service::{PastService, SANDBOX_TIME, SCHEDULE},
    },
    past_shop::PastShop,
};
use crate::shared_use_cases::statements;
use jiff::{SignedDuration, Timestamp, ToSpan, civil::Date};
use std::time::Duration;
use tua_domain::{
    calendar::day_of,
    routing::PinnedOperator,
    statement::period::{PeriodFault, StatementPeriod},
};
use tua_operators::{
    sandbox::{orders::Received, script::Script, statement::moved_at},
    statement_columns::StatementColumns,
};
use tua_tables::statement_file::{FileDays, StatementSource, import_file};
use tua_use_cases::statement_fetch::fetch_statement;

/// How many days the statement covers.
const DAYS: i32 = 7;

/// How many days ago the last one of them may be.
const MAX_AGE: i32 = 7;

/// The most orders that are read to choose the time; the history has about 15 a day.
const MAX_ORDERS: u32 = 10_000;

/// The sandbox needs no more time than this to write a statement from its own database.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// A fetch that is followed by one payment of its days.
pub(super) struct Fetch {
    first: Date,
    last: Date,
    /// When the owner fetches the statement, on the last day.
    pub(super) at: Timestamp,
}

/// The latest fetch of the days before today that lacks exactly one payment. `None` where the last
/// two payments of each day are so close that no time lies between them.
///
/// # Errors
/// One line: the orders cannot be read.
pub(super) async fn choose_fetch(shop: &PastShop, today: Date) -> Result<Option<Fetch>, String> {
    for age in 1..=MAX_AGE {
        let last = today.checked_sub(age.days()).map_err(line)?;
        // Wages are begun on this day, and approved on the next one.
        if last == last.last_of_month() {
            continue;
        }
        let first = last.checked_sub((DAYS - 1).days()).map_err(line)?;
        let days = StatementPeriod::new(first, last, Timestamp::MAX).map_err(faults)?;
        let orders = shop.past.opened.orders.orders_received(days.start()..days.end(), MAX_ORDERS);
        let at = before_last_payment(&orders.await.map_err(line)?, &days);
        if let Some(at) = at.filter(|at| day_of(*at) == last) {
            return Ok(Some(Fetch { first, last, at }));
        }
    }
    Ok(None)
}

/// A time at which the money of every order has moved but that of the last one.
fn before_last_payment(orders: &[Received], days: &StatementPeriod) -> Option<Timestamp> {
    // What is decided in the night after the last day is decided too.
    let morning = days.end() + SignedDuration::from_hours(12);
    let script = Script { speed: SCHEDULE.sandbox_speed, phone: false };
    let mut moved: Vec<Timestamp> =
        orders.iter().filter_map(|order| moved_at(script, order, morning)).collect();
    moved.sort_unstable();
    let [.., before, last] = moved[..] else { return None };
    let at = before + SANDBOX_TIME;
    (at < last && last < days.end()).then_some(at)
}

/// Fetches the statement as the dashboard does, and imports it.
///
/// # Errors
/// One line: what could not be read or written.
pub(super) async fn import(shop: &PastShop, fetch: &Fetch) -> Result<(), String> {
    let service = PastService::new(fetch.at, &shop.past);
    let sandbox = service.gateway.operators.entry_of(&PinnedOperator::sandbox());
    let sandbox = sandbox.ok_or("the sandbox of the history has no statements")?;
    let days = StatementPeriod::new(fetch.first, fetch.last, fetch.at).map_err(faults)?;
    let file = fetch_statement(&sandbox, &days, TIME_LIMIT).await.map_err(line)?;
    let source = StatementSource::read(&file[..], &StatementColumns::default()).map_err(line)?;
    let statements = statements(&shop.past.opened.store);
    let days = FileDays { covers: Some((fetch.first, fetch.last)), ..FileDays::default() };
    let by = shop.owner_at(fetch.at);
    let imported = import_file(&statements, &sandbox.pin, &source, days, &by).await;
    imported.map(drop).map_err(line)
}

/// The faults of a period as one line.
fn faults(faults: Vec<PeriodFault>) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
