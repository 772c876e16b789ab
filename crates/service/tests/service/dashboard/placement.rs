//! Where the dashboard is, and the link of the demo.

use crate::support::{
    ApiClient, TestApp,
    dashboard::{Browser, cookie_token, page},
};
use tua_service::{
    config::DashboardPlace,
    dashboard::DEMO_EMAIL,
    domain::{
        Mode,
        people::{Role, RoleChanger, SessionToken},
        secret::SecretDigest,
    },
};

async fn placed(place: DashboardPlace) -> TestApp {
    TestApp::with(|config| config.dashboard = place, |operators| operators).await
}

#[tokio::test]
async fn the_dashboard_is_off_or_on_a_listener_of_its_own() {
    let off = placed(DashboardPlace::Off).await;
    off.actor("").get("/dashboard/sign-in").await.is(404);
    assert_eq!(off.running().dashboard_url(), None);

    let app = placed(DashboardPlace::OnListener("127.0.0.1:0".to_owned())).await;
    app.actor("").get("/dashboard/sign-in").await.is(404);
    let own = ApiClient { origin: app.running().dashboard_url().unwrap().to_owned(), ..app.actor("") };
    let form = own.get("/dashboard/sign-in").await.is(200);
    let sheet = form.text.split(r#"<link rel="stylesheet" href=""#).nth(1).unwrap().split('"').next().unwrap();
    own.get(&sheet.replace("&#x2f;", "/")).await.is(200);
    own.get("/v1/transactions").await.is(404);
}

#[tokio::test]
async fn the_link_of_the_demo_signs_in_once() {
    let link = Some(SecretDigest::of("token-of-the-demo"));
    let app = TestApp::with(|config| config.demo_link = link, |operators| operators).await;
    let account = app.account("Adom Stores").await;
    app.running()
        .store
        .set_role(&DEMO_EMAIL.parse().unwrap(), &account, Role::Owner, &RoleChanger::CommandLine, &app.audit())
        .await
        .unwrap();
    let stranger = Browser { origin: app.origin.clone(), http: app.http.clone(), token: SessionToken::new("") };
    stranger.get("/dashboard/demo/token-of-another").await.is(404);
    let signed_in = stranger.get("/dashboard/demo/token-of-the-demo").await.is(303);
    stranger.get("/dashboard/demo/token-of-the-demo").await.is(404);
    let owner = Browser { token: cookie_token(&signed_in), ..stranger };
    app.advance(20 * 60);
    let fields = [("name", "shop"), ("scope", "collect")];
    owner.post(&page(&account, Mode::Test, "/keys/create"), &fields).await.is(200);
    let usual = TestApp::start().await;
    usual.actor("").get("/dashboard/demo/token-of-the-demo").await.is(404);
}
