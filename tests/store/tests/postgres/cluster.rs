//! Several nodes on one server: each serves any request, and gets the changes of the others.

use reqwest::Method;
use serde_json::json;
use std::{sync::Arc, time::Duration};
use tokio::sync::Notify;
use tua_contract::{Step, lifecycle::Observation};
use tua_domain::{
    TransactionId,
    ports::{Clock, CodeResponse},
    rate_limit::Rate,
    routing::Operators,
};
use tua_emulator::{Call, Fault, Operator};
use tua_net::limits::{Limits, Rates};
use tua_service::{Running, start_with};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    ApiClient, TestApp, eventually,
    idempotency::{PAYMENT, count, send_with_key},
    live_operators::LiveOperators,
    scripted_operator::ScriptedOperator,
    test_database,
};

/// Another node on the same database and clock.
pub async fn start_another_node(
    app: &TestApp,
    choose: impl FnOnce(Operators) -> Operators,
) -> Running {
    let mut config = app.config.clone();
    config.listen = "127.0.0.1:0".to_owned();
    start_with(config, Arc::new(app.test_clock.clone()), choose).await.unwrap()
}

pub fn at(node: &Running, actor: &ApiClient) -> ApiClient {
    ApiClient { origin: format!("http://{}", node.local_addr()), ..actor.clone() }
}

