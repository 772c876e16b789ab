//! The float at an operator: alerts, and warnings about payouts that exceed it.

use std::{collections::HashMap, sync::Arc};
use tua_contract::Network;
use tua_domain::{
    Generation, Kind, Mode,
    people::Role,
    ports::{Clock, Operator},
    routing::{OperatorEntry, OperatorFingerprint, Operators, PinnedOperator},
};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    TestApp,
    dashboard::page,
    eventually,
    fake_operator::{FailureMode, FakeOperator},
    payout_batches::{batch_of, begin},
    smtp_server::{Behaviour, Encrypted, SmtpServer},
    tariffs::tariffs,
};

/// Live payouts on MTN go to this operator for a fee of GHS 0.50, and an alert is due below GHS
/// 500.
fn routed_to(operator: Arc<dyn Operator>) -> Operators {
    let pin = PinnedOperator {
        name: "mtn".parse().unwrap(),
        fingerprint: OperatorFingerprint::of(&["mtn"]),
    };
    let name = pin.name.clone();
    let entry = OperatorEntry::new(pin, Mode::Live, operator);
    let entry = OperatorEntry { float_alert_below: Some(50_000), tariffs: tariffs(), ..entry };
    Operators::new(
        vec![Arc::new(entry)],
        HashMap::from([((Mode::Live, Network::Mtn, Kind::Payout), vec![name])]),
    )
}

/// A service with an operator that has GHS 500.
async fn start() -> (TestApp, Arc<FakeOperator>, SmtpServer) {
    let server = SmtpServer::start(Encrypted::Never, Behaviour::Accepts).await;
    let operator = Arc::new(FakeOperator::default());
    operator.set_balance(50_000);
    let mail = server.settings(Encrypted::Never);
    let connected = operator.clone();
    let clock = OffsetClock::stopped();
    let app =
        TestApp::with_clock(clock, |config| config.mail = Some(mail), |_| routed_to(connected))
            .await;
    app.test_clock.wait_for_workers().await;
    (app, operator, server)
}

/// The operator has this sum, and it is read twice: then what the first reading led to has ended.
async fn read_again(app: &TestApp, operator: &FakeOperator, pesewas: i64) {
    operator.set_balance(pesewas);
    for _ in 0..2 {
        let before = operator.balance_reads();
        app.wait_for_due_work().await;
        app.advance(3600);
        eventually("the balance was read", async || operator.balance_reads() > before).await;
    }
}

