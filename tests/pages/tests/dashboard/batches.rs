//! Batches of payouts in the dashboard.

use super::batch_files::hidden;
use serde_json::json;
use tua_domain::{
    Generation, Mode, SecretKey,
    audit::{AuditContext, Source},
    people::Role,
    ports::OpenSessions,
    secret::SecretDigest,
};
use tua_test_support::{
    dashboard::{Browser, page},
    payout_batches::{batch_id, batch_of, begin, line, lines, outcomes, read},
    payout_controls::Merchant,
};

pub(super) fn path(merchant: &Merchant, path: &str) -> String {
    page(&merchant.scope().account, Mode::Test, path)
}

pub(super) async fn browser(merchant: &Merchant, role: Role) -> Browser {
    merchant.app.browser_of(&merchant.scope().account, role).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_approved_whole_by_a_person_who_did_not_make_its_key() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let owner = browser(&merchant, Role::Owner).await;
    let finance = browser(&merchant, Role::Finance).await;
    let (key, credential) =
        SecretKey::generate(merchant.scope().clone(), Generation::V2, merchant.now());
    let by = AuditContext {
        actor: "owner@example.com (127.0.0.1)".to_owned(),
        source: Source::Dashboard,
        ..merchant.app.audit()
    };
    merchant.store().add_key(key, &by).await.unwrap();
    let shop = merchant.app.actor(&credential);
    let body = json!({
        "payouts": [line(1, 1234.5), line(2, 1.0), line(2, 1.0)],
        "reference": "<b>salaries",
    });
    let id = batch_id(&begin(&shop, &body).await.is(202));
    let at = |action: &str| path(&merchant, &format!("/payouts/batches/{id}{action}"));

    let listed = finance.get(&path(&merchant, "/payouts")).await;
    assert!(
        listed.text.contains(&id) && listed.text.contains("3 payouts, GH₵1,236.50 in all"),
        "{}",
        listed.text
    );
    assert!(!listed.text.contains("/payments/txn_"), "its lines are not listed one by one");
    let batches = finance.get(&path(&merchant, "/payouts/batches")).await.is(200);
    assert!(batches.text.contains(&id) && batches.text.contains("waits for an approval"));
    let shown = owner.get(&at("")).await;
    assert!(
        shown.text.contains("another person must approve it")
            && !shown.text.contains("Approve 3 payouts")
    );
    owner.post(&at("/approve"), &[]).await.is(422);
    let shown = finance.get(&at("")).await;
    assert!(shown.text.contains("Approve 3 payouts of GH₵1,236.50"), "{}", shown.text);
    assert!(shown.text.contains("same amount and wallet as an earlier payout"));
    assert!(shown.text.contains("&lt;b&gt;salaries") && !shown.text.contains("<b>salaries"));
    let single = lines(&read(&shop, &id).await).remove(0);
    let alone =
        finance.post_confirmed(&path(&merchant, &format!("/payouts/{single}/approve")), &[]).await;
    let alone = alone.is(422);
    assert!(alone.text.contains("approved or refused whole"), "{}", alone.text);
    let payment = finance.get(&path(&merchant, &format!("/payments/{single}"))).await;
    assert!(payment.text.contains(&format!("/payouts/batches/{id}")));

    finance.post_confirmed(&at("/approve"), &[]).await.is(303);
    let again = finance.post_confirmed(&at("/approve"), &[]).await.is(422);
    assert!(again.text.contains("does not wait for an approval any more"), "{}", again.text);
    merchant.wait(1).await;
    let file = finance.get(&at("/results")).await;
    assert_eq!(
        (file.header("content-type"), file.text.lines().count()),
        ("text/csv; charset=utf-8; header=present", 4)
    );
    assert!(file.text.contains(&single) && file.text.contains("SUCCESSFUL"), "{}", file.text);
    assert!(finance.get(&at("")).await.text.contains("3 successful, 0 failed, 0 pending"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_refused_or_cancelled_and_belongs_to_its_account() {
    let merchant = Merchant::start().await;
    let finance = browser(&merchant, Role::Finance).await;
    let sent = batch_id(&begin(&merchant.shop, &batch_of(&[1.0, 2.0])).await.is(202));
    let cancel = path(&merchant, &format!("/payouts/batches/{sent}/cancel"));
    let question = finance.post(&cancel, &[]).await.is(200).text;
    assert!(question.contains("Stop the 2 payouts of the batch"), "{question}");
    assert!(question.contains("GH₵3.00 in all?"), "{question}");
    assert_ne!(outcomes(&read(&merchant.shop, &sent).await), ["cancelled"; 2], "only asked");
    finance.post_confirmed(&cancel, &[]).await.is(303);
    assert_eq!(outcomes(&read(&merchant.shop, &sent).await), ["cancelled"; 2]);
    merchant.set_limits("", "", "0").await;
    let waits = batch_id(&begin(&merchant.shop, &batch_of(&[1.0, 2.0])).await.is(202));
    let at = path(&merchant, &format!("/payouts/batches/{waits}/refuse"));
    let question = finance.post(&at, &[]).await.is(200).text;
    assert!(question.contains("of GH₵3.00, 2 payouts?"), "{question}");
    finance.post(&at, &[("confirmed", "yes"), ("note", "")]).await.is(422);
    finance.post_confirmed(&at, &[("note", "not ours")]).await.is(303);
    assert_eq!(outcomes(&read(&merchant.shop, &waits).await), ["approval_refused"; 2]);
    let declined = finance.get(&path(&merchant, &format!("/payouts/batches/{waits}"))).await.text;
    for text in ["0 successful, 0 failed, 0 pending", "2 payouts were not approved", ": not ours"] {
        assert!(declined.contains(text), "{text}: {declined}");
    }
    assert!(declined.contains("Declined by finance@"), "{declined}");
    assert!(!declined.contains("that failed again"), "{declined}");
    merchant.set_limits("", "", "100").await;
    let own = "phone,network,amount\n0241230001,MTN,110\n";
    let upload = path(&merchant, "/payouts/upload");
    let checked = finance.post_file(&upload, &[("csv", own)]).await.is(200).text;
    assert!(checked.contains("Payouts above GH₵100.00 need a second person"), "{checked}");
    let id = hidden(&checked, "id").to_owned();
    let confirm = format!("{upload}/confirm");
    finance.post_file(&confirm, &[("id", &*id), ("csv", own)]).await.is(303);
    merchant.set_limits("", "", "120").await;
    let still = finance.get(&path(&merchant, &format!("/payouts/batches/{id}"))).await.text;
    assert!(still.contains("when the limit was lower") && still.contains("GH₵120.00"), "{still}");
    let listed = finance.get(&path(&merchant, "/payouts/batches")).await.is(200).text;
    assert!(listed.contains("not approved, nothing sent"), "{listed}");
    let again = async |id: &str| {
        let shown = finance.get(&path(&merchant, &format!("/payouts/batches/{id}"))).await.is(200);
        shown.text.contains("Pay the 2 that failed again")
    };
    for id in [&sent, &waits] {
        assert!(!again(id).await, "who cancelled or refused may have paid in another way");
    }
    merchant.set_limits("", "", "0").await;
    let expired = batch_id(&begin(&merchant.shop, &batch_of(&[1.0, 2.0])).await.is(202));
    let revoked = merchant.app.key(&merchant.scope().account, Mode::Test, Generation::V2).await;
    let of_revoked = batch_id(&begin(&revoked, &batch_of(&[1.0, 2.0])).await.is(202));
    let keys = merchant.store().keys(None).await.unwrap();
    let digest = SecretDigest::of(&revoked.credential);
    let key = keys.iter().find(|key| key.digest == digest).unwrap();
    let by = merchant.app.audit();
    merchant.store().revoke_key(&key.id, OpenSessions::Close, &by).await.unwrap();
    assert!(again(&of_revoked).await, "nobody declined it");
    merchant.wait(72 * 60 * 60).await;
    assert_eq!(outcomes(&read(&merchant.shop, &expired).await), ["approval_refused"; 2]);
    let finance = browser(&merchant, Role::Finance).await;
    let shown = finance.get(&path(&merchant, &format!("/payouts/batches/{expired}"))).await.text;
    assert!(shown.contains("Pay the 2 that failed again"), "{shown}");
    assert!(!shown.contains("Declined by"), "{shown}");
    let strangers = batch_id(&begin(&merchant.app.shop().await, &batch_of(&[1.0])).await.is(202));
    for id in [&strangers, "bat_0", "bat_%00"] {
        finance.get(&path(&merchant, &format!("/payouts/batches/{id}"))).await.is(404);
    }
    finance
        .get(&page(&merchant.scope().account, Mode::Live, &format!("/payouts/batches/{sent}")))
        .await
        .is(404);
}
