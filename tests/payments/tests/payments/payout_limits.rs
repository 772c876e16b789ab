//! Limits of payouts (docs/reference/payouts.md#limits).

use reqwest::Method;
use std::sync::Arc;
use tokio::sync::Barrier;
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{
    Generation, Mode, Scope, TransactionId, change::Change, payout_controls::ControlsChange,
};
use tua_test_support::{
    ApiClient, Response, TestApp,
    payout_controls::{Merchant, pay_out},
    scripted_operator::ScriptedOperator,
};

fn refused(answer: Response, detail: &str) {
    let answer = answer.is_problem(422, "payout_limit_exceeded");
    assert!(answer.json()["detail"].as_str().unwrap().contains(detail), "{}", answer.text);
}

#[tokio::test]
async fn a_payout_beyond_the_limit_is_refused_and_stores_nothing() {
    let merchant = Merchant::start().await;
    merchant.set_limits("500", "", "").await;
    merchant.pay_out(500.0).await.is(202);
    let body = r#"{"amount":500.01,"phoneNumber":"0241234567","network":"MTN"}"#;
    let again = [("idempotency-key", "salary-3")];
    let send = async || merchant.shop.send(Method::POST, "/v1/payout", &again, Some(body)).await;
    refused(send().await, "GHS 500 at most");
    assert_eq!(merchant.app.query_number("SELECT count(*) FROM transactions"), 1);
    assert_eq!(merchant.app.query_number("SELECT count(*) FROM attempts"), 0);
    assert_eq!(merchant.operator.count("send"), 1);
    // A refusal is not stored: the same request may succeed later.
    merchant.set_limits("none", "", "").await;
    send().await.is(202);
    // Charges have no limit, nor has another account.
    merchant.set_limits("1", "1", "1").await;
    let charge = r#"{"amount":5000,"phoneNumber":"0241234567","network":"MTN"}"#;
    merchant.shop.post_text("/v1/charge", charge).await.is(202);
    pay_out(&merchant.app.shop().await, 5000.0).await.is(202);
}

#[tokio::test]
async fn the_limits_of_a_mode_and_what_counts_towards_them_are_its_own() {
    let operator = Arc::new(ScriptedOperator::new().sends(|_| Some(Observation::Succeeded)));
    let in_test = operator.behind_test();
    let in_live = operator.behind_live();
    let app = TestApp::with_stopped_clock(|operators| in_live(in_test(operators))).await;
    let account = app.account("Adom Stores").await;
    let test = app.key(&account, Mode::Test, Generation::V2).await;
    let live = app.key(&account, Mode::Live, Generation::V2).await;
    let limit = async |mode: Mode, single: &str, daily: &str| {
        let change = ControlsChange {
            limit: Change::Set(single.parse().unwrap()),
            daily_limit: Change::Set(daily.parse().unwrap()),
            ..ControlsChange::default()
        };
        let scope = Scope { account: account.clone(), mode };
        app.running().store.set_payout_controls(&scope, change, &app.audit()).await.unwrap();
    };
    limit(Mode::Test, "10", "15").await;
    pay_out(&live, 20.0).await.is(202);
    pay_out(&test, 10.0).await.is(202);
    limit(Mode::Live, "30", "50").await;
    pay_out(&live, 30.0).await.is(202);
    refused(pay_out(&live, 0.01).await, "GHS 0 are left");
    pay_out(&test, 5.0).await.is(202);
    refused(pay_out(&test, 0.01).await, "GHS 0 are left");
}

#[tokio::test]
async fn the_daily_limit_counts_what_has_not_failed_until_midnight_in_utc() {
    let fails =
        |time| Some(if time == 1 { Observation::StillPending } else { Observation::Succeeded });
    let merchant = Merchant::with_operator(Arc::new(ScriptedOperator::new().sends(fails))).await;
    merchant.set_limits("", "100", "").await;
    let first = merchant.pay_out(60.0).await.is(202).id();
    refused(merchant.pay_out(40.01).await, "GHS 40 are left");
    merchant.pay_out(40.0).await.is(202);
    refused(merchant.pay_out(0.01).await, "GHS 0 are left");
    // What has failed does not count any more.
    let transaction =
        merchant.store().transaction(&TransactionId::new(first)).await.unwrap().unwrap();
    let failed = Observation::Failed(FailureCode::RecipientNotFound);
    merchant.store().observe(&transaction, failed.into(), None, merchant.now()).await.unwrap();
    merchant.pay_out(60.0).await.is(202);
    refused(merchant.pay_out(0.01).await, "GHS 0 are left");
    // 23:59:59, then midnight.
    merchant.app.advance(23 * 3600 - 1);
    refused(merchant.pay_out(0.01).await, "GHS 0 are left");
    merchant.app.advance(1);
    merchant.pay_out(100.0).await.is(202);
    refused(merchant.pay_out(0.01).await, "GHS 0 are left");
}

#[tokio::test]
async fn a_lower_daily_limit_counts_the_payouts_before_it() {
    let merchant = Merchant::start().await;
    merchant.pay_out(70.0).await.is(202);
    merchant.set_limits("", "50", "").await;
    refused(merchant.pay_out(1.0).await, "GHS 0 are left");
    merchant.set_limits("", "71", "").await;
    merchant.pay_out(1.0).await.is(202);
    merchant.set_limits("0", "none", "").await;
    refused(merchant.pay_out(0.01).await, "GHS 0 at most");
}

#[tokio::test(flavor = "multi_thread")]
async fn racing_payouts_never_exceed_the_daily_limit_together() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "100", "50").await;
    let other = merchant.app.shop().await;
    let start = Arc::new(Barrier::new(60));
    let race = |actor: &ApiClient, amount: f64| {
        let start = start.clone();
        let actor = actor.clone();
        tokio::spawn(async move {
            start.wait().await;
            pay_out(&actor, amount).await.status.as_u16()
        })
    };
    // Payouts that need an approval count too; those of another account do not wait for the limit.
    let mine: Vec<_> = (0..40)
        .map(|number| race(&merchant.shop, if number % 8 == 0 { 51.0 } else { 7.0 }))
        .collect();
    let others: Vec<_> = (0..20).map(|_| race(&other, 7.0)).collect();
    for one in others {
        assert_eq!(one.await.unwrap(), 202);
    }
    for one in mine {
        assert!([202, 422].contains(&one.await.unwrap()));
    }
    let sum = format!(
        "SELECT cast(coalesce(sum(amount), 0) AS bigint) FROM transactions
         WHERE status <> 'FAILED' AND account_id = '{}'",
        merchant.scope().account
    );
    let sum = merchant.app.query_number(&sum);
    // Another 7 would not fit in any more.
    assert!(sum <= 10_000 && sum > 10_000 - 700, "{sum}");
}
