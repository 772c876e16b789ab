//! Violations fail a journey; otherwise the other journeys prove nothing.

use tua_e2e::merchant::Merchant;
use tua_e2e::{TestService, journey};

async fn page(script: &'static str) {
    journey("journey checks", move |browser| async move {
        let service = TestService::start().await?;
        let merchant = Merchant::with_page(service.origin(), "<main>Hello</main>", script).await?;
        browser.allow_origin(service.origin());
        browser.allow_origin(merchant.origin());
        browser.open(merchant.origin()).await?;
        browser.says("Hello").await?;
        Ok((service, merchant))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quiet_page_passes() {
    page("").await;
}

#[tokio::test(flavor = "multi_thread")]
#[should_panic(expected = "on the console")]
async fn an_error_on_the_console_fails_a_journey() {
    page("console.error('broken')").await;
}

#[tokio::test(flavor = "multi_thread")]
#[should_panic(expected = "on the console")]
async fn an_uncaught_error_fails_a_journey() {
    page("throw new Error('broken')").await;
}

#[tokio::test(flavor = "multi_thread")]
#[should_panic(expected = "blocked by the page's security policy: style-src")]
async fn a_violation_of_the_security_policy_fails_a_journey() {
    page("document.body.setAttribute('style', 'color: red')").await;
}

#[tokio::test(flavor = "multi_thread")]
#[should_panic(expected = "response 404")]
async fn an_error_response_fails_a_journey() {
    page("new Image().src = '/nowhere.png'").await;
}

#[tokio::test(flavor = "multi_thread")]
#[should_panic(expected = "a request to a foreign origin")]
async fn a_request_to_a_foreign_origin_fails_a_journey() {
    journey("journey checks", |browser| async move {
        browser.open("http://elsewhere.invalid/").await.or(Ok(()))
    })
    .await;
}
