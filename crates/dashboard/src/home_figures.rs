//! The figures of the page Home: sums and rates of a period, each beside the period before.

use super::{
    home_before::PeriodBefore, list_query::address_of, operators::networks, period::Days,
    state::DashboardState, views,
};
use minijinja::{Value, context};
use tua_contract::{Network, Status};
use tua_domain::{
    Scope,
    books::movements::FeeSum,
    refund::TransactionType,
    reporting::{DayFees, DayTotal, FailureCount, ReportFilter},
};

/// The number of transactions, and the sum of their amounts.
#[derive(Clone, Copy, Default)]
pub(super) struct Sum {
    pub(super) payments: u64,
    pub(super) pesewas: i64,
}

impl Sum {
    fn of<'a>(totals: impl Iterator<Item = &'a DayTotal>) -> Self {
        totals.fold(Self::default(), |sum, one| Self {
            payments: sum.payments + one.payments,
            pesewas: sum.pesewas + one.pesewas,
        })
    }

    /// Of the successful transactions of a type.
    pub(super) fn moved(totals: &[DayTotal], days: Days, of: TransactionType) -> Self {
        let is_counted = |one: &&DayTotal| {
            days.contains(one.day) && one.transaction_type == of && one.status == Status::Successful
        };
        Self::of(totals.iter().filter(is_counted))
    }
}

/// How many charges ended well, of those that have ended.
#[derive(Clone, Copy)]
struct Rate {
    successful: u64,
    failed: u64,
}

impl Rate {
    fn of(totals: &[DayTotal], days: Days, network: Option<Network>) -> Self {
        let count = |status: Status| {
            let is_counted = |one: &&DayTotal| {
                days.contains(one.day)
                    && one.transaction_type == TransactionType::Charge
                    && one.status == status
                    && network.is_none_or(|network| one.network == network)
            };
            Sum::of(totals.iter().filter(is_counted)).payments
        };
        Self { successful: count(Status::Successful), failed: count(Status::Failed) }
    }

    /// Of the charges of the period before.
    fn before(totals: &[DayTotal], before: &PeriodBefore) -> Self {
        let Self { successful, failed } = Self::of(totals, before.whole, None);
        let count = |status| before.part_count(TransactionType::Charge, status);
        Self {
            successful: successful + count(Status::Successful),
            failed: failed + count(Status::Failed),
        }
    }

    /// In percent, rounded; `None` where nothing has ended.
    fn percent(self) -> Option<u64> {
        let ended = self.successful + self.failed;
        (self.successful * 100 + ended / 2).checked_div(ended)
    }
}

/// The filter of the list that has the transactions of a period.
fn in_period(days: Days) -> ReportFilter {
    ReportFilter { from: Some(days.from), to: Some(days.to), ..ReportFilter::default() }
}

fn charges_in(days: Days) -> ReportFilter {
    ReportFilter { types: Some(vec![TransactionType::Charge]), ..in_period(days) }
}

fn list_of(filter: &ReportFilter) -> String {
    format!("/payments?{}", address_of(filter))
}

/// The money that moved by transactions of a type.
pub(super) fn moved(
    totals: &[DayTotal],
    days: Days,
    before: &PeriodBefore,
    of: TransactionType,
) -> Value {
    let Sum { payments, pesewas } = Sum::moved(totals, days, of);
    let moved_before = Sum::moved(totals, before.whole, of).pesewas + before.part_pesewas(of);
    let filter =
        ReportFilter { types: Some(vec![of]), status: Some(Status::Successful), ..in_period(days) };
    context! {
        key => format!("home-moved-{}", of.as_str()),
        payments,
        amount => views::cedis(pesewas),
        before => views::cedis(moved_before),
        href => list_of(&filter),
    }
}

/// What is left of the money in after the operators' fees for it, without a sum where no fee is
/// known. `before` is `None` where it is not shown: fees are known by day, so a period before that
/// counts until an hour has none. Nor is it shown where one of its fees is not known: the sum would
/// be too high.
pub(super) fn kept(
    totals: &[DayTotal],
    fees: &[DayFees],
    days: Days,
    before: Option<Days>,
) -> Value {
    let money_in = |days| Sum::moved(totals, days, TransactionType::Charge);
    let kept = |days| {
        let Sum { payments, pesewas } = money_in(days);
        fees_of(fees, days, payments).known_pesewas().map(|fees| pesewas - fees)
    };
    let fees_of = |days| fees_of(fees, days, money_in(days).payments);
    let before = before.filter(|days| fees_of(*days).unknown == 0);
    context! {
        amount => kept(days).map(views::cedis),
        fees => views::cedis(fees_of(days).pesewas),
        unknown => fees_of(days).unknown,
        before => before.and_then(kept).map(views::cedis),
    }
}

/// The fees of so many successful transactions of these days.
fn fees_of(fees: &[DayFees], days: Days, payments: u64) -> FeeSum {
    let of_days = || fees.iter().filter(|one| days.contains(one.day));
    let known = of_days().map(|one| one.known).sum();
    FeeSum {
        pesewas: of_days().map(|one| one.pesewas).sum(),
        known: i64::try_from(known).unwrap_or(i64::MAX),
        unknown: payments.saturating_sub(known).try_into().unwrap_or(i64::MAX),
    }
}

/// Why charges failed: the payers' own reasons, then the others. Each number leads to its list.
pub(super) fn failures(counts: &[FailureCount], days: Days) -> Vec<Value> {
    let groups = [("home-failures-payers", true), ("home-failures-others", false)];
    let group = |(key, is_the_payers)| {
        let of_group = counts.iter().filter(|one| one.is_the_payers() == is_the_payers);
        let rows: Vec<Value> = of_group.map(|one| failure(one, days)).collect();
        (!rows.is_empty()).then(|| context! { key, rows })
    };
    groups.into_iter().filter_map(group).collect()
}

fn failure(one: &FailureCount, days: Days) -> Value {
    let filter = ReportFilter { failure: Some(one.code), ..charges_in(days) };
    context! {
        code => one.code.as_str(),
        count => one.payments,
        is_capped => one.is_capped,
        href => list_of(&filter),
    }
}

/// How many charges succeeded, with a link to those that failed.
pub(super) fn success(totals: &[DayTotal], days: Days, before: &PeriodBefore) -> Value {
    let rate = Rate::of(totals, days, None);
    let filter = ReportFilter { status: Some(Status::Failed), ..charges_in(days) };
    context! {
        percent => rate.percent(),
        before => Rate::before(totals, before).percent(),
        failed => rate.failed,
        href => list_of(&filter),
    }
}

/// Each network: how it is served now, and how many of its charges succeeded.
pub(super) fn network_rates(
    state: &DashboardState,
    scope: &Scope,
    totals: &[DayTotal],
    days: Days,
) -> Vec<Value> {
    let services = networks(&state.networks, scope).into_iter();
    let rate = |network| {
        let rate = Rate::of(totals, days, Some(network));
        let of = |status| {
            list_of(&ReportFilter {
                network: Some(network),
                status: Some(status),
                ..charges_in(days)
            })
        };
        context! {
            percent => rate.percent(),
            successful => rate.successful,
            failed => rate.failed,
            successful_href => of(Status::Successful),
            failed_href => of(Status::Failed),
        }
    };
    services
        .zip(Network::ALL)
        .map(|(service, network)| context! { ..service, ..rate(network) })
        .collect()
}
