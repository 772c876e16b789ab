//! The API of the simulated phone (docs/reference/test-mode.md).

use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tua_domain::{Generation, Mode};
use tua_test_support::{
    ApiClient, Response, TestApp,
    binary::{RunningService, account, json, refused, tua},
    eventually,
};

const PROMPTS: &str = "/sandbox/phone/prompts";

/// A service with the settings of `tua demo`, its merchant, and a client for the phone.
async fn with_phone() -> (TestApp, ApiClient, ApiClient) {
    let app = TestApp::with(|config| config.sandbox_phone = true, |operators| operators).await;
    let shop = app.shop().await;
    let holder = app.actor("");
    (app, shop, holder)
}

async fn prompts(holder: &ApiClient, query: &str) -> Vec<Value> {
    let answer = holder.get(&format!("{PROMPTS}{query}")).await.is(200);
    answer.json()["prompts"].as_array().unwrap().clone()
}

async fn decide(holder: &ApiClient, prompt: &Value, decision: &str) -> Response {
    let path = format!("{PROMPTS}/{}", prompt["reference"].as_str().unwrap());
    holder.post(&path, &json!({ "decision": decision })).await
}

#[tokio::test]
async fn without_the_setting_the_simulated_phone_is_404() {
    let app = TestApp::start().await;
    let nobody = app.actor("");
    for path in ["/sandbox/phone", "/sandbox/phone/", PROMPTS] {
        nobody.get(path).await.is_problem(404, "not_found");
    }
    nobody
        .post(&format!("{PROMPTS}/x"), &json!({ "decision": "approve" }))
        .await
        .is_problem(404, "not_found");
}

#[tokio::test]
async fn the_simulated_phone_ends_when_a_live_key_is_made() {
    let (app, shop, holder) = with_phone().await;
    holder.get("/sandbox/phone").await.is(200);
    let payment = json!({ "amount": 5, "phoneNumber": "0241234567", "network": "MTN" });
    let id = shop.post("/v1/charge", &payment).await.is(202).id();
    let prompt = prompts(&holder, "").await.remove(0);
    app.merchant(Mode::Live, Generation::V2).await;
    eventually("the phone is not served", async || {
        holder.get("/sandbox/phone").await.status == 404
    })
    .await;
    holder.get(PROMPTS).await.is_problem(404, "not_found");
    decide(&holder, &prompt, "approve").await.is_problem(404, "not_found");
    app.advance(60);
    let is_paid =
        async || shop.get(&format!("/v1/status/{id}")).await.json()["status"] == "SUCCESSFUL";
    eventually("the prompt is decided without the phone", is_paid).await;
}

#[test]
fn the_simulated_phone_is_refused_beside_a_live_key() {
    let folder = tempfile::tempdir().unwrap();
    let (id, ..) = account(folder.path());
    let key = json(folder.path(), &["key", "create", "--account", &id, "--mode", "live"]);
    let line =
        refused(tua(folder.path()).args(["serve", "--listen", "127.0.0.1:0", "--sandbox-phone"]));
    assert!(
        line.contains("sandbox-phone") && line.contains(key["keyId"].as_str().unwrap()),
        "{line}"
    );
    RunningService::start(folder.path(), |_| {});
}

