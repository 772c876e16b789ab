//! The check of an operator from its page, over the emulator's wire.

use tua_domain::{Mode, people::Role};
use tua_emulator::{Call, Fault, Operator};
use tua_test_support::{dashboard::page, live_operators::LiveOperators};

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_is_checked_and_each_finding_is_shown() {
    let live = LiveOperators::routed_to("paystack").await;
    let account = live.app.running().store.accounts().await.unwrap().remove(0).id;
    let developer = live.app.browser_of(&account, Role::Developer).await;
    let at = |mode, path: &str| page(&account, mode, &format!("/operators{path}"));
    let listed = developer.get(&at(Mode::Live, "")).await.is(200).text;
    assert!(
        listed.contains("/operators/paystack/check") && listed.contains("Check credentials"),
        "{listed}"
    );

    let check = async || developer.post(&at(Mode::Live, "/paystack/check"), &[]).await.is(200).text;
    let shown = check().await;
    assert!(shown.contains("key is accepted") && shown.contains("No money was moved"), "{shown}");
    let faults = shown.matches(">fault</span>").count();
    live.emulator.chaos().set(Operator::PAYSTACK, Call::Other, Fault::OffList);
    let refused = check().await;
    assert!(refused.matches(">fault</span>").count() > faults, "{refused}");
    assert!(refused.contains("found") && !refused.contains("key is accepted"), "{refused}");
    assert!(live.emulator.orders().is_empty());

    for (mode, name) in [(Mode::Live, "nobody"), (Mode::Test, "paystack")] {
        developer.post(&at(mode, &format!("/{name}/check")), &[]).await.is(404);
    }
    let viewer = live.app.browser_of(&account, Role::Viewer).await;
    viewer.post(&at(Mode::Live, "/paystack/check"), &[]).await.is(403);
}
