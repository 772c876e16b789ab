//! Payments over operators that people connected in the dashboard.

use jiff::SignedDuration;
use serde_json::{Value, json};
use std::time::Duration;
use tua_domain::{
    Generation, Mode, TransactionId,
    key_ring::{KeyRing, RegisteredKey},
    ports::{Clock, NextStatusQuery},
    secret::ServerKey,
};
use tua_emulator::{Call, Credentials, Decision, MtnCredentials, Operator, PaystackCredentials};
use tua_test_support::{
    connected_shop::{ConnectedShop, charge_with, mtn_fields, paystack_fields, rotated},
    eventually,
    refunds::{read, refund, refund_id},
};

/// Begins a charge that stays pending until it is approved.
async fn pending(shop: &ConnectedShop) -> TransactionId {
    TransactionId::new(shop.charge("0241230007").await.is(202).id())
}

fn approve(shop: &ConnectedShop, operator: Operator, id: &TransactionId) {
    let reference = id.operator_reference();
    shop.emulator.decide(operator, &reference, Decision::Approve).unwrap();
}

async fn wait_until_paid(shop: &ConnectedShop, id: &TransactionId) {
    eventually("the payment is paid", async || {
        shop.app.advance(60);
        shop.key.status(id.as_str()).await["status"] == "SUCCESSFUL"
    })
    .await;
}

/// Asks for the refund of a whole charge, and waits until the money has returned.
async fn refund_to_the_end(shop: &ConnectedShop, charge: &str) {
    let begun = refund(&shop.key, json!({ "transactionId": charge })).await.is(202);
    let id = refund_id(&begun);
    eventually("the money has returned", async || {
        shop.app.advance(30);
        read(&shop.key, &id).await["status"] == "SUCCESSFUL"
    })
    .await;
}

/// Asks for the refund of a part of a charge, in cedis, and waits for its end. Returns its method,
/// its operator and its status.
pub(super) async fn refund_partly(
    shop: &ConnectedShop,
    charge: &TransactionId,
    amount: u32,
) -> (Value, Value, Value) {
    let body = json!({ "transactionId": charge.as_str(), "amount": amount });
    let begun = refund(&shop.key, body).await.is(202);
    let shown = begun.json();
    let path = format!("/v1/refunds/{}", refund_id(&begun));
    let read = async || {
        let wait = [("prefer", "wait=1")];
        shop.key.send(reqwest::Method::GET, &path, &wait, None).await.is(200).json()
    };
    let mut ended = read().await;
    // Short steps, so that the session of the dashboard goes on.
    for _ in 0..10 {
        if ended["status"] != "PENDING" {
            break;
        }
        shop.app.advance(10);
        ended = read().await;
    }
    (shown["method"].clone(), shown["operator"].clone(), ended["status"].clone())
}

#[tokio::test]
async fn a_connected_operator_charges_pays_out_and_refunds_without_a_restart() {
    let shop = ConnectedShop::start().await;
    shop.charge("0241234567").await.is_problem(503, "network_unavailable");
    let id = shop.connect("mtn", &mtn_fields(&MtnCredentials::default())).await;
    shop.charge("0241234567").await.is_problem(503, "network_unavailable");
    shop.accept(&id).await;
    shop.charge("0241234567").await.is_problem(503, "network_unavailable");
    shop.serve(&id, &["MTN:CHARGE", "MTN:PAYOUT"]).await;
    let begun = shop.charge("0241234567").await.is(202).json();
    assert_eq!(begun["operator"], "mtn");
    shop.serve(&id, &["MTN:PAYOUT"]).await;
    shop.charge("0241234567").await.is_problem(503, "network_unavailable");
    let charge = begun["transactionId"].as_str().unwrap();
    assert_eq!(shop.end_of(charge).await["status"], "SUCCESSFUL");
    let body = json!({ "amount": 2, "phoneNumber": "0241234567", "network": "MTN" });
    let payout = shop.key.post("/v1/payout", &body).await.is(202).id();
    assert_eq!(shop.end_of(&payout).await["status"], "SUCCESSFUL");
    refund_to_the_end(&shop, charge).await;
}

#[tokio::test]
async fn it_serves_its_own_account_alone_and_a_name_of_another_account_changes_nothing() {
    let shop = ConnectedShop::start().await;
    let stranger = shop.app.account("Other Shop").await;
    let key = shop.app.key(&stranger, Mode::Live, Generation::V2).await;
    shop.connect_mtn("mtn").await;
    charge_with(&key, "0241234567").await.is_problem(503, "network_unavailable");
    let id = pending(&shop).await;
    key.get(&format!("/v1/status/{id}")).await.is(404);
    let orders = shop.emulator.orders();
    assert_eq!(orders.len(), 1, "{orders:?}");
}

