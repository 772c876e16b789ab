//! Closed days of an operator whose entry in the settings was renamed
//! (docs/reference/statements.md#closed-days).

use super::statements::{HEADER, import, live};
use jiff::SignedDuration;
use serde_json::{Value, json};
use std::fs;
use tua_domain::{Mode, TransactionId, people::Role, ports::Clock};
use tua_system::clock::SystemClock;
use tua_test_support::{
    binary::{json, refused, run, tua},
    dashboard::page,
    live_operators::LiveOperators,
    test_database,
};

/// The day so many days ago.
fn day(ago: i64) -> String {
    (SystemClock.now() - SignedDuration::from_hours(24 * ago)).to_string()[..10].to_owned()
}

/// A line about a charge that does not exist.
fn line(day: &str, operator_id: &str) -> String {
    let reference = TransactionId::mint().operator_reference();
    format!("{reference},DEPOSIT,COMPLETED,GHS,3.00,0.10,{day}T10:00:00Z,{operator_id}\n")
}

fn renamed(settings: &str) -> String {
    settings.replace("operators.mtn", "operators.mtn-ghana").replace("\"mtn\"", "\"mtn-ghana\"")
}

/// Renames the entry of the operator, for the service and for commands.
async fn rename(live: &mut LiveOperators) {
    let settings = live.app.folder.path().join("tua.toml");
    fs::write(&settings, renamed(&fs::read_to_string(&settings).unwrap())).unwrap();
    live.reconfigure(renamed).await;
}

fn close<'a>(operator: &'a str, day: &'a str) -> [&'a str; 8] {
    ["statement", "close", "--operator", operator, "--day", day, "--as", "Esi"]
}

