//! Tokens, credentials, checks, and what is kept of exchanges.

use super::{MTN, charge, connect, connect_with, requests, settings};
use crate::connectors::rig::{Rig, sent};
use futures_util::future::join_all;
use std::time::Duration;
use tua_contract::lifecycle::{Observation, Step};
use tua_domain::ports::{Operator, ReadError, SendResponse, StatusResponse};
use tua_emulator::{Call, Fault, MtnCredentials};

fn awaits() -> SendResponse {
    Observation::Awaits(Step::ApproveOnPhone).into()
}

#[tokio::test]
async fn many_calls_at_once_request_one_token() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    rig.emulator.chaos().set(MTN, Call::Token, Fault::Latency(Duration::from_millis(100)));
    let orders: Vec<_> = (0..20).map(|_| charge("0241234567")).collect();
    let permit = rig.permit();
    let responses = join_all(orders.iter().map(|order| operator.send(order, &permit))).await;
    assert!(responses.into_iter().all(|response| response == awaits()));
    assert_eq!(requests(&rig, Call::Token), 1);
}

#[tokio::test]
async fn a_token_is_replaced_ahead_of_its_end_while_it_is_still_used() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    assert_eq!(operator.send(&charge("0241234567"), &rig.permit()).await, awaits());
    rig.advance(Duration::from_secs(2879));
    assert_eq!(operator.send(&charge("0241234567"), &rig.permit()).await, awaits());
    assert_eq!(requests(&rig, Call::Token), 1);
    rig.advance(Duration::from_secs(1));
    // The next token is slow, and nobody waits for it.
    rig.emulator.chaos().set_once(MTN, Call::Token, Fault::Latency(Duration::from_secs(600)));
    for _ in 0..3 {
        assert_eq!(operator.send(&charge("0241234567"), &rig.permit()).await, awaits());
    }
    assert_eq!(requests(&rig, Call::Token), 2);
}

#[tokio::test]
async fn an_expired_token_is_replaced_and_the_call_is_made_again() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let order = charge("0241234567");
    assert_eq!(operator.send(&order, &rig.permit()).await, awaits());
    // Only MTN's clock: it ends the token earlier than it said.
    rig.emulator.clock().advance(Duration::from_secs(3600));
    assert!(matches!(operator.query_status(&sent(&order)).await, StatusResponse::Known(_)));
    rig.emulator.clock().advance(Duration::from_secs(3600));
    assert_eq!(operator.send(&charge("0241234567"), &rig.permit()).await, awaits());
    assert_eq!(requests(&rig, Call::Token), 3);
    assert_eq!(rig.emulator.orders().len(), 2);
}

#[tokio::test]
async fn without_a_token_nothing_is_sent_and_nothing_is_known() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for fault in [
        Fault::ErrorBefore,
        Fault::Unavailable,
        Fault::CloseBefore,
        Fault::CloseAfter,
        Fault::CloseInBody,
        Fault::Html,
        Fault::HalfJson,
        Fault::TooManyRequests,
        Fault::OffList,
        Fault::NotFound,
    ] {
        rig.emulator.chaos().set_once(MTN, Call::Token, fault);
        let order = charge("0241234567");
        assert_eq!(operator.send(&order, &rig.permit()).await, SendResponse::NotSent, "{fault:?}");
        // Right after a failure no other token is requested.
        assert_eq!(
            operator.query_status(&sent(&order)).await,
            StatusResponse::Unanswered,
            "{fault:?}"
        );
        rig.advance(Duration::from_secs(1));
    }
    assert_eq!(requests(&rig, Call::Send), 0);
    assert_eq!(operator.send(&charge("0241234567"), &rig.permit()).await, awaits());
}

#[tokio::test]
async fn an_order_does_not_wait_for_a_token_longer_than_it_may_be_sent() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    rig.emulator.chaos().set_once(MTN, Call::Token, Fault::Latency(Duration::from_millis(500)));
    let permit = rig.permit_for(Duration::from_millis(150));
    assert_eq!(operator.send(&charge("0241234567"), &permit).await, SendResponse::NotSent);
    assert_eq!(requests(&rig, Call::Send), 0);
    // The request for the token has continued.
    assert_eq!(operator.send(&charge("0241234567"), &rig.permit()).await, awaits());
    assert_eq!(requests(&rig, Call::Token), 1);
}

#[tokio::test]
async fn revoked_credentials_fail_no_payment_and_work_again_once_restored() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let order = charge("0241234567");
    assert_eq!(operator.send(&order, &rig.permit()).await, awaits());
    rig.emulator.revoke_credentials(MTN);
    assert_eq!(operator.send(&charge("0241234567"), &rig.permit()).await, SendResponse::NotSent);
    assert_eq!(operator.query_status(&sent(&order)).await, StatusResponse::Unanswered);
    assert!(matches!(operator.balances().await, Err(ReadError::Refused(_))));
    let faults = operator.check().await.into_iter().filter(|result| result.outcome.is_err());
    assert_eq!(faults.filter(|result| result.name.ends_with("credentials")).count(), 2);
    rig.emulator.restore_credentials(MTN);
    rig.advance(Duration::from_secs(3));
    assert_eq!(operator.send(&charge("0241234567"), &rig.permit()).await, awaits());
    assert!(matches!(operator.query_status(&sent(&order)).await, StatusResponse::Known(_)));
}

#[tokio::test]
async fn a_check_covers_credentials_environment_callbacks_and_clock() {
    let rig = Rig::start().await;
    let callback_url = "https://pay.example/callbacks/mtn/secret";
    let results = connect_with(&rig, settings("mtnghana"), callback_url).check().await;
    let checks: Vec<_> = results.iter().map(|result| result.name.as_str()).collect();
    let expected = [
        "collection credentials",
        "collection target environment",
        "disbursement credentials",
        "disbursement target environment",
        "callback address",
        "clock",
    ];
    assert_eq!(checks, expected);
    assert!(results.iter().all(|result| result.outcome.is_ok()), "{results:#?}");
    // The sandbox's environment has another currency.
    let results = connect_with(&rig, settings("sandbox"), callback_url).check().await;
    assert!(results[1].outcome.as_ref().unwrap_err().contains("EUR"), "{results:#?}");
    let results = connect_with(&rig, settings("mtnuganda"), callback_url).check().await;
    assert!(
        results[0].outcome.as_ref().unwrap_err().contains("X-Target-Environment"),
        "{results:#?}"
    );
    let results = connect(&rig).check().await;
    assert!(results[4].outcome.as_ref().unwrap_err().contains("loopback"), "{results:#?}");
    rig.clock.advance(Duration::from_secs(300));
    let results = connect_with(&rig, settings("mtnghana"), callback_url).check().await;
    assert!(results[5].outcome.is_err(), "{results:#?}");
}

#[tokio::test]
async fn the_evidence_has_no_secret_and_no_whole_number() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let order = charge("0241234567");
    operator.send(&order, &rig.permit()).await;
    rig.advance(Duration::from_secs(3));
    operator.query_status(&sent(&order)).await;
    let evidence = rig.exchanges.text();
    assert!(evidence.contains("requesttopay") && evidence.contains("SUCCESSFUL"), "{evidence}");
    let debug = format!("{operator:?}");
    let product = MtnCredentials::default().collection;
    for secret in [product.key.as_str(), &product.subscription_key, "233241234567", "/callbacks/"] {
        assert!(!evidence.contains(secret), "{secret} in {evidence}");
        assert!(!debug.contains(secret), "{secret} in {debug}");
    }
}
