//! No byte of an order leaves without a durable mark, and an order without it is certainly not sent
//! (docs/reference/lifecycle.md, Handing over).

use futures_util::future::join_all;
use jiff::SignedDuration;
use std::{sync::Arc, time::Duration};
use tua_contract::{Amount, Network, Phone, Status, lifecycle::Observation};
use tua_domain::{
    Details, Kind, Mode, Scope, Transaction, TransactionId, TransactionOrder, Transfer,
    ports::{AccountChange, Clock, HandOver, Route, Transactions},
    tariff::Price,
    transaction::Sending,
};
use tua_test_support::{ApiClient, TestApp, eventually, scripted_operator::ScriptedOperator};

const HOUR: u64 = 3600;

/// A service whose operator accepts every order, and a merchant.
async fn service() -> (TestApp, Arc<ScriptedOperator>, ApiClient) {
    let operator = Arc::new(ScriptedOperator::new().sends(|_| Some(Observation::StillPending)));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    (app, operator, shop)
}

/// Begins a payment whose order is sent after so many seconds, as one that waits for an approval.
async fn begin_later(app: &TestApp, kind: Kind, seconds: i64) -> TransactionId {
    let new = TransactionOrder {
        link: None,
        refund: None,
        key: None,
        batch: None,
        needs_approval: false,
        id: TransactionId::mint(),
        scope: Scope { account: app.account("Adom Stores").await, mode: Mode::Test },
        reference: "later".to_owned(),
        checkout: None,
        transfer: Transfer {
            kind,
            amount: Amount::from_pesewas(1050).unwrap(),
            network: Network::Mtn,
            phone: Phone::parse("0241234567").unwrap(),
        },
        price: Price::without_tariff(Amount::from_pesewas(1050).unwrap()),
        details: Details::default(),
    };
    let now = app.clock.now();
    let sending =
        Sending::Later { send_at: now + SignedDuration::from_secs(seconds), operator: None };
    app.running()
        .store
        .begin(new.into(), sending, None, Vec::new(), now)
        .await
        .unwrap()
        .order
        .id
        .clone()
}

/// A transaction. Asserts that its events rebuild it.
async fn stored(transactions: &dyn Transactions, id: &TransactionId) -> Transaction {
    let transaction = transactions.transaction(id).await.unwrap().unwrap();
    assert_eq!(
        Transaction::replay(transactions.events(id).await.unwrap()).as_ref(),
        Some(&transaction)
    );
    transaction
}

async fn wait(app: &TestApp, seconds: u64) {
    app.advance(seconds);
    app.wait_for_due_work().await;
}

#[tokio::test]
async fn the_mark_of_a_payment_that_is_sent_at_once_is_written_with_it() {
    let (app, operator, shop) = service().await;
    let charge =
        TransactionId::new(app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id());
    let transaction = stored(app.running().store.as_ref(), &charge).await;
    assert_eq!(
        (transaction.handed_over_at, transaction.version),
        (Some(transaction.created_at), 1)
    );
    assert_eq!(operator.count("send"), 1);
}

