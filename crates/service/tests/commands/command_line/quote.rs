//! `tua quote` (docs/reference/quotes.md#asking-for-a-quote).

use serde_json::{Value, json};
use std::fs;
use tua_test_support::binary::{RunningService, account, json, not_found, refused, run, tua};

const TARIFFS: &str =
    "[[sandbox.tariffs]]\ndirection = \"charge\"\npercent = \"1\"\nbearer = \"payer\"\n
[[sandbox.tariffs]]\ndirection = \"payout\"\nfixed = \"0.50\"\n";

#[tokio::test]
async fn a_quote_says_what_the_api_says() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tua.toml"), TARIFFS).unwrap();
    let serving = RunningService::start(folder.path(), |command| {
        command.args(["--config", "tua.toml"]);
    });
    let (account_id, _, v2) = account(folder.path());
    let shop = serving.actor(&v2);
    let number = |value: &Value| value.as_str().map(|text| text.parse::<f64>().unwrap());
    for (kind, amount) in [("CHARGE", 120.0), ("PAYOUT", 0.29)] {
        let body = json!({ "type": kind, "amount": amount, "network": "MTN" });
        let asked = shop.post("/v1/quote", &body).await.is(200).json();
        let text = amount.to_string();
        let quote = [
            "quote",
            "--mode",
            "test",
            "--network",
            "MTN",
            "--type",
            &kind.to_lowercase(),
            &text,
            "--config",
            "tua.toml",
        ];
        let shown = json(folder.path(), &quote);
        for member in ["amount", "fee", "payerPays", "merchantReceives", "min", "max"] {
            assert_eq!(number(&shown[member]), asked[member].as_f64(), "{member}: {shown}");
        }
        assert_eq!((&shown["type"], &shown["operator"]), (&json!(kind), &Value::Null));
        assert_eq!(shown["accountId"], json!(account_id));
    }
    let quote = ["quote", "--mode", "test", "--network", "MTN", "--type", "charge", "120"];
    let without = json(folder.path(), &quote);
    assert_eq!(
        (&without["fee"], &without["payerPays"]),
        (&Value::Null, &json!("120.00")),
        "without a tariff"
    );
    let printed = String::from_utf8(
        run(folder.path(), &[&quote[..], &["--config", "tua.toml"]].concat()).stdout,
    )
    .unwrap();
    assert!(
        printed.contains("the payer pays GHS 121.20, the merchant receives GHS 120.00"),
        "{printed}"
    );
}

#[test]
fn a_quote_reports_each_error_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let (first, ..) = account(folder.path());
    let quote =
        |rest: &[&str]| refused(tua(folder.path()).args(["quote", "--network", "MTN"]).args(rest));
    let charge = ["--mode", "test", "--type", "charge"];
    for amount in ["0", "-1", "1.001", "x", "1000000000.01"] {
        assert!(quote(&[&charge[..], &["--", amount]].concat()).contains(amount), "{amount}");
    }
    assert!(quote(&charge).contains("AMOUNT"));
    assert!(quote(&["--mode", "test", "--type", "refund", "5"]).contains("--type"));
    assert!(quote(&["--mode", "real", "--type", "charge", "5"]).contains("--mode"));
    let live = quote(&["--mode", "live", "--type", "charge", "5"]);
    assert!(live.contains("no operator") && live.contains("--config"), "{live}");
    let mut unknown = tua(folder.path());
    unknown.args(["quote", "--network", "MTN"]).args(charge);
    assert!(not_found(unknown.args(["5", "--account", "acc_none"])).contains("acc_none"));
    account(folder.path());
    assert!(quote(&[&charge[..], &["5"]].concat()).contains("--account"));
    let named = [
        "quote",
        "--network",
        "MTN",
        "--mode",
        "test",
        "--type",
        "charge",
        "5",
        "--account",
        &first,
    ];
    assert_eq!(json(folder.path(), &named)["accountId"], json!(first));
}
