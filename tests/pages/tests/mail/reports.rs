//! Reports of a day or a week: sent once, to who has chosen them.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::sync::Arc;
use tua_contract::lifecycle::Observation;
use tua_domain::{
    Generation, Mode,
    mail::{MailFilter, MailKind, Message, QueuedMail, ReportInterval},
    people::Role,
    ports::Clock,
};
use tua_mail::composer::{Composed, Composer};
use tua_test_support::{TestApp, scripted_operator::ScriptedOperator};

const SECURITY: &str = "/dashboard/security";

async fn queued_reports(app: &TestApp) -> Vec<QueuedMail> {
    let mails = app.running().store.mail(&MailFilter::default(), 100).await.unwrap();
    mails.into_iter().filter(|mail| mail.kind == MailKind::Report).collect()
}

async fn composed(app: &TestApp, mail: &QueuedMail, now: Timestamp) -> Composed {
    let running = app.running();
    let composer = Composer {
        contents: running.mail_contents(),
        public_url: app.origin.clone(),
        dashboard_url: app.origin.clone(),
    };
    composer.compose(mail, now).await.unwrap()
}

async fn report_message(app: &TestApp, mail: &QueuedMail, now: Timestamp) -> Message {
    match composed(app, mail, now).await {
        Composed::Ready(message) => message,
        Composed::Moot(reason) | Composed::Lost(reason) => panic!("not sent: {reason}"),
    }
}

/// The first moment of the next UTC day, plus six hours: then the report of this day is due.
fn due_after(now: Timestamp) -> Timestamp {
    let day = SignedDuration::from_hours(24).as_millis();
    let midnight = (i128::from(now.as_millisecond()) / day + 1) * day;
    Timestamp::from_millisecond(i64::try_from(midnight).unwrap()).unwrap()
        + SignedDuration::from_hours(6)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_gets_the_figures_of_a_day_once_and_none_after_stopping() {
    let operator = ScriptedOperator::new().sends(|_| Some(Observation::Succeeded));
    let app = TestApp::with(|_| {}, Arc::new(operator).behind_live()).await;
    let store = &app.running().store;
    store.set_mail(true).await.unwrap();
    let account = app.account("<b>Adom").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let shop = app.key(&account, Mode::Live, Generation::V2).await;
    let charge = json!({ "amount": 1234.5, "phoneNumber": "0241234567", "network": "MTN" });
    let id = shop.post("/v1/charge", &charge).await.is(202).id();
    shop.until(&id, |status| status["status"] == "SUCCESSFUL").await;

    owner.post(&format!("{SECURITY}/reports"), &[("interval", "hourly")]).await.is(404);
    let saved = owner.post(&format!("{SECURITY}/reports"), &[("interval", "daily")]).await.is(303);
    let shown = owner.get(saved.header("location")).await.is(200).text;
    assert!(
        shown.contains("role=\"status\">Saved.") && shown.contains("value=\"daily\" selected"),
        "{shown}"
    );

    let first = due_after(app.test_clock.now());
    store.dispatch_reports(first - SignedDuration::from_secs(1)).await.unwrap();
    assert!(queued_reports(&app).await.is_empty(), "the day has not ended");
    let (one, other) = tokio::join!(store.dispatch_reports(first), store.dispatch_reports(first));
    one.and(other).unwrap();
    let reports = queued_reports(&app).await;
    assert_eq!(reports.len(), 1, "two nodes store it once");
    let message = report_message(&app, &reports[0], first).await;
    for part in [
        "GHS 1234.50 (1 charges)",
        "GHS 0.00",
        "100 % of 1",
        "person now: 0",
        "/dashboard/security#reports",
    ] {
        assert!(message.text.contains(part), "{part}: {}", message.text);
    }
    assert!(
        message.html.contains("&lt;b&gt;Adom") && !message.html.contains("<b>Adom"),
        "{}",
        message.html
    );

    let later = first + SignedDuration::from_hours(5 * 24);
    for _ in 0..2 {
        store.dispatch_reports(later).await.unwrap();
    }
    assert_eq!(
        queued_reports(&app).await.len(),
        2,
        "the days of an outage are not sent in a burst"
    );
    owner.post(&format!("{SECURITY}/reports"), &[("interval", "never")]).await.is(303);
    store.dispatch_reports(later + SignedDuration::from_hours(48)).await.unwrap();
    assert_eq!(queued_reports(&app).await.len(), 2);
    let actions =
        "SELECT count(*) FROM audit_log WHERE action = 'reports.chosen' AND source = 'dashboard'";
    assert_eq!(app.query_number(actions), 2);
}

#[tokio::test]
async fn a_weekly_report_is_of_the_week_and_says_so_in_french() {
    let app = TestApp::start().await;
    let store = &app.running().store;
    store.set_mail(true).await.unwrap();
    let account = app.account("Adom Stores").await;
    app.browser_of(&account, Role::Viewer).await;
    app.query_number("UPDATE users SET language = 'fr' RETURNING CAST(1 AS BIGINT)");
    let user = store.user_by_email(&"viewer@example.com".parse().unwrap()).await.unwrap().unwrap();
    let by = tua_domain::audit::AuditContext {
        at: "2026-11-25T12:00:00Z".parse().unwrap(),
        ..app.audit()
    };
    store.set_report_interval(&user, Some(ReportInterval::Weekly), &by).await.unwrap();
    store.dispatch_reports("2026-11-29T23:00:00Z".parse().unwrap()).await.unwrap();
    assert!(queued_reports(&app).await.is_empty());
    let monday = "2026-11-30T06:00:00Z".parse().unwrap();
    store.dispatch_reports(monday).await.unwrap();
    let message = report_message(&app, &queued_reports(&app).await[0], monday).await;
    assert_eq!(message.subject, "Vos paiements du 2026-11-23 au 2026-11-29");
    assert!(message.text.contains("aucun encaissement"), "{}", message.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_stays_away_from_the_provider_gets_no_report_and_the_same_choice_skips_none() {
    let app = TestApp::start().await;
    let store = &app.running().store;
    store.set_mail(true).await.unwrap();
    let owner = app.browser_of(&app.account("Adom Stores").await, Role::Owner).await;
    let choose =
        async || owner.post(&format!("{SECURITY}/reports"), &[("interval", "daily")]).await.is(303);
    choose().await;
    let earlier = "UPDATE users SET report_day = report_day - 1 WHERE report_interval = 'daily' \
        RETURNING report_day";
    let day = app.query_number(earlier);
    choose().await;
    assert_eq!(
        app.query_number("SELECT report_day FROM users WHERE report_interval = 'daily'"),
        day
    );

    let due = due_after(app.test_clock.now());
    store.dispatch_reports(due).await.unwrap();
    let report = queued_reports(&app).await.remove(0);
    let seen = |days: i64| (due - SignedDuration::from_hours(24 * days)).as_millisecond();
    app.query_number(&format!(
        "INSERT INTO identities (id, user_id, issuer, subject, manages_roles, created_at, used_at)
         SELECT 'idn_1', id, 'https://login.example', 'ama', 1, 0, {} FROM users WHERE \
         report_interval = 'daily'
         RETURNING CAST(1 AS BIGINT)",
        seen(30)
    ));
    assert!(matches!(
        composed(&app, &report, due).await,
        Composed::Moot(reason) if reason.contains("provider")
    ));
    app.query_number(&format!(
        "UPDATE identities SET used_at = {} RETURNING CAST(1 AS BIGINT)",
        seen(29)
    ));
    report_message(&app, &report, due).await;
}
