//! What nodes publish to each other.

use super::cluster::single_node;
use reqwest::Method;
use std::time::Duration;
use tua_contract::lifecycle::Observation;
use tua_domain::{
    TransactionId,
    ports::{Clock, ClusterMessage},
};
use tua_test_support::TestApp;

#[tokio::test(flavor = "multi_thread")]
async fn a_change_notifies_every_listening_node() {
    if single_node() {
        return;
    }
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shared = app.running().store.cluster_link().unwrap();
    let mut subscription = shared.join("another node").await.unwrap();
    let ids: Vec<TransactionId> = (0..300).map(|_| TransactionId::mint()).collect();
    ids.iter().for_each(|id| app.running().gateway.changes.notify(id));
    let mut received = Vec::new();
    while received.len() < ids.len() {
        let next = tokio::time::timeout(Duration::from_secs(10), subscription.next())
            .await
            .expect("no message");
        received.extend(next.unwrap());
    }
    assert_eq!(received, ids.into_iter().map(ClusterMessage::Changed).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_receives_what_others_publish_and_nothing_of_its_own() {
    if single_node() {
        return;
    }
    let app = TestApp::start().await;
    let shared = app.running().store.cluster_link().unwrap();
    let mut subscription = shared.join("listening").await.unwrap();
    let own = ClusterMessage::Changed(TransactionId::mint());
    let of_another = ClusterMessage::Changed(TransactionId::mint());
    shared.publish("listening", &[own]).await.unwrap();
    shared.publish("another", std::slice::from_ref(&of_another)).await.unwrap();
    assert_eq!(subscription.next().await, Some(vec![of_another]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_without_a_notification_is_found_within_a_second() {
    if single_node() {
        return;
    }
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241230007", "MTN").await.is(202).id();
    let polling = tokio::spawn({
        let shop = shop.clone();
        let path = format!("/v1/status/{id}");
        async move { shop.send(Method::GET, &path, &[("prefer", "wait=30")], None).await }
    });
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(30), 1).await;
    // As if a node had been killed between its commit and its notification.
    let id = TransactionId::new(&id);
    let store = &app.running().store;
    let asked = store.transaction(&id).await.unwrap().unwrap();
    store.observe(&asked, Observation::Succeeded.into(), None, app.clock.now()).await.unwrap();
    assert_eq!(polling.await.unwrap().is(200).json()["status"], "SUCCESSFUL");
}
