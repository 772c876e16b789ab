use super::*;
use std::collections::BTreeMap;
use tua_contract::Network;

const NOW: &str = "2026-11-26T14:30:00Z";

fn plan_at(now: &str) -> Plan {
    let catalogue = Catalogue::parse(crate::cli::demo::shop::CATALOGUE).unwrap();
    Plan::new(&catalogue, now.parse().unwrap())
}

#[test]
fn a_day_has_the_same_events_whenever_the_demo_is_started() {
    let sales = |plan: &Plan| {
        let of_day = plan.sales.iter().filter(|sale| day_of(sale.at).to_string() == "2026-10-14");
        of_day.map(|sale| format!("{sale:?}")).collect::<Vec<_>>()
    };
    let now = sales(&plan_at(NOW));
    assert!(now.len() > 5, "{now:?}");
    assert_eq!(sales(&plan_at("2026-12-01T09:00:00Z")), now);
}

#[test]
fn ninety_days_have_about_a_thousand_payments_and_none_in_the_future() {
    let plan = plan_at(NOW);
    let now: Timestamp = NOW.parse().unwrap();
    let charges: usize = plan.sales.iter().map(|sale| sale.attempts.len()).sum();
    assert!((900..=1_500).contains(&charges), "{charges}");
    assert!(
        plan.sales.iter().all(|sale| plan.opened_at < sale.at && sale.last_attempt_ends_at() < now)
    );
    let first = plan.sales.iter().map(|sale| sale.at).min().unwrap();
    assert_eq!(day_of(first).to_string(), "2026-08-29");
}

#[test]
fn sundays_are_quieter_than_saturdays() {
    let mut sales = BTreeMap::<String, u32>::new();
    for sale in &plan_at(NOW).sales {
        *sales.entry(day_of(sale.at).strftime("%A").to_string()).or_default() += 1;
    }
    assert!(sales["Sunday"] * 2 < sales["Saturday"], "{sales:?}");
    assert!(sales["Sunday"] < sales["Tuesday"], "{sales:?}");
}

#[test]
fn most_pay_with_mtn_and_each_number_is_of_its_network() {
    let mut payers = BTreeMap::<&str, usize>::new();
    let plan = plan_at(NOW);
    let attempts = plan.sales.iter().flat_map(|sale| &sale.attempts);
    let of_staff = plan.batches.iter().flat_map(|batch| &batch.lines).map(|line| &line.payee);
    let of_payouts = plan.payouts.iter().map(|payout| &payout.line.payee);
    for payer in attempts.map(|attempt| &attempt.payer).chain(of_staff).chain(of_payouts) {
        assert_eq!(Network::hinted_by(&payer.phone), Some(payer.network), "{payer:?}");
        *payers.entry(payer.network.as_str()).or_default() += 1;
    }
    let all: usize = payers.values().sum();
    assert!((60..80).contains(&(payers["MTN"] * 100 / all)), "{payers:?}");
    assert!(payers["TELECEL"] > payers["AIRTELTIGO"], "{payers:?}");
}

#[test]
fn a_part_that_goes_back_is_smaller_than_the_payment() {
    let plan = plan_at(NOW);
    let refunded: Vec<&Sale> = plan.sales.iter().filter(|sale| sale.refund.is_some()).collect();
    let is_part = |sale: &&&Sale| sale.refund.as_ref().is_some_and(|one| one.amount.is_some());
    let parts: Vec<_> = refunded.iter().filter(is_part).collect();
    assert!(!parts.is_empty() && parts.len() < refunded.len(), "{refunded:?}");
    for sale in parts {
        assert!(sale.refund.as_ref().unwrap().amount.unwrap() < sale.amount, "{sale:?}");
    }
}

#[test]
fn wages_of_past_months_are_approved_and_one_batch_waits() {
    let batches = plan_at(NOW).batches;
    let references: Vec<&str> = batches.iter().map(|batch| batch.reference.as_str()).collect();
    assert_eq!(references, ["wages-2026-08", "wages-2026-09", "wages-2026-10", "bonus"]);
    let waiting = batches.iter().filter(|batch| batch.approved_after.is_none());
    assert_eq!(waiting.count(), 1);
    assert!(batches.iter().all(|batch| batch.lines.len() >= 8));
}
