//! Racing requests: exactly one wins, and nothing is counted twice or lost.

use reqwest::Method;
use serde_json::{Value, json};
use std::{collections::BTreeMap, future::Future, sync::Arc};
use tokio::sync::Barrier;
use tua_contract::{Step, lifecycle::Observation};
use tua_test_support::{ApiClient, Response, TestApp, scripted_operator::ScriptedOperator};

const RACERS: usize = 24;

/// Starts all at the same moment and returns their responses.
async fn race<F>(request: impl Fn(usize) -> F) -> Vec<Response>
where
    F: Future<Output = Response> + Send + 'static,
{
    let start = Arc::new(Barrier::new(RACERS));
    let racers: Vec<_> = (0..RACERS)
        .map(|number| {
            let start = start.clone();
            let request = request(number);
            tokio::spawn(async move {
                start.wait().await;
                request.await
            })
        })
        .collect();
    let mut answers = Vec::new();
    for racer in racers {
        answers.push(racer.await.unwrap());
    }
    answers
}

/// The number of responses with each status and code.
fn tally(answers: &[Response]) -> BTreeMap<(u16, String), usize> {
    let mut tally = BTreeMap::new();
    for answer in answers {
        let code = answer.json()["code"].as_str().unwrap_or_default().to_owned();
        *tally.entry((answer.status.as_u16(), code)).or_default() += 1;
    }
    tally
}

fn tally_of<const N: usize>(expected: [(u16, &str, usize); N]) -> BTreeMap<(u16, String), usize> {
    expected.into_iter().map(|(status, code, count)| ((status, code.to_owned()), count)).collect()
}

async fn charge(payer: ApiClient, key: Option<&str>) -> Response {
    let body = json!({ "phoneNumber": "0241234567", "network": "MTN" }).to_string();
    let key: Vec<_> = key.map(|key| ("idempotency-key", key)).into_iter().collect();
    payer.send(Method::POST, "/v1/charge", &key, Some(&body)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn racing_charges_on_one_token_accept_exactly_one() {
    let operator = Arc::new(ScriptedOperator::new());
    let app = TestApp::with(|_| {}, operator.behind_test()).await;
    let payer = app.payer(&app.shop().await).await;
    let answers = race(|_| charge(payer.clone(), None)).await;
    assert_eq!(tally(&answers), tally_of([(202, "", 1), (409, "charge_in_progress", RACERS - 1)]));
    assert_eq!(operator.each("send"), [1]);
    assert_eq!(payer.get("/v1/checkout").await.json()["attemptsLeft"], 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn racing_charges_on_a_paid_session_are_all_rejected() {
    let operator = Arc::new(ScriptedOperator::new().sends(|_| Some(Observation::Succeeded)));
    let app = TestApp::with(|_| {}, operator.behind_test()).await;
    let payer = app.payer(&app.shop().await).await;
    let answers = race(|_| charge(payer.clone(), None)).await;
    let tally = tally(&answers);
    assert_eq!(tally[&(202, String::new())], 1);
    let refused: usize =
        tally.iter().filter(|((status, _), _)| *status == 409).map(|(_, count)| count).sum();
    assert_eq!((refused, operator.each("send")), (RACERS - 1, vec![1]));
    race(|_| charge(payer.clone(), None))
        .await
        .iter()
        .for_each(|answer| assert_eq!(answer.status, 409));
    assert_eq!(operator.each("send"), [1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn racing_charges_never_use_more_than_five_attempts() {
    let refused = Observation::Failed(tua_contract::FailureCode::InsufficientFunds);
    let operator = Arc::new(ScriptedOperator::new().sends(move |_| Some(refused)));
    let app = TestApp::with(|_| {}, operator.behind_test()).await;
    let payer = app.payer(&app.shop().await).await;
    while payer.get("/v1/checkout").await.json()["attemptsLeft"] != 0 {
        race(|_| charge(payer.clone(), None)).await;
    }
    let answers = race(|_| charge(payer.clone(), None)).await;
    assert_eq!(tally(&answers), tally_of([(409, "attempts_exhausted", RACERS)]));
    assert_eq!(operator.each("send"), [1; 5]);
}

#[tokio::test(flavor = "multi_thread")]
async fn racing_requests_with_one_idempotency_key_charge_once() {
    let operator = Arc::new(ScriptedOperator::new());
    let app = TestApp::with(|_| {}, operator.behind_test()).await;
    let shop = app.shop().await;
    let body = json!({ "amount": 1, "phoneNumber": "0241234567", "network": "MTN" }).to_string();
    let answers = race(|_| {
        let shop = shop.clone();
        let body = body.clone();
        async move {
            shop.send(Method::POST, "/v1/charge", &[("idempotency-key", "k")], Some(&body)).await
        }
    })
    .await;
    let mut ids: Vec<_> =
        answers.iter().filter(|answer| answer.status == 202).map(Response::id).collect();
    ids.dedup();
    assert_eq!((ids.len(), operator.each("send")), (1, vec![1]));
    for answer in answers.iter().filter(|answer| answer.status != 202) {
        assert_eq!(
            (answer.status.as_u16(), &answer.json()["code"]),
            (409, &json!("idempotency_in_progress"))
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn racing_codes_count_at_most_five() {
    let operator = ScriptedOperator::new().sends(|_| Some(Observation::Awaits(Step::EnterVoucher)));
    let operator = Arc::new(operator);
    let app = TestApp::with(|_| {}, operator.behind_test()).await;
    let payer = app.payer(&app.shop().await).await;
    let id = payer.charge("0201234567", "TELECEL").await.is(202).id();
    let body = json!({ "transactionId": id, "otp": "000000" });
    let answers = race(|_| {
        let payer = payer.clone();
        let body = body.clone();
        async move { payer.post("/v1/submit-otp", &body).await }
    })
    .await;
    assert_eq!(
        tally(&answers),
        tally_of([(200, "", 5), (409, "verification_not_expected", RACERS - 5)])
    );
    assert_eq!((operator.count("code"), operator.count("cancel")), (5, 1));
    let ended = payer.status(&id).await;
    assert_eq!(
        (&ended["status"], &ended["failure"]["code"]),
        (&json!("FAILED"), &json!("otp_attempts_exhausted"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_right_code_racing_with_wrong_ones_has_one_outcome() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for _ in 0..5 {
        let payer = app.payer(&shop).await;
        let id = payer.charge("0201234567", "TELECEL").await.is(202).id();
        let answers = race(|number| {
            let otp = if number == 3 { "123456" } else { "000000" };
            let payer = payer.clone();
            let body = json!({ "transactionId": id, "otp": otp });
            async move { payer.post("/v1/submit-otp", &body).await }
        })
        .await;
        assert!(answers.iter().filter(|answer| answer.status == 200).count() <= 5);
        app.advance(2);
        let ended = shop.until(&id, |status| status["status"] != "PENDING").await;
        let checkout = payer.get("/v1/checkout").await.json();
        let paid = ended["status"] == "SUCCESSFUL";
        assert_eq!(
            (checkout["status"] == "PAID", &ended["conflict"]),
            (paid, &Value::Null),
            "{ended}"
        );
    }
}
