//! Who may open which page: sessions, roles, accounts, forms.

use reqwest::Method;
use tua_dashboard::{Proof, account_routes};
use tua_domain::{Mode, people::Role};
use tua_test_support::{
    Response, TestApp,
    dashboard::{Browser, page},
    hosted_page::NO_DEVICES,
};

/// The path of a route, with values that name nothing.
fn sample(path: &str) -> String {
    path.split('/')
        .map(|part| if part.starts_with('{') { "nothing" } else { part })
        .collect::<Vec<_>>()
        .join("/")
}

async fn send(browser: &Browser, method: &Method, path: &str) -> Response {
    if *method == Method::GET { browser.get(path).await } else { browser.post(path, &[]).await }
}

#[tokio::test]
async fn every_route_is_open_to_exactly_the_roles_of_the_table() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let foreign = app.account("Other").await;
    let mut browsers = Vec::new();
    for role in Role::ALL {
        browsers.push((*role, app.browser_of(&account, *role).await));
    }
    let nobody =
        Browser { token: tua_domain::people::SessionToken::generate(), ..browsers[0].1.clone() };
    for route in account_routes() {
        for mode in [Mode::Test, Mode::Live] {
            let path = page(&account, mode, &sample(route.path));
            for (role, browser) in &browsers {
                let status = send(browser, &route.method, &path).await.status.as_u16();
                let context = format!("{} {path} as {}", route.method, role.as_str());
                assert_eq!(status == 403, !role.may(route.permission), "{status}: {context}");
                assert!(status < 500, "{status}: {context}");
            }
            let anonymous = send(&nobody, &route.method, &path).await.is(303);
            assert!(
                anonymous.header("location").starts_with("/dashboard/sign-in?return="),
                "{path}"
            );
            let owner = &browsers[0].1;
            send(owner, &route.method, &page(&foreign, mode, &sample(route.path))).await.is(404);
            if route.method == Method::POST {
                owner.post_body(&path, "formToken=guessed".to_owned()).await.is(403);
            }
        }
        send(
            &browsers[0].1,
            &route.method,
            &format!("/dashboard/accounts/{account}/demo{}", route.path),
        )
        .await
        .is(404);
    }
}

#[tokio::test]
async fn a_form_of_another_site_changes_nothing() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let form = format!("formToken={}", owner.token.form_token());
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://evil.example"),
    ] {
        let request =
            owner.http.post(format!("{}/dashboard/sign-out", owner.origin)).header(name, value);
        let request = request.header("cookie", format!("tua-session={}", owner.token.as_str()));
        let request =
            request.header("content-type", "application/x-www-form-urlencoded").body(form.clone());
        assert_eq!(request.send().await.unwrap().status(), 403, "{name}: {value}");
    }
    owner.post_body("/dashboard/sign-out", "formToken=guessed".to_owned()).await.is(403);
    owner.get("/dashboard").await.is(303);
    let signed_out = owner.post("/dashboard/sign-out", &[]).await.is(303);
    assert!(signed_out.header("set-cookie").contains("Max-Age=0"), "{signed_out:?}");
    let ended = owner.get("/dashboard").await.is(303);
    assert_eq!(ended.header("location"), "/dashboard/sign-in?return=%2Fdashboard");
}

#[tokio::test]
async fn a_form_of_an_old_browser_counts_by_its_origin() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let send = async |origin: &str| {
        let request = owner
            .http
            .post(format!("{}/dashboard/sign-out", owner.origin))
            .header("origin", origin);
        let request = request.header("cookie", format!("tua-session={}", owner.token.as_str()));
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        request
            .body(format!("formToken={}", owner.token.form_token()))
            .send()
            .await
            .unwrap()
            .status()
            .as_u16()
    };
    assert_eq!(send("null").await, 403);
    assert_eq!(send(&owner.origin).await, 303);
}

#[tokio::test]
async fn a_route_asks_for_a_fresh_proof_exactly_where_the_table_says_so() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    app.advance(301);
    for route in account_routes() {
        let answer =
            send(&owner, &route.method, &page(&account, Mode::Test, &sample(route.path))).await;
        let is_asked = answer.status == 303
            && answer.header("location").starts_with("/dashboard/proof?return=");
        assert_eq!(
            is_asked,
            route.proof == Proof::Fresh,
            "{} {}: {answer:?}",
            route.method,
            route.path
        );
    }
    let settle = page(&account, Mode::Test, "/payments/txn_1/settle");
    let asked = owner.post(&settle, &[]).await.is(303);
    let form = page(&account, Mode::Test, "/payments/txn_1").replace('/', "%2F");
    assert_eq!(asked.header("location"), format!("/dashboard/proof?return={form}"));
}

/// The page of a kept form, opened by a person with the cookie of a response.
pub(super) async fn kept(browser: &Browser, refused: &Response) -> Response {
    let form = refused.header("set-cookie").split(';').next().unwrap().to_owned();
    assert!(form.starts_with("tua-form="), "{refused:?}");
    let request = browser.http.get(format!("{}/dashboard/kept", browser.origin));
    let cookies = format!("tua-session={}; {form}", browser.token.as_str());
    Response::read(request.header("cookie", cookies).send().await.unwrap()).await
}

