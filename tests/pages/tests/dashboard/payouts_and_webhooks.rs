//! Payouts that a second person approves, checkout sessions, and webhook endpoints.

use serde_json::json;
use tua_domain::{
    Generation, Mode, SecretKey,
    audit::{AuditContext, Source},
    people::Role,
    ports::AccountChange,
};
use tua_test_support::{
    dashboard::{Browser, page},
    payout_controls::Merchant,
    test_database,
    webhook_receiver::{ResponseMode, WebhookReceiver},
};

fn path(merchant: &Merchant, path: &str) -> String {
    page(&merchant.scope().account, Mode::Test, path)
}

async fn browser(merchant: &Merchant, role: Role) -> Browser {
    merchant.app.browser_of(&merchant.scope().account, role).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payout_of_a_suspended_account_says_why_it_is_not_sent() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let id = merchant.begin_unapproved_payout(5.0).await;
    merchant.approve(&id).await.unwrap();
    let account = &merchant.scope().account;
    merchant
        .store()
        .change_account(account, AccountChange::Suspend(merchant.now()), &merchant.app.audit())
        .await
        .unwrap();
    merchant.wait(1).await;
    let owner = merchant.app.browser_of(account, Role::Owner).await;
    let shown =
        owner.get(&page(account, Mode::Test, &format!("/payments/{id}"))).await.is(200).text;
    assert!(shown.contains("It is not sent, because the account is suspended"), "{shown}");
    assert!(!shown.contains("The service tries"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payout_is_approved_by_a_person_who_did_not_make_its_key() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let owner = browser(&merchant, Role::Owner).await;
    let finance = browser(&merchant, Role::Finance).await;
    // The owner makes a key in the dashboard, and the key asks for a payout.
    let (key, credential) =
        SecretKey::generate(merchant.scope().clone(), Generation::V2, merchant.now());
    let by = AuditContext {
        actor: "owner@example.com (127.0.0.1)".to_owned(),
        source: Source::Dashboard,
        ..merchant.app.audit()
    };
    merchant.store().add_key(key, &by).await.unwrap();
    let body = json!({ "amount": 5, "phoneNumber": "0241234567", "network": "MTN" });
    let pay = async || merchant.app.actor(&credential).post("/v1/payout", &body).await.is(202).id();
    let first = pay().await;
    let second = pay().await;
    let third = pay().await;

    let own = owner.post(&path(&merchant, &format!("/payouts/{first}/approve")), &[]).await.is(422);
    assert!(own.text.contains("another person must approve it"), "{}", own.text);
    assert!(
        finance.get(&path(&merchant, "/payouts")).await.text.contains(&format!("{first}/approve"))
    );
    let approve = path(&merchant, &format!("/payouts/{first}/approve"));
    let question = finance.post(&approve, &[]).await.is(200).text;
    assert!(question.contains("send GH₵5.00 to 024 123 4567?"), "{question}");
    assert_eq!(merchant.outcome(&first).await.0, "PENDING", "it was only asked about");
    finance.post_confirmed(&approve, &[]).await.is(303);
    let again = finance.post_confirmed(&approve, &[]).await.is(422);
    assert!(again.text.contains("does not wait for an approval any more"), "{}", again.text);
    let refuse = path(&merchant, &format!("/payouts/{second}/refuse"));
    let question = owner.post(&refuse, &[]).await.is(200).text;
    assert!(question.contains("Decline the payout of GH₵5.00 to 024 123 4567?"), "{question}");
    let refused = owner.post(&refuse, &[("confirmed", "yes"), ("note", "")]).await.is(422).text;
    assert!(refused.contains("1 to 500 characters"), "{refused}");
    owner.post_confirmed(&refuse, &[("note", "not ours")]).await.is(303);
    let cancel = path(&merchant, &format!("/payments/{third}/cancel"));
    let question = owner.post(&cancel, &[]).await.is(200).text;
    assert!(question.contains("Cancel the payout of GH₵5.00 to 024 123 4567?"), "{question}");
    owner.post_confirmed(&cancel, &[]).await.is(303);
    merchant.wait(1).await;
    assert_eq!(merchant.outcome(&first).await.0, "SUCCESSFUL");
    assert_eq!(merchant.outcome(&second).await.1, "approval_refused");
    assert_eq!(merchant.outcome(&third).await.1, "cancelled");

    // A decision needs a fresh proof.
    merchant.app.advance(6 * 60);
    let stale =
        finance.post(&path(&merchant, &format!("/payouts/{third}/approve")), &[]).await.is(303);
    assert!(stale.header("location").starts_with("/dashboard/proof?return="), "{stale:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_makers_of_a_key_stay_its_makers_over_rotations() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let owner = browser(&merchant, Role::Owner).await;
    let admin = browser(&merchant, Role::Admin).await;
    let finance = browser(&merchant, Role::Finance).await;
    let by = |actor: &str, source| AuditContext {
        actor: actor.to_owned(),
        source,
        ..merchant.app.audit()
    };
    let owners = by("owner@example.com (127.0.0.1)", Source::Dashboard);
    let (mut key, _) =
        SecretKey::generate(merchant.scope().clone(), Generation::V2, merchant.now());
    merchant.store().add_key(key.clone(), &owners).await.unwrap();
    // At the console, then by an administrator in the dashboard, then at the console again.
    let console = by("root", Source::CommandLine);
    let admins = by("admin@example.com (127.0.0.1)", Source::Dashboard);
    let mut credential = String::new();
    for by in [&console, &admins, &console] {
        let (successor, secret) = key.successor(merchant.now());
        let until = merchant.now() + jiff::SignedDuration::from_hours(1);
        merchant.store().rotate_key(&key.id, successor.clone(), until, by).await.unwrap().unwrap();
        (key, credential) = (successor, secret);
    }
    let body = json!({ "amount": 5, "phoneNumber": "0241234567", "network": "MTN" });
    let payout = merchant.app.actor(&credential).post("/v1/payout", &body).await.is(202).id();
    let approve = path(&merchant, &format!("/payouts/{payout}/approve"));
    for maker in [&owner, &admin] {
        let own = maker.post(&approve, &[]).await;
        assert!(own.status == 422 || own.status == 403, "{own:?}");
    }
    let own = owner.post(&approve, &[]).await.is(422);
    assert!(own.text.contains("another person must approve it"), "{}", own.text);
    finance.post_confirmed(&approve, &[]).await.is(303);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_shows_what_was_sent_and_what_the_server_wrote() {
    let merchant = Merchant::start().await;
    let owner = browser(&merchant, Role::Owner).await;
    let support = browser(&merchant, Role::Support).await;
    let receiver = WebhookReceiver::start().await;
    owner.post(&path(&merchant, "/webhooks"), &[("url", &receiver.url)]).await.is(200);
    let account = &merchant.scope().account;
    let endpoint = merchant.store().endpoints(Some(account)).await.unwrap().remove(0).id;
    let ping = async || {
        let ping = format!("/webhooks/{endpoint}/ping");
        let outcome = owner.post(&path(&merchant, &ping), &[]).await.is(303);
        owner.get(outcome.header("location")).await.is(200).text
    };
    let accepted = ping().await;
    assert!(accepted.contains("accepted the test event, with HTTP 204"), "{accepted}");
    receiver.respond_with(ResponseMode::Text(400, "<b>wrong</b> signature of 0241234567"));
    let refused = ping().await;
    assert!(refused.contains("refused the test event, with HTTP 400"), "{refused}");
    assert!(refused.contains("&lt;b&gt;wrong&lt;/b&gt; signature"), "{refused}");
    assert!(refused.contains("What was sent") && refused.contains("&quot;ping&quot;"), "{refused}");

    let before = receiver.received().len();
    let order = json!({ "amount": 5, "phoneNumber": "0241230007", "network": "MTN" });
    merchant.shop.post("/v1/charge", &order).await.is(202);
    merchant.shop.post("/v1/payout", &order).await.is(202);
    // Each is pending, and successful a second later.
    receiver.wait_for_webhooks(before + 4).await;
    merchant.wait(1).await;
    let list = path(&merchant, &format!("/webhooks/{endpoint}/deliveries"));
    let count = |text: &str| text.matches("0241230007").count();
    let all = owner.get(&list).await.is(200).text;
    assert_eq!((count(&all), all.matches("<q ").count()), (4, 5), "{all}");
    // Support reads charges, and no payouts.
    let seen = support.get(&list).await.is(200).text;
    assert_eq!((count(&seen), seen.matches("<q ").count()), (2, 3), "{seen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_paid_cannot_be_closed() {
    let merchant = Merchant::start().await;
    let owner = browser(&merchant, Role::Owner).await;
    let session = json!({ "amount": 1, "email": "a@example.com", "reference": "cart-2" });
    let opened = merchant.shop.post("/v1/checkout", &session).await.is(201).json();
    let list = path(&merchant, "/checkouts");
    let close = format!("{}/close", opened["checkoutId"].as_str().unwrap());
    assert!(owner.get(&list).await.text.contains(&close));
    let payer = merchant.app.actor(opened["checkoutToken"].as_str().unwrap());
    let wallet = json!({ "phoneNumber": "0241234567", "network": "MTN" });
    payer.post("/v1/charge", &wallet).await.is(202);
    merchant.wait(3).await;
    let paid = owner.get(&list).await.is(200).text;
    assert!(paid.contains("Paid") && !paid.contains(&close), "{paid}");
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_closed_and_endpoints_are_changed() {
    let merchant = Merchant::start().await;
    let owner = browser(&merchant, Role::Owner).await;
    let get = async |at: &str| owner.get(&path(&merchant, at)).await;
    let post =
        async |at: &str, fields: &[(&str, &str)]| owner.post(&path(&merchant, at), fields).await;

    let session = json!({ "amount": 1, "email": "a@example.com", "reference": "cart-1" });
    let opened = merchant.shop.post("/v1/checkout", &session).await.is(201).json();
    let id = opened["checkoutId"].as_str().unwrap();
    assert!(get("/checkouts").await.text.contains(id));
    let question = post(&format!("/checkouts/{id}/close"), &[]).await.is(200).text;
    assert!(question.contains("Close the checkout cart-1?"), "{question}");
    assert!(get("/checkouts").await.text.contains(id), "a question changes nothing");
    let confirmed = [("confirmed", "yes")];
    post(&format!("/checkouts/{id}/close"), &confirmed).await.is(303);
    assert!(!get("/checkouts").await.text.contains(id));
    assert!(get(&format!("/checkouts?q={id}")).await.text.contains("Closed"));
    post("/checkouts/chk_0/close", &[]).await.is(404);

    post("/webhooks", &[("url", "http://127.0.0.1:9/hook")]).await.is(200);
    let endpoint =
        merchant.store().endpoints(Some(&merchant.scope().account)).await.unwrap().remove(0).id;
    post(&format!("/webhooks/{endpoint}/ping"), &[]).await.is(303);
    assert!(get(&format!("/webhooks/{endpoint}/deliveries")).await.text.contains("ping"));
    post(&format!("/webhooks/{endpoint}/disable"), &[]).await.is(303);
    assert!(get("/webhooks").await.text.contains("Disabled since"));
    assert!(get("/home").await.text.contains("1 webhook endpoint is disabled"));
    post(&format!("/webhooks/{endpoint}/enable"), &[("resend", "yes")]).await.is(303);
    let rotated =
        post(&format!("/webhooks/{endpoint}/rotate"), &[("overlap_hours", "2")]).await.is(200);
    assert!(
        rotated.text.contains("whsec_") && rotated.text.contains("also signs until"),
        "{}",
        rotated.text
    );
    let failed = "UPDATE webhook_deliveries SET status = 'FAILED', due_at = NULL";
    assert!(test_database::execute(merchant.app.folder.path(), failed) > 0);
    let failed = || {
        merchant.app.query_number("SELECT count(*) FROM webhook_deliveries WHERE status = 'FAILED'")
    };
    let all = failed();
    for (from, to) in [("", "1999-12-31"), ("2999-01-01", ""), ("yesterday", "")] {
        let period = [("from", from), ("to", to)];
        post(&format!("/webhooks/{endpoint}/resend-failed"), &period).await.is(303);
        assert_eq!(failed(), all, "{period:?}");
    }
    let refused = get(&format!("/webhooks/{endpoint}/deliveries?from=yesterday&to=")).await.text;
    assert!(refused.contains("were not understood and are not applied: from<"), "{refused}");
    let none = get(&format!("/webhooks/{endpoint}/deliveries?from=2999-01-01")).await.text;
    assert!(
        none.contains("There are no deliveries")
            && none.contains("Send those of this period that failed or were held")
    );
    post(&format!("/webhooks/{endpoint}/resend-failed"), &[("from", "1999-12-31")]).await.is(303);
    assert_eq!(failed(), 0);
    let question = post(&format!("/webhooks/{endpoint}/remove"), &[]).await.is(200).text;
    assert!(question.contains("Remove the endpoint http://127.0.0.1:9/hook?"), "{question}");
    post(&format!("/webhooks/{endpoint}/remove"), &confirmed).await.is(303);
    post(&format!("/webhooks/{endpoint}/ping"), &[]).await.is(404);
}
