//! More requests than the store can write: new payments are rejected at once, payments in progress
//! continue.

use reqwest::Method;
use serde_json::json;
use std::time::Duration;
use tokio::task::JoinHandle;
use tua_system::clock::OffsetClock;
use tua_test_support::{
    Response, TestApp, eventually,
    failing_plan::Plan,
    hosted_page::{FORM_CONTENT_TYPE, assert_page, send_form},
};

/// The queue depth from which the service sheds load.
const CROWD: usize = 64;

async fn charge_concurrently(app: &TestApp, plan: &Plan) -> Vec<JoinHandle<Response>> {
    let shop = app.shop().await;
    let payment = json!({ "amount": 1, "phoneNumber": "0241230007", "network": "MTN" });
    plan.hold(Some("begin"));
    let crowd = (0..CROWD)
        .map(|_| {
            let shop = shop.clone();
            let payment = payment.clone();
            tokio::spawn(async move { shop.post("/v1/charge", &payment).await })
        })
        .collect();
    eventually("the charges are queued", async || plan.waiting() == CROWD).await;
    crowd
}

async fn service() -> (TestApp, Plan) {
    let plan = Plan::default();
    let measured =
        |config: &mut tua_config::Config| config.metrics_listen = Some("127.0.0.1:0".to_owned());
    let app =
        TestApp::with_store(OffsetClock::stopped(), measured, |operators| operators, &plan).await;
    app.test_clock.wait_for_workers().await;
    (app, plan)
}

#[track_caller]
fn assert_overloaded(answer: Response) {
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    let seconds: u32 = answer.header("retry-after").parse().unwrap();
    assert!((1..=4).contains(&seconds), "{seconds}");
    answer.is_problem(503, "service_unavailable");
}

#[tokio::test(flavor = "multi_thread")]
async fn overload_rejects_new_payments_and_serves_those_in_progress() {
    let (app, plan) = service().await;
    let shop = app.shop().await;
    let payment = json!({ "amount": 1, "phoneNumber": "0241230007", "network": "MTN" });
    let session = json!({ "amount": 1, "email": "ama@example.com" });
    let payer = app.payer(&shop).await;
    let id = payer.charge("0201234567", "TELECEL").await.is(202).id();

    let crowd = charge_concurrently(&app, &plan).await;
    shop.post("/v1/checkout", &session).await.is(201);
    app.clock.advance(Duration::from_millis(251));

    assert_overloaded(shop.post("/v1/charge", &payment).await);
    assert_overloaded(shop.post("/v1/payout", &payment).await);
    assert_overloaded(shop.post("/v1/checkout", &session).await);
    shop.get(&format!("/v1/status/{id}")).await.is(200);
    shop.get("/v1/transactions").await.is(200);
    payer.get("/v1/checkout").await.is(200);
    app.actor("").get(&format!("/pay?key={}", payer.credential)).await.is(200);
    payer
        .send(Method::OPTIONS, "/v1/charge", &[("origin", "https://shop.example")], None)
        .await
        .is(200);
    app.actor("").get("/healthz").await.is(200);
    // The store still works, so a load balancer must keep sending requests.
    app.actor("").get("/readyz").await.is(200);
    payer.post("/v1/submit-otp", &json!({ "transactionId": id, "otp": "123456" })).await.is(200);
    let metrics = format!("http://{}/metrics", app.running().metrics_addr().unwrap());
    let metrics = app.http.get(metrics).send().await.unwrap().text().await.unwrap();
    assert!(metrics.contains("tua_requests_shed_total 3\n"), "{metrics}");

    plan.hold(None);
    for one in crowd {
        one.await.unwrap().is(202);
    }
    shop.post("/v1/charge", &payment).await.is(202);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejected_form_shows_that_nothing_was_charged() {
    let (app, plan) = service().await;
    let payer = app.payer(&app.shop().await).await;
    let crowd = charge_concurrently(&app, &plan).await;
    app.clock.advance(Duration::from_millis(251));
    let form = "phoneNumber=0240000007&network=MTN";
    let answer =
        send_form(&payer, &format!("/pay?key={}", payer.credential), form, &[FORM_CONTENT_TYPE])
            .await;
    let page = assert_page(answer, 503);
    assert!(page.text.contains("Nothing was charged by this."), "{}", page.text);
    assert!(page.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds <= 4));
    plan.hold(None);
    for one in crowd {
        one.await.unwrap().is(202);
    }
    let session = payer.get("/v1/checkout").await.is(200).json();
    assert_eq!((&session["transaction"], &session["attemptsLeft"]), (&json!(null), &json!(5)));
    let begun = tua_test_support::idempotency::count(&app, "transactions");
    assert_eq!(begun, i64::try_from(CROWD).unwrap(), "those of the crowd alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejected_payment_is_accepted_later_with_the_same_key() {
    let (app, plan) = service().await;
    let shop = app.shop().await;
    plan.hold(Some("open_checkout"));
    let session = r#"{"amount": 1, "email": "ama@example.com"}"#;
    let crowd: Vec<_> = (0..CROWD)
        .map(|_| {
            let shop = shop.clone();
            tokio::spawn(async move { shop.post_text("/v1/checkout", session).await })
        })
        .collect();
    eventually("the charges are queued", async || plan.waiting() == CROWD).await;
    app.clock.advance(Duration::from_millis(251));
    let send_with_key = async || {
        tua_test_support::idempotency::send_with_key(&shop, "/v1/checkout", "k", session).await
    };
    assert_overloaded(send_with_key().await);
    plan.hold(None);
    for one in crowd {
        one.await.unwrap().is(201);
    }
    tua_test_support::idempotency::assert_first(&send_with_key().await.is(201));
}
