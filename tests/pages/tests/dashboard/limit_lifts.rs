//! Lifting the limits of payouts: it takes a second person, where there is one.

use tua_domain::{AccountId, Mode, change::Change, people::Role};
use tua_test_support::{
    TestApp,
    dashboard::{Browser, page},
};

/// A shop whose payouts above 100 cedis need an approval.
struct Limited {
    app: TestApp,
    account: AccountId,
    /// The browsers of an admin and an owner, who have enrolled.
    admin: Browser,
    owner: Browser,
}

impl Limited {
    async fn start() -> Self {
        let app = TestApp::start().await;
        app.running().store.set_mail(true).await.unwrap();
        let account = app.account("Adom Stores").await;
        let (owner, ..) = app.enrolled("ama@example.com", &account, Role::Owner).await;
        let (admin, ..) = app.enrolled("kofi@example.com", &account, Role::Admin).await;
        let limited = Self { app, account, admin, owner };
        limited.save(&limited.admin, ["500", "", "100", ""]).await;
        limited
    }

    fn path(&self, rest: &str) -> String {
        page(&self.account, Mode::Live, rest)
    }

    /// Saves the limits, and returns where the person goes on.
    async fn save(&self, browser: &Browser, [limit, daily, approval, refund]: [&str; 4]) -> String {
        let fields = [
            ("limit", limit),
            ("daily-limit", daily),
            ("approval-above", approval),
            ("refund-approval-above", refund),
        ];
        let saved = browser.post_confirmed(&self.path("/settings/payouts"), &fields).await.is(303);
        saved.header("location").to_owned()
    }

    /// The limits as the API counts them, in cedis.
    async fn limits(&self) -> Vec<String> {
        let scope = tua_domain::Scope { account: self.account.clone(), mode: Mode::Live };
        let controls = self.app.running().store.payout_controls(&scope).await.unwrap();
        controls
            .limits_by_name()
            .map(|(_, limit)| limit.map_or_else(String::new, |limit| limit.to_string()))
            .to_vec()
    }

