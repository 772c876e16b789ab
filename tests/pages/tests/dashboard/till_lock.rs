//! A locked till: what it shows, what it refuses, and what wrong PINs do.

use super::till_pin::{PIN, Till};
use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use tua_dashboard::account_routes;
use tua_domain::{Generation, Mode, people::Role};
use tua_test_support::{Response, TestApp, dashboard::page, refunds::charge};

/// A request that the till sends by itself, with script.
async fn refresh(till: &Till) -> Response {
    let request = till.browser.request(Method::GET, &till.at("/till")).header("hx-request", "true");
    Response::read(request.send().await.unwrap()).await
}

#[tokio::test]
async fn a_till_locks_itself_two_minutes_after_the_last_request_of_a_person() {
    let till = Till::with_pin().await;
    let shown = till.at("/till");
    for _ in 0..3 {
        till.app.advance(119);
        till.browser.get(&shown).await.is(200);
    }
    till.app.advance(120);
    Till::assert_locked(&till.browser.get(&shown).await);
    let unlocked = till.unlock(PIN).await.is(303);
    assert_eq!(unlocked.header("location"), shown);
    till.browser.get(&shown).await.is(200);
}

#[tokio::test]
async fn pages_that_refresh_themselves_neither_count_as_use_nor_unlock() {
    let till = Till::with_pin().await;
    for _ in 0..11 {
        till.app.advance(10);
        refresh(&till).await.is(200);
        till.browser.get(&till.at("/till?refresh=1")).await.is(200);
    }
    till.app.advance(10);
    let locked = refresh(&till).await.is(204);
    assert_eq!(locked.header("hx-refresh"), "true", "the whole page is loaded, which is locked");
    Till::assert_locked(&till.browser.get(&till.at("/till?refresh=1")).await);
    Till::assert_locked(&till.browser.get(&till.at("/till")).await);
    till.lock_is_kept().await;
}

impl Till {
    /// However many requests come, the till stays locked.
    async fn lock_is_kept(&self) {
        for _ in 0..3 {
            Self::assert_locked(&self.browser.get(&self.at("/till")).await);
            refresh(self).await.is(204);
        }
    }
}

#[tokio::test]
async fn pictures_of_a_page_do_not_count_as_use() {
    let parts = ["/till/manifest.webmanifest", "/till/links/lnk_1/qr.svg", "/settings/logo.png"];
    for part in parts {
        let till = Till::with_pin().await;
        till.app.advance(61);
        till.browser.get(&till.at(part)).await;
        till.app.advance(61);
        Till::assert_locked(&till.browser.get(&till.at("/till")).await);
    }
}

#[tokio::test]
async fn a_person_goes_on_at_the_till_and_at_the_link_that_it_showed() {
    let till = Till::with_pin().await;
    till.lock().await;
    let shown = till.browser.get(&till.at("/till?link=lnk_2")).await;
    let back = form_urlencoded(&till.at("/till?link=lnk_2"));
    assert_eq!(shown.header("location"), format!("/dashboard/unlock?return={back}"));
    let other = till.browser.get(&till.at("/till?link=lnk_2&q=x")).await;
    let back = form_urlencoded(&till.at("/till"));
    assert_eq!(other.header("location"), format!("/dashboard/unlock?return={back}"));
    // A form that is not kept.
    let lock = till.browser.post(&till.at("/till/lock"), &[]).await;
    assert_eq!(lock.header("location"), format!("/dashboard/unlock?return={back}"));
}

fn form_urlencoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[tokio::test]
async fn a_locked_session_shows_no_page_and_takes_no_form() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let charge = charge(&app, &shop, "0241230002").await;
    let browser = app.browser_of(&account, Role::Owner).await;
    let till = Till { app, account, browser };
    till.set(PIN, PIN).await.is(303);
    till.lock().await;
    for route in account_routes() {
        let path = page(&till.account, Mode::Test, route.path);
        let response = if route.method == Method::GET {
            till.browser.get(&path).await
        } else {
            till.browser.post(&path, &[]).await
        };
        Till::assert_locked(&response);
        assert_eq!(response.text, "", "{}", route.path);
    }
    for path in ["", "/security", "/kept", "/proof", "/security/password/new"] {
        Till::assert_locked(&till.browser.get(&format!("/dashboard{path}")).await);
    }
    for path in ["/sign-out", "/proof", "/proof/passkey", "/security/recovery-codes"] {
        Till::assert_locked(&till.browser.post(&format!("/dashboard{path}"), &[]).await);
    }
    let customer = till.browser.get(&till.at("/payments/customers/0241230002")).await;
    assert_eq!(customer.header("location"), "/dashboard/unlock?return=%2Fdashboard");
    let back = till.at(&format!("/till/{charge}"));
    let asked = till.browser.get(&format!("/dashboard/unlock?return={back}")).await.is(200);
    assert_eq!(asked.header("cache-control"), "no-store");
    for secret in ["Adom", "GH₵", "0002", "owner", "Owner", "Ama"] {
        assert!(!asked.text.contains(secret), "{secret}: {}", asked.text);
    }
    for part in
        ["type=\"password\"", "inputmode=\"numeric\"", "autocomplete=\"one-time-code\"", "Unlock"]
    {
        assert!(asked.text.contains(part), "{part}: {}", asked.text);
    }
    let request = till.browser.request(Method::GET, "/dashboard/unlock");
    let french =
        Response::read(request.header("accept-language", "fr").send().await.unwrap()).await;
    assert!(french.text.contains("Déverrouiller"), "{}", french.text);
    till.unlock(PIN).await.is(303);
    till.browser.get(&till.at("/home")).await.is(200);
}