#[tokio::test]
async fn the_phone_page_loads_nothing_from_other_origins() {
    let (_app, _, holder) = with_phone().await;
    let page = holder.get("/sandbox/phone").await.is(200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; "), "{policy}");
    assert!(policy.contains("frame-ancestors 'self' http://127.0.0.1:*"), "{policy}");
    holder.get("/sandbox/phone/nothing.js").await.is_problem(404, "not_found");
}

#[tokio::test]
async fn the_phone_has_the_same_words_in_both_languages() {
    let (_app, _, holder) = with_phone().await;
    let texts = holder.get("/sandbox/phone/texts.js").await.is(200).text;
    let (english, french) = texts.split_once("\n  fr: {").unwrap();
    let keys = |texts: &str| -> Vec<String> {
        let words = texts.lines().filter_map(|line| line.strip_prefix("    "));
        words.filter_map(|line| Some(line.split_once(':')?.0.to_owned())).collect()
    };
    assert_eq!(keys(english), keys(french));
    assert!(keys(french).len() > 20, "{texts}");
    let page = holder.get("/sandbox/phone").await.is(200).text;
    for key in page.split("data-text=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(keys(french).contains(&key.to_owned()), "{key}");
    }
}

#[tokio::test]
async fn a_charge_is_a_prompt_that_waits_for_approval() {
    let (app, shop, holder) = with_phone().await;
    assert_eq!(prompts(&holder, "").await, Vec::<Value>::new());
    for (network, decision, status, code) in [
        ("MTN", "approve", "SUCCESSFUL", Value::Null),
        ("AIRTELTIGO", "decline", "FAILED", json!("customer_rejected")),
    ] {
        let body = json!({
            "amount": 10.5,
            "phoneNumber": "0241234567",
            "network": network,
            "payerMessage": "Fish",
        });
        let charge = shop.post("/v1/charge", &body).await.is(202);
        app.advance(60);
        let waiting = prompts(&holder, "").await;
        assert_eq!(waiting.len(), 1, "{waiting:?}");
        let prompt = &waiting[0];
        for (field, value) in [
            ("phoneNumber", json!("0241234567")),
            ("network", json!(network)),
            ("amount", json!(10.5)),
            ("currency", json!("GHS")),
            ("merchant", json!("Adom Stores")),
            ("message", json!("Fish")),
            ("kind", json!("approval")),
            ("voucher", Value::Null),
        ] {
            assert_eq!(prompt[field], value, "{field}");
        }
        assert_eq!(shop.status(&charge.id()).await["nextAction"], "APPROVE_ON_PHONE");
        decide(&holder, prompt, decision).await.is(204);
        let decided = shop.until(&charge.id(), |transaction| transaction["status"] == status).await;
        assert_eq!(decided["failure"]["code"], code);
        decide(&holder, prompt, "approve").await.is_problem(404, "not_found");
        assert_eq!(prompts(&holder, "").await.len(), 0);
    }
}

#[tokio::test]
async fn the_phone_shows_the_voucher_to_enter() {
    let (app, shop, holder) = with_phone().await;
    let payer = app.payer(&shop).await;
    let charge = payer.charge("0201234567", "TELECEL").await.is(202);
    let prompt = prompts(&holder, "").await.remove(0);
    assert_eq!((&prompt["kind"], &prompt["network"]), (&json!("voucher"), &json!("TELECEL")));
    decide(&holder, &prompt, "approve").await.is_problem(404, "not_found");
    let code = json!({ "transactionId": charge.id(), "otp": prompt["voucher"] });
    payer.post("/v1/submit-otp", &code).await.is(200);
    assert_eq!(prompts(&holder, "").await.len(), 0);
    app.advance(2);
    payer.until(&charge.id(), |transaction| transaction["status"] == "SUCCESSFUL").await;
}

#[tokio::test]
async fn a_phone_shows_its_own_prompts_newest_first() {
    let (app, shop, holder) = with_phone().await;
    for (phone, amount) in [("0241111111", 1), ("0242222222", 2), ("0241111111", 3)] {
        let body = json!({ "amount": amount, "phoneNumber": phone, "network": "MTN" });
        shop.post("/v1/charge", &body).await.is(202);
        app.advance(1);
    }
    let amounts = async |query: &str| -> Vec<Value> {
        prompts(&holder, query).await.iter().map(|prompt| prompt["amount"].clone()).collect()
    };
    assert_eq!(amounts("").await, [3, 2, 1]);
    assert_eq!(amounts("?number=").await, [3, 2, 1]);
    assert_eq!(amounts("?number=0241111111").await, [3, 1]);
    assert_eq!(amounts("?number=0249999999").await, Vec::<Value>::new());
    app.advance(30 * 60);
    assert_eq!(amounts("").await, Vec::<Value>::new(), "old prompts are not shown");
}

#[tokio::test]
async fn payouts_and_test_numbers_have_no_prompt() {
    let (app, shop, holder) = with_phone().await;
    let body = json!({ "amount": 1, "phoneNumber": "0241234567", "network": "MTN" });
    let payout = shop.post("/v1/payout", &body).await.is(202);
    let body = json!({ "amount": 1, "phoneNumber": "0241230001", "network": "MTN" });
    let charge = shop.post("/v1/charge", &body).await.is(202);
    assert_eq!(prompts(&holder, "").await.len(), 0);
    app.advance(2);
    shop.until(&payout.id(), |transaction| transaction["status"] == "SUCCESSFUL").await;
    shop.until(&charge.id(), |transaction| transaction["failure"]["code"] == "insufficient_funds")
        .await;
}

#[tokio::test]
async fn an_invalid_decision_is_rejected() {
    let (app, shop, holder) = with_phone().await;
    let charge = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202);
    let prompt = prompts(&holder, "").await.remove(0);
    decide(&holder, &prompt, "maybe").await.is_problem(422, "invalid_text");
    let path = format!("{PROMPTS}/{}", prompt["reference"].as_str().unwrap());
    holder.post_text(&path, "{}").await.is_problem(422, "field_required");
    holder.post_text(&path, "{").await.is_problem(400, "malformed_json");
    holder
        .post_text(&path, r#"{"decision":"approve","pin":"1234"}"#)
        .await
        .is_problem(422, "unknown_field");
    holder.send(Method::POST, &path, &[], None).await.is_problem(415, "unsupported_media_type");
    for unknown in ["x", "%00", "%ff"] {
        let path = format!("{PROMPTS}/{unknown}");
        holder.post_text(&path, r#"{"decision":"approve"}"#).await.is_problem(404, "not_found");
    }
    assert_eq!(shop.status(&charge.id()).await["status"], "PENDING");
    assert_eq!(prompts(&holder, "").await.len(), 1);
}

#[tokio::test]
async fn racing_decisions_apply_exactly_one() {
    let (app, shop, holder) = with_phone().await;
    let charge = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202);
    let prompt = prompts(&holder, "").await.remove(0);
    let taps: Vec<_> = (0..8)
        .map(|n| {
            let holder = holder.clone();
            let prompt = prompt.clone();
            tokio::spawn(async move {
                decide(&holder, &prompt, if n % 2 == 0 { "approve" } else { "decline" }).await
            })
        })
        .collect();
    let mut taken = 0;
    for tap in taps {
        taken += u32::from(tap.await.unwrap().status == 204);
    }
    assert_eq!(taken, 1);
    shop.until(&charge.id(), |transaction| transaction["status"] != "PENDING").await;
}

#[tokio::test]
async fn a_waiting_phone_gets_the_next_prompt_at_once() {
    let (app, shop, holder) = with_phone().await;
    let empty = holder.get(PROMPTS).await;
    let tag = empty.header("etag").to_owned();
    holder.send(Method::GET, PROMPTS, &[("if-none-match", &tag)], None).await.is(304);
    let waiting = tokio::spawn({
        let holder = holder.clone();
        let tag = tag.clone();
        async move {
            holder
                .send(Method::GET, PROMPTS, &[("if-none-match", &tag), ("prefer", "wait=30")], None)
                .await
        }
    });
    app.payer(&shop).await.charge("0241234567", "MTN").await.is(202);
    let rung =
        tokio::time::timeout(Duration::from_secs(10), waiting).await.unwrap().unwrap().is(200);
    assert_eq!(rung.json()["prompts"].as_array().map(Vec::len), Some(1));
    assert_ne!(rung.header("etag"), tag);
}
