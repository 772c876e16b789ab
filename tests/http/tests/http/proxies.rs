//! The client's address: the socket's peer, or the address that a trusted proxy forwards.

use reqwest::Method;
use tua_domain::{Generation, Mode, rate_limit::Rate};
use tua_net::{
    client::parse_trusted,
    limits::{Limits, Rates},
};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    ApiClient, Response, TestApp,
    binary::{RunningService, account, json, refused, tua},
};

const FOREIGN: (&str, &str) = ("x-forwarded-for", "203.0.113.9");

/// A service behind a proxy on this machine.
async fn proxied() -> TestApp {
    let settings = |config: &mut tua_config::Config| {
        config.trusted_proxies = parse_trusted("127.0.0.1").unwrap()
    };
    TestApp::with(settings, |operators| operators).await
}

async fn list(actor: &ApiClient, headers: &[(&str, &str)]) -> Response {
    actor.send(Method::GET, "/v1/transactions", headers, None).await
}

#[tokio::test]
async fn a_live_key_requires_https_from_the_client() {
    let app = proxied().await;
    let live = app.merchant(Mode::Live, Generation::V2).await;
    for plain in [
        &[FOREIGN][..],
        &[FOREIGN, ("x-forwarded-proto", "http")],
        &[("x-forwarded-proto", "https, http")],
    ] {
        let refused = list(&live, plain).await.is_problem(403, "https_required").json();
        let detail = refused["detail"].as_str().unwrap();
        assert!(detail.contains("X-Forwarded-Proto") && !detail.contains("--trusted-proxies"));
    }
    list(&live, &[FOREIGN, ("x-forwarded-proto", "https")]).await.is(200);
    list(&live, &[]).await.is(200);
    list(&app.shop().await, &[FOREIGN]).await.is(200);
    let v1 = app.merchant(Mode::Live, Generation::V1).await;
    let payout = v1.send(Method::POST, "/v1/payout", &[FOREIGN], Some("{}")).await;
    payout.is_problem(403, "https_required");
}

#[tokio::test]
async fn forwarded_headers_of_an_untrusted_peer_are_ignored() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for claim in [FOREIGN, ("x-forwarded-proto", "https"), ("forwarded", "proto=https")] {
        let claims = list(&shop, &[claim]).await.is(200);
        assert_eq!(claims.headers.get("strict-transport-security"), None);
    }
}

#[tokio::test]
async fn a_request_that_an_unnamed_proxy_forwards_is_not_from_this_machine() {
    let app = TestApp::start().await;
    let live = app.merchant(Mode::Live, Generation::V2).await;
    list(&live, &[]).await.is(200);
    for claim in [
        FOREIGN,
        ("x-forwarded-for", "127.0.0.1"),
        ("x-forwarded-proto", "https"),
        ("x-forwarded-host", "pay.example"),
        ("x-forwarded-port", "443"),
        ("x-forwarded-server", "pay.example"),
        ("forwarded", "for=192.0.2.1;proto=https"),
        ("x-real-ip", "192.0.2.1"),
        ("x-client-ip", "192.0.2.1"),
        ("x-original-host", "pay.example"),
        ("x-envoy-external-address", "192.0.2.1"),
        ("cf-connecting-ip", "192.0.2.1"),
        ("true-client-ip", "192.0.2.1"),
        ("fly-client-ip", "192.0.2.1"),
    ] {
        list(&live, &[claim]).await.is_problem(403, "https_required");
        let page = live.send(Method::GET, "/dashboard/sign-in", &[claim], None).await.is(403);
        assert!(page.text.contains("This connection is not encrypted"), "{claim:?}: {}", page.text);
    }
    list(&live, &[]).await.is(200);
}

