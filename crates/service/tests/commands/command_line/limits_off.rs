//! `tua serve --limits off`, which a live key forbids (docs/reference/command-line.md).

use super::arguments::{assert_error_contains, serve};
use std::net::TcpStream;
use tua_domain::{Generation, Mode};
use tua_test_support::{
    TestApp,
    binary::{RunningService, account, json, run},
    eventually,
};

#[test]
fn limits_cannot_be_off_while_a_live_key_exists() {
    let folder = tempfile::tempdir().unwrap();
    let (id, ..) = account(folder.path());
    let made = json(
        folder.path(),
        &["key", "create", "--account", &id, "--mode", "live", "--generation", "v1"],
    );
    let key = made["keyId"].as_str().unwrap();
    assert_error_contains(serve(folder.path()).args(["--limits", "off"]), &["limits", "live", key]);
    run(folder.path(), &["key", "revoke", key]);
    let lifted = RunningService::start(folder.path(), |command| {
        command.args(["--limits", "off"]);
    });
    let address = lifted.origin.strip_prefix("http://").unwrap().to_owned();
    assert!(TcpStream::connect(address).is_ok());
}

#[tokio::test]
async fn limits_are_on_again_as_soon_as_a_live_key_exists() {
    let folder = tempfile::tempdir().unwrap();
    let (id, ..) = account(folder.path());
    let lifted = RunningService::start(folder.path(), |command| {
        command.args(["--limits", "off"]);
    });
    let nobody = lifted.actor("tua_test_v2_wrong");
    for _ in 0..130 {
        nobody.get("/v1/checkout").await.is(401);
    }
    let made = json(
        folder.path(),
        &["key", "create", "--account", &id, "--mode", "live", "--generation", "v2"],
    );
    let is_limited = async || nobody.get("/v1/checkout").await.status == 429;
    eventually("the limit of the address is enforced", is_limited).await;
    // The address is over its limit, and the key is new to the service: its first request may have
    // to wait for a second.
    let live = lifted.actor(made["key"].as_str().unwrap());
    let is_served = async || live.get("/v1/transactions").await.status == 200;
    eventually("the live key is served", is_served).await;
    assert_ne!(live.get("/v1/transactions").await.is(200).header("ratelimit"), "");
    assert_eq!(lifted.log().matches("--limits off has ended").count(), 1);
}

#[tokio::test]
async fn the_first_request_with_a_live_key_is_limited() {
    let app = TestApp::start().await;
    assert_eq!(app.shop().await.get("/v1/transactions").await.is(200).header("ratelimit"), "");
    let live = app.merchant(Mode::Live, Generation::V2).await;
    assert_ne!(live.get("/v1/transactions").await.is(200).header("ratelimit"), "");
}
