//! Alerts about approvals that wait and endpoints that fail: one for each thing, also in a burst.

use jiff::SignedDuration;
use tua_domain::{
    audit::AuditContext,
    mail::{Alert, AlertKind},
    ports::Clock,
    webhook::DeliveryOutcome,
};
use tua_test_support::{
    TestApp,
    payout_batches::{batch_id, batch_of, begin},
    payout_controls::Merchant,
    webhook_receiver::Subscriber,
};
use tua_use_cases::AlertSubject;

const SUBJECTS: &str = "SELECT count(*) FROM mail_alerts WHERE kind = 'APPROVAL_WAITING'";

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_an_approval_is_an_alert_and_a_batch_is_one() {
    let merchant = Merchant::start().await;
    merchant.store().set_mail(true).await.unwrap();
    merchant.set_limits("", "", "0").await;
    let payout = merchant.begin_unapproved_payout(5.0).await;
    let of = |subject: &str| format!("{SUBJECTS} AND subject = '{subject}'");
    assert_eq!(merchant.app.query_number(&of(&payout)), 1);

    let batch = batch_id(&begin(&merchant.shop, &batch_of(&[1.0, 2.0, 3.0])).await.is(202));
    assert_eq!(merchant.app.query_number(&of(&batch)), 1, "one for three payouts");
    assert_eq!(merchant.app.query_number(SUBJECTS), 2);
    let contents = merchant.app.running().mail_contents();
    let details = async |subject: &str| {
        let scope = merchant.key.scope.clone();
        let kind = AlertKind::ApprovalWaiting;
        let occurred_at = merchant.app.clock.now();
        let alert = Alert { scope, kind, subject: subject.to_owned(), occurred_at };
        contents.alert_subjects.details(alert).await.unwrap().subject
    };
    let is_waiting = async |id: &str| match details(id).await {
        AlertSubject::Payment { payment, .. } => payment.unwrap().state.is_unapproved(),
        AlertSubject::Batch { is_waiting } => is_waiting,
        other => panic!("{other:?}"),
    };
    assert!(is_waiting(&payout).await && is_waiting(&batch).await);
    merchant.approve(&payout).await.unwrap();
    assert!(!is_waiting(&payout).await && is_waiting(&batch).await);
    merchant.set_limits("", "", "none").await;
    merchant.wait(1).await;
    assert_eq!(merchant.app.query_number(SUBJECTS), 2, "a decision is no alert");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_that_fails_four_times_is_an_alert_once_a_day() {
    // The clock stands still, so that no worker sends what is due.
    let app = TestApp::with_stopped_clock(|all| all).await;
    let store = &app.running().store;
    store.set_mail(true).await.unwrap();
    let subscriber = Subscriber::new(&app).await;
    let (endpoint, _) = subscriber.add_endpoint(&app, "http://127.0.0.1:1/hooks").await;
    let start = app.clock.now();
    for _ in 0..2 {
        store.ping_endpoint(&endpoint, start).await.unwrap().unwrap();
    }
    let alerts = "SELECT count(*) FROM mail_alerts WHERE kind = 'ENDPOINT_FAILING'";
    for attempt in 1..=5 {
        let at = start + SignedDuration::from_hours(3 * attempt);
        let until = at + SignedDuration::from_secs(25);
        let leased = store.lease_deliveries(&endpoint, at, until, 9).await.unwrap();
        assert_eq!(leased.len(), 2, "attempt {attempt}");
        for delivery in leased {
            let by = AuditContext { at, ..app.audit() };
            let outcome = DeliveryOutcome::Failed(Some(500), "it responded with 500".to_owned());
            store.record_attempt(&delivery, outcome.into(), &by).await.unwrap();
        }
        let expected = i64::from(attempt >= 4);
        assert_eq!(app.query_number(alerts), expected, "attempt {attempt}");
    }
}