    /// When the change that waits was asked for, as the page has it.
    async fn asked_at(&self, browser: &Browser) -> String {
        let shown = browser.get(&self.path("/settings")).await.is(200).text;
        let value = shown
            .split(r#"name="asked-at" value=""#)
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        value.unwrap_or_else(|| panic!("nothing waits: {shown}")).to_owned()
    }

    async fn notices_of(&self, event: &str) -> usize {
        self.app.notices().await.into_iter().filter(|one| *one == event).count()
    }
}

#[tokio::test]
async fn removing_the_approval_limit_takes_a_second_person() {
    let shop = Limited::start().await;
    assert_eq!(shop.limits().await, ["500", "", "100", ""]);
    assert_eq!(shop.notices_of("LIMITS_CHANGED").await, 1, "the owner is told at once");
    // Lowered at once; raised and removed only with another person.
    let saved = shop.save(&shop.admin, ["400", "", "", ""]).await;
    assert!(saved.ends_with("/settings?done=lift-requested"), "{saved}");
    assert_eq!(shop.limits().await, ["400", "", "100", ""]);
    assert_eq!(shop.notices_of("LIFT_REQUESTED").await, 1);
    let own = shop.admin.get(&shop.path("/settings")).await.is(200).text;
    assert!(own.contains("Another owner or admin") && !own.contains("asked-at"), "{own}");
    for (person, is_for_person) in [(&shop.owner, true), (&shop.admin, false)] {
        let home = person.get(&shop.path("/home")).await.is(200).text;
        assert_eq!(home.contains("lifts limits needs your decision"), is_for_person, "{home}");
    }
    let asked_at = shop.asked_at(&shop.owner).await;
    for decision in ["approve", "refuse"] {
        let path = shop.path(&format!("/settings/payouts/{decision}"));
        shop.admin.post(&path, &[("asked-at", &asked_at)]).await.is(403);
    }
    assert_eq!(shop.limits().await, ["400", "", "100", ""]);
    let approve = shop.path("/settings/payouts/approve");
    shop.owner.post_confirmed(&approve, &[("asked-at", &asked_at)]).await.is(303);
    assert_eq!(shop.limits().await, ["400", "", "", ""]);
    let again = shop.owner.post_confirmed(&approve, &[("asked-at", &asked_at)]).await.is(422);
    assert!(again.text.contains("Nothing was changed"), "{}", again.text);
    let log = shop.app.running().store.audit_entries(0, 100).await.unwrap();
    let changed = log.iter().rfind(|entry| entry.action == "payout_limits.changed").unwrap();
    assert!(changed.actor.starts_with("ama@example.com"), "{changed:?}");
    assert!(
        changed.after.as_ref().is_some_and(|after| after.contains("kofi@example.com")),
        "{changed:?}"
    );
    assert!(log.iter().any(|entry| entry.action == "limit_lift.requested"));
}

#[tokio::test]
async fn a_refused_replaced_or_old_request_lifts_nothing() {
    let shop = Limited::start().await;
    let approve = shop.path("/settings/payouts/approve");
    shop.save(&shop.admin, ["500", "", "200", ""]).await;
    let first = shop.asked_at(&shop.owner).await;
    shop.app.advance(1);
    shop.save(&shop.admin, ["500", "", "", ""]).await;
    shop.owner.post_confirmed(&approve, &[("asked-at", &first)]).await.is(422);
    let second = shop.asked_at(&shop.owner).await;
    let refuse = shop.path("/settings/payouts/refuse");
    let question = shop.owner.post(&refuse, &[("asked-at", &second)]).await.is(200).text;
    assert!(
        question.contains("Decline the request of kofi@example.com to lift these limits?"),
        "{question}"
    );
    assert_eq!(shop.notices_of("LIFT_REFUSED").await, 0, "nothing is declined before the answer");
    shop.owner.post_confirmed(&refuse, &[("asked-at", &second)]).await.is(303);
    assert_eq!(shop.notices_of("LIFT_REFUSED").await, 1);
    shop.owner.post_confirmed(&approve, &[("asked-at", &second)]).await.is(422);
    assert_eq!(shop.limits().await, ["500", "", "100", ""]);
    // What the command line sets counts at once, and ends what waits.
    shop.save(&shop.admin, ["", "", "100", ""]).await;
    let third = shop.asked_at(&shop.owner).await;
    let scope = tua_domain::Scope { account: shop.account.clone(), mode: Mode::Live };
    let change = tua_domain::payout_controls::ControlsChange {
        approval_above: Change::Set("50".parse().unwrap()),
        ..Default::default()
    };
    shop.app.running().store.set_payout_controls(&scope, change, &shop.app.audit()).await.unwrap();
    shop.owner.post_confirmed(&approve, &[("asked-at", &third)]).await.is(422);
    assert_eq!(shop.limits().await, ["500", "", "50", ""]);
}

#[tokio::test]
async fn who_is_alone_lifts_limits_at_once_and_who_has_not_enrolled_is_no_second_person() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let (owner, ..) = app.enrolled("ama@example.com", &account, Role::Owner).await;
    for role in [Role::Admin, Role::Finance] {
        app.browser_of(&account, role).await;
    }
    app.enrolled("yaw@example.com", &account, Role::Finance).await;
    let limits = page(&account, Mode::Live, "/settings/payouts");
    let saved = owner.post(&limits, &[("approval-above", "100")]).await.is(303);
    assert!(saved.header("location").ends_with("/settings?done=saved"), "{saved:?}");
    // A limit that is set or lowered is no question; one that is lifted is.
    let lift = [("approval-above", "")];
    let question = owner.post(&limits, &lift).await.is(200).text;
    assert!(question.contains("Lift these limits of Adom Stores?"), "{question}");
    let scope = tua_domain::Scope { account: account.clone(), mode: Mode::Live };
    let controls = app.running().store.payout_controls(&scope).await.unwrap();
    assert!(controls.approval_above.is_some(), "nothing is lifted before the answer");
    let saved = owner.post_confirmed(&limits, &lift).await.is(303);
    assert!(saved.header("location").ends_with("/settings?done=saved"), "{saved:?}");
}

