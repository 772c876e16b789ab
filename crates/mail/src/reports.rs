//! The e-mail with the report of a day or a week: for each account of a person the sums, the
//! success rate and how many payments wait for a person, in live mode.

use super::{
    messages::{Content, Link, Section, cedis_of},
    texts::text,
};
use tua_contract::Status;
use tua_domain::{
    Account,
    refund::TransactionType::{self, Charge, Payout, Refund},
    reporting::DayTotal,
};
use tua_use_cases::{AccountReport, ReportMail, reports::AttentionTotals};

/// The content of the e-mail to a person.
pub(super) fn content(language: &str, report: &ReportMail, dashboard_url: &str) -> Content {
    let ReportMail { interval, last, accounts, .. } = report;
    let from = interval.days(*last).start().to_string();
    let to = last.to_string();
    let sections = accounts.iter().map(|AccountReport { account, totals, waiting }| {
        let waiting_count = waiting_count(language, waiting);
        let address = format!(
            "{dashboard_url}/dashboard/accounts/{}/live/home?from={from}&to={to}",
            account.id
        );
        section(language, account, totals, waiting_count, address)
    });
    let subject = text(
        language,
        &format!("report-subject-{}", interval.as_str()),
        &[("from", &from), ("to", &to)],
    );
    Content {
        sections: sections.collect(),
        link: Some(Link {
            label: text(language, "report-change", &[]),
            address: format!("{dashboard_url}/dashboard/security#reports"),
        }),
        footer: Some(text(language, "report-footer", &[])),
        ..Content::new(language, subject)
    }
}

/// How many payments wait for a person, as a text. The text shows that more wait if the count was
/// capped.
fn waiting_count(
    language: &str,
    AttentionTotals { flagged, approvals, .. }: &AttentionTotals,
) -> String {
    if flagged.is_capped() {
        text(language, "report-count-capped", &[])
    } else {
        (flagged.payments() + approvals).to_string()
    }
}

/// The section about an account. `waiting_count` is a text; `address` is that of the dashboard.
fn section(
    language: &str,
    account: &Account,
    totals: &[DayTotal],
    waiting_count: String,
    address: String,
) -> Section {
    let sum = |types: &[TransactionType], status: Status| {
        let matching = totals
            .iter()
            .filter(|total| types.contains(&total.transaction_type) && total.status == status);
        matching.fold((0, 0), |(payments, pesewas), total| {
            (payments + total.payments, pesewas + total.pesewas)
        })
    };
    let (received, incoming) = sum(&[Charge], Status::Successful);
    let (sent, outgoing) = sum(&[Payout, Refund], Status::Successful);
    let failed = sum(&[Charge], Status::Failed).0;
    let line = |key: &str, arguments: &[(&'static str, &str)]| text(language, key, arguments);
    let percent = (received * 100 + (received + failed) / 2).checked_div(received + failed);
    let rate = match percent {
        Some(percent) => {
            let count = (received + failed).to_string();
            line("report-rate", &[("percent", &percent.to_string()), ("count", &count)])
        }
        None => line("report-no-charges", &[]),
    };
    Section {
        heading: account.name.clone(),
        paragraphs: vec![
            line("report-in", &[("amount", &cedis_of(incoming)), ("count", &received.to_string())]),
            line("report-out", &[("amount", &cedis_of(outgoing)), ("count", &sent.to_string())]),
            rate,
            line("report-waits", &[("count", &waiting_count)]),
        ],
        link: Some(Link { label: line("report-link", &[]), address }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tua_domain::reporting::{
        Attention, FilterTotal, FilterTotals, ReportFilter, totals::MAX_COUNT,
    };

    /// The totals of charges that wait for a decision.
    fn totals(payments: u64) -> FilterTotals {
        let filter =
            ReportFilter { attention: Some(Attention::Flagged), ..ReportFilter::default() };
        let total =
            FilterTotal { transaction_type: Charge, status: Status::Pending, payments, pesewas: 0 };
        FilterTotals::new(&filter, vec![total])
    }

    #[test]
    fn a_capped_count_reads_as_on_the_page() {
        let few = || totals(2);
        let capped = || totals(u64::from(MAX_COUNT));
        let waiting = |flagged| AttentionTotals {
            in_progress: few(),
            uncertain: few(),
            flagged,
            approvals: 2,
        };
        assert_eq!(waiting_count("en", &waiting(few())), "4");
        let waiting = waiting(capped());
        let line = |language| {
            text(language, "report-waits", &[("count", &waiting_count(language, &waiting))])
        };
        assert_eq!(line("en"), "Waiting for a person now: 100,000+");
        assert_eq!(line("fr"), "En attente d’une personne : plus de 100 000");
    }
}
