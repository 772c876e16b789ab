//! `tua payout batch check` where the float at the operator does not cover the payouts
//! (docs/reference/payouts.md#float).

use serde_json::{Value, json};
use std::{fs, path::Path};
use tokio::net::TcpListener;
use tua_emulator::{Emulator, Settings};
use tua_test_support::binary::{account, json, run};

const TARIFF: &str = "[[operators.mtn.tariffs]]\ndirection = \"payout\"\nfixed = \"0.50\"\n";

/// Settings in which the emulated MTN pays out to its wallets.
fn write_settings(folder: &Path, emulator: &str) {
    let printed = run(folder, &["emulate", "--listen", emulator, "--print-config"]).stdout;
    let printed = String::from_utf8(printed).unwrap();
    let (operators, _) = printed.split_once("[routes.live]").unwrap();
    fs::write(
        folder.join("tua.toml"),
        format!("{operators}{TARIFF}[routes.live]\nMTN = [\"mtn\"]\n"),
    )
    .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sum_that_exceeds_the_float_with_its_fees_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    // Its float is GHS 10,000,000.
    let emulator = Emulator::start(listener, Settings::default()).unwrap();
    write_settings(folder, &address);
    let (account, ..) = account(folder);
    let check = [
        "payout",
        "batch",
        "check",
        "--account",
        &account,
        "--mode",
        "live",
        "--config",
        "tua.toml",
        "may.csv",
    ];
    let write = |amount: &str| {
        let lines =
            format!("phone,network,amount\n0241234567,MTN,{amount}\n0241234568,MTN,1000000\n");
        fs::write(folder.join("may.csv"), lines).unwrap();
    };

    write("8999999.00");
    let enough = json(folder, &check);
    assert_eq!(
        (&enough["fees"], &enough["floatShortages"]),
        (&json!("1.00"), &json!([])),
        "{enough}"
    );
    write("8999999.01");
    let short = json(folder, &check);
    assert_eq!(short["canBegin"], json!(true), "a warning prevents nothing: {short}");
    let Value::Array(shortages) = &short["floatShortages"] else { panic!("{short}") };
    assert_eq!(shortages.len(), 1);
    for (name, value) in [
        ("operator", "mtn"),
        ("float", "10000000.00"),
        ("reserved", "0.00"),
        ("needed", "10000000.01"),
        ("missing", "0.01"),
    ] {
        assert_eq!(shortages[0][name], value, "{name}");
    }
    shortages[0]["readAt"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    assert!((0..60).contains(&shortages[0]["ageSeconds"].as_i64().unwrap()), "{short}");
    let text = String::from_utf8(run(folder, &check).stdout).unwrap();
    assert!(text.contains("warning: mtn had GHS 10000000.00 for payouts"), "{text}");
    assert!(
        text.contains("needs GHS 10000000.01 with the known fees, GHS 0.01 more than is left"),
        "{text}"
    );

    // Of an operator that does not respond the float is not known.
    emulator.stop().await;
    assert_eq!(json(folder, &check)["floatShortages"], json!([]));
}
