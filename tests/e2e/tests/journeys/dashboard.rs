//! People in the dashboard.

use anyhow::Result;
use serde_json::json;
use tua_e2e::pages::Dashboard;
use tua_e2e::{Browser, Key, PASSWORD, Powers, TestService, journey, journey_with};

const OWNER: &str = "ama@example.com";

/// An owner signs in, finds a payment, refunds one cedi of it, and signs out.
async fn refund_one_cedi(browser: Browser) -> Result<TestService> {
    let service = TestService::start().await?;
    let owner = service.enrol(OWNER, "owner").await?;
    let charge = service.charge("cart-7").await?;
    service.charge("cart-8").await?;
    let dashboard = Dashboard::open(&browser, &service).await?;
    dashboard.sign_in(OWNER, &service.next_code(&owner).await?).await?;
    dashboard.says("GH₵51.00").await?;
    dashboard.find_payment("cart-7").await?;

    service.expire_proofs().await?;
    browser.fill("Amount in cedis", "1").await?;
    browser.fill("Reason, for your own books", "a broken cup").await?;
    browser.press("Refund").await?;
    let button = "Return GH₵1.00 to";
    dashboard.prove_and_send(&service.next_code(&owner).await?, button).await?;
    dashboard.says("The refund is recorded").await?;
    dashboard.says("a broken cup").await?;
    assert_eq!(service.refunds(&charge).await?, [json!(1)], "one refund of one cedi");

    let page = browser.address().await?;
    dashboard.sign_out().await?;
    browser.open(&page).await?;
    dashboard.shows("Sign in").await?;
    Ok(service)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_refunds_one_cedi_after_a_fresh_proof() {
    journey("dashboard: a refund", refund_one_cedi).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_without_script_refunds_one_cedi_after_a_fresh_proof() {
    journey_with(Powers::NoScript, "dashboard: a refund without script", refund_one_cedi).await;
}

/// Firefox fails the requests of a page that is left. An error on the console would fail this.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_left_while_it_refreshes_logs_no_error() {
    journey("dashboard: left while it refreshes", |browser| async move {
        let service = TestService::start().await?;
        let owner = service.enrol(OWNER, "owner").await?;
        let dashboard = Dashboard::open(&browser, &service).await?;
        dashboard.sign_in(OWNER, &service.next_code(&owner).await?).await?;
        browser.hold_refreshes();
        browser.run("htmx.trigger('#live', 'every')", vec![]).await?;
        browser.holds_a_request().await?;
        dashboard.go_to("Payments", "Payments").await?;
        browser.release();
        Ok(service)
    })
    .await;
}

/// WCAG 2.2, 1.4.10: nothing scrolls sideways at this width.
#[tokio::test(flavor = "multi_thread")]
async fn a_person_refunds_one_cedi_in_a_window_of_320_pixels() {
    journey("dashboard: 320 pixels", |browser| async move {
        browser.open_narrow_window(320).await?;
        refund_one_cedi(browser).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payout_with_a_persons_new_key_is_approved_by_another_person() {
    journey("dashboard: an approval", |browser| async move {
        let service = TestService::start().await?;
        service.require_approvals().await?;
        let owner = service.enrol(OWNER, "owner").await?;
        let finance = service.invite("kofi@example.com", "finance").await?;
        let dashboard = Dashboard::open(&browser, &service).await?;
        dashboard.sign_in(OWNER, &service.next_code(&owner).await?).await?;
        let key = dashboard.create_payout_key("payroll").await?;
        // The page that shows the new key has the heading of the list, so another one is between.
        dashboard.go_to("People", "People").await?;
        dashboard.go_to("Secret keys", "Secret keys").await?;
        dashboard.says("payroll").await?;
        assert!(!browser.text(None).await?.contains(&key), "a key is shown once");

        let payout = service.pay_out(&key).await?;
        dashboard.go_to("Approvals", "Approvals").await?;
        dashboard.says("another person must approve it").await?;
        assert_eq!(browser.count("button", "Approve").await?, 0, "the owner made the key");
        dashboard.sign_out().await?;

        dashboard.enrol(&finance.invitation, "Kofi Mensah", &service.code(&finance).await?).await?;
        dashboard.go_to("Approvals", "Approvals").await?;
        browser.press("Approve").await?;
        browser.press("Approve, and send GH₵").await?;
        dashboard.says("The payout is approved").await?;
        assert_eq!(service.final_status(&payout).await?, "SUCCESSFUL");
        Ok(service)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_refunds_one_cedi_with_the_keyboard_alone() {
    journey("dashboard: the keyboard alone", |browser| async move {
        let service = TestService::start().await?;
        let owner = service.enrol(OWNER, "owner").await?;
        let charge = service.charge("cart-7").await?;
        let dashboard = Dashboard::open(&browser, &service).await?;
        let code = service.next_code(&owner).await?;
        for (field, text) in [("E-mail address", OWNER), ("Password", PASSWORD), ("Code", &code)] {
            browser.tab_to("textbox", field).await?;
            browser.keys(text.into()).await?;
        }
        browser.keys(Key::Enter.into()).await?;
        dashboard.shows("Money in today").await?;

        browser.tab_to("link", "Payments").await?;
        browser.keys(Key::Enter.into()).await?;
        dashboard.shows("Payments").await?;
        browser.tab_to("link", "Skip to the content").await?;
        browser.keys(Key::Enter.into()).await?;
        browser.tab_to("textbox", "Search").await?;
        browser.keys("cart-7" + Key::Enter).await?;
        dashboard.says("Search: cart-7").await?;
        browser.tab_to("link", "024 123 4567").await?;
        browser.keys(Key::Enter.into()).await?;
        dashboard.shows("cart-7").await?;
        browser.tab_to("textbox", "Amount in cedis").await?;
        browser.keys("1" + Key::Enter).await?;
        dashboard.says("Return GH₵1.00 to").await?;
        browser.tab_to("button", "Return GH₵1.00 to").await?;
        browser.keys(Key::Enter.into()).await?;
        dashboard.says("The refund is recorded").await?;
        assert_eq!(service.refunds(&charge).await?, [json!(1)], "one refund of one cedi");
        browser.tab_to("button", "Sign out").await?;
        browser.keys(Key::Enter.into()).await?;
        dashboard.shows("Sign in").await?;
        Ok(service)
    })
    .await;
}
