//! What payers read who see no prompt: the operator's instructions where it has some, else ours.

use serde_json::{Value, json};
use tua_emulator::{Call, Fault, Operator};
use tua_test_support::{
    ApiClient, TestApp, eventually,
    hosted_page::{assert_page, send_form},
    live_operators::LiveOperators,
};

const OPERATORS_TEXT: &str =
    "Dial *170# on your phone. Choose My Wallet, then My Approvals. Enter PIN.";
const OUR_TEXT: &str =
    "Dial *170#, choose My Wallet, then My Approvals, and approve the request there.";

async fn instructions(payer: &ApiClient) -> Value {
    payer.get("/v1/checkout").await.is(200).json()["networks"][0]["promptInstructions"].clone()
}

/// Waits until the operator's report about itself was read.
async fn wait_until_read(payer: &ApiClient) {
    eventually("the instructions were read", async || !instructions(payer).await.is_null()).await;
}

/// The hosted page of this payer after a charge on MTN that stays pending.
async fn waiting_page(app: &TestApp, payer: &ApiClient, language: &str) -> String {
    let path = format!("/pay?key={}", payer.credential);
    let headers =
        [("content-type", "application/x-www-form-urlencoded"), ("accept-language", language)];
    send_form(&app.actor(""), &path, "phoneNumber=0241230007&network=MTN", &headers).await.is(303);
    let page = app
        .actor("")
        .send(reqwest::Method::GET, &path, &[("accept-language", language)], None)
        .await;
    assert_page(page, 200).text
}

#[tokio::test]
async fn the_operators_instructions_are_read_in_the_background_and_shown_while_a_payer_waits() {
    let live = LiveOperators::routed_to("pawapay").await;
    let payer = live.app.payer(&live.shop).await;
    wait_until_read(&payer).await;
    let texts = instructions(&payer).await;
    assert_eq!(texts["en"], OPERATORS_TEXT, "{texts}");
    assert!(texts["fr"].as_str().unwrap().starts_with("Composez *170# "), "{texts}");
    // Nothing about the operator is read in a payer's request: it may be unreachable.
    live.emulator.chaos().set(Operator::PAWAPAY, Call::Other, Fault::CloseBefore);
    assert_eq!(instructions(&payer).await, texts);
    live.emulator.chaos().clear();

    let page = waiting_page(&live.app, &payer, "en").await;
    assert!(page.contains(OPERATORS_TEXT) && !page.contains(OUR_TEXT), "{page}");
    let french = live.app.payer(&live.shop).await;
    let page = waiting_page(&live.app, &french, "fr").await;
    assert!(page.contains("Composez *170# ") && !page.contains(OPERATORS_TEXT), "{page}");
    let arabic = live.app.payer(&live.shop).await;
    let page = waiting_page(&live.app, &arabic, "ar").await;
    assert!(
        page.contains("*170#") && !page.contains(OPERATORS_TEXT),
        "the operator has no text in this language: {page}"
    );
}

#[tokio::test]
async fn an_operator_without_instructions_leaves_our_own() {
    let live = LiveOperators::routed_to("mtn").await;
    let payer = live.app.payer(&live.shop).await;
    let page = waiting_page(&live.app, &payer, "en").await;
    assert_eq!(instructions(&payer).await, Value::Null);
    assert!(page.contains(OUR_TEXT), "{page}");
}

#[tokio::test]
async fn a_pending_charge_keeps_the_instructions_of_its_own_operator() {
    let live = LiveOperators::with("MTN = [\"pawapay\", \"mtn\"]\n").await;
    let payer = live.app.payer(&live.shop).await;
    wait_until_read(&payer).await;
    let charge = json!({ "phoneNumber": "0241230007", "network": "MTN" });
    payer.post("/v1/charge", &charge).await.is(202);
    live.emulator.chaos().set(Operator::PAWAPAY, Call::Send, Fault::ErrorBefore);
    for _ in 0..5 {
        live.charge("0241234567", "MTN").await.is(202);
    }
    assert_eq!(instructions(&payer).await["en"], OPERATORS_TEXT);
    let next = live.app.payer(&live.shop).await;
    assert_eq!(instructions(&next).await, Value::Null, "its charge would go to MTN");
}
