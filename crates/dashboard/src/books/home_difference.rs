//! How the sums of a month differ from those of Home, which counts each payment, refund and payout
//! on the day on which it began.

use super::{
    model::{change, money},
    words::text,
};
use crate::language::Language;
use tua_domain::books::report::MonthlyReport;

/// The sentences about it: one for each sum that differs, and one for those that do not.
pub(super) fn compared_with_home(language: Language, report: &MonthlyReport) -> Vec<String> {
    let total = &report.total;
    let begun = report.begun;
    let sums = [
        ("books-in", total.charges.pesewas, begun.charges_pesewas),
        ("books-refunds", total.refunds.pesewas, begun.refunds_pesewas),
        ("books-payouts", total.payouts.pesewas, begun.payouts_pesewas),
    ];
    let (same, different): (Vec<_>, Vec<_>) =
        sums.into_iter().partition(|(_, moved, begun)| moved == begun);
    if different.is_empty() {
        return vec![text(language, "books-begun-same", &[])];
    }
    let differs = |(key, moved, begun): (&str, i64, i64)| {
        let values = [
            ("item", &*text(language, key, &[])),
            ("amount", &money(begun, language)),
            ("difference", &change(moved - begun, language)),
        ];
        text(language, "books-begun-differs", &values)
    };
    let mut sentences: Vec<String> = different.into_iter().map(differs).collect();
    if !same.is_empty() {
        let items: Vec<String> =
            same.into_iter().map(|(key, ..)| text(language, key, &[])).collect();
        let items = items.join(", ");
        sentences.push(text(language, "books-begun-same-of", &[("items", &items)]));
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use tua_contract::{Network, Status};
    use tua_domain::{
        AccountId, Mode, Scope,
        books::{month::Month, report::ReportSources, sums::LedgerDaySum},
        ledger::Postings,
        refund::TransactionType,
        reporting::DayTotal,
    };

    /// The sentences of November, in which wages of 47.50 were paid that were asked for in October.
    fn sentences(begun: &[DayTotal]) -> Vec<String> {
        let paid = LedgerDaySum {
            day: date(2026, 11, 1),
            scope: Scope { account: AccountId::new("acc_1"), mode: Mode::Live },
            operator: None,
            transaction_type: TransactionType::Payout,
            network: Network::Mtn,
            payments: 7,
            unknown_fees: 0,
            entries: 7,
            postings: Postings::new([-4_750, 0, 0, 4_750, 0, 0]),
        };
        let sources = ReportSources { opening: &[], sums: &[paid], begun, settings: &[] };
        let month = Month::parse("2026-11").unwrap().period(date(2026, 12, 1)).unwrap();
        compared_with_home(Language::English, &MonthlyReport::new(month, &sources))
    }

    fn payouts(day: i8) -> DayTotal {
        DayTotal {
            day: date(2026, 11, day),
            transaction_type: TransactionType::Payout,
            status: Status::Successful,
            network: Network::Mtn,
            payments: 7,
            pesewas: 4_750,
        }
    }

    #[test]
    fn payouts_that_began_in_another_month_are_named_with_their_sum() {
        let [differs, same] = &sentences(&[])[..] else { panic!("two sentences") };
        assert!(differs.starts_with("Payouts: Home") && differs.contains("47.50"), "{differs}");
        assert!(same.starts_with("Money in, Refunds: "), "{same}");
    }

    #[test]
    fn one_sentence_says_that_all_sums_are_the_same() {
        let [same] = &sentences(&[payouts(1)])[..] else { panic!("one sentence") };
        assert!(same.contains("money in, refunds and payouts"), "{same}");
    }
}
