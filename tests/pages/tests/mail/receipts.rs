//! Receipts: once for each successful charge and refund, where the merchant sends them and the
//! payer gave an address.

use serde_json::json;
use std::sync::Arc;
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{
    Generation, Mode, TransactionId,
    mail::{MailFilter, MailStatus, QueuedMail},
    people::Role,
    ports::{AccountChange, Clock, StatusResponse},
    review::{DecisionNote, ReviewVerdict},
};
use tua_mail::composer::{Composed, Composer};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    ApiClient, TestApp,
    binary::json as tua_json,
    dashboard::page,
    eventually,
    refunds::refund,
    scripted_operator::ScriptedOperator,
    smtp_server::{Behaviour, Encrypted, SmtpServer},
    tariffs::tariffs,
};

/// Moves the clock until a charge has this status.
async fn settle(app: &TestApp, shop: &ApiClient, id: &str, status: &str) {
    for _ in 0..20 {
        app.advance(6);
        app.wait_for_due_work().await;
        if shop.status(id).await["status"] == status {
            return;
        }
    }
    panic!("{id} is not {status}");
}

/// The newest message of the outbox.
async fn newest(app: &TestApp) -> QueuedMail {
    app.running().store.mail(&MailFilter::default(), 1).await.unwrap().remove(0)
}

