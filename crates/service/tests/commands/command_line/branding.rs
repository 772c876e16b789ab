//! `tua account set --accent` and `--logo` (docs/reference/dashboard.md).

use serde_json::{Value, json};
use std::fs;
use tua_test_support::{
    binary::{account, json, refused, run, tua},
    pictures::{PNG, SVG},
};

#[test]
fn colour_and_logo_are_set_and_lifted_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let (id, ..) = account(folder.path());
    fs::write(folder.path().join("logo.png"), PNG).unwrap();
    let set = |more: &[&str]| {
        json(folder.path(), &[&["account", "set", "--account", &id], more].concat())
    };
    let shown = set(&["--accent", "#0A6A50", "--logo", "logo.png"]);
    assert_eq!((&shown["accountId"], &shown["accent"]), (&json!(id), &json!("#0a6a50")));
    assert_eq!((shown["logo"].as_str().unwrap().len(), shown.get("mode")), (32, None));
    let shown = set(&["--logo", "none", "--mode", "test"]);
    assert_eq!((&shown["accent"], &shown["logo"]), (&json!("#0a6a50"), &Value::Null));
    assert_eq!((&shown["mode"], &shown["payoutLimit"]), (&json!("test"), &Value::Null));
    assert_eq!(set(&["--accent", "none"])["accent"], Value::Null);
    let log = json(folder.path(), &["audit", "list"]);
    let branded: Vec<&Value> = log
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["action"] == "account.branded")
        .collect();
    assert_eq!((branded.len(), &branded[0]["after"]["accent"]), (3, &json!("#0a6a50")));
    assert!(run(folder.path(), &["audit", "verify"]).status.success());
}

#[test]
fn a_wrong_colour_or_file_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let (id, ..) = account(folder.path());
    fs::write(folder.path().join("logo.svg"), SVG).unwrap();
    let set = |more: &[&str]| {
        refused(tua(folder.path()).args(["account", "set", "--account", &id]).args(more))
    };
    assert!(
        set(&["--accent", "teal"])
            .contains("must be a colour as #rrggbb, such as #0a6a50, or none")
    );
    assert!(set(&["--logo", "logo.svg"]).contains("--logo logo.svg: an SVG can contain script"));
    assert!(set(&["--logo", "missing.png"]).contains("--logo missing.png: "));
    assert!(set(&[]).contains("--mode"));
    assert!(set(&["--accent", "none", "--payout-limit", "5"]).contains("--mode"));
}