#[tokio::test]
async fn an_operator_of_the_settings_goes_before_a_connected_one() {
    let settings = |config: &mut tua_config::Config, emulator: &str| {
        let key = PaystackCredentials::default().secret_key;
        let operators = format!(
            "[operators.file]\nconnector = \"paystack\"\nmode = \"live\"\n\
             environment = \"production\"\nmerchant = \"m\"\nbase-url = \"{emulator}/paystack\"\n\
             secret-key = \"{key}\"\nemail-fallback = \"pay@shop.example\"\n\
             [routes.live]\nMTN = {{ charge = [\"file\"] }}"
        );
        let read = tua_config::parse(&operators).unwrap();
        let operators = read.operators;
        let routes = read.routes;
        config.operators =
            tua_operators::configured::ConfiguredOperators::read(operators, routes, None).unwrap();
    };
    let shop = ConnectedShop::with(settings).await;
    let taken = shop.send_connect("file", &mtn_fields(&MtnCredentials::default())).await;
    assert!(taken.is(422).text.contains("has this name"));
    let id = shop.connect_mtn("mtn").await;
    let shown = shop.show(&id).await;
    assert!(shown.text.contains("file of the settings file serves this"), "{}", shown.text);
    assert_eq!(shop.charge("0241234567").await.is(202).json()["operator"], "file");
    let body = json!({ "amount": 2, "phoneNumber": "0241234567", "network": "MTN" });
    let payout = shop.key.post("/v1/payout", &body).await.is(202).json();
    assert_eq!(payout["operator"], "mtn", "the settings have no route for payouts");
}

#[tokio::test]
async fn refused_credentials_are_never_in_force_and_replaced_ones_stay_until_the_new_are_accepted()
{
    let shop = ConnectedShop::start().await;
    let right = MtnCredentials::default();
    let mut wrong = right.clone();
    wrong.collection.key = "hunter2hunter2".to_owned();
    let id = shop.connect("mtn", &mtn_fields(&wrong)).await;
    let checked = shop.act(&id, "check", &[]).await.is(200);
    assert!(!checked.text.contains("They are in force"), "{}", checked.text);
    shop.act(&id, "serve", &[("serve", "MTN:CHARGE")]).await.is(409);
    shop.charge("0241234567").await.is_problem(503, "network_unavailable");
    // A replacement before the first successful check corrects it.
    shop.done(&id, "replace", &mtn_fields(&right)).await;
    shop.accept(&id).await;
    shop.serve(&id, &["MTN:CHARGE"]).await;
    // From here on the old ones stay in force.
    shop.done(&id, "replace", &mtn_fields(&wrong)).await;
    let checked = shop.act(&id, "check", &[]).await.is(200);
    assert!(!checked.text.contains("They are in force"), "{}", checked.text);
    let charge = shop.charge("0241234567").await.is(202).id();
    assert_eq!(shop.end_of(&charge).await["status"], "SUCCESSFUL");
}

#[tokio::test]
async fn a_rotated_key_of_the_same_account_serves_its_pending_payments() {
    let shop = ConnectedShop::start().await;
    let old = PaystackCredentials::default().secret_key;
    let id = shop.connect("paystack", &paystack_fields(&old)).await;
    shop.accept(&id).await;
    shop.serve(&id, &["MTN:CHARGE"]).await;
    let charge = pending(&shop).await;
    let new = format!("{old}rotated");
    let rotated = PaystackCredentials { secret_key: new.clone() };
    shop.emulator.replace_credentials(Credentials::default().with(rotated));
    shop.done(&id, "replace", &paystack_fields(&new)).await;
    shop.accept(&id).await;
    approve(&shop, Operator::PAYSTACK, &charge);
    wait_until_paid(&shop, &charge).await;
    assert_eq!(shop.charge("0241234567").await.is(202).json()["operator"], "paystack");
}

#[tokio::test]
async fn another_account_at_the_operator_takes_the_place_and_the_old_one_finishes_its_payments() {
    let shop = ConnectedShop::start().await;
    let old = shop.connect_mtn("mtn").await;
    let charge = pending(&shop).await;
    let other = rotated();
    let next = [mtn_fields(&other), vec![("supersedes", old.as_str())]].concat();
    let new = shop.connect("mtn-next", &next).await;
    assert_eq!(shop.charge("0241234567").await.is(202).json()["operator"], "mtn", "not checked");
    shop.emulator.replace_credentials(Credentials::default().with(other));
    shop.accept(&new).await;
    assert_eq!(shop.charge("0241234567").await.is(202).json()["operator"], "mtn-next");
    assert!(shop.show(&old).await.text.contains("removed"));
    // From here on the operator accepts the credentials of the first account only.
    shop.emulator.replace_credentials(Credentials::default());
    approve(&shop, Operator::MTN_MOMO, &charge);
    wait_until_paid(&shop, &charge).await;
    refund_to_the_end(&shop, charge.as_str()).await;
}

