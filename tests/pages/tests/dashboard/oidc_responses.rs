//! Responses of a sign-in provider that sign nobody in, and a provider that does not respond.

use super::{
    oidc::{Rig, ama},
    sign_in_provider::{CLIENT_SECRET, Signature},
};
use serde_json::{Value, json};
use tua_test_support::test_database;

#[tokio::test]
async fn responses_that_are_not_of_this_browser_this_provider_and_this_request_sign_nobody_in() {
    let rig = Rig::start().await;
    let now = rig.now();
    let refuse = async |signature: Signature, claims: Value| {
        rig.provider.sign_with(signature);
        let refused = rig.sign_in(ama(claims)).await.is(502);
        rig.provider.sign_with(Signature::Right);
        assert!(!refused.header("set-cookie").starts_with("tua-session"), "{refused:?}");
    };
    for signature in [
        Signature::None,
        Signature::OtherKey,
        Signature::PublicKeyAsSecret,
        Signature::ClientSecret,
    ] {
        refuse(signature, json!({})).await;
    }
    for claims in [
        json!({ "nonce": "another" }),
        json!({ "nonce": null }),
        json!({ "iss": "https://evil.example" }),
        json!({ "iss": format!("{}/", rig.provider.issuer) }),
        json!({ "aud": "another" }),
        json!({ "aud": ["tua", "another"] }),
        json!({ "exp": now - 1 }),
        json!({ "sub": null }),
    ] {
        refuse(Signature::Right, claims).await;
    }
    assert!(
        rig.app
            .running()
            .store
            .user_by_email(&"ama@example.com".parse().unwrap())
            .await
            .unwrap()
            .is_none()
    );

    let begun = rig.begin(&rig.stranger(), "/dashboard/sign-in/oidc").await;
    let query = rig.provider.approve(&begun.url, ama(json!({})));
    let other = rig.begin(&rig.stranger(), "/dashboard/sign-in/oidc").await;
    let ended = other.finish(&query).await.is(400);
    assert!(ended.text.contains("it began in another browser"), "{}", ended.text);
    begun.finish_with(&query, "").await.is(400);
    begun.finish_with(&query, "tua-oidc=AAAA").await.is(400);
    begun.finish(&format!("{query}&state=x")).await.is(400);
    begun.finish(&format!("{query}&iss=https%3A%2F%2Fevil.example")).await.is(502);
    let state = query.split("state=").nth(1).unwrap();
    let denied = begun
        .finish(&format!("state={state}&error=%3Cscript%3E&error_description=%3Cscript%3E"))
        .await
        .is(403);
    assert!(
        denied.text.contains("The sign-in provider refused") && !denied.text.contains("script"),
        "{}",
        denied.text
    );
    begun.finish(&query).await.is(303);
    let replayed = begun.finish(&query).await.is(403);
    assert!(!replayed.text.contains("script"), "{}", replayed.text);
    rig.app.advance(601);
    begun.finish(&query).await.is(400);
}

#[tokio::test]
async fn a_provider_that_names_itself_must_do_so() {
    let rig = Rig::start().await;
    rig.provider.name_issuer();
    let begun = rig.begin(&rig.stranger(), "/dashboard/sign-in/oidc").await;
    let query = rig.provider.approve(&begun.url, ama(json!({})));
    begun.finish(&query).await.is(502);
    let issuer: String =
        url::form_urlencoded::byte_serialize(rig.provider.issuer.as_bytes()).collect();
    begun.finish(&format!("{query}&iss={issuer}")).await.is(303);
}

#[tokio::test]
async fn a_provider_that_is_away_hinders_no_other_sign_in_and_new_keys_are_found() {
    let rig = Rig::start().await;
    rig.provider.set_away(true);
    for _ in 0..3 {
        let page = rig.stranger().post("/dashboard/sign-in/oidc", &[]).await.is(503);
        assert!(
            page.text.contains("does not respond") && page.text.contains("name=\"password\""),
            "{}",
            page.text
        );
    }
    assert_eq!(rig.provider.discoveries(), 1, "it is not asked again at once");
    rig.provider.set_away(false);
    let advance = |seconds: u32| {
        rig.app.advance(seconds.into());
        rig.provider.advance(seconds.into());
    };
    advance(30);
    rig.sign_in(ama(json!({}))).await.is(303);
    rig.provider.rotate_key();
    rig.sign_in(ama(json!({}))).await.is(502);
    advance(30);
    rig.sign_in(ama(json!({}))).await.is(303);
    assert_eq!(rig.provider.discoveries(), 3);
}

#[tokio::test]
async fn attempts_are_limited_by_address() {
    let rig = Rig::start().await;
    let begun = rig.begin(&rig.stranger(), "/dashboard/sign-in/oidc").await;
    let query = rig.provider.approve(&begun.url, ama(json!({})));
    for _ in 0..50 {
        begun.finish(&format!("{query}&iss=x")).await.is(502);
    }
    let limited = begun.finish(&query).await.is(429);
    assert!(!limited.header("retry-after").is_empty());
}

#[tokio::test]
async fn a_sign_in_stores_no_token_and_no_secret_of_the_client() {
    let rig = Rig::start().await;
    rig.sign_in(ama(json!({}))).await.is(303);
    let folder = rig.app.folder.path();
    let mut seen: Vec<String> = test_database::rows_as_text(folder).into_iter().collect();
    let entries = rig.app.running().store.audit_entries(0, 100).await.unwrap();
    seen.push(format!("{entries:?}"));
    // Last, since closing the file ends the locks of this process on a SQLite database.
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        seen.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    assert!(seen.iter().any(|text| text.contains("ama-1")), "the identity is there to be searched");
    for text in &seen {
        // The access token of the provider of the tests, and the secret of the settings.
        assert!(!text.contains("secret-access") && !text.contains(CLIENT_SECRET));
    }
}
