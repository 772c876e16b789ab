use super::{
    agreement::{AgreementSources, DayAgreement, OperatorAgreement, runs},
    month::{Month, MonthProgress},
    movements::{FloatMovement, Movements},
    report::{MonthlyReport, ReportSources},
    sums::{LedgerDaySum, OpeningBalance, PostedDay},
};
use crate::{
    AccountId, Mode, Scope,
    ledger::Postings,
    pinned_operator::{OperatorFingerprint, OperatorName, PinnedOperator},
    refund_values::TransactionType,
    statement::closing::{ClosedDay, DaySum},
};
use jiff::{
    Timestamp,
    civil::{Date, date},
};
use proptest::prelude::*;
use tua_contract::Network;

fn november() -> Month {
    Month::parse("2026-11").unwrap()
}

#[test]
fn a_month_is_finished_once_its_last_day_has_ended() {
    let month = november();
    let on_the_last_day = month.period(date(2026, 11, 30)).unwrap();
    assert_eq!(on_the_last_day.progress, MonthProgress::Running);
    assert_eq!(on_the_last_day.days, month.first()..=date(2026, 11, 30));
    let after_it = month.period(date(2026, 12, 1)).unwrap();
    assert_eq!(after_it.progress, MonthProgress::Finished);
    assert_eq!(after_it.before, date(2026, 10, 1)..=date(2026, 10, 31));
    assert_eq!(month.period(date(2026, 10, 31)), None);
}

#[test]
fn a_running_month_is_compared_with_the_same_days_of_the_month_before() {
    let before = |today| Month::of(today).period(today).unwrap().before;
    assert_eq!(before(date(2026, 11, 26)), date(2026, 10, 1)..=date(2026, 10, 26));
    assert_eq!(before(date(2026, 3, 30)), date(2026, 2, 1)..=date(2026, 2, 28));
    assert_eq!(before(date(2026, 3, 1)), date(2026, 2, 1)..=date(2026, 2, 1));
    assert_eq!(before(date(2027, 1, 31)), date(2026, 12, 1)..=date(2026, 12, 31));
}

#[test]
fn a_month_is_read_as_it_is_written() {
    assert_eq!(november().to_string(), "2026-11");
    assert_eq!(november().previous().to_string(), "2026-10");
    assert_eq!(Month::parse("2026-12").unwrap().next().to_string(), "2027-01");
    for wrong in ["", "2026", "2026-13", "2026-00", "2026-1", "26-11", "1969-12", "+026-11"] {
        assert_eq!(Month::parse(wrong), None, "{wrong}");
    }
}

fn pin(name: &str, fingerprint: &str) -> PinnedOperator {
    PinnedOperator {
        name: name.parse().unwrap(),
        fingerprint: OperatorFingerprint::of_row(fingerprint.to_owned()),
    }
}

fn sum(day: Date, operator: Option<PinnedOperator>, postings: [i64; 6]) -> LedgerDaySum {
    LedgerDaySum {
        day,
        scope: Scope { account: AccountId::new("acc_1"), mode: Mode::Live },
        operator,
        transaction_type: TransactionType::Charge,
        network: Network::Mtn,
        payments: 1,
        unknown_fees: 0,
        entries: 1,
        postings: Postings::new(postings),
    }
}

fn report(opening: &[OpeningBalance], sums: &[LedgerDaySum]) -> MonthlyReport {
    let settings = [pin("mtn-ghana", "f1")];
    let sources = ReportSources { opening, sums, begun: &[], settings: &settings };
    MonthlyReport::new(november().period(date(2026, 12, 1)).unwrap(), &sources)
}

#[test]
fn a_renamed_operator_is_one_row_and_has_its_float_under_every_name() {
    let opening = [
        OpeningBalance {
            operator: Some(pin("mtn", "f1")),
            postings: Postings::new([500, 0, 0, -500, 0, 0]),
        },
        OpeningBalance {
            operator: Some(pin("mtn-old", "f1")),
            postings: Postings::new([200, 0, 0, -200, 0, 0]),
        },
    ];
    let sums = [
        sum(date(2026, 11, 3), Some(pin("mtn", "f1")), [100, 0, 0, -100, 0, 0]),
        sum(date(2026, 11, 4), Some(pin("mtn-ghana", "f1")), [30, 0, 2, -32, 0, 0]),
        sum(date(2026, 11, 4), Some(pin("former", "f2")), [7, 0, 0, -7, 0, 0]),
        sum(date(2026, 11, 5), Some(pin("later", "f2")), [1, 0, 0, -1, 0, 0]),
    ];
    let report = report(&opening, &sums);
    let rows: Vec<_> = report
        .operators
        .iter()
        .map(|one| {
            let name = one.operator.as_ref().map(|pin| pin.name.as_str().to_owned()).unwrap();
            (name, one.float.opening_pesewas, one.float.closing_pesewas)
        })
        .collect();
    assert_eq!(rows, [("later".to_owned(), 0, 8), ("mtn-ghana".to_owned(), 700, 830)]);
}

#[test]
fn a_ledger_that_does_not_add_up_shows_the_difference() {
    let mut movements = Movements::of(&[sum(date(2026, 11, 3), None, [90, 0, 10, -100, 0, 0])]);
    let float = FloatMovement::new(&Postings::default(), &movements);
    assert_eq!(float.difference_pesewas(&movements), 0);
    movements.float_pesewas += 5;
    let damaged = FloatMovement::new(&Postings::default(), &movements);
    assert_eq!(damaged.difference_pesewas(&movements), 5);
}

