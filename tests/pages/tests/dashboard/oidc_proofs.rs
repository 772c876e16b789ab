//! A session's fresh proofs, and the unlocking of a till, where people sign in with a provider.

use super::oidc::{Rig, SECURITY, ama};
use reqwest::header;
use serde_json::json;
use std::collections::HashMap;
use tua_domain::{Mode, people::Role};
use tua_test_support::dashboard::page;

#[tokio::test]
async fn a_fresh_proof_needs_credentials_that_were_given_after_the_question() {
    let rig = Rig::start().await;
    let now = rig.now();
    let done = rig.sign_in(ama(json!({ "auth_time": now - 3_600 }))).await.is(303);
    let browser = rig.browser_with(&done);
    let page = browser.get("/dashboard/proof").await.is(200).text;
    assert!(
        page.contains("Confirm with Adom &lt;ID&gt;") && !page.contains("name=\"password\""),
        "{page}"
    );
    for (claims, text) in [
        (json!({}), "You were not asked to sign in again"),
        (json!({ "auth_time": now - 120 }), "You were not asked to sign in again"),
        (json!({ "auth_time": now + 5, "sub": "kofi-1" }), "This identity was not accepted"),
    ] {
        let begun = rig.begin(&browser, "/dashboard/proof/oidc").await;
        let asked: HashMap<_, _> = begun.url.query_pairs().collect();
        assert_eq!((&*asked["prompt"], &*asked["max_age"]), ("login", "0"));
        let refused = begun.finish(&rig.provider.approve(&begun.url, ama(claims))).await.is(403);
        assert!(refused.text.contains(text), "{}", refused.text);
    }
    assert!(
        browser
            .post("/dashboard/security/identities", &[])
            .await
            .is(303)
            .header("location")
            .contains("/proof")
    );
    let begun = rig.begin(&browser, "/dashboard/proof/oidc").await;
    let query = rig.provider.approve(&begun.url, ama(json!({ "auth_time": now + 5 })));
    let proven = begun.finish(&query).await.is(303);
    rig.browser_with(&proven).post("/dashboard/security/identities", &[]).await.is(200);
    // The session has another token since.
    browser.get(SECURITY).await.is(303);
}

#[tokio::test]
async fn the_providers_own_session_is_no_way_around_the_pin_of_a_till() {
    let rig = Rig::start().await;
    let browser = rig.app.browser_of(&rig.account, Role::Till).await;
    let asks = async || {
        let begun = rig.begin(&browser, "/dashboard/sign-in/oidc").await;
        begun.url.query_pairs().any(|pair| pair == ("prompt".into(), "login".into()))
    };
    assert!(!asks().await);
    let till = page(&rig.account, Mode::Test, "/till");
    let pin = [("pin", "2580"), ("again", "2580")];
    browser.post(&format!("{till}/pin"), &pin).await.is(303);
    browser.post(&format!("{till}/lock"), &[]).await.is(303);
    assert!(asks().await, "the credentials, also where the provider still knows the person");
    for _ in 0..4 {
        browser.post("/dashboard/unlock", &[("pin", "1111")]).await.is(422);
    }
    let ended = browser.post("/dashboard/unlock", &[("pin", "1111")]).await.is(403);
    let cookies = ended.headers.get_all(header::SET_COOKIE);
    let kept = cookies.iter().any(|one| one.to_str().unwrap().starts_with("tua-locked-out=yes"));
    assert!(kept, "{ended:?}");
}