pub fn single_node() -> bool {
    test_database::skip_on_sqlite("one service serves a file")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_waiting_poll_returns_a_change_made_on_another_node() {
    if single_node() {
        return;
    }
    let operator = Arc::new(
        ScriptedOperator::new().sends(|_| Some(Observation::Awaits(Step::ApproveOnPhone))),
    );
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let other = start_another_node(&app, operator.behind_test()).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    let polling = tokio::spawn({
        let shop = at(&other, &shop);
        let path = format!("/v1/status/{id}");
        async move { shop.send(Method::GET, &path, &[("prefer", "wait=30")], None).await }
    });
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(30), 1).await;
    let store = &app.running().store;
    let changes = &app.running().gateway.changes;
    let id = TransactionId::new(&id);
    let asked = store.transaction(&id).await.unwrap().unwrap();
    store.observe(&asked, Observation::Succeeded.into(), None, app.clock.now()).await.unwrap();
    changes.notify(&id);
    // The clock is stopped, so only the notification of the other node ends this poll.
    assert_eq!(polling.await.unwrap().is(200).json()["status"], "SUCCESSFUL");
    other.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_listen_connection_is_reopened() {
    if single_node() {
        return;
    }
    let app = TestApp::start().await;
    let other = start_another_node(&app, |operators| operators).await;
    let lines = "SELECT count(*) FROM pg_locks
                 WHERE locktype = 'advisory' AND objsubid = 2
                   AND classid = hashtext('tua: nodes of ' || \
        current_schema())::bigint::bit(32)::bigint::oid";
    let hang_up = lines.replace("count(*)", "count(pg_terminate_backend(pid))");
    assert_eq!(app.query_number(lines), 2);
    assert_eq!(app.query_number(&hang_up), 2);
    eventually("both listen connections are open again", async || app.query_number(lines) == 2)
        .await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    at(&other, &shop).until(&id, |status| status["status"] == "SUCCESSFUL").await;
    other.stop().await;
    assert_eq!(app.query_number(lines), 1, "a node that stopped counts as alive");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repetition_on_another_node_waits_for_the_first_request() {
    if single_node() {
        return;
    }
    let operator = Arc::new(ScriptedOperator::new().sends(|_| None));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let other = start_another_node(&app, operator.behind_test()).await;
    let shop = app.shop().await;
    let there = at(&other, &shop);
    let first = tokio::spawn({
        let shop = shop.clone();
        async move { send_with_key(&shop, "/v1/charge", "k", PAYMENT).await }
    });
    eventually("the payment is created", async || count(&app, "transactions") == 1).await;
    send_with_key(&there, "/v1/charge", "k", PAYMENT)
        .await
        .is_problem(409, "idempotency_in_progress");
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(2), 1).await;
    app.advance(2);
    let first = first.await.unwrap().is(202);
    let again = send_with_key(&there, "/v1/charge", "k", PAYMENT).await.is(202);
    assert_eq!(
        (again.text.as_str(), again.header("idempotency-replayed")),
        (first.text.as_str(), "true")
    );
    assert_eq!((count(&app, "transactions"), operator.count("send")), (1, 1));
    other.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_starting_node_does_not_take_over_requests_of_a_live_node() {
    if single_node() {
        return;
    }
    // The first query hangs on the first node.
    let operator = Arc::new(ScriptedOperator::new().asks(|_| None));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    app.payer(&shop).await.charge("0241234567", "MTN").await.is(202);
    app.advance(10);
    eventually("the operator is queried", async || operator.count("ask") == 1).await;
    let leased = "SELECT ask_at FROM transactions";
    let until = app.query_number(leased);
    let other = start_another_node(&app, operator.behind_test()).await;
    // Both workers of each node have polled.
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(1), 4).await;
    assert_eq!((app.query_number(leased), operator.count("ask")), (until, 1));
    other.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn charges_racing_on_all_nodes_create_one_for_a_session() {
    if single_node() {
        return;
    }
    let app = TestApp::start().await;
    let others = [
        start_another_node(&app, |operators| operators).await,
        start_another_node(&app, |operators| operators).await,
    ];
    let shop = app.shop().await;
    for _ in 0..10 {
        let payer = app.payer(&shop).await;
        let racing: Vec<_> = (0..12)
            .map(|number| {
                let payer =
                    others.get(number % 3).map_or_else(|| payer.clone(), |node| at(node, &payer));
                tokio::spawn(async move { payer.charge("0241230007", "MTN").await.status.as_u16() })
            })
            .collect();
        let mut taken = 0;
        for one in racing {
            taken += u32::from(one.await.unwrap() == 202);
        }
        assert_eq!(taken, 1);
    }
    assert_eq!(count(&app, "transactions"), 10);
    for other in others {
        other.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_delivered_once_by_one_node() {
    if single_node() {
        return;
    }
    let app = TestApp::start().await;
    let other = start_another_node(&app, |operators| operators).await;
    let receiver = tua_test_support::webhook_receiver::WebhookReceiver::start().await;
    let merchant = tua_test_support::webhook_receiver::Subscriber::new(&app).await;
    merchant.add_endpoint(&app, &receiver.url).await;
    for number in 0..20 {
        let actor =
            if number % 2 == 0 { merchant.shop.clone() } else { at(&other, &merchant.shop) };
        actor
            .post("/v1/checkout", &json!({ "amount": 1, "email": "ama@example.com" }))
            .await
            .is(201);
    }
    let heard = receiver.wait_for_webhooks(20).await;
    app.wait_for_tasks().await;
    tokio::time::timeout(Duration::from_secs(5), other.stop()).await.unwrap();
    assert_eq!(heard.len(), 20);
    assert_eq!(
        app.query_number("SELECT coalesce(sum(attempts), 0)::bigint FROM webhook_deliveries"),
        20
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_fifth_code_waits_for_the_right_fourth_on_another_node() {
    if single_node() {
        return;
    }
    let gate = Arc::new(Notify::new());
    let asks_voucher = Observation::Awaits(Step::EnterVoucher);
    let codes = |time| {
        Some(if time == 4 {
            CodeResponse::accepted(Observation::Succeeded)
        } else {
            CodeResponse::Wrong
        })
    };
    let operator = ScriptedOperator::new().sends(move |_| Some(asks_voucher)).codes(codes);
    let operator = Arc::new(operator.gated_code(4, gate.clone()));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let other = start_another_node(&app, operator.behind_test()).await;
    let payer = app.payer(&app.shop().await).await;
    let id = payer.charge("0201234567", "TELECEL").await.is(202).id();
    let submit = |payer: ApiClient, code: u32| {
        let body = json!({ "transactionId": id, "otp": format!("00000{code}") });
        tokio::spawn(async move { payer.post("/v1/submit-otp", &body).await })
    };
    for code in 1..4 {
        submit(payer.clone(), code).await.unwrap().is(200);
    }
    let fourth = submit(payer.clone(), 4);
    operator.called("code", 4).await;
    let fifth = submit(at(&other, &payer), 5);
    operator.called("code", 5).await;
    let settled = "SELECT codes_settled FROM transactions";
    eventually("the fifth code has its verdict", async || app.query_number(settled) == 4).await;
    gate.notify_one();
    for answer in [fourth, fifth] {
        assert_eq!(answer.await.unwrap().is(200).json()["status"], "SUCCESSFUL");
    }
    assert_eq!(operator.count("cancel"), 0);
    other.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_prompt_limit_is_shared_by_all_nodes() {
    if single_node() {
        return;
    }
    let rates = Rates { prompt_test: Rate::new(3, 600).unwrap(), ..Rates::default() };
    let app = TestApp::with_clock(
        OffsetClock::stopped(),
        |config| config.limits = Limits::On(rates),
        |all| all,
    )
    .await;
    let second = start_another_node(&app, |all| all).await;
    let third = start_another_node(&app, |all| all).await;
    let shop = app.shop().await;
    let nodes = [shop.clone(), at(&second, &shop), at(&third, &shop)];
    let payment = json!({ "amount": 10, "phoneNumber": "0241230007", "network": "MTN" });
    let racing: Vec<_> = (0..12)
        .map(|number| {
            let node = nodes[number % 3].clone();
            let payment = payment.clone();
            tokio::spawn(async move { node.post("/v1/charge", &payment).await.status })
        })
        .collect();
    let mut prompted = 0;
    for answered in racing {
        match answered.await.unwrap().as_u16() {
            202 => prompted += 1,
            status => assert_eq!(status, 429),
        }
    }
    assert_eq!(prompted, 3);
    second.stop().await;
    third.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_breaker_that_opens_on_one_node_opens_on_the_others() {
    if single_node() {
        return;
    }
    let live = LiveOperators::routed_to("mtn").await;
    let other = start_another_node(&live.app, |operators| operators).await;
    live.emulator.chaos().set(Operator::MTN_MOMO, Call::Send, Fault::ErrorAfter);
    for _ in 0..5 {
        live.charge("0241234567", "MTN").await.is(202);
    }
    let shop = at(&other, &live.shop);
    let is_served = async || {
        let networks = shop.get("/v1/networks").await.is(200).json();
        networks["data"][0]["charge"]["status"] == "OPERATIONAL"
    };
    eventually("the other node withholds payments", async || !is_served().await).await;
    live.emulator.chaos().clear();
    live.app.advance(31);
    eventually("a probe closes the breaker on both", is_served).await;
    other.stop().await;
}
