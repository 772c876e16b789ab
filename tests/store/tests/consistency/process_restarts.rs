//! The binary, killed at any moment: accepted payments are not lost and not executed twice.

use reqwest::Method;
use serde_json::json;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::Command,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{sync::mpsc, time::timeout};
use tua_domain::{Event, Transaction, TransactionId, secret::random_bytes};
use tua_metrics::StoreMetrics;
use tua_test_support::{
    ApiClient, Response,
    binary::{RunningService, account, refused, tua},
    test_database,
};

/// Test numbers with different final outcomes.
const ENDINGS: [&str; 6] = ["4567", "0001", "0006", "0008", "0009", "0010"];

fn fast(command: &mut Command) {
    command.args(["--sandbox-speed", "200", "--limits", "off"]);
}

/// One charge or payout with an idempotency key; `None` if the service was killed meanwhile.
async fn pay(shop: &ApiClient, key: usize) -> Option<Response> {
    let route = if key.is_multiple_of(3) { "/v1/payout" } else { "/v1/charge" };
    let phone = format!("024123{}", ENDINGS[key % ENDINGS.len()]);
    let body = json!({
        "amount": 1,
        "phoneNumber": phone,
        "network": "MTN",
        "reference": key.to_string(),
    });
    let request = shop
        .http
        .request(Method::POST, format!("{}{route}", shop.origin))
        .bearer_auth(&shop.credential);
    let response =
        request.header("idempotency-key", key.to_string()).json(&body).send().await.ok()?;
    let status = response.status();
    let headers = response.headers().clone();
    Some(Response { status, headers, text: response.text().await.ok()? })
}

/// Creates payments in many tasks until the service is killed at a random moment.
async fn pay_until_killed(
    serving: RunningService,
    shop: &ApiClient,
    keys: &mut usize,
    accepted: &Mutex<BTreeMap<usize, String>>,
) {
    let (came, mut come) = mpsc::unbounded_channel();
    let deadly = 1 + usize::from(random_bytes::<1>()[0]) % 32;
    let first = *keys;
    *keys += 48;
    let payers = (0..4).map(|lane| {
        let shop = shop.clone();
        let came = came.clone();
        async move {
            for key in (first + lane..first + 48).step_by(4) {
                let Some(answer) = pay(&shop, key).await else { return };
                accepted.lock().unwrap().insert(key, answer.is(202).id());
                let _ = came.send(());
            }
        }
    });
    let [one, two, three, four] =
        payers.collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!());
    let kill = async move {
        for _ in 0..deadly {
            come.recv().await;
        }
        serving.kill();
    };
    tokio::join!(one, two, three, four, kill);
}

#[tokio::test(flavor = "multi_thread")]
async fn accepted_payments_survive_kill_9_and_finish_once() {
    let folder = tempfile::tempdir().unwrap();
    let (_, _, key) = account(folder.path());
    let mut keys = 0;
    let accepted = Arc::new(Mutex::new(BTreeMap::new()));
    for _ in 0..6 {
        let serving = RunningService::start(folder.path(), fast);
        let shop = serving.actor(&key);
        pay_until_killed(serving, &shop, &mut keys, &accepted).await;
    }

    let serving = RunningService::start(folder.path(), fast);
    let shop = serving.actor(&key);
    let accepted = accepted.lock().unwrap().clone();
    assert!(accepted.len() >= 6, "no payment was accepted before the kills");
    for (key, id) in &accepted {
        // It is readable, and a repetition returns the same transaction, whether or not the
        // response was stored.
        assert_eq!(shop.status(id).await["reference"], key.to_string());
        assert_eq!(pay(&shop, *key).await.unwrap().is(202).id(), *id);
    }
    // Payments without a response finish too: created before the crash or by this repetition.
    let mut all: BTreeSet<String> = accepted.values().cloned().collect();
    for key in (0..keys).filter(|key| !accepted.contains_key(key)) {
        all.insert(pay(&shop, key).await.unwrap().is(202).id());
    }
    assert_eq!(all.len(), keys, "one transaction for each key");
    for id in &all {
        shop.until(id, |status| status["status"] != "PENDING").await;
    }
    assert_eq!(serving.terminate(), Some(0));
    assert_each_finished_once(folder.path(), &all).await;
}

/// Asserts that every transaction has one final event, its events rebuild it, and the operator has
/// one order.
async fn assert_each_finished_once(folder: &Path, all: &BTreeSet<String>) {
    let store = test_database::database(folder).open(StoreMetrics::default()).await.unwrap().store;
    for id in all {
        let id = TransactionId::new(id);
        let events = store.events(&id).await.unwrap();
        let ends =
            |event: &&(_, Event)| matches!(&event.1, Event::Moved(state, _) if state.is_final());
        assert_eq!(events.iter().filter(ends).count(), 1, "{events:?}");
        assert_eq!(Transaction::replay(events), store.transaction(&id).await.unwrap());
    }
    let count = |sql: &str| usize::try_from(test_database::query_number(folder, sql)).unwrap();
    assert_eq!(count("SELECT count(*) FROM transactions"), all.len(), "an unknown transaction");
    assert_eq!(
        count("SELECT count(*) FROM sandbox_orders"),
        all.len(),
        "an unknown order, or one that was not sent"
    );
}

#[tokio::test]
async fn a_second_serve_on_the_same_file_is_rejected_and_the_first_continues() {
    if test_database::skip_on_postgres("any number of nodes serve from a server") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (_, _, key) = account(folder.path());
    let serving = RunningService::start(folder.path(), fast);
    let said = refused(tua(folder.path()).args(["serve", "--listen", "127.0.0.1:0"]));
    assert!(said.contains("tua.db") && said.contains("another"), "{said}");
    let absolute = format!("sqlite://{}/./tua.db", folder.path().display());
    refused(tua(folder.path()).args(["serve", "--listen", "127.0.0.1:0", "--database", &absolute]));
    serving.actor(&key).get("/v1/status/none").await.is(404);
    // The lock is released when its process ends for any reason.
    serving.kill();
    RunningService::start(folder.path(), fast);
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_ends_waiting_polls_and_exits_with_0() {
    let folder = tempfile::tempdir().unwrap();
    let (_, _, key) = account(folder.path());
    let serving = RunningService::start(folder.path(), |_| {});
    let shop = serving.actor(&key);
    let body = json!({ "amount": 1, "phoneNumber": "0241230007", "network": "MTN" });
    let id = shop.post("/v1/charge", &body).await.is(202).id();
    let path = format!("/v1/status/{id}");
    let poll = tokio::spawn({
        let shop = shop.clone();
        let path = path.clone();
        async move { shop.send(Method::GET, &path, &[("prefer", "wait=30")], None).await }
    });
    // This response proves that the service has read the poll, which was sent first on the same
    // connection.
    for _ in 0..20 {
        shop.get(&path).await.is(200);
    }
    assert_eq!(tokio::task::spawn_blocking(|| serving.terminate()).await.unwrap(), Some(0));
    let answer =
        timeout(Duration::from_secs(5), poll).await.expect("parked still").unwrap().is(200);
    assert_eq!(answer.json()["status"], "PENDING");
}