fn closed(day: Date, compared: u64, exceptions: u64) -> ClosedDay {
    let name: OperatorName = "mtn".parse().unwrap();
    let mut outcomes = [0; 7];
    outcomes[0] = compared;
    ClosedDay {
        operator: pin("mtn", "f1"),
        day,
        closed_at: Timestamp::UNIX_EPOCH,
        closed_by: "Esi".to_owned(),
        figures: DaySum::new(&name, day, Postings::default()).finish(),
        outcomes,
        exceptions,
    }
}

fn agreement(closed: &[ClosedDay], posted: &[PostedDay]) -> OperatorAgreement {
    let days = date(2026, 11, 1)..=date(2026, 11, 4);
    let covered = [(date(2026, 10, 20), date(2026, 11, 2))];
    let sources = AgreementSources { closed, posted, covered: &covered };
    OperatorAgreement::new(pin("mtn", "f1"), days, &sources)
}

#[test]
fn what_was_not_compared_does_not_agree() {
    let nothing = agreement(&[], &[]);
    assert!(!nothing.agrees());
    let with = nothing.of(|one| one == DayAgreement::OpenWithStatement);
    assert_eq!(with, [date(2026, 11, 1), date(2026, 11, 2)]);
    let without = nothing.of(|one| one == DayAgreement::OpenWithoutStatement);
    assert_eq!(runs(&without), [(date(2026, 11, 3), date(2026, 11, 4))]);

    let empty = agreement(&[closed(date(2026, 11, 1), 0, 0)], &[]);
    assert!(!empty.agrees(), "a closed day without lines and transactions compared nothing");
    assert!(agreement(&[closed(date(2026, 11, 1), 3, 0)], &[]).agrees());
}

#[test]
fn what_does_not_agree_is_found_by_its_day() {
    let differing = agreement(&[closed(date(2026, 11, 2), 3, 2)], &[]);
    assert!(!differing.agrees());
    assert_eq!(differing.differing(), [(date(2026, 11, 2), 2)]);
    let later = PostedDay { day: date(2026, 11, 2), entries: 1, postings: Postings::default() };
    let changed = agreement(&[closed(date(2026, 11, 2), 3, 0)], &[later]);
    assert!(!changed.agrees());
    assert_eq!(changed.of(|one| one == DayAgreement::Changed), [date(2026, 11, 2)]);
}

#[test]
fn runs_have_no_gap() {
    let days = [1, 2, 3, 5, 7, 8].map(|day| date(2026, 11, day));
    let found: Vec<_> = runs(&days).iter().map(|(from, to)| (from.day(), to.day())).collect();
    assert_eq!(found, [(1, 3), (5, 5), (7, 8)]);
}

fn sums() -> impl Strategy<Value = Vec<LedgerDaySum>> {
    let amounts = prop::array::uniform5(-1_000_000_i64..1_000_000);
    let operators = prop::sample::select(vec![
        None,
        Some(pin("mtn", "f1")),
        Some(pin("mtn-ghana", "f1")),
        Some(pin("hubtel", "f2")),
    ]);
    let one = (
        0_u8..61,
        operators,
        prop::sample::select(TransactionType::ALL),
        prop::sample::select(&Network::ALL[..]),
        amounts,
    );
    let sum = |(offset, operator, transaction_type, network, [a, b, c, d, e]): (
        u8,
        _,
        _,
        _,
        [i64; 5],
    )| {
        let day = date(2026, 10, 1).checked_add(jiff::Span::new().days(offset)).unwrap();
        // A charge posts nothing to the refunds, and a refund nothing to what is earned.
        let (d, e) = if transaction_type == TransactionType::Refund { (0, e) } else { (d, 0) };
        let balanced = [a, b, c, d, e, -(a + b + c + d + e)];
        LedgerDaySum { transaction_type, network, ..self::sum(day, operator, balanced) }
    };
    prop::collection::vec(one.prop_map(sum), 0..40)
}

proptest! {
    /// Whatever the ledger has: the tables of the page have one total, and the floats add up.
    #[test]
    fn every_table_has_the_sum_of_the_days(sums in sums(), opening in -1_000_i64..1_000) {
        let opening = [OpeningBalance {
            operator: Some(pin("mtn", "f1")),
            postings: Postings::new([opening, 0, 0, -opening, 0, 0]),
        }];
        let report = report(&opening, &sums);
        let added = |all: Vec<Movements>| {
            all.iter().fold([0; 8], |sum, one| {
                let amounts = [
                    one.charges.pesewas, one.refunds.pesewas, one.payouts.pesewas,
                    one.fees.pesewas, one.in_transit_pesewas, one.suspense_pesewas,
                    one.net_pesewas(), one.charges.count + one.payouts.count + one.refunds.count,
                ];
                std::array::from_fn(|n| sum[n] + amounts[n])
            })
        };
        let total = added(vec![report.total]);
        prop_assert_eq!(added(report.networks.iter().map(|(_, one)| *one).collect()), total);
        prop_assert_eq!(added(report.operators.iter().map(|one| one.movements).collect()), total);
        for one in &report.operators {
            prop_assert_eq!(one.float.difference_pesewas(&one.movements), 0);
        }
        let in_days = |sum: &&LedgerDaySum| report.period.days.contains(&sum.day);
        let float: i64 = sums.iter().filter(in_days).map(|sum| sum.postings.amounts()[0]).sum();
        prop_assert_eq!(report.total.float_pesewas, float);
        prop_assert!(report.operators.len() <= 3, "a renamed operator is one row");
    }
}
