//! Rows that a response depends on are durable before it is sent, also those of the sandbox: an
//! order that it acknowledged and forgot in a crash of the server would stay pending for ever.

use tua_test_support::{
    TestApp,
    idempotency::{PAYMENT, send_with_key},
    test_database,
};

/// Tables that are written before a charge is accepted, or before its first response is known.
const WRITTEN: [&str; 4] = ["transactions", "transaction_events", "attempts", "sandbox_orders"];

/// A trigger that keeps how the transaction of a write commits.
const KEEP_MODE: &str = "CREATE FUNCTION keep_mode() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
    INSERT INTO commit_modes VALUES (TG_TABLE_NAME, current_setting('synchronous_commit')); \
    RETURN NULL; END $$";

#[tokio::test(flavor = "multi_thread")]
async fn what_a_response_depends_on_commits_synchronously() {
    if test_database::skip_on_sqlite("every commit of SQLite is synchronous") {
        return;
    }
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let execute = |sql: &str| test_database::execute(app.folder.path(), sql);
    execute("CREATE TABLE commit_modes (written text, mode text)");
    execute(KEEP_MODE);
    for table in WRITTEN {
        execute(&format!(
            "CREATE TRIGGER keep_mode AFTER INSERT ON {table} FOR EACH STATEMENT EXECUTE FUNCTION \
             keep_mode()"
        ));
    }
    send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is(202);
    for table in WRITTEN {
        let modes = test_database::query_texts(
            app.folder.path(),
            &format!("SELECT DISTINCT mode FROM commit_modes WHERE written = '{table}'"),
        );
        assert_eq!(modes, ["on"], "{table}");
    }
}
