//! What reads or writes whole tables may take longer than the statements of a payment.

use tokio_postgres::NoTls;
use tua_test_support::{
    binary::{account, json, refused, tua},
    test_database,
};

/// Refuses writes to a table by statements that may run for ten seconds only.
fn guard(table: &str, event: &str) -> String {
    format!(
        "CREATE TRIGGER long_only BEFORE {event} ON {table} FOR EACH STATEMENT
         WHEN (current_setting('statement_timeout') = '10s') EXECUTE FUNCTION refuse_short()"
    )
}

#[tokio::test]
async fn a_person_is_erased_and_figures_are_recounted_without_the_time_limit_of_payments() {
    if test_database::skip_on_sqlite("it has no time limit for statements") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    account(folder.path());
    let url = test_database::url_with(folder.path(), |url| url);
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
    tokio::spawn(connection);
    let refuse = "CREATE FUNCTION refuse_short() RETURNS trigger LANGUAGE plpgsql
                  AS $$ BEGIN RAISE EXCEPTION 'a short time limit'; END $$";
    client.batch_execute(refuse).await.unwrap();
    client.batch_execute(&guard("transaction_days", "DELETE")).await.unwrap();
    json(folder.path(), &["transaction", "recount"]);
    client.batch_execute(&guard("audit_log", "INSERT")).await.unwrap();
    json(folder.path(), &["privacy", "erase", "--phone", "0241234567"]);
    let short = refused(tua(folder.path()).args(["account", "create", "--name", "Other"]));
    assert!(short.contains("a short time limit"), "{short}");
}
