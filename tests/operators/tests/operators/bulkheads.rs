//! A slow operator delays no transaction of another (docs/reference/lifecycle.md, Poll schedule).

use serde_json::json;
use std::sync::Arc;
use tua_contract::{Network, lifecycle::Observation};
use tua_domain::{Generation, Mode, ports::StatusResponse, rate_limit::Rate};
use tua_net::limits::{Limits, Rates};
use tua_system::clock::OffsetClock;
use tua_test_support::{TestApp, scripted_operator::ScriptedOperator};

/// More than the worker's places for one operator and direction.
const MANY: usize = 70;

#[tokio::test]
async fn a_hanging_operator_takes_no_places_of_a_working_one() {
    let hanging = Arc::new(ScriptedOperator::new().asks(|_| None));
    let working = Arc::new(
        ScriptedOperator::new().asks(|_| Some(StatusResponse::known(Observation::Succeeded))),
    );
    let mtn = hanging.clone();
    let telecel = working.clone();
    // A live key ends `--limits off`; all charges prompt one phone.
    let high = Rate::new(1_000_000, 1).unwrap();
    let rates =
        Rates { secret_key: high, prompt_live: high, prompt_daily: high, ..Rates::default() };
    let app = TestApp::with_clock(
        OffsetClock::stopped(),
        |config| config.limits = Limits::On(rates),
        |operators| operators.with_live(Network::Mtn, mtn).with_live(Network::Telecel, telecel),
    )
    .await;
    app.test_clock.wait_for_workers().await;
    let shop = app.merchant(Mode::Live, Generation::V2).await;
    let pay = async |path: &str, network: &str| {
        let body = json!({ "amount": 1, "phoneNumber": "0241234567", "network": network });
        shop.post(path, &body).await.is(202).id()
    };
    for _ in 0..MANY {
        pay("/v1/charge", "MTN").await;
    }
    app.advance(10);
    hanging.called("ask", 64).await;
    app.test_clock.wait_for_workers().await;
    let charge = pay("/v1/charge", "TELECEL").await;
    let payout = pay("/v1/payout", "TELECEL").await;
    let other_direction = pay("/v1/payout", "MTN").await;
    app.advance(10);
    for id in [charge, payout] {
        shop.until(&id, |status| status["status"] == "SUCCESSFUL").await;
    }
    hanging.called("ask", 65).await;
    assert_eq!(shop.status(&other_direction).await["status"], "PENDING");
    assert_eq!(hanging.max_concurrent_queries(), 65, "64 charges, and the payout");
}
