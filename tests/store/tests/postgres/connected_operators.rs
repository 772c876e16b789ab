//! Operators that people connect on one node serve on all of them.

use super::cluster::{at, single_node, start_another_node};
use tua_test_support::{
    connected_shop::{ConnectedShop, charge_with},
    eventually,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_node_loads_what_people_connected_and_removed_on_another_one() {
    if single_node() {
        return;
    }
    let shop = ConnectedShop::start().await;
    let other = start_another_node(&shop.app, |operators| operators).await;
    let there = at(&other, &shop.key);
    charge_with(&there, "0241234567").await.is_problem(503, "network_unavailable");
    let id = shop.connect_mtn("mtn").await;
    eventually("the other node serves it", async || {
        charge_with(&there, "0241234567").await.status == 202
    })
    .await;
    shop.done(&id, "retire", &[]).await;
    eventually("the other node serves it no more", async || {
        charge_with(&there, "0241234567").await.status == 503
    })
    .await;
    other.stop().await;
    let later = start_another_node(&shop.app, |operators| operators).await;
    let pending = shop.app.running().gateway.operators.connected();
    let loaded = later.gateway.operators.connected();
    assert_eq!((pending.len(), loaded.len()), (1, 1), "for its pending payments and refunds");
    later.stop().await;
}
