//! Credentials, platforms, API users and the limit of reads.

use super::{Momo, keys};
use crate::support::Test;
use serde_json::{Value, json};
use tua_emulator::{MtnCredentials, MtnSettings};
use uuid::Uuid;

#[tokio::test]
async fn credentials_and_requests_are_checked() {
    let momo = Momo::start(Test::start().await).await;
    let test = &momo.test;
    let without_key = test.client.post(format!("{}/collection/token/", momo.base_url));
    let response = test.send(without_key).await;
    assert_eq!((response.status, &response.json()["statusCode"]), (401, &json!(401)));
    let (_, _, subscription_key) = keys("collection");
    let wrong_pair =
        test.client.post(format!("{}/collection/token/", momo.base_url)).basic_auth("x", Some("y"));
    let response =
        test.send(wrong_pair.header("ocp-apim-subscription-key", subscription_key)).await;
    assert_eq!((response.status, &response.json()["error"]), (401, &json!("invalid_client")));
    let body = momo.body("payer", "233241234567");
    assert_eq!(momo.post("collection/v1_0/requesttopay", "not-a-uuid", &body).await.status, 400);
    let missing = momo.get(&format!("collection/v1_0/requesttopay/{}", Uuid::new_v4())).await;
    assert_eq!((missing.status, &missing.json()["code"]), (404, &json!("RESOURCE_NOT_FOUND")));
    momo.test.advance(3600);
    assert_eq!(momo.get("collection/v1_0/account/balance").await.status, 401);
}

#[tokio::test]
async fn the_new_platform_has_its_own_credentials_and_transactions() {
    let mut momo = Momo::start(Test::start().await).await;
    let reference = momo.charge("233241234567").await;
    momo.base_url = momo.test.emulator.new_mtn_platform_url();
    assert_eq!(momo.test.send(momo.token_request("collection")).await.status, 401);
    let (user, token) = MtnCredentials::default().new_platform;
    let (_, _, subscription_key) = keys("collection");
    let request = |environment: Option<&str>, agent: &str| {
        let request = momo.test.client.post(format!("{}/collection/token/", momo.base_url));
        let request = request
            .basic_auth(&user, Some(&token))
            .header("ocp-apim-subscription-key", &subscription_key);
        let request = request.header("user-agent", agent);
        match environment {
            Some(environment) => request.header("x-target-environment", environment),
            None => request,
        }
    };
    let response = momo.test.send(request(None, "tua/1")).await;
    assert_eq!(response.json(), json!({"error": "Invalid or missing X-Target-Environment header"}));
    let response = momo.test.send(request(Some("mtnghana"), "python-requests/2.32")).await;
    assert!(
        response.status == 403 && response.text.contains("Microsoft-Azure-Application-Gateway")
    );
    let response = momo.test.send(request(Some("mtnghana"), "tua/1")).await;
    momo.token[0] = response.json()["access_token"].as_str().unwrap().to_owned();
    let status = momo.get(&format!("collection/v1_0/requesttopay/{reference}")).await;
    assert_eq!(status.json()["code"], "RESOURCE_NOT_FOUND");
}

#[tokio::test]
async fn the_callbacks_of_an_api_user_go_to_its_registered_host_only() {
    for registered in ["127.0.0.1", "http://127.0.0.1", "https://127.0.0.1:9000/callbacks"] {
        assert_callbacks_go_to(registered).await;
    }
}

/// Callbacks may go to 127.0.0.1 alone, by what the API user was created with.
async fn assert_callbacks_go_to(registered: &str) {
    let mut momo = Momo::start(Test::start().await).await;
    let user = Uuid::new_v4().to_string();
    let (_, _, subscription_key) = keys("collection");
    let provision = |path: &str, body: Value| {
        let request = momo.test.client.post(format!("{}/v1_0/{path}", momo.base_url)).json(&body);
        momo.test.send(
            request
                .header("ocp-apim-subscription-key", &subscription_key)
                .header("x-reference-id", &user),
        )
    };
    let host = json!({"providerCallbackHost": registered});
    assert_eq!(provision("apiuser", host).await.status, 201);
    let read = momo.test.client.get(format!("{}/v1_0/apiuser/{user}", momo.base_url));
    let read = read.header("ocp-apim-subscription-key", &subscription_key);
    assert_eq!(momo.test.send(read).await.json()["providerCallbackHost"], registered);
    let key = provision(&format!("apiuser/{user}/apikey"), json!({})).await.json()["apiKey"]
        .as_str()
        .unwrap()
        .to_owned();
    let request = momo
        .test
        .client
        .post(format!("{}/collection/token/", momo.base_url))
        .basic_auth(&user, Some(key));
    let token =
        momo.test.send(request.header("ocp-apim-subscription-key", &subscription_key)).await.json();
    momo.token[0] = token["access_token"].as_str().unwrap().to_owned();
    let charge = async |callback: &str| {
        let body = momo.body("payer", "233241234567");
        let reference = Uuid::new_v4().to_string();
        momo.post_with_callback("collection/v1_0/requesttopay", &reference, &body, callback).await
    };
    assert_eq!(charge(&momo.test.merchant.url).await.status, 202);
    for elsewhere in
        ["https://other.example/callbacks", "http://127.0.0.1.other.example/", "no address"]
    {
        let refused = charge(elsewhere).await;
        let response = (refused.status, refused.json()["code"].clone());
        assert_eq!(response, (500, json!("INVALID_CALLBACK_URL_HOST")), "{elsewhere}");
    }
    momo.test.advance(2);
    assert_eq!(momo.test.merchant.wait_for_callbacks(1).await.len(), 1);
}

#[tokio::test]
async fn reads_are_limited_to_150_a_second() {
    let test = Test::with_settings(|settings| {
        let reads_per_second = 3.try_into().unwrap();
        settings.operators.set(MtnSettings { reads_per_second, ..MtnSettings::default() });
    })
    .await;
    let momo = Momo::start(test).await;
    let reference = momo.charge("233241234567").await;
    let path = format!("collection/v1_0/requesttopay/{reference}");
    for _ in 0..3 {
        assert_eq!(momo.get(&path).await.status, 200);
    }
    assert_eq!(momo.get(&path).await.status, 429);
}
