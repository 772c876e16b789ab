//! The PIN of a till: how it is set, and what sets, changes and removes it needs.

use super::ask_for_money::{charges, form, new_key};
use tua_domain::{AccountId, Mode, people::Role, ports::Clock};
use tua_test_support::{
    Response, TestApp,
    dashboard::{Browser, page},
    test_database,
};

/// The PIN of the tests.
pub(super) const PIN: &str = "2580";

/// A till with a person who has signed in there.
pub(super) struct Till {
    pub(super) app: TestApp,
    pub(super) account: AccountId,
    pub(super) browser: Browser,
}

impl Till {
    /// A till without a PIN, with a clock that stands still.
    pub(super) async fn start() -> Self {
        let app = TestApp::with_stopped_clock(|operators| operators).await;
        let account = app.account("Adom Stores").await;
        let browser = app.browser_of(&account, Role::Till).await;
        Self { app, account, browser }
    }

    /// As [`Self::start`], with [`PIN`].
    pub(super) async fn with_pin() -> Self {
        let till = Self::start().await;
        till.set(PIN, PIN).await.is(303);
        till
    }

    pub(super) fn at(&self, path: &str) -> String {
        page(&self.account, Mode::Test, path)
    }

    pub(super) async fn set(&self, pin: &str, again: &str) -> Response {
        self.browser.post(&self.at("/till/pin"), &[("pin", pin), ("again", again)]).await
    }

    pub(super) async fn unlock(&self, pin: &str) -> Response {
        let back = self.at("/till");
        self.browser.post("/dashboard/unlock", &[("pin", pin), ("return", &back)]).await
    }

    /// Presses *Lock*, and waits for no time.
    pub(super) async fn lock(&self) {
        let locked = self.browser.post(&self.at("/till/lock"), &[]).await.is(303);
        assert_eq!(locked.header("location"), self.at("/till"));
    }

    /// Fails unless the till leads to the page of the PIN.
    #[track_caller]
    pub(super) fn assert_locked(response: &Response) {
        assert_eq!(response.status, 303, "{response:?}");
        let location = response.header("location");
        assert!(location.starts_with("/dashboard/unlock?return="), "{location}");
    }

    async fn audited(&self, action: &str) -> usize {
        let log = self.app.running().store.audit_entries(0, 100).await.unwrap();
        let found: Vec<_> = log.iter().filter(|entry| entry.action == action).collect();
        assert!(found.iter().all(|one| !format!("{one:?}").contains(PIN)), "{found:?}");
        found.len()
    }
}

#[tokio::test]
async fn a_pin_is_set_changed_and_removed_on_the_till_page() {
    let till = Till::start().await;
    let offered = till.browser.get(&till.at("/till")).await.is(200).text;
    assert!(offered.contains("Set a PIN") && !offered.contains("/till/lock"), "{offered}");
    let set = till.set(PIN, " 2580 ").await.is(303);
    assert_eq!(set.header("location"), till.at("/till"));
    let shown = till.browser.get(&till.at("/till")).await.is(200).text;
    assert!(
        shown.contains("Change or remove the PIN") && shown.contains("/till/lock\""),
        "{shown}"
    );
    assert_eq!(till.audited("till_pin.set").await, 1);

    till.set("7410", "7410").await.is(303);
    assert_eq!(till.audited("till_pin.set").await, 2);

    till.browser.post(&till.at("/till/pin/remove"), &[]).await.is(303);
    assert_eq!(till.audited("till_pin.removed").await, 1);
    let nothing = till.browser.post(&till.at("/till/lock"), &[]).await.is(303);
    assert_eq!(nothing.header("location"), till.at("/till/pin"), "nothing would unlock it");
    till.app.advance(29 * 60);
    till.browser.get(&till.at("/till")).await.is(200);
    till.browser.post(&till.at("/till/pin/remove"), &[]).await.is(303);
    assert_eq!(till.audited("till_pin.removed").await, 1);
}

#[tokio::test]
async fn a_pin_that_others_try_first_is_refused_with_the_reason() {
    let till = Till::start().await;
    for (pin, again, reason) in [
        ("", "", "Enter 4 to 8 digits"),
        ("123", "123", "Enter 4 to 8 digits"),
        ("258025802", "258025802", "Enter 4 to 8 digits"),
        ("25.80", "25.80", "Enter 4 to 8 digits"),
        ("0000", "0000", "one digit again and again"),
        ("1234", "1234", "only count up or down"),
        ("87654321", "87654321", "only count up or down"),
        ("2580", "2581", "are not the same"),
        ("2580", "", "are not the same"),
    ] {
        let refused = till.set(pin, again).await.is(422).text;
        assert!(refused.contains(reason), "{pin}: {refused}");
        assert!(!refused.contains("value=\"2580\""), "{refused}");
    }
    assert_eq!(till.audited("till_pin.set").await, 0);
    assert_eq!(
        till.app.query_number("SELECT count(*) FROM dashboard_sessions WHERE pin IS NOT NULL"),
        0
    );
}

