//! What a secret key may do, and from where (docs/reference/credentials.md#scopes).

use super::openapi::documented_operations;
use reqwest::Method;
use serde_json::{Value, json};
use tua_config::Config;
use tua_domain::{KeyScope, KeyScopes};
use tua_net::{
    client::parse_trusted,
    limits::{Limits, Rates},
};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    ApiClient, TestApp,
    key_scopes::{key_of, key_with},
};

const PAYMENT: &str = r#"{"amount":10.5,"phoneNumber":"0201234567","network":"TELECEL"}"#;

/// Every set of scopes: all but the empty one.
fn subsets() -> Vec<KeyScopes> {
    let of = |bits: usize| -> Vec<KeyScope> {
        KeyScope::ALL
            .iter()
            .copied()
            .enumerate()
            .filter(|(at, _)| bits >> at & 1 == 1)
            .map(|(_, one)| one)
            .collect()
    };
    (1..1 << KeyScope::ALL.len()).filter_map(|bits| KeyScopes::new(&of(bits))).collect()
}

#[tokio::test]
async fn every_route_accepts_exactly_the_keys_with_one_of_its_scopes() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let document = app.actor("").get("/openapi.json").await.json();
    let mut routes = Vec::new();
    for (path, operations) in
        documented_operations(&document).into_iter().filter(|(path, _)| path.starts_with("/v1"))
    {
        for (method, operation) in operations {
            let scopes = operation["x-scopes"].as_array().map(|names| {
                names
                    .iter()
                    .map(|name| KeyScope::parse(name.as_str().unwrap()).unwrap())
                    .collect::<Vec<_>>()
            });
            routes.push((method, path.replace("{transactionId}", "txn_none"), scopes));
        }
    }
    assert!(routes.iter().filter(|(.., scopes)| scopes.is_some()).count() >= 6, "{routes:?}");
    for subset in subsets() {
        let actor = key_with(&app, &account, |key| key.scopes = subset).await;
        for (method, path, scopes) in &routes {
            // No body: the scope is checked before it.
            let answer = actor.send(method.clone(), path, &[], None).await;
            let code = answer.json()["code"].as_str().unwrap_or_default().to_owned();
            match scopes {
                None => assert_eq!(code, "credential_not_allowed", "{method} {path}"),
                Some(scopes) if scopes.iter().any(|scope| subset.contains(*scope)) => {
                    assert_ne!(answer.status, 403, "{method} {path} {subset}: {}", answer.text);
                }
                Some(scopes) => {
                    let answer = answer.is_problem(403, "scope_missing");
                    let detail = answer.json()["detail"].as_str().unwrap().to_owned();
                    assert!(scopes.iter().all(|scope| detail.contains(scope.as_str())), "{detail}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_key_reads_only_what_its_scopes_allow() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let collect = key_of(&app, &account, "collect").await;
    let payout = key_of(&app, &account, "payout").await;
    let begun = collect.post_text("/v1/charge", PAYMENT).await.is(202);
    let charge = begun.id();
    let reference = begun.json()["reference"].as_str().unwrap().to_owned();
    let paid = payout.post_text("/v1/payout", PAYMENT).await.is(202).id();
    for (scopes, charges, payouts) in [
        ("collect", true, false),
        ("payout", false, true),
        ("refund", true, false),
        ("read", true, true),
        ("collect,payout", true, true),
        ("payout,refund", true, true),
    ] {
        let actor = key_of(&app, &account, scopes).await;
        for (id, visible) in [(&charge, charges), (&paid, payouts)] {
            let answer = actor.get(&format!("/v1/status/{id}")).await;
            if visible {
                answer.is(200)
            } else {
                answer.is_problem(404, "transaction_not_found")
            };
            // Also where the key may submit codes: what it may not read does not exist.
            if scopes.contains("collect") && !visible {
                let voucher = json!({ "transactionId": id, "otp": "123456" });
                actor
                    .post("/v1/submit-otp", &voucher)
                    .await
                    .is_problem(404, "transaction_not_found");
            }
        }
        for (query, expected) in [
            ("", u8::from(charges) + u8::from(payouts)),
            ("?type=CHARGE", charges.into()),
            ("?type=PAYOUT", payouts.into()),
            (&format!("?reference={reference}"), charges.into()),
        ] {
            let listed = actor.get(&format!("/v1/transactions{query}")).await.is(200).json();
            assert_eq!(
                listed["data"].as_array().unwrap().len(),
                usize::from(expected),
                "{scopes} {query}"
            );
            assert_eq!(listed["nextCursor"], Value::Null);
        }
    }
}

#[tokio::test]
async fn pages_of_a_list_are_full_although_other_transactions_lie_between() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let all = key_of(&app, &account, "collect,payout").await;
    let payout = key_of(&app, &account, "payout").await;
    for path in ["/v1/charge", "/v1/payout", "/v1/charge", "/v1/charge", "/v1/payout", "/v1/payout"]
    {
        all.post_text(path, PAYMENT).await.is(202);
    }
    let first = payout.get("/v1/transactions?limit=2").await.is(200).json();
    let cursor = first["nextCursor"].as_str().unwrap();
    let second =
        payout.get(&format!("/v1/transactions?limit=2&cursor={cursor}")).await.is(200).json();
    let lengths = [&first, &second].map(|page| page["data"].as_array().unwrap().len());
    assert_eq!((lengths, &second["nextCursor"]), ([2, 1], &Value::Null));
}

#[tokio::test]
async fn a_replay_needs_the_scope_too() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let headers = [("idempotency-key", "order-17")];
    let send = async |actor: &ApiClient| {
        actor.send(Method::POST, "/v1/payout", &headers, Some(PAYMENT)).await
    };
    let id = send(&key_of(&app, &account, "payout").await).await.is(202).id();
    send(&key_of(&app, &account, "collect,read,refund").await)
        .await
        .is_problem(403, "scope_missing");
    assert_eq!(send(&key_of(&app, &account, "payout").await).await.is(202).id(), id);
}

#[tokio::test]
async fn a_key_is_accepted_from_its_addresses_only() {
    let app = TestApp::with(
        |config| config.trusted_proxies = parse_trusted("127.0.0.1").unwrap(),
        |all| all,
    )
    .await;
    let account = app.account("Adom Stores").await;
    let bound = "203.0.113.0/24,2001:db8::7";
    let key =
        key_with(&app, &account, |key| key.allowed_addresses = Some(bound.parse().unwrap())).await;
    let from = async |address: &str| {
        key.send(Method::GET, "/v1/transactions", &[("x-forwarded-for", address)], None).await
    };
    for address in [
        "203.0.113.1",
        "203.0.113.255",
        "::ffff:203.0.113.9",
        "2001:db8::7",
        "192.0.2.1, 203.0.113.1",
    ] {
        from(address).await.is(200);
    }
    for address in ["203.0.114.1", "2001:db8::8", "127.0.0.1", "203.0.113.1, 192.0.2.1", "junk"] {
        let refused = from(address).await.is_problem(403, "address_not_allowed");
        assert!(
            !refused.text.contains("203.0.113"),
            "the response must not name the addresses of the key"
        );
    }
    key.post_text("/v1/charge", "no JSON").await.is_problem(403, "address_not_allowed");
}

#[tokio::test]
async fn requests_from_other_addresses_do_not_use_up_the_rate_limit_of_a_key() {
    let limited = |config: &mut Config| {
        config.limits = Limits::On(Rates::default());
        config.trusted_proxies = parse_trusted("127.0.0.1").unwrap();
    };
    let app = TestApp::with_clock(OffsetClock::stopped(), limited, |all| all).await;
    let account = app.account("Adom Stores").await;
    let key = key_with(&app, &account, |key| {
        key.allowed_addresses = Some("203.0.113.7".parse().unwrap())
    })
    .await;
    let from = async |address: &str| {
        key.send(Method::GET, "/v1/transactions", &[("x-forwarded-for", address)], None).await
    };
    assert!(from("203.0.113.7").await.is(200).header("ratelimit").contains(";r=499;"));
    for _ in 0..120 {
        from("192.0.2.1").await.is_problem(403, "address_not_allowed");
    }
    from("192.0.2.1").await.is_problem(429, "rate_limited");
    assert!(from("203.0.113.7").await.is(200).header("ratelimit").contains(";r=498;"));
}