#[tokio::test]
async fn an_unnamed_proxy_is_logged_once_and_doctor_finds_it() {
    let folder = tempfile::tempdir().unwrap();
    account(folder.path());
    let service = RunningService::start(folder.path(), |_| {});
    let arguments = ["doctor", "--public-url", service.origin.as_str()];
    let finding = || {
        let report = json(folder.path(), &arguments);
        let checks = report["checks"].as_array().unwrap().clone();
        checks.into_iter().find(|check| check["check"] == "proxies").unwrap()
    };
    assert_eq!(finding()["severity"], "ok");
    let nobody = service.actor("");
    for header in [("x-real-ip", "203.0.113.9"), FOREIGN, FOREIGN] {
        let health = nobody.send(Method::GET, "/healthz", &[header], None).await.is(200);
        assert_eq!(
            health.header("tua-unnamed-proxy"),
            "",
            "only a client on this machine may learn of it"
        );
    }
    assert_eq!(
        service.log().matches("--trusted-proxies does not name it").count(),
        1,
        "{}",
        service.log()
    );
    let found = finding();
    assert_eq!(found["severity"], "warning");
    assert!(found["remedy"].as_str().unwrap().contains("--trusted-proxies"), "{found}");
}

#[tokio::test]
async fn a_proxy_that_forwards_no_address_locks_nobody_out_and_is_found() {
    let folder = tempfile::tempdir().unwrap();
    account(folder.path());
    std::fs::write(
        folder.path().join("tua.toml"),
        "[limits]\naddress = { quota = 2, window = 60 }\n",
    )
    .unwrap();
    let service = RunningService::start(folder.path(), |command| {
        command.args(["--config", "tua.toml"]);
    });
    let nobody = service.actor("");
    for host in ["pay.example", "pay.example:443"] {
        for _ in 0..5 {
            list(&nobody, &[("host", host)]).await.is(401);
        }
    }
    let first = list(&nobody, &[]).await;
    let second = list(&nobody, &[]).await;
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (401, 401));
    list(&nobody, &[]).await.is(429);
    assert_eq!(service.log().matches("without X-Forwarded-For").count(), 1, "{}", service.log());
    let report = json(folder.path(), &["doctor", "--public-url", service.origin.as_str()]);
    let found = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|check| check["check"] == "proxies")
        .unwrap();
    assert_eq!(found["severity"], "warning");
    assert!(found["remedy"].as_str().unwrap().contains("X-Forwarded-For"), "{found}");
}

#[tokio::test]
async fn responses_behind_an_https_proxy_have_hsts() {
    let app = proxied().await;
    let shop = app.shop().await;
    for path in [
        "/v1/transactions",
        "/v1/status/x",
        "/nowhere",
        "/healthz",
        "/pay",
        "/docs/errors/not_found",
    ] {
        let sent =
            shop.send(Method::GET, path, &[FOREIGN, ("x-forwarded-proto", "https")], None).await;
        assert_eq!(sent.header("strict-transport-security"), "max-age=31536000", "{path}");
        let plain = shop.send(Method::GET, path, &[FOREIGN], None).await;
        assert_eq!(plain.headers.get("strict-transport-security"), None, "{path}");
    }
}

#[tokio::test]
async fn rate_limits_use_the_clients_address_behind_a_proxy() {
    let settings = |config: &mut tua_config::Config| {
        config.trusted_proxies = parse_trusted("127.0.0.0/8").unwrap();
        config.limits =
            Limits::On(Rates { address: Rate::new(1, 60).unwrap(), ..Rates::default() });
    };
    let app = TestApp::with_clock(OffsetClock::stopped(), settings, |operators| operators).await;
    let nobody = app.actor("");
    let status = async |client| list(&nobody, &[("x-forwarded-for", client)]).await.status.as_u16();
    assert_eq!((status("203.0.113.9").await, status("203.0.113.9").await), (401, 429));
    assert_eq!(status("spoofed, 203.0.113.9, 127.0.0.7").await, 429);
    assert_eq!(status("203.0.113.10").await, 401);
    assert_eq!((status("2001:db8::1").await, status("2001:db8::ffff:1").await), (401, 429));
    assert_eq!(status("2001:db8:0:1::1").await, 401);
}

#[test]
fn an_invalid_trusted_proxy_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (written, part) in [
        ("proxy.example", "proxy.example"),
        ("10.0.0.0/33", "10.0.0.0/33"),
        ("0.0.0.0/0", "everybody"),
    ] {
        let line = refused(tua(folder.path()).args(["serve", "--trusted-proxies", written]));
        assert!(line.contains("trusted-proxies") && line.contains(part), "{line}");
    }
}
