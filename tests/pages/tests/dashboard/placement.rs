//! Where the dashboard is, and the link of the demo.

use reqwest::Method;
use tua_config::DashboardPlace;
use tua_dashboard::DEMO_EMAIL;
use tua_domain::{
    Mode,
    people::{Role, RoleChanger, SessionToken},
    public_url::PublicUrl,
    secret::SecretDigest,
};
use tua_net::client::parse_trusted;
use tua_test_support::{
    ApiClient, TestApp,
    binary::{json, run},
    dashboard::{Browser, cookie_token, page},
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
    let own =
        ApiClient { origin: app.running().dashboard_url().unwrap().to_owned(), ..app.actor("") };
    let form = own.get("/dashboard/sign-in").await.is(200);
    let sheet = form
        .text
        .split(r#"<link rel="stylesheet" href=""#)
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    own.get(sheet).await.is(200);
    own.get("/v1/transactions").await.is(404);
}

/// A request that a proxy forwards which nobody named: over plain HTTP, from another machine.
const FORWARDED: (&str, &str) = ("x-forwarded-for", "203.0.113.9");

#[tokio::test]
async fn the_dashboard_takes_no_password_and_sets_no_cookie_over_plain_http_from_another_machine() {
    for place in [DashboardPlace::OnService, DashboardPlace::OnListener("127.0.0.1:0".to_owned())] {
        let app = placed(place.clone()).await;
        let url = match &place {
            DashboardPlace::OnListener(_) => app.running().dashboard_url().unwrap().to_owned(),
            _ => app.origin.clone(),
        };
        let own = ApiClient { origin: url, ..app.actor("") };
        let form = Some("email=esi%40example.com&password=wrong&code=123456");
        for (method, path, body) in [
            (Method::GET, "/dashboard/sign-in", None),
            (Method::GET, "/dashboard", None),
            (Method::GET, "/dashboard/enrol/token", None),
            (Method::GET, "/dashboard/language/fr", None),
            (Method::POST, "/dashboard/sign-in", form),
            (Method::POST, "/dashboard/sign-in/passkey", form),
        ] {
            let refused = own
                .send(method, path, &[FORWARDED, ("x-forwarded-proto", "http")], body)
                .await
                .is(403);
            assert_eq!(refused.header("set-cookie"), "", "{path}");
            assert!(
                refused.text.contains("This connection is not encrypted"),
                "{place:?} {path}: {}",
                refused.text
            );
        }
        own.get("/dashboard/sign-in").await.is(200);
    }
}

#[tokio::test]
async fn the_dashboard_has_the_address_of_the_proxy_in_front_of_it() {
    let settings = |config: &mut tua_config::Config| {
        config.dashboard = DashboardPlace::OnListener("127.0.0.1:0".to_owned());
        config.dashboard_url = PublicUrl::parse("https://staff.example");
        config.trusted_proxies = parse_trusted("127.0.0.1").unwrap();
    };
    let app = TestApp::with(settings, |operators| operators).await;
    assert_eq!(app.running().dashboard_url(), Some("https://staff.example"));
    let account = app.account("Adom Stores").await;
    let invited =
        ["user", "invite", "esi@example.com", "--account", account.as_str(), "--role", "owner"];
    let link = json(app.folder.path(), &invited)["link"].as_str().unwrap().to_owned();
    assert!(link.starts_with("https://staff.example/dashboard/enrol/"), "{link}");
}

#[tokio::test]
async fn doctor_finds_a_dashboard_that_refuses_other_machines() {
    let folder = tempfile::tempdir().unwrap();
    tua_test_support::binary::account(folder.path());
    let severity = |arguments: &[&str]| {
        let output = run(folder.path(), &[&["doctor", "--json"], arguments].concat());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let checks = report["checks"].as_array().unwrap().clone();
        let found = checks.into_iter().find(|check| check["check"] == "dashboard").unwrap();
        found["severity"].as_str().unwrap().to_owned()
    };
    let listener = ["--dashboard-listen", "0.0.0.0:9443"];
    assert_eq!(severity(&[]), "ok");
    assert_eq!(severity(&listener), "warning");
    assert_eq!(severity(&[&listener[..], &["--live"]].concat()), "fault");
    assert_eq!(
        severity(&[&listener[..], &["--dashboard-url", "https://staff.example"]].concat()),
        "ok"
    );
    assert_eq!(severity(&["--dashboard", "off"]), "ok");
    assert_eq!(severity(&["--public-url", "http://pay.example"]), "warning");
}

#[tokio::test]
async fn the_link_of_the_demo_signs_in_once() {
    let link = Some(SecretDigest::of("token-of-the-demo"));
    let app = TestApp::with(|config| config.demo_link = link, |operators| operators).await;
    let account = app.account("Adom Stores").await;
    app.running()
        .store
        .set_role(
            &DEMO_EMAIL.parse().unwrap(),
            &account,
            Role::Owner,
            &RoleChanger::CommandLine,
            &app.audit(),
        )
        .await
        .unwrap();
    let stranger = Browser {
        origin: app.origin.clone(),
        http: app.http.clone(),
        token: SessionToken::new(""),
    };
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
