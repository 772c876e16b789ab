//! The report of a month.

use super::{
    month::MonthPeriod,
    movements::{FloatMovement, Movements},
    sums::{LedgerDaySum, OpeningBalance},
};
use crate::{
    ledger::Postings,
    pinned_operator::{OperatorFingerprint, OperatorName, PinnedOperator},
    refund_values::TransactionType,
    reporting::DayTotal,
};
use jiff::civil::Date;
use std::collections::HashMap;
use tua_contract::{Network, Status};

/// What the report of a month is made from.
#[derive(Debug)]
pub struct ReportSources<'a> {
    /// The balances before the month, by operator and name.
    pub opening: &'a [OpeningBalance],
    /// The sums of the days of the month, and of those with which they are compared.
    pub sums: &'a [LedgerDaySum],
    /// The totals of the days of the month by the day on which transactions began.
    pub begun: &'a [DayTotal],
    /// The operators of the settings, with the names that they have now.
    pub settings: &'a [PinnedOperator],
}

/// The figures of a month, of an account and mode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MonthlyReport {
    /// The days of the report.
    pub period: MonthPeriod,
    /// All movements of these days.
    pub total: Movements,
    /// All movements of the days with which they are compared.
    pub before: Movements,
    /// The movements by network, those with movements only.
    pub networks: Vec<(Network, Movements)>,
    /// The movements and floats by operator, by name: those with movements or with money.
    pub operators: Vec<OperatorBook>,
    /// What began in these days and succeeded.
    pub begun: BegunSums,
}

/// The sums of what began in some days and succeeded, in pesewas: what Home and the list of
/// payments count. They differ from the ledger where money moved on a later day than the payment
/// began, or was corrected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BegunSums {
    /// The sum of payments by payers, without refunds and payouts.
    pub charges_pesewas: i64,
    /// The sum of refunds to payers.
    pub refunds_pesewas: i64,
    /// The sum of payouts that are no refunds.
    pub payouts_pesewas: i64,
}

impl BegunSums {
    fn of<'a>(totals: impl Iterator<Item = &'a DayTotal> + Clone) -> Self {
        let sum = |transaction_type| {
            let totals = totals.clone().filter(|total| {
                total.transaction_type == transaction_type && total.status == Status::Successful
            });
            totals.map(|total| total.pesewas).sum()
        };
        Self {
            charges_pesewas: sum(TransactionType::Charge),
            refunds_pesewas: sum(TransactionType::Refund),
            payouts_pesewas: sum(TransactionType::Payout),
        }
    }
}

/// The movements and the float of an operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatorBook {
    /// The operator, with its name in the settings now, or the last one that it had; `None` for the
    /// sandbox.
    pub operator: Option<PinnedOperator>,
    /// What moved in the month.
    pub movements: Movements,
    /// The merchant's money at the operator.
    pub float: FloatMovement,
}

impl MonthlyReport {
    /// The report of a month.
    #[must_use]
    pub fn new(period: MonthPeriod, sources: &ReportSources<'_>) -> Self {
        let in_days = |day: Date| period.days.contains(&day);
        let of_month: Vec<&LedgerDaySum> =
            sources.sums.iter().filter(|sum| in_days(sum.day)).collect();
        let compared = sources.sums.iter().filter(|sum| period.before.contains(&sum.day));
        let before = Movements::of(compared);
        Self {
            total: Movements::of(of_month.iter().copied()),
            before,
            networks: networks(&of_month),
            operators: operators(&of_month, sources),
            begun: BegunSums::of(sources.begun.iter().filter(|total| in_days(total.day))),
            period,
        }
    }
}

fn networks(of_month: &[&LedgerDaySum]) -> Vec<(Network, Movements)> {
    let movements = |network: Network| {
        let mut own = of_month.iter().filter(move |sum| sum.network == network).peekable();
        own.peek()?;
        Some((network, Movements::of(own.copied())))
    };
    Network::ALL.iter().copied().filter_map(movements).collect()
}

/// One row for each operator, whatever names it had.
fn operators(of_month: &[&LedgerDaySum], sources: &ReportSources<'_>) -> Vec<OperatorBook> {
    let mut names: HashMap<OperatorFingerprint, OperatorName> = HashMap::new();
    let mut books: HashMap<Option<OperatorFingerprint>, (Postings, Movements)> = HashMap::new();
    let mut take_name = |operator: &Option<PinnedOperator>| {
        let pin = operator.clone();
        pin.map(|pin| {
            names.insert(pin.fingerprint.clone(), pin.name);
            pin.fingerprint
        })
    };
    for balance in sources.opening {
        let (opening, _) = books.entry(take_name(&balance.operator)).or_default();
        *opening = opening.plus(balance.postings);
    }
    let mut by_day = of_month.to_vec();
    by_day.sort_by_key(|sum| sum.day);
    for sum in by_day {
        let (_, movements) = books.entry(take_name(&sum.operator)).or_default();
        movements.add(sum);
    }
    for pin in sources.settings {
        names.insert(pin.fingerprint.clone(), pin.name.clone());
    }
    let book = |(fingerprint, (opening, movements)): (Option<OperatorFingerprint>, _)| {
        let operator = fingerprint.and_then(|fingerprint| {
            names.get(&fingerprint).cloned().map(|name| PinnedOperator { name, fingerprint })
        });
        let float = FloatMovement::new(&opening, &movements);
        OperatorBook { operator, movements, float }
    };
    let mut found: Vec<OperatorBook> = books
        .into_iter()
        .map(book)
        .filter(|one| one.movements != Movements::default() || one.float.opening_pesewas != 0)
        .collect();
    let key = |one: &OperatorBook| {
        one.operator.as_ref().map(|pin| (pin.name.clone(), pin.fingerprint.as_str().to_owned()))
    };
    found.sort_by_key(key);
    found
}
