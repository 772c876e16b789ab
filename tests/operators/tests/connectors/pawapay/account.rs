//! Limits, status, instructions, balances, checks, and what is kept of exchanges.

use super::{charge, connect, connect_with, settings};
use crate::connectors::rig::{Rig, amount, sent};
use std::time::Duration;
use tua_contract::{Network, Phone};
use tua_domain::{
    Kind,
    capabilities::{Availability, any_amount},
    ports::{Operator, ReadError},
};
use tua_emulator::{
    Call, Fault, Operation, Operator as Emulated, PawapayCredentials, PawapaySettings, PerOperator,
    ProviderStatus,
};
use tua_operators::pawapay::settings::Settings;

#[tokio::test]
async fn limits_status_and_instructions_are_what_pawapay_reports() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    assert_eq!(operator.capabilities().amounts(Network::Telecel, Kind::Payout), Some(any_amount()));
    assert!(operator.prompt_instructions(Network::Mtn).is_empty());
    operator.refresh().await;
    for network in Network::ALL {
        for kind in Kind::ALL {
            let limits = operator.capabilities().amounts(network, *kind);
            assert_eq!(limits, Some(amount(100)..=amount(1_500_000)));
            assert_eq!(operator.availability(network, *kind), Availability::Operational);
        }
    }
    let instructions = operator.prompt_instructions(Network::Mtn);
    let english = "Dial *170# on your phone. Choose My Wallet, then My Approvals. Enter PIN.";
    assert_eq!(instructions.text("en"), Some(english));
    assert!(instructions.text("fr").unwrap().starts_with("Composez *170# "), "{instructions:?}");
    let telecel = operator.prompt_instructions(Network::Telecel);
    assert!(telecel.text("en").unwrap().contains("*110#"), "{telecel:?}");
    for (operation, status, kind, availability) in [
        (Operation::Deposit, ProviderStatus::Delayed, Kind::Charge, Availability::Down),
        (Operation::Deposit, ProviderStatus::Closed, Kind::Charge, Availability::Down),
        (Operation::Deposit, ProviderStatus::Operational, Kind::Charge, Availability::Operational),
        (Operation::Payout, ProviderStatus::Delayed, Kind::Payout, Availability::Degraded),
        (Operation::Payout, ProviderStatus::Closed, Kind::Payout, Availability::Down),
    ] {
        rig.emulator.set_provider_status(Network::Telecel, operation, status);
        operator.refresh().await;
        assert_eq!(
            operator.availability(Network::Telecel, kind),
            availability,
            "{operation:?} {status:?}"
        );
        assert_eq!(operator.availability(Network::Mtn, kind), Availability::Operational);
    }
    // A read that fails changes nothing.
    rig.emulator.chaos().set_once(Emulated::PAWAPAY, Call::Other, Fault::HalfJson);
    operator.refresh().await;
    assert_eq!(operator.availability(Network::Telecel, Kind::Payout), Availability::Down);
}

#[tokio::test]
async fn balances_are_read_and_names_are_not_offered() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    assert!(operator.capabilities().has_balances && !operator.capabilities().has_account_names);
    let balances = operator.balances().await.unwrap();
    assert_eq!(
        (balances.len(), balances[0].account.as_str(), balances[0].currency.as_str()),
        (1, "GHA", "GHS")
    );
    assert!(balances[0].minor_units > 0);
    let phone = Phone::parse("0593456789").unwrap();
    assert_eq!(operator.account_name(Network::Mtn, &phone).await, Err(ReadError::Unsupported));
    for fault in [Fault::Html, Fault::HalfJson, Fault::ErrorBefore, Fault::CloseBefore] {
        rig.emulator.chaos().set_once(Emulated::PAWAPAY, Call::Other, fault);
        assert!(matches!(operator.balances().await, Err(ReadError::Unanswered(_))), "{fault:?}");
    }
    rig.emulator.revoke_credentials(Emulated::PAWAPAY);
    assert!(matches!(operator.balances().await, Err(ReadError::Refused(_))));
}

#[tokio::test]
async fn a_check_compares_the_settings_with_the_dashboard() {
    let pawapay = PawapaySettings { signed_requests_only: true, ..PawapaySettings::default() };
    let operators = PerOperator::default().with(pawapay);
    let emulated = tua_emulator::Settings { operators, ..tua_emulator::Settings::default() };
    let rig = Rig::start_with(emulated).await;
    rig.emulator.set_callback_url(Emulated::PAWAPAY, super::CALLBACK_URL);
    let results = connect(&rig).check().await;
    let checks: Vec<_> = results.iter().map(|result| result.name.as_str()).collect();
    let expected = [
        "API token",
        "signed requests",
        "signed callbacks",
        "callback address at pawaPay",
        "operations",
        "keys of signed callbacks",
        "callback address",
        "clock",
    ];
    assert_eq!(checks, expected);
    assert!(results.iter().all(|result| result.outcome.is_ok()), "{results:#?}");
    let wrong = Settings { signing_key: None, signed_callbacks: false, ..settings() };
    let results =
        connect_with(&rig, wrong, "http://127.0.0.1:1/callbacks/pawapay/other").check().await;
    let faults: Vec<_> = results
        .iter()
        .filter(|result| result.outcome.is_err())
        .map(|one| one.name.as_str())
        .collect();
    let expected =
        ["signed requests", "signed callbacks", "callback address at pawaPay", "callback address"];
    assert_eq!(faults, expected, "{results:#?}");
    assert!(!format!("{results:?}").contains("/callbacks/"));
    rig.clock.advance(Duration::from_secs(300));
    let results = connect(&rig).check().await;
    let faults: Vec<_> =
        results.iter().filter(|one| one.outcome.is_err()).map(|one| one.name.as_str()).collect();
    assert_eq!(faults, ["clock"], "{results:#?}");
    rig.emulator.revoke_credentials(Emulated::PAWAPAY);
    let results = connect(&rig).check().await;
    assert!(
        results.iter().any(|result| result.name == "API token" && result.outcome.is_err()),
        "{results:#?}"
    );
}

#[tokio::test]
async fn the_evidence_has_no_secret_and_no_whole_number() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let order = charge(Network::Mtn, "0593456789");
    operator.send(&order, &rig.permit()).await;
    rig.advance(Duration::from_secs(3));
    operator.query_status(&sent(&order)).await;
    let evidence = rig.exchanges.text();
    assert!(evidence.contains("/v2/deposits") && evidence.contains("COMPLETED"), "{evidence}");
    let debug = format!("{operator:?}");
    let accepted = PawapayCredentials::default();
    for secret in [accepted.api_token.as_str(), "233593456789", "/callbacks/", "MIGH"] {
        assert!(!evidence.contains(secret), "{secret} in {evidence}");
        assert!(!debug.contains(secret), "{secret} in {debug}");
    }
}
