//! A disk of the server that is full: payments get 503 until there is space, and are then begun
//! once.

use tua_test_support::{
    TestApp,
    idempotency::{PAYMENT, count, send_with_key},
    scripted_operator::ScriptedOperator,
    test_database,
};

/// Tables that a payment, the readiness probe and the end of a payment write.
const WRITTEN: [&str; 3] = ["transactions", "transaction_events", "readiness"];

/// A statement that fails with the SQLSTATE of a full disk, 53100.
const NO_SPACE: &str = "CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; \
    END $$";

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_of_the_server_rejects_payments_until_there_is_space() {
    if test_database::skip_on_sqlite("another test fills the disk of a file") {
        return;
    }
    let operator = std::sync::Arc::new(ScriptedOperator::new());
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let before = send_with_key(&shop, "/v1/charge", "before", PAYMENT).await.is(202).id();
    let execute = |sql: &str| test_database::execute(app.folder.path(), sql);
    execute(NO_SPACE);
    for table in WRITTEN {
        execute(&format!(
            "CREATE TRIGGER no_space BEFORE INSERT OR UPDATE ON {table} FOR EACH STATEMENT \
             EXECUTE FUNCTION no_space()"
        ));
    }
    for _ in 0..2 {
        let refused = send_with_key(&shop, "/v1/charge", "during", PAYMENT)
            .await
            .is_problem(503, "service_unavailable");
        assert!(refused.header("retry-after").parse::<u32>().unwrap() > 0);
        assert!(!refused.text.contains("space"), "{}", refused.text);
    }
    // A probe that succeeded is repeated after a second.
    app.advance(2);
    shop.get("/readyz").await.is_problem(503, "service_unavailable");
    shop.get("/healthz").await.is(200);
    assert_eq!(shop.status(&before).await["status"], "PENDING");
    assert_eq!((count(&app, "transactions"), operator.count("send")), (1, 1));

    for table in WRITTEN {
        execute(&format!("DROP TRIGGER no_space ON {table}"));
    }
    let begun = send_with_key(&shop, "/v1/charge", "during", PAYMENT).await.is(202).id();
    let again = send_with_key(&shop, "/v1/charge", "during", PAYMENT).await.is(202).id();
    assert_eq!(begun, again);
    app.advance(2);
    shop.get("/readyz").await.is(200);
    assert_eq!((count(&app, "transactions"), operator.each("send")), (2, vec![1, 1]));
}