fn alerts(app: &TestApp) -> i64 {
    app.query_number(
        "SELECT count(*) FROM mail_alerts WHERE kind = 'FLOAT_LOW' AND subject = 'mtn'",
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_low_float_is_one_alert_until_it_has_recovered() {
    let (app, operator, _server) = start().await;
    let account = app.account("Adom Stores").await;
    app.browser_of(&account, Role::Owner).await;
    app.key(&account, Mode::Live, Generation::V2).await;
    read_again(&app, &operator, 50_000).await;
    assert_eq!(alerts(&app), 0);
    read_again(&app, &operator, 49_999).await;
    eventually("an alert", async || alerts(&app) == 1).await;
    read_again(&app, &operator, 10).await;
    assert_eq!(alerts(&app), 1, "it stays low");
    read_again(&app, &operator, 50_000).await;
    read_again(&app, &operator, 49_999).await;
    eventually("another alert", async || alerts(&app) == 2).await;

    // An account that only tests has no money at the operator.
    let other = app.account("Other").await;
    app.key(&other, Mode::Test, Generation::V2).await;
    read_again(&app, &operator, 50_000).await;
    read_again(&app, &operator, 123).await;
    eventually("a third alert", async || alerts(&app) == 3).await;
    // The clock has moved, so an earlier session has ended.
    let owner = app.browser_of(&account, Role::Owner).await;
    let operators = page(&account, Mode::Live, "/operators");
    assert!(owner.get(&operators).await.is(200).text.contains("GHS 1.23"));

    // The operator serves another account, whose money this owner may not see.
    app.key(&other, Mode::Live, Generation::V2).await;
    read_again(&app, &operator, 50_000).await;
    read_again(&app, &operator, 123).await;
    let of_owner = format!(
        "SELECT count(*) FROM mail_alerts WHERE kind = 'FLOAT_LOW' AND account_id = '{account}'"
    );
    assert_eq!(app.query_number(&of_owner), 3);
    assert_eq!(alerts(&app), 3, "nor is it an alert of the other account, which has no owner");
    let owner = app.browser_of(&account, Role::Owner).await;
    let shown = owner.get(&operators).await.is(200).text;
    assert!(
        shown.contains("is shown to people of every account") && !shown.contains("GHS 1.23"),
        "{shown}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_that_does_not_respond_is_an_alert_in_live_mode_only() {
    let mut entries = Vec::new();
    let mut operator = |name: &str, mode| {
        let pin = PinnedOperator {
            name: name.parse().unwrap(),
            fingerprint: OperatorFingerprint::of(&[name]),
        };
        let operator = Arc::new(FakeOperator::default());
        operator.set_failure(FailureMode::RequestLost);
        entries.push(Arc::new(OperatorEntry::new(pin, mode, operator)));
    };
    operator("tested", Mode::Test);
    operator("moves-money", Mode::Live);
    let operators = Operators::new(entries.clone(), HashMap::new());
    let app = TestApp::with_stopped_clock(|_| operators).await;
    app.running().store.set_mail(true).await.unwrap();
    let account = app.account("Adom Stores").await;
    for mode in [Mode::Test, Mode::Live] {
        app.key(&account, mode, Generation::V2).await;
    }
    entries.iter().for_each(|entry| entry.breaker(Kind::Payout).open(app.test_clock.now()));
    app.advance(6);
    app.wait_for_due_work().await;
    let alerts = |name: &str| {
        app.query_number(&format!("SELECT count(*) FROM mail_alerts WHERE subject = '{name}'"))
    };
    eventually("the alert is stored", async || alerts("moves-money") == 1).await;
    assert_eq!(alerts("tested"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_network_that_an_operator_refuses_is_an_alert_and_so_is_its_recovery() {
    let pin = PinnedOperator {
        name: "moves-money".parse().unwrap(),
        fingerprint: OperatorFingerprint::of(&["one"]),
    };
    let entry = Arc::new(OperatorEntry::new(pin, Mode::Live, Arc::new(FakeOperator::default())));
    let operators = Operators::new(vec![entry.clone()], HashMap::new());
    let app = TestApp::with_stopped_clock(|_| operators).await;
    app.running().store.set_mail(true).await.unwrap();
    let account = app.account("Adom Stores").await;
    app.key(&account, Mode::Live, Generation::V2).await;
    let refusals = entry.refusals.of(Network::Telecel, Kind::Charge);
    let look = async || {
        app.advance(6);
        app.wait_for_due_work().await;
    };
    let alerts = |kind: &str| {
        let subject = "subject = 'moves-money TELECEL CHARGE'";
        app.query_number(&format!(
            "SELECT count(*) FROM mail_alerts WHERE kind = '{kind}' AND {subject}"
        ))
    };
    refusals.open(app.test_clock.now());
    look().await;
    eventually("an alert", async || alerts("OPERATOR_REFUSES") == 1).await;
    // A probe does not show that orders are taken.
    refusals.half_open();
    look().await;
    assert_eq!((alerts("OPERATOR_REFUSES"), alerts("OPERATOR_RECOVERED")), (1, 0));
    refusals.succeeded();
    look().await;
    eventually("another alert", async || alerts("OPERATOR_RECOVERED") == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payout_above_the_float_is_shown_as_such_before_it_is_sent() {
    let (app, operator, _server) = start().await;
    let account = app.account("Adom Stores").await;
    read_again(&app, &operator, 10_000).await;
    let finance = app.browser_of(&account, Role::Admin).await;
    let at = page(&account, Mode::Live, "/payouts/upload");
    let file =
        |amount: &str| format!("phone,network,amount,reference\n0241234567,MTN,{amount},A-1\n");
    let check = async |amount: &str| {
        let csv = file(amount);
        finance.post_file(&at, &[("reference", "wages"), ("csv", &csv)]).await.text
    };
    let enough = check("99.50").await;
    assert!(!enough.contains("for payouts"), "{enough}");
    let short = check("99.51").await;
    assert!(short.contains("MTN MoMo had GH₵100.00 for payouts 0 minutes ago"), "{short}");
    assert!(
        short.contains("This needs GH₵100.01 with the known fees: GH₵0.01 more than is left."),
        "{short}"
    );
    assert!(short.contains("You can go on"), "{short}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_approved_and_not_sent_is_reserved_of_the_float() {
    let (app, operator, _server) = start().await;
    let account = app.account("Adom Stores").await;
    read_again(&app, &operator, 60_000).await;
    let finance = app.browser_of(&account, Role::Owner).await;
    let check = async |amount: &str| {
        let csv = format!("phone,network,amount,reference\n0241234567,MTN,{amount},A-1\n");
        let at = page(&account, Mode::Live, "/payouts/upload");
        finance.post_file(&at, &[("reference", "wages"), ("csv", &csv)]).await.text
    };
    assert!(!check("599.50").await.contains("for payouts"), "all of it is free");
    // The clock is stopped, so that the worker sends nothing yet.
    let shop = app.key(&account, Mode::Live, Generation::V2).await;
    begin(&shop, &batch_of(&[100.0, 20.5])).await.is(202);
    assert!(!check("479.00").await.contains("for payouts"));
    let short = check("479.01").await;
    assert!(short.contains("MTN MoMo had GH₵600.00 for payouts"), "{short}");
    assert!(
        short.contains("needs GH₵479.51 with the known fees: GH₵0.01 more than is left"),
        "{short}"
    );
    assert!(short.contains("GH₵120.50 are for payouts that are approved and not sent"), "{short}");
    let operators = finance.get(&page(&account, Mode::Live, "/operators")).await.text;
    assert!(operators.contains("GH₵120.50. Left for other payouts: GH₵479.50."), "{operators}");
    let sent =
        app.query_number("SELECT count(*) FROM transactions WHERE handed_over_at IS NOT NULL");
    assert_eq!(sent, 0);
}
