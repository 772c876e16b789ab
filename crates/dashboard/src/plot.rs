//! The plot of a period: two bars for each day, money in and money out. It is drawn as SVG by the
//! template; the bars are told apart by their pattern and place too, and a table has the same
//! numbers.

use super::views;
use jiff::civil::Date;
use minijinja::{Value, context};
use tua_contract::Status;
use tua_domain::{Kind, reporting::DayTotal};

/// The size of the drawing. Browsers scale it.
const WIDTH: i64 = 640;
const HEIGHT: i64 = 160;

/// The figures of one day: sums in pesewas, and numbers of charges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PlottedDay {
    day: Date,
    incoming: i64,
    outgoing: i64,
    succeeded: u64,
    failed: u64,
}

impl PlottedDay {
    /// The row of the table.
    pub(super) fn row(&self) -> Value {
        context! {
            day => self.day.to_string(),
            incoming => views::cedis(self.incoming),
            outgoing => views::cedis(self.outgoing),
            succeeded => self.succeeded,
            failed => self.failed,
        }
    }
}

/// Every day of a period, also those without payments.
pub(super) fn days(totals: &[DayTotal], from: Date, to: Date) -> Vec<PlottedDay> {
    let day = |day: Date| {
        let mut moved = PlottedDay { day, incoming: 0, outgoing: 0, succeeded: 0, failed: 0 };
        for total in totals.iter().filter(|total| total.day == day) {
            match (total.status, total.kind) {
                (Status::Successful, kind) => {
                    moved.succeeded += total.payments;
                    *if kind == Kind::Charge {
                        &mut moved.incoming
                    } else {
                        &mut moved.outgoing
                    } += total.pesewas;
                }
                (Status::Failed | Status::Pending, _) => moved.failed += total.payments,
            }
        }
        moved
    };
    let mut all = Vec::new();
    let mut next = Some(from);
    while let Some(one) = next.filter(|one| *one <= to) {
        all.push(day(one));
        next = one.tomorrow().ok();
    }
    all
}

/// The bars, in units of the drawing.
pub(super) fn draw(days: &[PlottedDay]) -> Value {
    let largest =
        days.iter().map(|day| day.incoming.max(day.outgoing)).max().unwrap_or_default().max(1);
    let slot = WIDTH / i64::try_from(days.len()).unwrap_or(1).max(1);
    let bar = |index: usize, is_outgoing: bool, pesewas: i64| {
        // A sum that is not zero is visible.
        let height = if pesewas > 0 { (pesewas * HEIGHT / largest).max(1) } else { 0 };
        let width = (slot * 2 / 5).max(1);
        let x = i64::try_from(index).unwrap_or_default() * slot
            + slot / 10
            + if is_outgoing { width } else { 0 };
        context! { x, y => HEIGHT - height, width, height, is_outgoing }
    };
    let bars = days
        .iter()
        .enumerate()
        .flat_map(|(index, day)| [bar(index, false, day.incoming), bar(index, true, day.outgoing)]);
    context! {
        width => WIDTH,
        height => HEIGHT,
        bars => bars.collect::<Vec<_>>(),
        largest => views::cedis(largest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use tua_contract::Network;

    #[test]
    fn every_day_of_the_period_has_a_row_and_sums_are_kept() {
        let total = |day, kind, status, pesewas| DayTotal {
            day: date(2026, 2, day),
            kind,
            network: Network::Mtn,
            status,
            payments: 1,
            pesewas,
        };
        let totals = [
            total(27, Kind::Charge, Status::Successful, 100),
            total(27, Kind::Charge, Status::Failed, 900),
            total(28, Kind::Payout, Status::Successful, 50),
        ];
        let days = days(&totals, date(2026, 2, 27), date(2026, 3, 1));
        assert_eq!(days.len(), 3);
        assert_eq!((days[0].incoming, days[0].outgoing, days[0].failed), (100, 0, 1));
        assert_eq!((days[1].incoming, days[1].outgoing, days[1].succeeded), (0, 50, 1));
    }
}