#[tokio::test]
async fn what_was_entered_outlives_a_session_and_a_proof_for_the_same_person_alone() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let invite = page(&account, Mode::Test, "/people/invite");
    let fields = [("email", "kofi@example.com"), ("role", "viewer")];
    app.advance(301);
    let unproven = owner.post(&invite, &fields).await.is(303);
    assert_eq!(unproven.header("location"), "/dashboard/proof?return=%2Fdashboard%2Fkept");
    app.advance(30 * 60);
    let ended = owner.post(&invite, &fields).await.is(303);
    assert_eq!(ended.header("location"), "/dashboard/sign-in?return=%2Fdashboard%2Fkept");

    let other = app.browser_of(&account, Role::Viewer).await;
    kept(&other, &ended).await.is(303);
    let again = app.browser_of(&account, Role::Owner).await;
    let shown = kept(&again, &ended).await.is(200);
    assert!(
        shown.text.contains("<li>kofi@example.com</li>")
            && shown.text.contains("<button>Invite a person</button>"),
        "{}",
        shown.text
    );
    assert!(shown.text.contains(&format!("action=\"{}\"", invite)), "{}", shown.text);
    again.post(&invite, &fields).await.is(200);
    app.advance(601);
    kept(&again, &ended).await.is(303);
    // A form that no page of the session sent is not kept.
    app.advance(30 * 60);
    let foreign =
        again.post_body(&invite, "formToken=guessed&email=a%40b.example".to_owned()).await.is(303);
    assert_eq!(foreign.header("location"), "/dashboard/sign-in?return=%2Fdashboard");
}

#[tokio::test]
async fn a_session_ends_when_it_is_idle_and_when_it_is_old() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let path = page(&account, Mode::Test, "/people");
    let owner = app.browser_of(&account, Role::Owner).await;
    for _ in 0..24 {
        owner.get(&path).await.is(200);
        app.advance(29 * 60);
    }
    owner.get(&path).await.is(200);
    app.advance(29 * 60);
    owner.get(&path).await.is(303);
    let idle = app.browser_of(&account, Role::Owner).await;
    app.advance(30 * 60);
    idle.get(&path).await.is(303);
}

#[tokio::test]
async fn a_page_that_refreshes_itself_keeps_no_session_alive_and_is_loaded_again_after_its_end() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let path = page(&account, Mode::Test, "/home");
    let owner = app.browser_of(&account, Role::Owner).await;
    let refresh = async || {
        let request = owner.request(Method::GET, &path).header("hx-request", "true");
        let request = request.header("cookie", format!("tua-session={}", owner.token.as_str()));
        Response::read(request.send().await.unwrap()).await
    };
    app.advance(29 * 60);
    let refreshed = refresh().await.is(200);
    assert!(refreshed.text.contains("id=\"live\" hx-get="), "{}", refreshed.text);
    assert!(refreshed.header("vary").contains("hx-request"));
    assert!(
        refreshed
            .header("content-security-policy")
            .contains("script-src 'self'; connect-src 'self'; ")
    );
    app.advance(60);
    let ended = refresh().await.is(204);
    assert_eq!((ended.header("hx-refresh"), ended.header("location")), ("true", ""));
}

#[tokio::test]
async fn pages_are_in_the_chosen_language_and_escape_names() {
    let app = TestApp::start().await;
    let account = app.account("<script>Adom</script>").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let path = page(&account, Mode::Test, "/alerts");
    let english = owner.get(&path).await.is(200);
    assert!(english.text.contains("Test mode: no real money moves"), "{}", english.text);
    assert!(
        english.text.contains("&lt;script&gt;Adom") && !english.text.contains("<script"),
        "{}",
        english.text
    );
    assert_eq!(english.header("cache-control"), "no-store");
    assert_eq!(english.header("referrer-policy"), "same-origin");
    let sign_in = app.actor("").get("/dashboard/sign-in").await.is(200);
    for page in [&english, &sign_in] {
        assert_eq!(page.header("permissions-policy"), NO_DEVICES, "but passkeys and the clipboard");
    }
    assert!(
        english
            .header("content-security-policy")
            .starts_with("default-src 'none'; style-src 'self'; img-src")
    );
    let request = owner.request(Method::GET, &path).header("accept-language", "fr-CI, en;q=0.5");
    let french = Response::read(request.send().await.unwrap()).await;
    assert!(
        french.text.contains(r#"<html lang="fr">"#) && french.text.contains("Mode test"),
        "{}",
        french.text
    );
    let chosen = owner.get("/dashboard/language/fr?return=https://evil.example").await.is(303);
    assert_eq!(chosen.header("location"), "/dashboard");
    assert!(chosen.header("set-cookie").starts_with("tua-language=fr; "));
}

#[tokio::test]
async fn an_address_that_ends_with_a_slash_leads_to_the_dashboard() {
    let app = TestApp::start().await;
    let moved = app.signed_out().get("/dashboard/").await.is(303);
    assert_eq!(moved.header("location"), "/dashboard");
}
