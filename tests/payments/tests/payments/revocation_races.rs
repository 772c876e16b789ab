//! The revocation of a key while its orders are handed over or sent again
//! (docs/reference/credentials.md#revoking-a-key).

use super::orders_of_revoked_keys::{Shop, WAITS};
use std::sync::Arc;
use std::time::Duration;
use tua_contract::{Status, lifecycle::Observation};
use tua_domain::{
    Generation, SecretKey, TransactionId,
    ports::{HandOver, OpenSessions, Route, StatusResponse},
};
use tua_test_support::{payout_controls::Merchant, scripted_operator::ScriptedOperator};

#[tokio::test]
async fn the_mark_checks_the_key_of_an_order_that_the_revocation_did_not_find() {
    let shop = Shop::start().await;
    let store = shop.merchant.store().clone();
    let id = TransactionId::new(shop.merchant.pay_out(5.0).await.is(202).id());
    let now = shop.merchant.now();
    // The revocation comes while the order is handed over, and the mark is withdrawn afterwards.
    let HandOver::Marked(marked) =
        store.hand_over(&id, Route::Open, now, now, Duration::ZERO).await.unwrap()
    else {
        panic!("not marked")
    };
    shop.revoke(OpenSessions::Close).await;
    assert_eq!(shop.standing(id.as_str()).await, "PENDING WAIT");
    assert!(
        store.withdraw_hand_over(&marked, shop.app().test_clock.now_plus(600), now).await.unwrap()
    );
    // It is due at once, and stopped.
    let due = shop.app().query_number(
        "SELECT count(*) FROM transactions WHERE send_at IS NOT NULL AND send_at <= updated_at",
    );
    assert_eq!(due, 1);
    let held = store.hand_over(&id, Route::Open, now, now, Duration::ZERO).await.unwrap();
    assert!(matches!(&held, HandOver::Held(held) if held.handed_over_at.is_none()), "{held:?}");
    assert_eq!(shop.standing(id.as_str()).await, WAITS);
    assert_eq!(
        store.hand_over(&id, Route::Open, now, now, Duration::ZERO).await.unwrap(),
        HandOver::Nothing
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_revocation_and_a_hand_over_exactly_one_wins() {
    let shop = Shop::start().await;
    let store = shop.merchant.store().clone();
    for number in 0..10 {
        let (key, credential) =
            SecretKey::generate(shop.merchant.scope().clone(), Generation::V2, shop.merchant.now());
        store.add_key(key.clone(), &shop.app().audit()).await.unwrap();
        let client = shop.app().actor(&credential);
        let id = TransactionId::new(
            tua_test_support::payout_controls::pay_out(&client, 5.0).await.is(202).id(),
        );
        let now = shop.merchant.now();
        let audit = shop.app().audit();
        let hand_over = store.hand_over(&id, Route::Open, now, now, Duration::ZERO);
        let revocation = store.revoke_key(&key.id, OpenSessions::Close, &audit);
        let (handed, revoked) = if number % 2 == 0 {
            tokio::join!(hand_over, revocation)
        } else {
            let (revoked, handed) = tokio::join!(revocation, hand_over);
            (handed, revoked)
        };
        assert!(revoked.unwrap().is_some());
        let transaction = shop.stored(id.as_str()).await;
        match handed.unwrap() {
            HandOver::Marked(_) => {
                assert!(transaction.handed_over_at.is_some() && !transaction.state.is_unapproved())
            }
            HandOver::Held(_) | HandOver::Nothing => {
                assert!(transaction.handed_over_at.is_none() && transaction.state.is_unapproved());
            }
            HandOver::Ended(ended) => panic!("{ended:?}"),
        }
    }
}

#[tokio::test]
async fn an_order_that_never_arrived_is_not_sent_again_for_a_revoked_key() {
    let operator = ScriptedOperator::new()
        .sends(|_| Some(Observation::Ambiguous))
        .asks(|_| Some(StatusResponse::NeverReceived));
    let merchant = Merchant::with_operator(Arc::new(operator)).await;
    let payout = merchant.pay_out(5.0).await.is(202).id();
    merchant
        .store()
        .revoke_key(&merchant.key.id, OpenSessions::Close, &merchant.app.audit())
        .await
        .unwrap();
    for _ in 0..10 {
        merchant.wait(60).await;
    }
    assert_eq!(merchant.operator.count("send"), 1);
    let stored =
        merchant.store().transaction(&TransactionId::new(&*payout)).await.unwrap().unwrap();
    assert_eq!(stored.state.status(), Status::Pending, "its outcome is unknown");
}
