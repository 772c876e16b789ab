//! Connections that break while a transaction is ending: what was written is not written twice, and what was not is
//! not promised.

use crate::support::{
    ApiClient, Response, TestApp,
    idempotency::keyed,
    scripted_operator::ScriptedOperator,
    tcp_proxy::{Cut, TcpProxy},
    test_database,
};
use serde_json::json;
use std::{path::Path, sync::Arc};
use tua_contract::{Step, lifecycle::Observation};
use tua_service::{Config, clock::OffsetClock, database::Database};

const PAYMENT: &str = r#"{"amount": 10.5, "phoneNumber": "0241234567", "network": "MTN"}"#;

/// A service at rest, and a merchant.
async fn serving(database: Database, operator: &Arc<ScriptedOperator>) -> (TestApp, ApiClient) {
    let settings = |config: &mut Config| config.database = database;
    let app = TestApp::on(OffsetClock::stopped(), settings, operator.behind_test()).await;
    app.sleepers.work_is_looked_for().await;
    // Nothing is being forgotten either.
    app.sleepers.asleep_until(app.sleepers.now_plus(60), 1).await;
    let shop = app.shop().await;
    (app, shop)
}

fn begun(folder: &Path) -> i64 {
    test_database::number(folder, "SELECT count(*) FROM transactions")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_breaks_at_commit_creates_the_payment_once() {
    if test_database::only_on_postgres("nothing lies between a service and its file") {
        return;
    }
    for cut in [Cut::BeforeTheCommit, Cut::AfterTheCommit] {
        let (folder, operator) = (tempfile::tempdir().unwrap(), Arc::new(ScriptedOperator::new()));
        let cable = TcpProxy::of(folder.path()).await;
        let (_app, shop) = serving(cable.database(folder.path(), ""), &operator).await;
        cable.cut_once(cut);
        keyed(&shop, "/v1/charge", "k", PAYMENT).await.is(202);
        assert!(cable.was_cut());
        assert_eq!((operator.each("send"), begun(folder.path())), (vec![1], 1), "{cut:?}");
    }
}

/// A database whose server says of every number that it was committed. One that has crashed says so of numbers that
/// never reached its disk: it has given them to others.
fn that_gave_numbers_twice(cable: &TcpProxy, folder: &Path) -> Database {
    let sql = "CREATE FUNCTION pg_xact_status(xid8) RETURNS text LANGUAGE sql AS $$ SELECT 'committed' $$";
    test_database::change(folder, sql);
    // Found before the server's own.
    cable.database(folder, "%2Cpg_catalog")
}

/// What a request is answered in whose transaction the server crashes.
async fn over_a_crash(
    cable: &TcpProxy,
    folder: &Path,
    cut: Cut,
    request: impl Future<Output = Response> + Send + 'static,
) -> Response {
    cable.crash_once(cut);
    let answer = tokio::spawn(request);
    cable.severed().await;
    // As its recovery does.
    test_database::change(folder, "TRUNCATE server_incarnations");
    cable.mend();
    answer.await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_in_doubt_after_a_server_crash_is_resolved_from_rows() {
    if test_database::only_on_postgres("it is about servers") {
        return;
    }
    for cut in [Cut::BeforeTheCommit, Cut::AfterTheCommit] {
        let (folder, operator) = (tempfile::tempdir().unwrap(), Arc::new(ScriptedOperator::new()));
        let cable = TcpProxy::of(folder.path()).await;
        let (_app, shop) = serving(that_gave_numbers_twice(&cable, folder.path()), &operator).await;
        let paying = async move { keyed(&shop, "/v1/charge", "k", PAYMENT).await };
        over_a_crash(&cable, folder.path(), cut, paying).await.is(202);
        assert_eq!((operator.each("send"), begun(folder.path())), (vec![1], 1), "{cut:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_in_doubt_after_a_server_crash_is_reported_as_unknown() {
    if test_database::only_on_postgres("it is about servers") {
        return;
    }
    let (folder, operator) = (
        tempfile::tempdir().unwrap(),
        Arc::new(ScriptedOperator::new().sends(|_| Some(Observation::Awaits(Step::EnterOtp)))),
    );
    let cable = TcpProxy::of(folder.path()).await;
    let (_app, shop) = serving(that_gave_numbers_twice(&cable, folder.path()), &operator).await;
    let id = keyed(&shop, "/v1/charge", "k", PAYMENT).await.is(202).id();
    let code = json!({ "transactionId": id, "otp": "123456" }).to_string();
    let entering = {
        let (shop, code) = (shop.clone(), code.clone());
        async move { keyed(&shop, "/v1/submit-otp", "c", &code).await }
    };
    let told = over_a_crash(&cable, folder.path(), Cut::BeforeTheCommit, entering).await;
    let told = told.is_problem(503, "service_unavailable");
    assert!(told.json()["detail"].as_str().unwrap().contains("not known whether"), "{}", told.text);
    keyed(&shop, "/v1/submit-otp", "c", &code).await.is(200);
    assert_eq!(operator.each("code"), [1]);
}
