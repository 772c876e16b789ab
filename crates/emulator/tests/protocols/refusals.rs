//! Requests that no handler takes: each operator refuses them in its own JSON.

use crate::support::{Response, Test};
use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use tua_emulator::{
    HubtelCredentials, MtnCredentials, MtnProductCredentials, Operator, PawapayCredentials,
    PaystackCredentials,
};

/// A path that takes POST with a body, and one that is only read; the member that each error has.
const PATHS: [(Operator, &str, &str, &str); 4] = [
    (
        Operator::MTN_MOMO,
        "collection/v1_0/requesttopay",
        "collection/v1_0/account/balance",
        "message",
    ),
    (Operator::PAYSTACK, "charge", "balance", "message"),
    (Operator::PAWAPAY, "v2/deposits", "v2/wallet-balances", "failureReason"),
    (
        Operator::HUBTEL,
        "rmp/merchantaccount/merchants/11684/receive/mobilemoney",
        "txnstatus/transactions/11684/status",
        "ResponseCode",
    ),
];

/// A request with the operator's credentials.
async fn request(test: &Test, operator: Operator, method: Method, path: &str) -> RequestBuilder {
    let url = format!("{}/{path}", test.emulator.base_url(operator));
    let request = test.client.request(method, url);
    match operator {
        Operator::MTN_MOMO => {
            let MtnProductCredentials { user, key, subscription_key } =
                MtnCredentials::default().collection;
            let token = test
                .client
                .post(format!("{}/collection/token/", test.emulator.base_url(operator)))
                .basic_auth(user, Some(key))
                .header("ocp-apim-subscription-key", &subscription_key);
            let token = test.send(token).await.json()["access_token"].clone();
            request
                .bearer_auth(token.as_str().unwrap())
                .header("x-target-environment", "mtnghana")
                .header("x-reference-id", uuid::Uuid::new_v4().to_string())
                .header("ocp-apim-subscription-key", subscription_key)
        }
        Operator::PAYSTACK => request.bearer_auth(PaystackCredentials::default().secret_key),
        Operator::PAWAPAY => request.bearer_auth(PawapayCredentials::default().api_token),
        _ => {
            let HubtelCredentials { api_id, api_key, .. } = HubtelCredentials::default();
            request.basic_auth(api_id, Some(api_key))
        }
    }
}

/// The response has this status, and an error as the operator writes it.
fn assert_refused(response: &Response, status: u16, member: &str) {
    assert_eq!(response.status, status, "{}", response.text);
    let body = response.json();
    assert!(body.get(member).is_some_and(|value| *value != Value::Null), "{body}");
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_refused_in_the_operators_json() {
    let test = Test::start().await;
    for (operator, path, _, member) in PATHS {
        let post = async || request(&test, operator, Method::POST, path).await;
        let half = post().await.header("content-type", "application/json").body("{\"amount\":");
        assert_refused(&test.send(half).await, 400, member);
        let text = post().await.header("content-type", "text/plain").body("{}");
        assert_refused(&test.send(text).await, 415, member);
        let large = post().await.header("content-type", "application/json");
        let response = test.send(large.body("1".repeat(3 << 20))).await;
        assert!([400, 413].contains(&response.status), "{}", response.status);
        assert!(response.json().get(member).is_some());
    }
    assert!(test.emulator.orders().is_empty());
}

#[tokio::test]
async fn an_unknown_path_or_method_is_refused_in_the_operators_json() {
    let test = Test::start().await;
    for (operator, posted, read, member) in PATHS {
        for (method, path) in
            [(Method::GET, posted), (Method::DELETE, posted), (Method::POST, read)]
        {
            let wrong = request(&test, operator, method, path).await;
            let response = wrong.send().await.unwrap();
            assert!(response.headers().contains_key("allow"), "{operator} {path}");
            let status = response.status().as_u16();
            let response = Response { status, text: response.text().await.unwrap() };
            assert_refused(&response, 405, member);
        }
        for path in ["unknown", "v1_0/unknown", ""] {
            let unknown = request(&test, operator, Method::GET, path).await;
            assert_refused(&test.send(unknown).await, 404, member);
        }
    }
}

#[tokio::test]
async fn a_wrong_parameter_or_path_is_refused_in_the_operators_json() {
    let test = Test::start().await;
    let hubtel = "rnv/v2/merchantaccount/merchants/11684/mobilemoney/verify?channel=mtn-gh";
    for (operator, path, member) in [
        (Operator::PAYSTACK, "transaction?page=first", "message"),
        (Operator::PAYSTACK, "bank/resolve?account_number=0241234567", "message"),
        (Operator::PAYSTACK, "transaction/verify/%FF", "message"),
        (Operator::PAWAPAY, "v2/deposits/%FF", "failureReason"),
        (Operator::MTN_MOMO, "collection/v1_0/requesttopay/%FF", "code"),
        (Operator::HUBTEL, hubtel, "ResponseCode"),
    ] {
        let wrong = request(&test, operator, Method::GET, path).await;
        assert_refused(&test.send(wrong).await, 400, member);
    }
}
