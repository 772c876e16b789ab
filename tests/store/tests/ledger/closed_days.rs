//! Closed days of operators (docs/reference/statements.md).

use super::statements::{HEADER, import, live, verify};
use jiff::{SignedDuration, civil::Date};
use serde_json::{Value, json};
use std::sync::Arc;
use tua_domain::{
    Mode, StatementId, TransactionId,
    ledger::{LedgerAccount, Postings},
    people::Role,
    ports::Clock,
    statement::{Statement, StatementPageRequest},
};
use tua_system::clock::SystemClock;
use tua_test_support::{
    Response,
    binary::{json, refused, run, tua},
    dashboard::page,
    test_database,
};
use tua_use_cases::DayClosing;

/// The day so many days ago.
fn day(ago: i64) -> String {
    (SystemClock.now() - SignedDuration::from_hours(24 * ago)).to_string()[..10].to_owned()
}

/// A line about a charge that does not exist.
fn line(day: &str, operator_id: &str) -> String {
    let reference = TransactionId::mint().operator_reference();
    format!("{reference},DEPOSIT,COMPLETED,GHS,3.00,0.10,{day}T10:00:00Z,{operator_id}\n")
}

/// A day as the dashboard writes it.
fn written(day: &str) -> String {
    day.parse::<jiff::civil::Date>().unwrap().strftime("%a %-d %b").to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_day_stays_as_it_is_and_a_change_of_it_is_found() {
    let live = live("mtn").await;
    let path = live.app.folder.path();
    live.charge_to_the_end("0241234567", "MTN").await;
    let first = day(5);
    let second = day(4);
    let third = day(3);
    let early = line(&first, "a");
    import(path, "mtn", &format!("{HEADER}\n{early}"));
    let close = |day: &str| {
        ["statement", "close", "--operator", "mtn", "--day", day, "--as", "Esi"].map(str::to_owned)
    };
    let fault = |day: &str| refused(tua(path).args(close(day)));
    assert!(fault(&day(0)).contains("one hour after its end"));
    assert!(refused(tua(path).args(&close(&first)[..6])).contains("--as"));
    let unknown = ["statement", "close", "--operator", "nobody", "--day", &first, "--as", "Esi"];
    assert!(refused(tua(path).args(unknown)).contains("nothing of this operator"));

    let closed = json(path, &close(&first).each_ref().map(String::as_str));
    assert_eq!(
        (&closed["lines"]["CHARGE"], &closed["exceptions"]),
        (&json!({ "count": 1, "amount": "3.00", "fee": "0.10" }), &json!(1)),
        "{closed}"
    );
    assert!(
        closed["closedBy"].as_str().unwrap().contains("Esi")
            && closed["sha256"].as_str().unwrap().len() == 64
    );
    assert!(fault(&first).contains("closed already"));
    assert!(fault(&third).contains(&format!("the next day to close is {second}")));

    // A later line of the closed day is posted to the open day.
    let late = import(path, "mtn", &format!("{HEADER}\n{early}{}", line(&first, "b")));
    let listed = json(path, &["statement", "list"]);
    assert_eq!(
        (&late["inserted"], &listed[0]["late"], &listed[0]["from"]),
        (&json!(1), &json!(1), &json!(second))
    );
    let report =
        |day: &str| json(path, &["statement", "report", "--operator", "mtn", "--day", day]);
    assert_eq!(report(&first), closed);

    // A person closes the next day in the dashboard; an import that was cut off stands in the way
    // first.
    let store = &live.app.running().store;
    let account = store.accounts().await.unwrap().remove(0).id;
    let finance = live.app.browser_of(&account, Role::Finance).await;
    let at = |rest: &str| page(&account, Mode::Live, &format!("/statements/days{rest}"));
    let next = at(&format!("/mtn/{second}"));
    assert!(finance.get(&at("")).await.is(200).text.contains(&second));
    let open = finance.get(&next).await.is(200);
    let sha256 = digest(&open);
    let hidden = format!("name=\"sha256\" value=\"{sha256}\"");
    assert!(
        open.text.contains(&format!("Close {}", written(&second))) && open.text.contains(&hidden),
        "{}",
        open.text
    );
    let operator = store.statements(&all()).await.unwrap().remove(0).statement.operator;
    let cut_off = Statement {
        id: StatementId::mint(),
        operator,
        digest: [7; 32],
        created_at: SystemClock.now(),
        completed_at: None,
        abandoned_at: None,
        covers: None,
    };
    store.begin_statement(cut_off.clone()).await.unwrap();
    let close_seen = async |sha256: &str| {
        finance.post_confirmed(&format!("{next}/close"), &[("sha256", sha256)]).await
    };
    assert!(close_seen(&sha256).await.is(422).text.contains("was cut off"));
    assert!(store.abandon_statement(&cut_off, &live.app.audit()).await.unwrap());
    for other in ["", "x", closed["sha256"].as_str().unwrap()] {
        assert!(
            close_seen(other).await.is(422).text.contains("Look at the figures again"),
            "{other}"
        );
    }
    close_seen(&sha256).await.is(303);
    let shown = finance.get(&next).await.is(200);
    assert!(
        shown.text.contains("Closed by finance@example.com") && shown.text.contains("still agree"),
        "{}",
        shown.text
    );
    for none in ["/nobody/2026-01-01", "/mtn/-009999-01-01", "/mtn/1969-12-31", "/mtn/today"] {
        finance.get(&at(none)).await.is(404);
    }
    live.app.advance(301);
    assert!(
        finance
            .post(&format!("{next}/close"), &[])
            .await
            .is(303)
            .header("location")
            .starts_with("/dashboard/proof")
    );

    let of_days = |found: &Value| found["closedDays"].clone();
    let period = ["statement", "verify", "--from", &first, "--to", &second];
    assert_eq!(
        of_days(&json_of(&run(path, &[&period[..], &["--json"]].concat()).stdout)),
        json!([
            { "operator": "mtn", "day": first, "agrees": true },
            { "operator": "mtn", "day": second, "agrees": true },
        ])
    );
    test_database::execute(
        path,
        "UPDATE statement_lines SET amount = amount + 1 WHERE operator_transaction_id = 'a'",
    );
    assert_eq!(report(&first)["agrees"], false);
    let output = run(path, &[&period[..], &["--json"]].concat());
    assert_eq!(
        (output.status.code(), &of_days(&json_of(&output.stdout))[0]["agrees"]),
        (Some(1), &json!(false))
    );
    assert_eq!(of_days(&verify(path).1), json!([]));
    let log = json(path, &["audit", "list"]).to_string();
    assert_eq!(log.matches("day.closed").count(), 2, "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn any_day_can_be_the_first_and_earlier_days_are_closed_backwards_without_gaps() {
    let live = live("mtn").await;
    let path = live.app.folder.path();
    let earliest = day(7);
    let before = day(6);
    let first = day(5);
    import(path, "mtn", &format!("{HEADER}\n{}", line(&first, "a")));
    let account = live.app.running().store.accounts().await.unwrap().remove(0).id;
    let finance = live.app.browser_of(&account, Role::Finance).await;
    let at = |day: &str| page(&account, Mode::Live, &format!("/statements/days/mtn/{day}"));
    let days = page(&account, Mode::Live, "/statements/days");
    let chosen = finance.get(&format!("{days}?operator=mtn&day={first}")).await.is(303);
    assert_eq!(chosen.header("location"), at(&first));
    let shown = finance.get(&at(&first)).await.is(200);
    assert!(
        shown.text.contains(&format!("{} is the first one", written(&first))),
        "{}",
        shown.text
    );
    let close = |day: &str| {
        ["statement", "close", "--operator", "mtn", "--day", day, "--as", "Esi"].map(str::to_owned)
    };
    json(path, &close(&first).each_ref().map(String::as_str));

    let fault = refused(tua(path).args(close(&earliest)));
    assert!(fault.contains(&format!("the next to close is {before}")), "{fault}");
    let shown = finance.get(&at(&earliest)).await.is(200);
    assert!(!shown.text.contains("name=\"sha256\""), "{}", shown.text);
    assert!(shown.text.contains("Earlier days are closed backwards"), "{}", shown.text);
    for (late, reason) in
        [(3, "Days are closed one after the other"), (0, "This day can be closed from ")]
    {
        let shown = finance.get(&at(&day(late))).await.is(200);
        assert!(shown.text.contains(reason), "{reason}: {}", shown.text);
        assert!(!shown.text.contains("name=\"sha256\""), "{}", shown.text);
    }
    let answer = finance
        .post_confirmed(&format!("{}/close", at(&earliest)), &[("sha256", &digest(&shown))])
        .await
        .is(422);
    assert!(answer.text.contains("before the first closed day"), "{}", answer.text);
    let next = finance.get(&at(&day(4))).await.is(200);
    assert!(
        next.text.contains("name=\"sha256\"") && !next.text.contains("is the first one"),
        "{}",
        next.text
    );

    import(path, "mtn", &format!("{HEADER}\n{}", line(&before, "b")));
    let listed = json(path, &["statement", "list"]);
    assert_eq!((&listed[0]["late"], &listed[0]["from"]), (&json!(0), &json!(before)));
    let list = finance.get(&days).await.is(200);
    assert!(list.text.contains(&at(&before)), "{}", list.text);
    assert!(list.text.contains("can be closed from "), "{}", list.text);
    let shown = finance.get(&at(&before)).await.is(200);
    let close = format!("{}/close", at(&before));
    finance.post_confirmed(&close, &[("sha256", &digest(&shown))]).await.is(303);
    let verify = ["statement", "verify", "--from", &before, "--to", &first, "--json"];
    assert_eq!(
        json_of(&run(path, &verify).stdout)["closedDays"],
        json!([
            { "operator": "mtn", "day": before, "agrees": true },
            { "operator": "mtn", "day": first, "agrees": true },
        ])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_figures_of_a_day_are_the_ledgers_and_go_on_from_the_day_before() {
    let live = live("mtn").await;
    let paid = live.charge_to_the_end("0241234567", "MTN").await;
    let store = live.app.running().store.clone();
    let operator = store
        .transaction(&TransactionId::new(paid["transactionId"].as_str().unwrap()))
        .await
        .unwrap();
    let operator = operator.unwrap().operator.unwrap();
    // The day on which it was paid, also if midnight has passed since.
    let today: Date = paid["updatedAt"].as_str().unwrap()[..10].parse().unwrap();
    let later = tua_domain::audit::AuditContext {
        at: SystemClock.now() + SignedDuration::from_hours(72),
        ..live.app.audit()
    };
    let day_closing = DayClosing {
        closed_days: store.clone(),
        statements: store.clone(),
        accounts: store,
        clock: Arc::new(SystemClock),
    };
    let closed = day_closing.close(&operator, today, None, &later).await.unwrap();
    let float = |postings: Postings| postings.amount(LedgerAccount::OperatorFloat);
    assert_eq!((float(closed.figures.opening), float(closed.figures.posted)), (0, 1050));
    let tomorrow = today.tomorrow().unwrap();
    let next = day_closing.close(&operator, tomorrow, None, &later).await.unwrap();
    assert_eq!((float(next.figures.opening), next.figures.entries), (1050, 0));
    let days = (today, tomorrow);
    assert!(day_closing.verify(None, days).await.unwrap().iter().all(|day| day.agrees));
    test_database::execute(
        live.app.folder.path(),
        "UPDATE ledger_entries SET operator_float = operator_float - 1, fees = fees + 1",
    );
    let first_of_all = day_closing.draft(&operator, Date::MIN).await.unwrap().figures;
    assert_eq!((first_of_all.entries, first_of_all.opening), (0, Postings::default()));
    let agree: Vec<bool> =
        day_closing.verify(None, days).await.unwrap().iter().map(|day| day.agrees).collect();
    assert_eq!(agree, [false, true]);
}

/// The SHA-256 of the figures that a page shows.
#[track_caller]
fn digest(shown: &Response) -> String {
    let digits = shown.text.split("SHA-256 <code>").nth(1).and_then(|rest| rest.split('<').next());
    digits.unwrap_or_else(|| panic!("no SHA-256: {}", shown.text)).to_owned()
}

fn all() -> StatementPageRequest {
    StatementPageRequest { operator: None, after: None, limit: 1 }
}

fn json_of(printed: &[u8]) -> Value {
    serde_json::from_slice(printed).unwrap()
}
