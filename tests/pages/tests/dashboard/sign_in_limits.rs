//! Limits of sign-ins: who counts for whom, and what a flood does to others.

use futures_util::future::join_all;
use tua_config::Config;
use tua_domain::{people::Role, public_url::PublicUrl};
use tua_net::client::parse_trusted;
use tua_system::clock::OffsetClock;
use tua_test_support::{
    Response, TestApp,
    binary::json,
    dashboard::{Browser, cookie_token},
    enrolment::PASSWORD,
};

/// What the proxy says of a request that it has received over HTTPS.
const HTTPS: (&str, &str) = ("x-forwarded-proto", "https");

/// Sends the form of a sign-in, with headers.
async fn sign_in(app: &TestApp, fields: &[(&str, &str)], headers: &[(&str, &str)]) -> Response {
    post(app, "/dashboard/sign-in", fields, headers).await
}

/// Sends a form with headers.
async fn post(
    app: &TestApp,
    path: &str,
    fields: &[(&str, &str)],
    headers: &[(&str, &str)],
) -> Response {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let request =
        app.http.post(format!("{}{path}", app.origin)).header("sec-fetch-site", "same-origin");
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let request =
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    Response::read(request.body(body).send().await.unwrap()).await
}

fn behind_a_proxy(config: &mut Config) {
    config.trusted_proxies = parse_trusted("127.0.0.1").unwrap();
    config.metrics_listen = Some("127.0.0.1:0".to_owned());
}

#[tokio::test]
async fn a_stranger_who_knows_an_address_stops_neither_its_person_nor_her_proofs() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let (browser, path, enrolled) = app.enrolled("esi@example.com", &account, Role::Owner).await;
    let cookies = enrolled.headers.get_all("set-cookie").iter().map(|one| one.to_str().unwrap());
    let known = cookies
        .filter_map(|one| one.split(';').next())
        .find(|one| one.starts_with("tua-browser="))
        .unwrap();
    let guess =
        [("email", "esi@example.com"), ("password", "wrong horse battery"), ("code", "123456")];
    for _ in 0..10 {
        sign_in(&app, &guess, &[]).await.is(422);
    }
    let code = app.code_of_link(&path, 30);
    let right = [("email", "esi@example.com"), ("password", PASSWORD), ("code", &*code)];
    sign_in(&app, &right, &[]).await.is(429);
    sign_in(&app, &right, &[("cookie", "tua-browser=guessed")]).await.is(429);
    // A fresh proof, and a sign-in in the browser that she has used before.
    let proven =
        browser.post("/dashboard/proof", &[("password", PASSWORD), ("code", &code)]).await.is(303);
    let browser = Browser { token: cookie_token(&proven), ..browser };
    browser.get("/dashboard/security").await.is(200);
    app.advance(30);
    let code = app.code_of_link(&path, 30);
    let right = [("email", "esi@example.com"), ("password", PASSWORD), ("code", &*code)];
    sign_in(&app, &right, &[("cookie", known)]).await.is(303);

    // A session and a known browser have as many attempts as a person.
    for _ in 0..9 {
        sign_in(&app, &guess, &[("cookie", known)]).await.is(422);
    }
    sign_in(&app, &guess, &[("cookie", known)]).await.is(429);
    for _ in 0..9 {
        browser.post("/dashboard/proof", &guess).await.is(422);
    }
    browser.post("/dashboard/proof", &guess).await.is(429);
}