/// Whether each closed day of these days still agrees.
fn closed_days(live: &LiveOperators, from: &str, to: &str) -> Value {
    let output =
        run(live.app.folder.path(), &["statement", "verify", "--from", from, "--to", to, "--json"]);
    let found: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    found["closedDays"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renamed_entry_keeps_its_closed_days() {
    let mut live = live("mtn").await;
    let path = live.app.folder.path().to_owned();
    live.charge_to_the_end("0241234567", "MTN").await;
    let first = day(5);
    let second = day(4);
    let early = line(&first, "a");
    import(&path, "mtn", &format!("{HEADER}\n{early}"));
    json(&path, &close("mtn", &first));

    rename(&mut live).await;
    let account = live.app.running().store.accounts().await.unwrap().remove(0).id;
    let finance = live.app.browser_of(&account, Role::Finance).await;
    let at = |rest: &str| page(&account, Mode::Live, &format!("/statements/days{rest}"));
    let listed = finance.get(&at("")).await.is(200).text;
    assert!(
        listed.contains(&first) && listed.contains(&second) && listed.contains("Esi"),
        "{listed}"
    );
    let shown = finance.get(&at(&format!("/mtn-ghana/{first}"))).await.is(200).text;
    assert!(shown.contains("still agree") && !shown.contains("name=\"sha256\""), "{shown}");
    let again = refused(tua(&path).args(close("mtn-ghana", &first)).args(["--config", "tua.toml"]));
    assert!(again.contains("closed already"), "{again}");

    let late = import(&path, "mtn-ghana", &format!("{HEADER}\n{early}{}", line(&first, "b")));
    let statement = &json(&path, &["statement", "list"])[0];
    assert_eq!(
        (&late["inserted"], &statement["late"], &statement["from"]),
        (&json!(1), &json!(1), &json!(second))
    );
    let closed =
        json(&path, &[&close("mtn-ghana", &second)[..], &["--config", "tua.toml"]].concat());
    assert_eq!(closed["lines"]["CHARGE"]["count"], 1, "{closed}");
    assert_eq!(
        closed_days(&live, &first, &second),
        json!([
            { "operator": "mtn", "day": first, "agrees": true },
            { "operator": "mtn-ghana", "day": second, "agrees": true },
        ])
    );
    // Under both names the database finds the same operator account.
    for name in ["mtn", "mtn-ghana"] {
        let report = json(&path, &["statement", "report", "--operator", name, "--day", &first]);
        assert_eq!((&report["operator"], &report["agrees"]), (&json!("mtn"), &json!(true)));
    }
    let log = json(&path, &["audit", "list"]).to_string();
    assert_eq!(log.matches("day.closed").count(), 2, "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_has_the_entries_under_every_name_of_the_operator() {
    let mut live = live("mtn").await;
    live.charge_to_the_end("0241234567", "MTN").await;
    rename(&mut live).await;
    live.charge_to_the_end("0241234567", "MTN").await;
    let account = live.app.running().store.accounts().await.unwrap().remove(0).id;
    let finance = live.app.browser_of(&account, Role::Finance).await;
    let today = page(&account, Mode::Live, &format!("/statements/days/mtn-ghana/{}", day(0)));
    let shown = finance.get(&today).await.is(200).text;
    // The sums of the ledger; each payment is named too, because no line is about it.
    assert!(shown.contains("21.00 <span") && !shown.contains("10.50 <span"), "{shown}");
    let verify = [
        "statement",
        "verify",
        "--from",
        &day(0),
        "--to",
        &day(0),
        "--operator",
        "mtn-ghana",
        "--json",
    ];
    let output = run(live.app.folder.path(), &verify);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["outcomes"]["missing-at-the-operator"], 2, "{found}");
}

/// Removes the triggers of later versions from a database file.
const SQLITE_TRIGGERS: &[&str] = &[
    "DROP TRIGGER mail_alerts_deliveries",
    "DROP TRIGGER transactions_review_alert",
    "DROP TRIGGER transactions_conflict_alert",
    "DROP TRIGGER transactions_dispute_alert",
    "DROP TRIGGER transactions_approval_alert",
    "DROP TRIGGER webhook_deliveries_failing_alert",
];

/// As [`SQLITE_TRIGGERS`], with their functions.
const POSTGRES_FUNCTIONS: &[&str] = &[
    "DROP FUNCTION insert_alert_deliveries CASCADE",
    "DROP FUNCTION insert_approval_alert CASCADE",
    "DROP FUNCTION insert_failing_endpoint_alert CASCADE",
];

#[tokio::test(flavor = "multi_thread")]
async fn closed_days_of_an_older_database_are_kept_under_the_operators_account() {
    let mut live = live("mtn").await;
    let path = live.app.folder.path().to_owned();
    let first = day(5);
    import(&path, "mtn", &format!("{HEADER}\n{}", line(&first, "a")));
    let closed = json(&path, &close("mtn", &first));
    rename(&mut live).await;
    import(&path, "mtn-ghana", &format!("{HEADER}\n{}", line(&day(3), "b")));
    // The triggers are first: they name tables and columns that are removed.
    let triggers = if test_database::is_sqlite() { SQLITE_TRIGGERS } else { POSTGRES_FUNCTIONS };
    for sql in triggers {
        test_database::execute(&path, sql);
    }
    // The table of the version before, in which the renamed entry could close the day again.
    for sql in [
        "CREATE TABLE older AS SELECT operator, day, closed_at, closed_by, report, digest FROM \
         closed_days",
        "DROP TABLE closed_days",
        "DROP TABLE sandbox_clocks",
        "ALTER TABLE older RENAME TO closed_days",
        "INSERT INTO closed_days SELECT 'mtn-ghana', day, closed_at + 1, 'Kofi', report, digest \
         FROM closed_days",
        "DROP INDEX transactions_failures",
        "DROP INDEX transactions_undelayed_advanced",
        "DROP INDEX transactions_single_payouts",
        "DROP INDEX audit_log_requests",
        "ALTER TABLE webhook_endpoints DROP COLUMN incomplete_since",
        "ALTER TABLE webhook_deliveries DROP COLUMN response",
        "ALTER TABLE dashboard_sessions DROP COLUMN pin",
        "ALTER TABLE dashboard_sessions DROP COLUMN pin_tries",
        "ALTER TABLE dashboard_sessions DROP COLUMN locked_at",
        "ALTER TABLE dashboard_sessions DROP COLUMN unlocked_at",
        "ALTER TABLE transactions DROP COLUMN clock_advanced_ms",
        "ALTER TABLE transactions DROP COLUMN claimed_failure",
        "ALTER TABLE transactions DROP COLUMN claim_is_decisive",
        "ALTER TABLE transactions DROP COLUMN approved_after_revocation",
        "ALTER TABLE users DROP COLUMN signed_in_at",
        "ALTER TABLE users DROP COLUMN signed_in_by",
        "DROP INDEX users_by_email",
        "ALTER TABLE memberships DROP COLUMN given_by",
        "DROP INDEX known_browsers_by_digest",
        "ALTER TABLE payout_controls DROP COLUMN lift",
        "ALTER TABLE payout_controls DROP COLUMN lift_by",
        "ALTER TABLE payout_controls DROP COLUMN lift_at",
        "ALTER TABLE accounts DROP COLUMN decider_lost_at",
        "ALTER TABLE statements DROP COLUMN covers_from",
        "ALTER TABLE statements DROP COLUMN covers_to",
        "ALTER TABLE transactions DROP COLUMN attention",
        "ALTER TABLE statement_lines DROP COLUMN network",
        "DROP TABLE refund_days",
        "DROP TABLE fee_days",
        "DROP TABLE connected_operators",
        "DROP TABLE account_mail_servers",
        "ALTER TABLE mail_switch DROP COLUMN serves_all",
        "DROP TABLE ledger_day_sums",
        "DROP INDEX ledger_entries_of_sandbox",
        "ALTER TABLE payment_links DROP COLUMN question",
        "ALTER TABLE checkouts DROP COLUMN answer",
        "ALTER TABLE transactions DROP COLUMN answer",
        "ALTER TABLE ledger_entries DROP COLUMN is_fee_late",
        "DROP INDEX checkouts_by_age",
        "DROP INDEX checkouts_by_reference",
        "DROP INDEX mail_messages_due_by_account",
        "DROP INDEX transactions_payouts_by_age",
        "DROP INDEX transactions_refunds_by_age",
        "DROP INDEX transactions_by_link_age",
        "DROP TABLE alert_deliveries",
        "DROP TABLE alert_channels",
        "ALTER TABLE memberships DROP COLUMN alert_topics",
    ] {
        test_database::execute(&path, sql);
    }
    if test_database::is_sqlite() {
        test_database::execute(&path, "PRAGMA user_version = 8");
    } else {
        test_database::execute(&path, "ALTER TABLE closed_days ADD PRIMARY KEY (operator, day)");
        test_database::execute(
            &path,
            "ALTER TABLE users ADD CONSTRAINT users_email UNIQUE (email)",
        );
        test_database::execute(&path, "DELETE FROM tua_migrations WHERE number > 8");
    }
    assert!(run(&path, &["migrate"]).status.success());
    let report = json(&path, &["statement", "report", "--operator", "mtn", "--day", &first]);
    assert_eq!(report, closed, "the first closing counts");
    assert_eq!(test_database::query_number(&path, "SELECT count(*) FROM closed_days"), 1);
    assert_eq!(
        closed_days(&live, &first, &first),
        json!([{ "operator": "mtn", "day": first, "agrees": true }])
    );
}