fn decoded(message: &str) -> String {
    message.replace("=\r\n", "").replace("=C2=A0", " ")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_gets_one_receipt_in_the_language_of_the_browser_and_a_notice_of_the_refund() {
    let server = SmtpServer::start(Encrypted::Never, Behaviour::Accepts).await;
    let mail = server.settings(Encrypted::Never);
    let app =
        TestApp::with_clock(OffsetClock::stopped(), |config| config.mail = Some(mail), |all| all)
            .await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let charge = async |number: &str| {
        let payer = app.payer(&shop).await;
        let body = json!({ "phoneNumber": number, "network": "MTN", "amount": 10.5 });
        let request =
            payer.http.post(format!("{}/v1/charge", payer.origin)).bearer_auth(&payer.credential);
        let sent =
            request.header("accept-language", "en;q=0.5, fr-CI").json(&body).send().await.unwrap();
        let charged: serde_json::Value = sent.json().await.unwrap();
        charged["transactionId"].as_str().unwrap().to_owned()
    };
    let rows = || app.query_number("SELECT count(*) FROM mail_messages");
    settle(&app, &shop, &charge("0241234567").await, "SUCCESSFUL").await;
    assert_eq!(rows(), 0, "the merchant sends no receipts");

    let owner = app.browser_of(&account, Role::Owner).await;
    let saved = owner
        .post(&page(&account, Mode::Test, "/settings/receipts"), &[("receipts", "on")])
        .await
        .is(303);
    let shown = owner.get(saved.header("location")).await.is(200).text;
    assert!(
        shown.contains("<p class=\"done\" role=\"status\">Saved.</p>")
            && !shown.contains("no mail server"),
        "{shown}"
    );
    let failing = charge("0240000002").await;
    assert_eq!(rows(), 0, "a pending charge has no receipt");
    settle(&app, &shop, &failing, "FAILED").await;
    assert_eq!(rows(), 0, "a failed charge has none");

    let id = charge("0241234567").await;
    settle(&app, &shop, &id, "SUCCESSFUL").await;
    app.advance(3);
    eventually("the receipt was sent", async || server.received().len() == 1).await;
    assert_eq!(rows(), 1);
    let receipt = decoded(&server.received()[0]);
    for part in
        ["To: ama@example.com", "10,50 GHS", "MTN", "Mode test", "Adom Stores", "(heure du Ghana)"]
    {
        assert!(receipt.contains(part), "{part}: {receipt}");
    }
    assert!(!receipt.contains("0241234567"), "the payer's number");

    refund(&shop, json!({ "transactionId": id, "amount": 4 })).await.is(202);
    app.advance(5);
    app.wait_for_due_work().await;
    app.advance(3);
    eventually("the notice was sent", async || server.received().len() == 2).await;
    assert!(decoded(&server.received()[1]).contains("4,00 GHS"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_has_the_price_and_the_payers_fee_and_is_not_sent_after_receipts_were_turned_off()
{
    let server = SmtpServer::start(Encrypted::Never, Behaviour::Accepts).await;
    let mail = server.settings(Encrypted::Never);
    let app = TestApp::with_clock(
        OffsetClock::stopped(),
        |config| (config.mail, config.sandbox_tariffs) = (Some(mail), tariffs()),
        |all| all,
    )
    .await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let store = &app.running().store;
    store.change_account(&account, AccountChange::SendReceipts(true), &app.audit()).await.unwrap();
    let paid = async || {
        let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
        settle(&app, &shop, &id, "SUCCESSFUL").await;
        app.advance(3);
    };
    paid().await;
    eventually("the receipt was sent", async || server.received().len() == 1).await;
    let receipt = decoded(&server.received()[0]);
    for part in ["Price: GHS 10.50", "Paid, with the fee: GHS 11.50", "You paid GHS 11.50"] {
        assert!(receipt.contains(part), "{part}: {receipt}");
    }

    server.set(Behaviour::Greylists);
    paid().await;
    eventually("the second receipt waits", async || newest(&app).await.fault.is_some()).await;
    assert_eq!(newest(&app).await.status, MailStatus::Waiting);
    store.change_account(&account, AccountChange::SendReceipts(false), &app.audit()).await.unwrap();
    server.set(Behaviour::Accepts);
    app.advance(6 * 60);
    eventually("nobody needs the second receipt", async || {
        newest(&app).await.status == MailStatus::Moot
    })
    .await;
    assert_eq!(newest(&app).await.fault.as_deref(), Some("the merchant has turned receipts off"));
    assert_eq!(server.received().len(), 1);
    let failed = tua_json(app.folder.path(), &["mail", "list", "--failed"]);
    assert_eq!(failed, json!([]), "it is no failure");
}

#[tokio::test]
async fn a_conflict_that_people_decided_for_the_payment_does_not_suppress_its_receipt() {
    let refused = Observation::Failed(FailureCode::CustomerRejected);
    let operator = ScriptedOperator::new().sends(|_| Some(Observation::Succeeded));
    let operator = Arc::new(operator.asks(move |_| Some(StatusResponse::known(refused))));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let store = app.running().store.clone();
    store.set_mail(true).await.unwrap();
    store.change_account(&account, AccountChange::SendReceipts(true), &app.audit()).await.unwrap();
    let composer = Composer {
        contents: app.running().mail_contents(),
        public_url: String::new(),
        dashboard_url: String::new(),
    };
    let moot = Composed::Moot("the operator contradicts the payment");
    for (verdict, is_sent) in [
        (ReviewVerdict::Successful, true),
        (ReviewVerdict::Failed(FailureCode::Unspecified), false),
    ] {
        let paid_at = app.clock.now().strftime("%Y-%m-%d, %H:%M").to_string();
        let id = TransactionId::new(
            app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id(),
        );
        app.running().status_queries.refresh(&id).await;
        let mail = newest(&app).await;
        assert_eq!(composer.compose(&mail, app.clock.now()).await.unwrap(), moot);
        app.advance(3600);
        store
            .review(
                &id,
                verdict,
                "as the statement shows".parse::<DecisionNote>().unwrap(),
                &app.audit(),
            )
            .await
            .unwrap();
        match composer.compose(&mail, app.clock.now()).await.unwrap() {
            Composed::Ready(message) => {
                assert!(is_sent && message.text.contains(&paid_at), "{}", message.text)
            }
            composed => assert!(!is_sent && composed == moot, "{composed:?}"),
        }
    }
}