#[tokio::test]
async fn attempts_from_one_ipv6_network_count_together_and_are_reported() {
    let app = TestApp::with(behind_a_proxy, |operators| operators).await;
    let mut limited = 0;
    for number in 0..52 {
        let email = format!("p{number}@example.com");
        let from = format!("2001:db8:1:2::{number}");
        let fields =
            [("email", email.as_str()), ("password", "wrong horse battery"), ("code", "123456")];
        limited += u16::from(
            sign_in(&app, &fields, &[("x-forwarded-for", &from), HTTPS]).await.status == 429,
        );
    }
    assert_eq!(limited, 2);
    assert_eq!(
        app.query_number("SELECT count(*) FROM buckets"),
        52,
        "network, site, and each person"
    );
    let fields =
        [("email", "p0@example.com"), ("password", "wrong horse battery"), ("code", "123456")];
    sign_in(&app, &fields, &[("x-forwarded-for", "2001:db8:1:3::1"), HTTPS]).await.is(422);
    let metrics = format!("http://{}/metrics", app.running().metrics_addr().unwrap());
    let metrics = app.http.get(metrics).send().await.unwrap().text().await.unwrap();
    for (reason, count) in [("wrong", 51), ("limited", 2)] {
        let line = format!("tua_sign_ins_refused_total{{reason=\"{reason}\"}} {count}\n");
        assert!(metrics.contains(&line), "{line}: {metrics}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_sign_ins_waits_in_few_places_and_a_genuine_one_goes_through() {
    let app = TestApp::with(behind_a_proxy, |operators| operators).await;
    let account = app.account("Adom Stores").await;
    let (browser, path, _) = app.enrolled("esi@example.com", &account, Role::Owner).await;
    let flood = (0..60).map(|number| {
        let app = &app;
        let email = format!("p{number}@example.com");
        let from = format!("2001:db8:7:{number}::1");
        async move {
            let fields = [
                ("email", email.as_str()),
                ("password", "wrong horse battery"),
                ("code", "123456"),
            ];
            sign_in(app, &fields, &[("x-forwarded-for", &from), HTTPS]).await
        }
    });
    let code = app.code_of_link(&path, 30);
    let fields = [("email", "esi@example.com"), ("password", PASSWORD), ("code", &*code)];
    let genuine =
        async { sign_in(&app, &fields, &[("x-forwarded-for", "192.0.2.7"), HTTPS]).await.is(303) };
    let wrong = [("password", "wrong horse battery"), ("code", "123456")];
    let proof = async { browser.post("/dashboard/proof", &wrong).await.is(422) };
    let (answers, _, _) = futures_util::join!(join_all(flood), genuine, proof);
    let busy: Vec<&Response> = answers.iter().filter(|one| one.status == 503).collect();
    assert!(
        !busy.is_empty() && answers.iter().all(|one| matches!(one.status.as_u16(), 422 | 503)),
        "{answers:?}"
    );
    assert!(busy.iter().all(|one| one.header("retry-after") == "2"), "{busy:?}");
    let checked = answers.len() - busy.len();
    let rows = usize::try_from(app.query_number("SELECT count(*) FROM buckets")).unwrap();
    assert!(rows <= 2 * checked + 4, "a refused attempt leaves no row: {rows} of {checked}");
}

#[tokio::test]
async fn behind_a_proxy_that_forwards_no_address_wrong_sign_ins_lock_nobody_out() {
    let https = |config: &mut Config| {
        config.public_url = Some(PublicUrl::parse("https://pay.example").unwrap())
    };
    let app = TestApp::with(https, |operators| operators).await;
    let account = app.account("Adom Stores").await;
    let invited =
        ["user", "invite", "esi@example.com", "--account", account.as_str(), "--role", "owner"];
    let link = json(app.folder.path(), &invited)["link"].as_str().unwrap().to_owned();
    let path = link.trim_start_matches("https://pay.example");
    let code = app.code_of_link(path, 0);
    let silent = [("host", "pay.example"), ("origin", "https://pay.example")];
    let enrol = [("name", "Esi"), ("password", PASSWORD), ("code", &*code)];
    post(&app, path, &enrol, &silent).await.is(200);
    for number in 0..60 {
        let email = format!("p{number}@example.com");
        let fields =
            [("email", email.as_str()), ("password", "wrong horse battery"), ("code", "123456")];
        post(&app, "/dashboard/sign-in", &fields, &silent).await.is(422);
    }
    let code = app.code_of_link(path, 30);
    let right = [("email", "esi@example.com"), ("password", PASSWORD), ("code", &*code)];
    post(&app, "/dashboard/sign-in", &right, &silent).await.is(303);
    for _ in 0..60 {
        post(&app, "/dashboard/sign-in/passkey", &[], &silent).await.is(200);
    }
    // A person is protected still.
    let guess =
        [("email", "esi@example.com"), ("password", "wrong horse battery"), ("code", "123456")];
    let mut last = 0;
    for _ in 0..11 {
        last = post(&app, "/dashboard/sign-in", &guess, &silent).await.status.as_u16();
    }
    assert_eq!(last, 429);
}

#[tokio::test]
async fn the_networks_of_one_ipv6_site_have_attempts_together() {
    // Meanwhile no attempt is given back.
    let app =
        TestApp::with_clock(OffsetClock::stopped(), behind_a_proxy, |operators| operators).await;
    let mut statuses = Vec::new();
    for number in 0..150 {
        let email = format!("p{number}@example.com");
        let from = format!("2001:db8:7:{number:x}::1");
        let fields =
            [("email", email.as_str()), ("password", "wrong horse battery"), ("code", "123456")];
        statuses.push(
            sign_in(&app, &fields, &[("x-forwarded-for", &from), HTTPS]).await.status.as_u16(),
        );
    }
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 50, "{statuses:?}");
    assert_eq!(
        app.query_number("SELECT count(*) FROM buckets"),
        201,
        "a refused attempt leaves no row"
    );
    let fields =
        [("email", "esi@example.com"), ("password", "wrong horse battery"), ("code", "123456")];
    for (from, expected) in
        [("2001:db8:7:ffff::1", 429), ("2001:db8:8::1", 422), ("192.0.2.1", 422)]
    {
        sign_in(&app, &fields, &[("x-forwarded-for", from), HTTPS]).await.is(expected);
    }
}