#[tokio::test]
async fn only_a_slow_salted_hash_of_a_pin_is_stored() {
    let till = Till::with_pin().await;
    let other = till.app.browser_of(&till.account, Role::Owner).await;
    other.post(&till.at("/till/pin"), &[("pin", PIN), ("again", PIN)]).await.is(303);
    let hashes = "SELECT count(DISTINCT pin) FROM dashboard_sessions \
                  WHERE pin LIKE '$argon2id$v=19$m=19456,t=2,p=1$%' AND pin NOT LIKE '%2580%'";
    assert_eq!(till.app.query_number(hashes), 2, "each has a salt of its own");
}

#[tokio::test]
async fn each_change_of_a_pin_needs_a_fresh_proof_and_no_pin_is_kept_in_a_cookie() {
    let till = Till::start().await;
    till.app.advance(5 * 60);
    let asked = till.set(PIN, PIN).await.is(303);
    let page_of_pin = till.at("/till/pin").replace('/', "%2F");
    assert_eq!(asked.header("location"), format!("/dashboard/proof?return={page_of_pin}"));
    assert_eq!(asked.header("set-cookie"), "");
    for request in [
        till.browser.get(&till.at("/till/pin")).await,
        till.browser.post(&till.at("/till/pin/remove"), &[]).await,
    ] {
        assert!(request.is(303).header("location").starts_with("/dashboard/proof?return="));
    }
    assert_eq!(till.audited("till_pin.set").await, 0);
}

#[tokio::test]
async fn the_changed_pin_unlocks_and_makes_no_proof_fresh() {
    let till = Till::with_pin().await;
    till.set("7410", "7410").await.is(303);
    till.lock().await;
    till.unlock(PIN).await.is(422);
    till.unlock("7410").await.is(303);
    let asked = till.set(PIN, PIN).await.is(303);
    assert!(asked.header("location").starts_with("/dashboard/proof?return="), "{asked:?}");
    let asked = till.browser.post(&till.at("/till/pin/remove"), &[]).await.is(303);
    assert!(asked.header("location").starts_with("/dashboard/proof?return="), "{asked:?}");
}

#[tokio::test]
async fn a_pin_is_of_one_session_alone() {
    let till = Till::with_pin().await;
    let other = till.app.browser_of(&till.account, Role::Till).await;
    till.lock().await;
    Till::assert_locked(&till.browser.get(&till.at("/till")).await);
    other.get(&till.at("/till")).await.is(200);
    till.app.advance(3 * 60);
    other.get(&till.at("/till")).await.is(200);
    assert_eq!(
        till.app.query_number("SELECT count(*) FROM dashboard_sessions WHERE locked_at IS NULL"),
        1
    );
}

#[tokio::test]
async fn a_session_with_a_pin_lives_for_a_shops_day_and_outlives_a_new_sign_in() {
    let till = Till::with_pin().await;
    let without = till.app.browser_of(&till.account, Role::Owner).await;
    till.app.advance(31 * 60);
    let ended = without.get(&till.at("/home")).await.is(303);
    assert!(ended.header("location").starts_with("/dashboard/sign-in?return="));
    // The same person signs in at another phone, which deletes sessions that have ended.
    let store = &till.app.running().store;
    let session = store.session(till.browser.token.digest()).await.unwrap().unwrap();
    let (begun, _) = tua_domain::people::Session::begin(
        session.user,
        "Firefox on Linux".to_owned(),
        till.app.clock.now(),
    );
    let ended = till.app.clock.now() - tua_domain::people::IDLE_MAX;
    store.insert_session(begun, ended, &till.app.audit()).await.unwrap();
    till.app.advance(11 * 60 * 60);
    Till::assert_locked(&till.browser.get(&till.at("/till")).await);
    till.unlock(PIN).await.is(303);
    till.browser.get(&till.at("/till")).await.is(200);
    till.app.advance(29 * 60);
    let ended = till.unlock(PIN).await.is(303);
    assert_eq!(ended.header("location"), "/dashboard/sign-in?return=%2Fdashboard", "12 hours old");
}

#[tokio::test]
async fn a_form_that_meets_the_lock_is_refused_and_can_be_sent_after_the_pin() {
    let till = Till::with_pin().await;
    let key = new_key(&till.browser, &till.at("/till")).await;
    till.app.advance(2 * 60);
    let refused = till.browser.post(&till.at("/till"), &form(&key, "0241234567", "20")).await;
    let refused = refused.is(303);
    assert_eq!(refused.header("location"), "/dashboard/unlock?return=%2Fdashboard%2Fkept");
    assert_eq!(charges(&till.app), 0);
    Till::assert_locked(&super::access::kept(&till.browser, &refused).await);
    till.unlock(PIN).await.is(303);
    let kept = super::access::kept(&till.browser, &refused).await.is(200).text;
    assert!(kept.contains("0241234567"), "{kept}");
    let sent = till.browser.post(&till.at("/till"), &form(&key, "0241234567", "20")).await;
    sent.is(303);
    assert_eq!(charges(&till.app), 1);
    test_database::execute(till.app.folder.path(), "UPDATE dashboard_sessions SET pin = NULL");
    till.app.advance(2 * 60);
    till.browser.get(&till.at("/till")).await.is(200);
}
