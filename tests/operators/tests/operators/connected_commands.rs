//! `tua operator` and the operators of the dashboard (docs/reference/operators.md#commands).

use serde_json::{Value, json};
use std::fs;
use tua_emulator::MtnCredentials;
use tua_test_support::{
    binary::{json, refused, run, tua},
    connected_shop::{ConnectedShop, mtn_fields},
};

#[tokio::test(flavor = "multi_thread")]
async fn the_commands_know_the_operators_of_the_dashboard_and_show_no_secret() {
    let shop = ConnectedShop::start().await;
    let folder = shop.app.folder.path();
    let emulator = shop.app.config.operator_emulator.clone().unwrap();
    fs::write(folder.join("tua.toml"), format!("operator-emulator = \"{emulator}\"\n")).unwrap();
    let operator = |arguments: &[&str]| {
        json(folder, &[&["operator", "--config", "tua.toml"], arguments].concat())
    };
    let id = shop.connect_mtn("our-momo").await;
    let unchecked = shop.connect("new-momo", &mtn_fields(&MtnCredentials::default())).await;

    let listed = operator(&["list"]);
    let [ours, new] = listed.as_array().unwrap().as_slice() else { panic!("{listed}") };
    assert_eq!((&ours["name"], &ours["source"]), (&json!("our-momo"), &json!("dashboard")));
    let connected = &ours["connected"];
    assert_eq!(
        (&connected["id"], &connected["accountId"], &connected["connector"]),
        (&json!(id), &json!(shop.account.as_str()), &json!("mtn-momo"))
    );
    assert!(connected["checkedAt"].is_string() && connected["removedAt"].is_null(), "{listed}");
    let checked_at = &new["connected"]["checkedAt"];
    assert_eq!((&new["connected"]["id"], checked_at), (&json!(unchecked), &Value::Null));

    let shown = operator(&["show", "our-momo"]);
    assert_eq!(shown, operator(&["show", &id]));
    let callbacks = shown["callbackUrl"].as_str().unwrap();
    assert!(callbacks.contains(&format!("/callbacks/{id}/")), "{callbacks}");
    assert!(!shown["services"].as_array().unwrap().is_empty());
    // The address for callbacks is on loopback, which is a fault of a live operator.
    let checked = run(folder, &["operator", "--config", "tua.toml", "check", &id, "--json"]);
    let checked: Value = serde_json::from_slice(&checked.stdout).unwrap();
    assert!(checked.as_array().unwrap().iter().any(|one| one["severity"] == "ok"), "{checked}");
    assert!(!operator(&["balance", &id])["balances"].as_array().unwrap().is_empty());

    let printed = [listed, shown, checked].map(|value| value.to_string()).concat();
    let list = run(folder, &["operator", "list"]);
    let printed = printed + &String::from_utf8(list.stdout).unwrap();
    assert!(printed.contains("connected in the dashboard by acc_"), "{printed}");
    let credentials = MtnCredentials::default();
    for (field, secret) in mtn_fields(&credentials) {
        let is_secret = field.ends_with("key");
        assert!(!is_secret || !printed.contains(secret), "{field}: {printed}");
    }
    let config = ["operator", "--config", "tua.toml"];
    let refusal = refused(tua(folder).args(config).args(["check", &unchecked]));
    assert!(refusal.contains("no check has accepted its credentials"), "{refusal}");
}
