//! `tua operator`, and the settings of operators.

use std::{fs, path::Path};
use tua_test_support::binary::{RunningService, account, json, not_found, refused, run, tua};

/// The settings that `tua emulate --print-config` prints.
fn print_settings(folder: &Path) -> String {
    let output = run(folder, &["emulate", "--listen", "127.0.0.1:9", "--print-config"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    fs::write(folder.join("tua.toml"), &printed).unwrap();
    printed
}

#[test]
fn operators_are_listed_and_shown_with_the_address_of_their_callbacks() {
    let folder = tempfile::tempdir().unwrap();
    print_settings(folder.path());
    account(folder.path());
    let config = ["operator", "--config", "tua.toml"];
    let listed = json(folder.path(), &["operator", "list", "--config", "tua.toml"]);
    let names: Vec<_> =
        listed.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["hubtel", "mtn", "pawapay", "paystack"]);
    let shown = json(folder.path(), &[&config[..], &["show", "mtn"]].concat());
    let callback_url = shown["callbackUrl"].as_str().unwrap();
    let (_, secret) = callback_url.split_once("/callbacks/mtn/").unwrap();
    assert_eq!(secret.len(), 43, "256 bits");
    assert_eq!(
        json(folder.path(), &[&config[..], &["show", "mtn"]].concat())["callbackUrl"],
        callback_url
    );
    let unknown = not_found(tua(folder.path()).args(config).args(["show", "nobody"]));
    assert!(unknown.contains("operator nobody"), "{unknown}");
    // Nothing listens there.
    let unreachable = refused(tua(folder.path()).args(config).args(["balance", "paystack"]));
    assert!(unreachable.contains("operator paystack"), "{unreachable}");
}

#[test]
fn every_fault_of_the_settings_is_reported_and_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("tua.toml"),
        "[operators.MTN]\nconnector = \"mtn-momo\"\n\
         [operators.one]\nconnector = \"nobody\"\nmode = \"lvie\"\n\
         [operators.two]\nconnector = \"paystack\"\nmode = \"live\"\nenvironment = \"production\"\n\
         merchant = \"m\"\n\
         secret-key = \"hunter2\"\n[routes.prod]\nMTN = [\"two\"]\n[routes.live]\n\
         VODAFONE = [\"two\"]\n",
    )
    .unwrap();
    let line = refused(tua(folder.path()).args(["serve", "--config", "tua.toml"]));
    for part in [
        "operators.MTN: an operator's name",
        "operators.one.connector: \"nobody\" is not one of",
        "operators.one.mode: \"lvie\"",
        "operators.two.email-fallback",
        "operators.two.secret-key",
        "routes.prod",
        "routes.live.VODAFONE",
    ] {
        assert!(line.contains(part), "{part} is not in {line}");
    }
    assert!(!line.contains("hunter2"), "{line}");
    fs::write(folder.path().join("tua.toml"), "[routes.live]\nMTN = [\"nobody\"]\n").unwrap();
    let line = refused(tua(folder.path()).args(["serve", "--config", "tua.toml"]));
    assert!(line.contains("routes.live.MTN: there is no operator nobody"), "{line}");
}

#[test]
fn a_live_operator_on_loopback_is_refused_under_a_public_url() {
    let folder = tempfile::tempdir().unwrap();
    print_settings(folder.path());
    let serve = ["serve", "--config", "tua.toml", "--public-url", "https://pay.example"];
    let line = refused(tua(folder.path()).args(serve));
    assert!(line.contains("operators.mtn.base-url") && line.contains("loopback"), "{line}");
}

#[test]
fn a_live_key_of_a_second_merchant_is_refused_while_an_operator_serves_everybody() {
    let folder = tempfile::tempdir().unwrap();
    print_settings(folder.path());
    let (first, ..) = account(folder.path());
    let (second, ..) = account(folder.path());
    drop(RunningService::start(folder.path(), |command| {
        command.args(["--config", "tua.toml"]);
    }));
    let create = |account: &str| {
        let mut command = tua(folder.path());
        command.args(["key", "create", "--mode", "live", "--account", account]);
        command
    };
    assert!(create(&first).output().unwrap().status.success());
    let line = refused(&mut create(&second));
    assert!(
        line.contains("operators.") && line.contains(".accounts: 2 accounts have live keys"),
        "{line}"
    );
    assert!(create(&first).output().unwrap().status.success(), "another key of the same merchant");
}
