//! Statements that are fetched from an operator's API (docs/reference/statements.md).

use super::statements::{download, import, live, verify};
use serde_json::{Value, json};
use tua_domain::{calendar::day_of, ports::Clock};
use tua_emulator::{Call, Fault, Operator};
use tua_system::clock::SystemClock;
use tua_test_support::{
    binary::{json, refused, run, tua},
    live_operators::LiveOperators,
};

fn arguments<'a>(name: &'a str, day: &'a str) -> [&'a str; 10] {
    ["statement", "fetch", "--operator", name, "--config", "tua.toml", "--from", day, "--to", day]
}

fn today() -> String {
    day_of(SystemClock.now()).to_string()
}

#[track_caller]
fn fetch(live: &LiveOperators) -> Value {
    json(live.app.folder.path(), &arguments("pawapay", &today()))
}

/// The line of a fetch that is refused.
#[track_caller]
fn fetch_refused(live: &LiveOperators, name: &str) -> String {
    refused(tua(live.app.folder.path()).args(arguments(name, &today())))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_is_fetched_beside_a_running_service_and_twice_changes_nothing() {
    let live = live("pawapay").await;
    let path = live.app.folder.path();
    live.charge_to_the_end("0241234567", "MTN").await;
    import(path, "pawapay", &download(&live, Operator::PAWAPAY).await);
    live.charge_to_the_end("0241230001", "MTN").await;
    live.pay_out_to_the_end("0241234567", "MTN").await;
    let fetched = fetch(&live);
    let counts = (
        &fetched["lines"],
        &fetched["inserted"],
        &fetched["fileLines"]["leftOut"],
        &fetched["repeated"],
    );
    assert_eq!(
        counts,
        (&json!(2), &json!(1), &json!(2), &json!(false)),
        "the imported line is not repeated: {fetched}"
    );
    assert_eq!(
        (&fetched["operator"], &fetched["outcomes"]["matched"]),
        (&json!("pawapay"), &json!(1)),
        "{fetched}"
    );
    assert_eq!(verify(path).0, Some(0), "{}", verify(path).1);
    let again = fetch(&live);
    assert_eq!(
        (&again["repeated"], &again["statementId"]),
        (&json!(true), &fetched["statementId"]),
        "{again}"
    );
    assert_eq!(live.app.query_number("SELECT count(*) FROM statement_lines"), 2);
    let log = json(path, &["audit", "list"]).to_string();
    assert_eq!(log.matches("statement.imported").count(), 2, "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fetch_that_fails_stores_nothing_and_says_why_in_one_line() {
    let live = live("pawapay").await;
    let path = live.app.folder.path();
    live.charge_to_the_end("0241234567", "MTN").await;
    let said = fetch_refused(&live, "mtn");
    assert!(
        said.contains("operator mtn: ") && said.contains("portal") && said.contains("import"),
        "{said}"
    );
    for (fault, part) in [
        (Fault::TooManyRequests, "HTTP 429"),
        (Fault::ErrorBefore, "HTTP 500"),
        (Fault::CloseInBody, "HTTP 200"),
        (Fault::HalfJson, "HTTP 200"),
    ] {
        live.emulator.chaos().set(Operator::PAWAPAY, Call::Other, fault);
        let said = fetch_refused(&live, "pawapay");
        assert!(said.contains("nothing was stored") && said.contains(part), "{fault:?}: {said}");
        live.emulator.chaos().clear();
    }
    live.emulator.revoke_credentials(Operator::PAWAPAY);
    assert!(fetch_refused(&live, "pawapay").contains("refused the credentials"));
    assert!(fetch_refused(&live, "nobody").contains("operator nobody"));
    let reversed = ["--from", "2026-03-02", "--to", "2026-01-01"];
    let said = refused(tua(path).args(&arguments("pawapay", "")[..6]).args(reversed));
    assert!(said.contains("the first day must not be after the last one"), "{said}");
    assert_eq!(run(path, &["statement", "fetch", "--operator", "PAWAPAY"]).status.code(), Some(2));
    assert_eq!(live.app.query_number("SELECT count(*) FROM statements"), 0);
}
