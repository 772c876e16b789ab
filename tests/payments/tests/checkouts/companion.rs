//! The companion before the service: a cart that the companion accepts opens a session.

use serde_json::{Value, json};
use tua_companion::{catalogue::Catalogue, order::Order, upstream::CheckoutRequest};
use tua_test_support::TestApp;

const REFERENCE: &str = "shop-0123456789abcdef";

fn catalogue() -> Catalogue {
    // The longest skus and names, which need an escape for every byte in JSON.
    let items = (0..30).map(|index| {
        format!("[items.{index:0>32}]\nname = '{}'\nprice = '1111'\n", "\"".repeat(60))
    });
    let text = items.collect::<String>()
        + "[donation]\nname = 'Library'\nmin = '0.01'\nmax = '1000000000'\n";
    Catalogue::parse(&text).unwrap()
}

fn upstream_body(cart: &Value) -> Result<String, &'static str> {
    let order =
        Order::read(cart.to_string().as_bytes(), &catalogue()).map_err(|problem| problem.code())?;
    Ok(serde_json::to_string(&CheckoutRequest::new(&order, REFERENCE)).unwrap())
}

#[tokio::test]
async fn the_companion_and_the_service_accept_the_same_email_addresses() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let longest = format!("{}@{}.example.com", "a".repeat(60), vec!["b".repeat(60); 2].join("."));
    let too_long = format!("{}@{}.example.com", "a".repeat(60), vec!["b".repeat(60); 4].join("."));
    for (email, is_valid) in [
        ("ama@example.com", true),
        ("ama+shop@example.com.gh", true),
        ("\"ama mensah\"@example.com", true),
        ("amá@example.com", true),
        (&longest, true),
        ("ama@localhost", false),
        ("ama@[127.0.0.1]", false),
        ("Ama <ama@example.com>", false),
        ("ama", false),
        ("", false),
        (&too_long, false),
    ] {
        let cart = upstream_body(
            &json!({ "items": [{ "sku": "donation", "amount": 1 }], "email": email }),
        );
        let sent = shop.post("/v1/checkout", &json!({ "amount": 1, "email": email })).await;
        match cart {
            Ok(body) => {
                assert!(is_valid, "{email}");
                shop.post_text("/v1/checkout", &body).await.is(201);
                sent.is(201);
            }
            Err(code) => {
                assert_eq!((code, is_valid), ("invalid_email", false), "{email}");
                sent.is_problem(422, "invalid_email");
            }
        }
    }
}

#[tokio::test]
async fn the_reference_and_the_metadata_of_a_cart_reach_the_session() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let cart = json!({
        "items": [{ "sku": "donation", "amount": 1 }],
        "email": "ama@example.com",
        "metadata": { "gift": true },
    });
    let opened =
        shop.post_text("/v1/checkout", &upstream_body(&cart).unwrap()).await.is(201).json();
    let session = shop
        .get(&format!("/v1/checkout/{}", opened["checkoutId"].as_str().unwrap()))
        .await
        .is(200)
        .json();
    assert_eq!(session["reference"], REFERENCE);
    assert_eq!(session["metadata"]["gift"], true);
    assert_eq!(session["metadata"]["items"][0]["name"], "Library");
}

#[tokio::test]
async fn the_service_names_the_members_of_a_cart_that_it_refuses() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let keys = |count: usize| {
        (0..count).map(|key| (key.to_string(), json!(1))).collect::<serde_json::Map<_, _>>()
    };
    let cart = |metadata: Value| {
        json!({
            "items": [{ "sku": "donation", "amount": 1 }],
            "email": "ama@example.com",
            "metadata": metadata,
        })
    };
    let body = |metadata: Value| upstream_body(&cart(metadata)).unwrap();
    // The items take one of the 50 keys.
    shop.post_text("/v1/checkout", &body(keys(49).into())).await.is(201);
    for (body, pointer, code) in [
        (body(keys(50).into()), "/metadata", "invalid_metadata"),
        (body(json!({ "a": "\u{0}" })), "/metadata", "invalid_metadata"),
        (body(json!({})).replace(REFERENCE, &"a".repeat(65)), "/reference", "too_long"),
        (body(json!({})).replace(REFERENCE, " "), "/reference", "invalid_text"),
    ] {
        let refused = shop.post_text("/v1/checkout", &body).await.is_problem(422, code).json();
        assert_eq!(refused["errors"][0]["pointer"], pointer);
    }
}

#[tokio::test]
async fn the_largest_carts_open_sessions() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let items: Vec<Value> =
        (0..30).map(|index| json!({ "sku": format!("{index:0>32}"), "quantity": 999 })).collect();
    let donation = |amount: &str| {
        let cart = format!(
            r#"{{"items":[{{"sku":"donation","amount":{amount}}}],"email":"ama@example.com"}}"#
        );
        serde_json::from_str::<Value>(&cart).unwrap()
    };
    for cart in [
        json!({ "items": items, "email": "ama@example.com" }),
        donation("0.01"),
        donation("1000000000"),
    ] {
        let body = upstream_body(&cart).unwrap();
        shop.post_text("/v1/checkout", &body).await.is(201);
    }
}
