//! Statements of operators that people connected in the dashboard
//! (docs/reference/statements.md#import).

use super::statements::{HEADER, import, line, live};
use std::{fs, path::Path};
use tua_domain::{
    AccountId, ConnectedOperatorId,
    connected_operator::{ConnectedOperator, ConnectedRoutes},
    ports::Clock,
    routing::OperatorName,
};
use tua_test_support::{
    TestApp,
    binary::{json, not_found, refused, tua},
};

/// Connects an operator of MTN, as a person does in the dashboard.
async fn connect(app: &TestApp, account: &AccountId, name: &str) -> ConnectedOperator {
    let running = app.running();
    let id = ConnectedOperatorId::mint();
    let key = running.idempotency.keys.current();
    let operator = ConnectedOperator {
        credentials: ConnectedOperator::seal(&key, account, &id, "{}"),
        id,
        account: account.clone(),
        name: name.parse().unwrap(),
        connector: "mtn-momo".to_owned(),
        replacement: None,
        routes: ConnectedRoutes::default(),
        supersedes: None,
        version: 1,
        created_at: app.clock.now(),
        checked_at: None,
        retired_at: None,
    };
    running.store.connect_operator(&operator, &app.audit()).await.unwrap();
    operator
}

/// A file with one line, and the arguments of its import without a settings file.
fn statement<'a>(folder: &Path, name: &'a str) -> [&'a str; 5] {
    let line = line("txn_019aa5f0c2007d3e8a1b4c5d6e7f8097", "COMPLETED", "3.00", "77");
    fs::write(folder.join("file.csv"), format!("{HEADER}\n{line}")).unwrap();
    ["statement", "import", "--operator", name, "file.csv"]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_of_a_connected_operator_is_imported_by_its_name() {
    let app = TestApp::start().await;
    let folder = app.folder.path();
    let account = app.account("Adom Stores").await;
    let connected = connect(&app, &account, "our-momo").await;
    let arguments = statement(folder, "our-momo");
    let imported = json(folder, &arguments);
    assert_eq!((&imported["operator"], &imported["lines"]), (&"our-momo".into(), &1.into()));
    let name: OperatorName = "our-momo".parse().unwrap();
    let operators = app.running().store.operators_named(&name).await.unwrap();
    assert_eq!(operators, [connected.pin().fingerprint]);
    assert_eq!(json(folder, &arguments)["repeated"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_of_no_operator_or_of_several_imports_nothing() {
    let app = TestApp::start().await;
    let folder = app.folder.path();
    for name in ["Adom Stores", "Kofi Fabrics"] {
        let account = app.account(name).await;
        connect(&app, &account, "momo").await;
    }
    let several = refused(tua(folder).args(statement(folder, "momo")));
    assert!(several.contains("several operators have this name"), "{several}");
    let unknown = not_found(tua(folder).args(statement(folder, "mtn")));
    assert!(unknown.contains("neither the settings nor the dashboard have it"), "{unknown}");
    let imported = json(folder, &["statement", "list"]);
    assert_eq!(imported.as_array().unwrap().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_an_operator_of_the_settings_has_too_needs_the_settings() {
    let live = live("mtn").await;
    let folder = live.app.folder.path();
    let other = line("txn_019aa5f0c2007d3e8a1b4c5d6e7f8098", "COMPLETED", "3.00", "78");
    import(folder, "mtn", &format!("{HEADER}\n{other}"));
    let account = live.app.account("Kofi Fabrics").await;
    connect(&live.app, &account, "mtn").await;
    let several = refused(tua(folder).args(statement(folder, "mtn")));
    assert!(several.contains("--config names the settings with the wanted one"), "{several}");
}
