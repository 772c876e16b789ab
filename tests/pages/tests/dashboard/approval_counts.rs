//! What waits for the person who looks, and what waits for somebody else; and who is named as an
//! approver of a batch.

use super::{
    ask_for_money::new_key,
    batch_files::hidden,
    batches::{browser, path},
};
use tua_domain::{
    Generation, SecretKey,
    audit::{AuditContext, Source},
    people::Role,
};
use tua_test_support::{
    dashboard::Browser,
    payout_batches::{batch_id, batch_of, begin},
    payout_controls::Merchant,
};

/// Asks for a payout and for a batch, as a person of the dashboard.
async fn ask_for_two(merchant: &Merchant, person: &Browser) {
    let new = path(merchant, "/payouts/new");
    let key = new_key(person, &new).await;
    let fields = [("key", &*key), ("phoneNumber", "0241234567"), ("amount", "7")];
    person.post(&format!("{new}/confirm"), &fields).await.is(303);
    let upload = path(merchant, "/payouts/upload");
    let csv = "Phone,Amount\n0241230001,8\n0241230002,9\n";
    let checked = person.post_file(&upload, &[("csv", csv)]).await.is(200);
    let fields = [("id", hidden(&checked.text, "id")), ("csv", csv)];
    person.post_file(&format!("{upload}/confirm"), &fields).await.is(303);
}

/// A batch that a key asks for which this person has made. Returns its id.
async fn batch_of_key_of(merchant: &Merchant, email: &str) -> String {
    let (key, credential) =
        SecretKey::generate(merchant.scope().clone(), Generation::V2, merchant.now());
    let by = AuditContext {
        actor: format!("{email} (127.0.0.1)"),
        source: Source::Dashboard,
        ..merchant.app.audit()
    };
    merchant.store().add_key(key, &by).await.unwrap();
    batch_id(&begin(&merchant.app.actor(&credential), &batch_of(&[3.0, 4.0])).await.is(202))
}

#[tokio::test(flavor = "multi_thread")]
async fn own_requests_wait_for_somebody_else_and_the_number_is_the_same_everywhere() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let owner = browser(&merchant, Role::Owner).await;
    let finance = browser(&merchant, Role::Finance).await;
    merchant.begin_unapproved_payout(5.0).await;
    begin(&merchant.shop, &batch_of(&[1.0, 2.0])).await.is(202);
    ask_for_two(&merchant, &owner).await;
    batch_of_key_of(&merchant, "owner@example.com").await;

    for (person, own, mine, others) in [
        (&owner, 3, "2 payouts or batches wait for your approval", "3 that you asked for wait"),
        (&finance, 0, "5 payouts or batches wait for your approval", "that you asked for wait"),
    ] {
        let home = person.get(&path(&merchant, "/home")).await.is(200).text;
        assert!(home.contains(mine), "{home}");
        assert_eq!(home.contains(others), own > 0, "{home}");
        let count = format!("<span class=\"count\">{}<", 5 - own);
        assert_eq!(home.matches(&count).count(), 2, "beside the place, and beside More: {home}");
        let approvals = person.get(&path(&merchant, "/payouts")).await.is(200).text;
        assert!(approvals.contains(&format!("{} wait for you.", 5 - own)), "{approvals}");
        assert_eq!(approvals.contains(others), own > 0, "{approvals}");
        let marked = approvals.matches("another person must approve it").count();
        assert_eq!(marked, own, "each own request is marked: {approvals}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_ones_own_is_a_decision() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let owner = browser(&merchant, Role::Owner).await;
    ask_for_two(&merchant, &owner).await;
    let home = owner.get(&path(&merchant, "/home")).await.is(200).text;
    assert!(home.contains("Nothing waits for you."), "{home}");
    assert!(home.contains("2 that you asked for wait for somebody else"), "{home}");
    assert!(!home.contains("class=\"count\""), "{home}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_made_the_key_or_cannot_sign_in_is_not_named_as_an_approver() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let account = &merchant.scope().account;
    let (owner, ..) = merchant.app.enrolled("owner@example.com", account, Role::Owner).await;
    let at = |id: &str| path(&merchant, &format!("/payouts/batches/{id}"));
    let own = batch_of_key_of(&merchant, "owner@example.com").await;
    // The person of this role was added, and has not enrolled.
    browser(&merchant, Role::Finance).await;
    let alone = owner.get(&at(&own)).await.is(200).text;
    assert!(alone.contains("Nobody else in this account can approve"), "{alone}");
    merchant.app.enrolled("admin@example.com", account, Role::Admin).await;
    let shown = owner.get(&at(&own)).await.is(200).text;
    assert!(shown.contains("Who can approve it: admin@example.com."), "{shown}");
}