#[tokio::test]
async fn owners_are_told_about_each_change_of_an_endpoint() {
    let shop = Limited::start().await;
    let webhooks = shop.path("/webhooks");
    shop.admin.post(&webhooks, &[("url", "https://shop.example/hook?secret=1")]).await.is(200);
    let endpoint = shop.app.running().store.endpoints(Some(&shop.account)).await.unwrap().remove(0);
    for (change, fields) in [
        ("rotate", vec![("overlap_hours", "1")]),
        ("disable", vec![]),
        ("disable", vec![]),
        ("enable", vec![]),
        ("remove", vec![]),
    ] {
        let status = shop
            .admin
            .post_confirmed(&format!("{webhooks}/{}/{change}", endpoint.id), &fields)
            .await
            .status
            .as_u16();
        assert!(matches!(status, 200 | 303), "{change}: {status}");
    }
    for event in ["ADDED", "ROTATED", "DISABLED", "ENABLED", "REMOVED"] {
        assert_eq!(shop.notices_of(&format!("WEBHOOK_{event}")).await, 1, "{event}");
    }
}

#[tokio::test]
async fn who_takes_the_role_from_the_others_still_waits_three_days() {
    for (last, fields) in [("role", vec![("role", "finance")]), ("remove", vec![])] {
        let shop = Limited::start().await;
        shop.app.enrolled("yaw@example.com", &shop.account, Role::Owner).await;
        shop.app.enrolled("abena@example.com", &shop.account, Role::Finance).await;
        let store = &shop.app.running().store;
        for member in store.members(&shop.account).await.unwrap() {
            let path = shop.path(&format!("/people/{}/{last}", member.user.id));
            match member.user.email.as_str() {
                "ama@example.com" => {}
                _ => drop(shop.owner.post_confirmed(&path, &fields).await.is(303)),
            }
        }
        let saved = shop.save(&shop.owner, ["500", "", "", ""]).await;
        assert!(saved.ends_with("/settings?done=lift-requested"), "{last}: {saved}");
        assert_eq!(shop.limits().await, ["500", "", "100", ""], "{last}");
        let shown = shop.owner.get(&shop.path("/settings")).await.is(200).text;
        assert!(shown.contains("Nobody else can approve it now"), "{shown}");

        // Three days later the person signs in anew, and is alone.
        shop.app.advance(72 * 3600);
        let email = "ama@example.com".parse().unwrap();
        let owner = shop.app.browser_of_person(&email, &shop.account, Role::Owner).await;
        let saved = shop.save(&owner, ["500", "", "", ""]).await;
        assert!(saved.ends_with("/settings?done=saved"), "{last}: {saved}");
        assert_eq!(shop.limits().await, ["500", "", "", ""], "{last}");
    }
}

#[tokio::test]
async fn who_never_could_decide_is_not_waited_for() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let (owner, ..) = app.enrolled("ama@example.com", &account, Role::Owner).await;
    app.enrolled("esi@example.com", &account, Role::Finance).await;
    // Invited as an admin, and has not enrolled.
    app.browser_of(&account, Role::Admin).await;
    for member in app.running().store.members(&account).await.unwrap() {
        if member.role != Role::Owner {
            let path = page(&account, Mode::Live, &format!("/people/{}/remove", member.user.id));
            owner.post_confirmed(&path, &[]).await.is(303);
        }
    }
    for limit in ["100", ""] {
        let limits = page(&account, Mode::Live, "/settings/payouts");
        let saved = owner.post_confirmed(&limits, &[("approval-above", limit)]).await.is(303);
        assert!(saved.header("location").ends_with("/settings?done=saved"), "{saved:?}");
    }
}