#[tokio::test]
async fn a_removed_operator_gets_nothing_new_and_finishes_and_refunds_its_own() {
    let mut shop = ConnectedShop::start().await;
    let id = shop.connect_mtn("mtn").await;
    let charge = pending(&shop).await;
    shop.done(&id, "retire", &[]).await;
    shop.charge("0241234567").await.is_problem(503, "network_unavailable");
    let taken = shop.send_connect("mtn", &mtn_fields(&MtnCredentials::default())).await;
    assert!(taken.is(422).text.contains("has this name"), "names of removed ones stay taken");
    // Also after a restart.
    shop.app.restart().await;
    shop.charge("0241234567").await.is_problem(503, "network_unavailable");
    approve(&shop, Operator::MTN_MOMO, &charge);
    wait_until_paid(&shop, &charge).await;
    refund_to_the_end(&shop, charge.as_str()).await;
}

#[tokio::test]
async fn its_callback_counts_at_its_own_address_only() {
    let shop = ConnectedShop::start().await;
    let id = shop.connect_mtn("mtn").await;
    let charge = pending(&shop).await;
    let shown = shop.show(&id).await.text;
    let (_, rest) = shown.split_once(&format!("/callbacks/{id}/")).unwrap();
    let secret = rest.split('<').next().unwrap();
    let call = async |name: &str, secret: &str| {
        let url = format!("{}/callbacks/{name}/{secret}", shop.app.origin);
        let body = json!({ "externalId": charge.operator_reference() });
        let sent = shop.app.http.put(url).json(&body).send().await.unwrap();
        sent.status().as_u16()
    };
    // The name is not the address: another account may have the same.
    assert_eq!(call("mtn", secret).await, 404);
    assert_eq!(call(&id, "wrong").await, 404);
    let store = shop.app.running().store.clone();
    let callbacks = async || {
        let kept = store.exchanges(&charge).await.unwrap();
        kept.iter().filter(|one| one.path.starts_with("/callbacks/")).count()
    };
    assert_eq!(callbacks().await, 0);
    // The next question of the schedule is an hour away: the callback alone has the operator asked.
    shop.app.wait_for_tasks().await;
    let now = shop.app.clock.now();
    let later = Some(now + SignedDuration::from_hours(1));
    let next = NextStatusQuery { at: later, is_flagged: false };
    assert!(store.schedule_status_query(&charge, 1, next, now).await.unwrap());
    let asked = || shop.emulator.requests().of_call(Operator::MTN_MOMO, Call::Status);
    let before = asked();
    assert_eq!(call(&id, secret).await, 200);
    assert_eq!(callbacks().await, 1, "it is about a payment of this operator");
    let asking = eventually("the operator is asked", async || asked() > before);
    tokio::time::timeout(Duration::from_secs(30), asking).await.expect("it is asked at once");
}

#[tokio::test]
async fn a_network_that_is_switched_on_at_one_operator_is_off_at_the_other() {
    let shop = ConnectedShop::start().await;
    let mtn = shop.connect_mtn("mtn").await;
    let key = PaystackCredentials::default().secret_key;
    let paystack = shop.connect("paystack", &paystack_fields(&key)).await;
    shop.accept(&paystack).await;
    shop.serve(&paystack, &["MTN:CHARGE"]).await;
    assert_eq!(shop.charge("0241234567").await.is(202).json()["operator"], "paystack");
    let body = json!({ "amount": 2, "phoneNumber": "0241234567", "network": "MTN" });
    let payout = shop.key.post("/v1/payout", &body).await.is(202).json();
    assert_eq!(payout["operator"], "mtn");
    let shown = shop.show(&mtn).await.text;
    assert!(!shown.contains("value=\"MTN:CHARGE\" checked"), "{shown}");
    assert!(shown.contains("value=\"MTN:PAYOUT\" checked"), "{shown}");
}

#[tokio::test]
async fn a_running_service_encrypts_the_credentials_with_the_next_server_key() {
    let shop = ConnectedShop::start().await;
    let id = shop.connect_mtn("mtn").await;
    let keys = &shop.app.running().idempotency.keys;
    let old = keys.current();
    let next = ServerKey::parse(&format!("{}E", "B".repeat(42))).unwrap();
    let registered = [(1, &old), (2, &next)]
        .map(|(version, key)| RegisteredKey { version, digest: key.digest() });
    let only_next = KeyRing::new(std::slice::from_ref(&next), &registered).unwrap();
    keys.replace(&KeyRing::new(&[next, old], &registered).unwrap());
    shop.serve(&id, &["MTN:CHARGE"]).await;
    eventually("they are encrypted with the next key", async || {
        let stored = shop.app.running().store.connected_operators(None).await.unwrap().remove(0);
        stored.unseal(&only_next, &stored.credentials).is_some()
    })
    .await;
    let charge = shop.charge("0241234567").await.is(202).id();
    assert_eq!(shop.end_of(&charge).await["status"], "SUCCESSFUL");
}