#[tokio::test]
async fn an_open_session_and_a_stranger_have_no_page_of_the_pin() {
    let till = Till::with_pin().await;
    let open = till.browser.get("/dashboard/unlock").await.is(303);
    assert_eq!(open.header("location"), "/dashboard");
    assert_eq!(till.unlock("0000").await.is(303).header("location"), till.at("/till"));
    let stranger = till.app.signed_out();
    for response in [
        stranger.get("/dashboard/unlock").await,
        stranger.post("/dashboard/unlock", &[("pin", PIN)]).await,
    ] {
        assert!(response.is(303).header("location").starts_with("/dashboard/sign-in?return="));
    }
    till.lock().await;
    till.browser
        .post_body("/dashboard/unlock", format!("formToken=guessed&pin={PIN}"))
        .await
        .is(403);
    Till::assert_locked(&till.browser.get(&till.at("/till")).await);
}

#[tokio::test]
async fn five_wrong_pins_end_the_session_and_the_page_counts_them_down() {
    let mut till = Till::with_pin().await;
    till.lock().await;
    for text in ["4 tries left", "3 tries left", "2 tries left"] {
        let wrong = till.unlock("2581").await.is(422).text;
        assert!(wrong.contains("This PIN is wrong") && wrong.contains(text), "{text}: {wrong}");
        till.unlock("12").await.is(422);
    }
    till.app.restart().await;
    till.browser.origin.clone_from(&till.app.origin);
    let again = till.browser.get("/dashboard/unlock").await.is(200).text;
    assert!(again.contains("2 tries left"), "tries survive a restart: {again}");
    let last = till.unlock("2581").await.is(422).text;
    assert!(last.contains("One try is left. If it is wrong too"), "{last}");
    let ended = till.unlock("2581").await.is(403);
    assert!(ended.text.contains("Five PINs were wrong"), "{}", ended.text);
    assert!(ended.header("set-cookie").contains("Max-Age=0"), "{ended:?}");
    assert_eq!(till.app.query_number("SELECT count(*) FROM dashboard_sessions"), 0);
    let late = till.unlock(PIN).await.is(303);
    assert_eq!(late.header("location"), "/dashboard/sign-in?return=%2Fdashboard");
    let log = till.app.running().store.audit_entries(0, 100).await.unwrap();
    assert_eq!(log.iter().filter(|entry| entry.action == "session.locked_out").count(), 1);
}

#[tokio::test]
async fn the_right_pin_gives_all_tries_back() {
    let till = Till::with_pin().await;
    for _ in 0..3 {
        till.lock().await;
        for _ in 0..4 {
            till.unlock("2581").await.is(422);
        }
        till.unlock(PIN).await.is(303);
    }
    till.browser.get(&till.at("/till")).await.is(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn tries_at_the_same_moment_are_all_counted() {
    let till = Till::with_pin().await;
    till.lock().await;
    let tries = join_all((0..12).map(|_| till.unlock("2581"))).await;
    let compared = tries.iter().filter(|one| one.status == 422).count();
    assert_eq!(compared, 4, "{tries:?}");
    let ended = tries.iter().filter(|one| one.status == StatusCode::FORBIDDEN).count();
    assert_eq!(ended, 1, "{tries:?}");
    assert_eq!(till.app.query_number("SELECT count(*) FROM dashboard_sessions"), 0);
}

#[tokio::test]
async fn wrong_pins_are_counted_as_refused_sign_ins() {
    let app = TestApp::with(
        |config| config.metrics_listen = Some("127.0.0.1:0".to_owned()),
        |operators| operators,
    )
    .await;
    let account = app.account("Adom Stores").await;
    let browser = app.browser_of(&account, Role::Till).await;
    let till = Till { app, account, browser };
    till.set(PIN, PIN).await.is(303);
    till.lock().await;
    till.unlock("2581").await.is(422);
    let address = till.app.running().metrics_addr().unwrap();
    let metrics = till.app.http.get(format!("http://{address}/metrics")).send().await.unwrap();
    let metrics = metrics.text().await.unwrap();
    let line = "tua_sign_ins_refused_total{reason=\"wrong\"} 1\n";
    assert!(metrics.contains(line), "{metrics}");
}