#[tokio::test]
async fn an_order_that_waits_is_neither_sent_nor_asked_about_nor_delayed_until_it_is_due() {
    let (app, operator, _) = service().await;
    let id = begin_later(&app, Kind::Payout, 3600).await;
    for _ in 0..5 {
        wait(&app, 600).await;
    }
    let store = app.running().store.clone();
    assert_eq!((operator.count("send"), operator.count("ask")), (0, 0));
    assert_eq!(
        app.query_number(
            "SELECT count(*) FROM transactions WHERE delayed_at IS NOT NULL OR \
             review_at IS NOT NULL"
        ),
        0
    );
    assert!(store.flagged(None).await.unwrap().is_empty());
    app.running().status_queries.refresh(&id).await;
    assert_eq!(
        operator.count("ask"),
        0,
        "a callback about an order that is not handed over is ignored"
    );

    wait(&app, 600).await;
    let sent = stored(store.as_ref(), &id).await;
    assert_eq!((operator.count("send"), sent.handed_over_at), (1, Some(app.clock.now())));
    // Ages run from the mark, not from the creation.
    wait(&app, 599).await;
    assert_eq!(
        app.query_number("SELECT count(*) FROM transactions WHERE delayed_at IS NOT NULL"),
        0
    );
    wait(&app, 1).await;
    assert_eq!(
        app.query_number("SELECT count(*) FROM transactions WHERE delayed_at IS NOT NULL"),
        1
    );
    assert!(operator.count("ask") > 0 && operator.count("send") == 1);
    assert!(store.flagged(None).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_order_that_waited_too_long_ends_without_being_sent() {
    let (app, operator, _) = service().await;
    for (kind, max_wait) in [(Kind::Payout, 72 * HOUR), (Kind::Charge, 600)] {
        let id = begin_later(&app, kind, 1).await;
        let store = app.running().store.clone();
        let account = stored(store.as_ref(), &id).await.order.scope.account.clone();
        store
            .change_account(&account, AccountChange::Suspend(app.clock.now()), &app.audit())
            .await
            .unwrap();
        wait(&app, 1).await;
        wait(&app, max_wait - 2).await;
        assert_eq!(stored(store.as_ref(), &id).await.state.status(), Status::Pending, "{kind:?}");
        wait(&app, 61).await;
        let ended = stored(store.as_ref(), &id).await;
        assert_eq!(
            (ended.state.status(), ended.handed_over_at),
            (Status::Failed, None),
            "{kind:?}"
        );
        assert_eq!(format!("{:?}", ended.state), "Failed(NotSent)");
    }
    assert_eq!((operator.count("send"), operator.count("ask")), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_simultaneous_hand_overs_exactly_one_may_send() {
    let (app, _, _) = service().await;
    let store = app.running().store.clone();
    let id = begin_later(&app, Kind::Payout, 3600).await;
    let now = app.clock.now();
    let first_query_at = now + SignedDuration::from_secs(10);
    let all = join_all((0..20).map(|_| {
        let store = store.clone();
        let id = id.clone();
        tokio::spawn(async move {
            store.hand_over(&id, Route::Open, first_query_at, now, Duration::ZERO).await.unwrap()
        })
    }))
    .await;
    let marked: Vec<_> =
        all.into_iter().map(Result::unwrap).filter(|one| *one != HandOver::Nothing).collect();
    let [HandOver::Marked(marked)] = &marked[..] else { panic!("{marked:?}") };
    assert_eq!(*marked, stored(store.as_ref(), &id).await);
    assert_eq!(
        app.query_number(
            "SELECT count(*) FROM transactions WHERE send_at IS NULL AND ask_at IS NOT NULL"
        ),
        1
    );
}

#[tokio::test]
async fn a_mark_is_cleared_only_while_nothing_else_has_happened() {
    let (app, _, _) = service().await;
    let store = app.running().store.clone();
    let now = app.clock.now();
    let later = app.clock.now() + SignedDuration::from_hours(1);
    let id = begin_later(&app, Kind::Payout, 3600).await;
    let HandOver::Marked(first) =
        store.hand_over(&id, Route::Open, later, now, Duration::ZERO).await.unwrap()
    else {
        panic!("not marked")
    };
    assert!(store.withdraw_hand_over(&first, later, now).await.unwrap());
    assert!(stored(store.as_ref(), &id).await.handed_over_at.is_none());
    assert_eq!(
        app.query_number(
            "SELECT count(*) FROM transactions WHERE ask_at IS NULL AND send_at IS NOT NULL"
        ),
        1
    );
    let HandOver::Marked(second) =
        store.hand_over(&id, Route::Open, later, now, Duration::ZERO).await.unwrap()
    else {
        panic!("not marked")
    };
    assert!(!store.withdraw_hand_over(&first, later, now).await.unwrap(), "an earlier mark");
    store.observe(&second, Observation::Succeeded.into(), None, now).await.unwrap();
    assert!(
        !store.withdraw_hand_over(&second, later, now).await.unwrap(),
        "the order was executed"
    );
    assert_eq!(stored(store.as_ref(), &id).await.state.status(), Status::Successful);
    assert_eq!(
        store.hand_over(&id, Route::Open, later, now, Duration::ZERO).await.unwrap(),
        HandOver::Nothing
    );
}

#[tokio::test]
async fn an_order_that_waits_is_sent_after_a_restart() {
    let (mut app, operator, _) = service().await;
    let id = begin_later(&app, Kind::Payout, 5).await;
    let behind = operator.behind_test();
    app.restart_with(behind).await;
    app.test_clock.wait_for_workers().await;
    wait(&app, 5).await;
    eventually("it is sent", async || operator.count("send") == 1).await;
    assert!(stored(app.running().store.as_ref(), &id).await.handed_over_at.is_some());
}
