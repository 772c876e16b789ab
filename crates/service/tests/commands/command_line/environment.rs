//! Environment variables: a wrong one is named, an empty one counts as unset
//! (docs/reference/command-line.md).

use super::arguments::{assert_error_contains, serve};
use tua_test_support::binary::{account, json, refused, tua};

#[test]
fn an_invalid_environment_variable_is_named() {
    let folder = tempfile::tempdir().unwrap();
    assert_error_contains(
        serve(folder.path()).env("TUA_SANDBOX_SPEED", "fast"),
        &["sandbox-speed", "fast"],
    );
    assert_error_contains(serve(folder.path()).env("TUA_LIMITS", "some"), &["limits", "some"]);
    let said = refused(serve(folder.path()).env("TUA_SERVER_KEY", "hunter2"));
    assert!(said.contains("TUA_SERVER_KEY") && !said.contains("hunter2"), "{said}");
}

/// As `docker compose` sets a variable that has no value.
#[test]
fn an_empty_variable_counts_as_unset() {
    let folder = tempfile::tempdir().unwrap();
    for variable in [
        "TUA_ACME",
        "TUA_CONFIG",
        "TUA_DASHBOARD",
        "TUA_DATABASE",
        "TUA_JSON",
        "TUA_LIMITS",
        "TUA_LOG",
        "TUA_PUBLIC_URL",
        "TUA_SANDBOX_PHONE",
        "TUA_SANDBOX_SPEED",
        "TUA_SERVER_KEY",
        "TUA_TLS_CERT",
        "TUA_TRUSTED_PROXIES",
    ] {
        let listen = ["serve", "--listen", "192.0.2.1:80"];
        let line = refused(tua(folder.path()).args(listen).env(variable, ""));
        assert!(line.starts_with("tua: listen 192.0.2.1:80: "), "{variable}: {line}");
    }
    // A setting with a default.
    let demo = ["emulate", "--print-config"];
    assert!(
        tua(folder.path()).args(demo).env("TUA_EMULATE_LISTEN", "").status().unwrap().success()
    );
    assert_error_contains(
        tua(folder.path()).args(["key", "create", "--mode", "test"]).env("TUA_ACCOUNT", ""),
        &["--account"],
    );
    let clock = ["sandbox", "clock", "advance", "1m"];
    assert_error_contains(
        tua(folder.path()).args(clock).env("TUA_API_URL", ""),
        &["--account or --api-url is missing"],
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_never_works_on_the_database_of_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let (id, ..) = account(folder.path());
    let before = json(folder.path(), &["account", "list"]);
    let log = std::fs::File::create(folder.path().join("demo.log")).unwrap();
    let mut demo = tua(folder.path());
    demo.args([
        "demo",
        "--json",
        "--listen",
        "127.0.0.1:0",
        "--shop-listen",
        "127.0.0.1:0",
        "--data-dir",
        "demo",
    ]);
    let mut demo = demo.stdout(std::process::Stdio::piped()).stderr(log).spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(
        &mut std::io::BufReader::new(demo.stdout.take().unwrap()),
        &mut line,
    )
    .unwrap();
    demo.kill().unwrap();
    demo.wait().unwrap();
    assert!(line.contains("/sandbox/phone"), "{line}");
    assert!(
        folder.path().join("demo/demo.db").exists()
            && folder.path().join("demo/demo.db.key").exists()
    );
    assert_eq!(json(folder.path(), &["account", "list"]), before, "{id}");
}
