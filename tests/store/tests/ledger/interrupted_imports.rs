//! Imports of statements that were cut off: they are continued or abandoned
//! (docs/reference/statements.md).

use super::statements::{HEADER, import, line, live, verify};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tua_domain::{StatementId, TransactionId, ports::Clock, statement::Statement};
use tua_system::clock::SystemClock;
use tua_test_support::binary::{json, not_found, refused, tua};

#[tokio::test(flavor = "multi_thread")]
async fn importing_the_file_again_continues_an_import_that_was_cut_off() {
    let live = live("mtn").await;
    let path = live.app.folder.path();
    let id = live.charge_to_the_end("0241234567", "MTN").await["transactionId"]
        .as_str()
        .unwrap()
        .to_owned();
    let store = &live.app.running().store;
    let operator =
        store.transaction(&TransactionId::new(&id)).await.unwrap().unwrap().operator.unwrap();
    let file = format!("{HEADER}\n{}", line(&id, "COMPLETED", "10.50", "7"));
    let statement = Statement {
        id: StatementId::mint(),
        operator,
        digest: Sha256::digest(&file).into(),
        created_at: SystemClock.now(),
        completed_at: None,
        abandoned_at: None,
        covers: None,
    };
    store.begin_statement(statement.clone()).await.unwrap();
    assert_eq!(json(path, &["statement", "list"])[0]["complete"], false);
    let imported = import(path, "mtn", &file);
    assert_eq!(
        (&imported["statementId"], &imported["repeated"], &imported["inserted"]),
        (&json!(statement.id.as_str()), &json!(false), &json!(1))
    );
    let listed = json(path, &["statement", "list"]);
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["complete"]), (1, &json!(true)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_was_cut_off_can_be_abandoned_and_keeps_its_lines() {
    let live = live("mtn").await;
    let path = live.app.folder.path();
    let [first, second] = [
        live.charge_to_the_end("0241234567", "MTN").await,
        live.charge_to_the_end("0241234567", "MTN").await,
    ]
    .map(|paid| paid["transactionId"].as_str().unwrap().to_owned());
    let early = line(&first, "COMPLETED", "10.50", "1");
    let late = line(&second, "COMPLETED", "10.50", "2");
    let whole = import(path, "mtn", &format!("{HEADER}\n{early}"));
    let abandon = |id: &str| ["statement", "abandon", id, "--as", "Esi"].map(str::to_owned);
    let complete = whole["statementId"].as_str().unwrap();
    assert!(refused(tua(path).args(abandon(complete))).contains("its import has ended"));
    assert!(
        not_found(tua(path).args(abandon("stm_nothing"))).contains("there is no such statement")
    );
    assert!(refused(tua(path).args(&abandon(complete)[..3])).contains("--as"));

    // The import of a file with both lines was cut off after it had stored the second one.
    let both = format!("{HEADER}\n{early}{late}");
    let cut_off = import(path, "mtn", &both);
    let cut_off = cut_off["statementId"].as_str().unwrap();
    live.app.query_number(&format!(
        "UPDATE statements SET completed_at = NULL WHERE id = '{cut_off}' RETURNING CAST(1 AS \
         BIGINT)"
    ));
    let states = || {
        let listed = json(path, &["statement", "list"]);
        let state = |one: &Value| (one["complete"] == true, one["abandoned"] == true);
        listed.as_array().unwrap().iter().map(state).collect::<Vec<_>>()
    };
    assert_eq!(states(), [(false, false), (true, false)]);

    let abandoned = json(path, &abandon(cut_off).each_ref().map(String::as_str));
    assert_eq!(abandoned["statementId"], cut_off);
    assert_eq!(states(), [(false, true), (true, false)]);
    assert!(refused(tua(path).args(abandon(cut_off))).contains("was abandoned before"));
    assert_eq!(
        live.app.query_number("SELECT count(*) FROM statement_lines"),
        2,
        "what was stored stays"
    );
    assert_eq!(verify(path).0, Some(0));
    let log = json(path, &["audit", "list"]).to_string();
    assert_eq!(log.matches("statement.abandoned").count(), 1, "{log}");

    // The file was found after all, and its import was cut off again: it prevents the closing of
    // days, as the first one.
    let store = &live.app.running().store;
    let begun = store.statement(&StatementId::new(cut_off)).await.unwrap().unwrap().statement;
    store.begin_statement(begun).await.unwrap();
    assert_eq!(states(), [(false, false), (true, false)]);
    json(path, &abandon(cut_off).each_ref().map(String::as_str));
    assert_eq!(states(), [(false, true), (true, false)]);

    let again = import(path, "mtn", &both);
    assert_eq!(
        (&again["statementId"], &again["inserted"]),
        (&json!(cut_off), &json!(0)),
        "{again}"
    );
    assert_eq!(states(), [(true, false), (true, false)]);
}
