//! Connections that break during a commit: a committed write is not repeated, and a lost write is
//! not confirmed.

use super::tcp_proxy::{BreakPoint, TcpProxy};
use serde_json::json;
use std::{path::Path, sync::Arc};
use tua_config::Config;
use tua_contract::{Step, lifecycle::Observation};
use tua_store::database::Database;
use tua_system::clock::OffsetClock;
use tua_test_support::{
    ApiClient, Response, TestApp, idempotency::send_with_key, scripted_operator::ScriptedOperator,
    test_database,
};

const PAYMENT: &str = r#"{"amount": 10.5, "phoneNumber": "0241234567", "network": "MTN"}"#;

/// An idle service, and a merchant.
async fn idle_service(
    database: Database,
    operator: &Arc<ScriptedOperator>,
) -> (TestApp, ApiClient) {
    let settings = |config: &mut Config| config.database = database;
    let app = TestApp::with_clock(OffsetClock::stopped(), settings, operator.behind_test()).await;
    app.test_clock.wait_for_workers().await;
    // Pruning is not running either.
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(60), 1).await;
    let shop = app.shop().await;
    (app, shop)
}

fn charges(folder: &Path) -> i64 {
    test_database::query_number(folder, "SELECT count(*) FROM transactions")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_breaks_at_commit_creates_the_payment_once() {
    if test_database::skip_on_sqlite("nothing lies between a service and its file") {
        return;
    }
    for cut in [BreakPoint::BeforeCommit, BreakPoint::AfterCommit] {
        let folder = tempfile::tempdir().unwrap();
        let operator = Arc::new(ScriptedOperator::new());
        let cable = TcpProxy::start(folder.path()).await;
        let (_app, shop) = idle_service(cable.database(folder.path(), ""), &operator).await;
        cable.break_next_commit(cut);
        send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is(202);
        assert!(cable.has_broken());
        assert_eq!((operator.each("send"), charges(folder.path())), (vec![1], 1), "{cut:?}");
    }
}

/// A database whose server reports every transaction id as committed. A server that crashed does so
/// for ids that never reached its disk, because it gives them to other transactions.
fn that_gave_numbers_twice(cable: &TcpProxy, folder: &Path) -> Database {
    let sql = "CREATE FUNCTION pg_xact_status(xid8) RETURNS text LANGUAGE sql AS $$ SELECT \
        'committed' $$";
    test_database::execute(folder, sql);
    // This function precedes the server's own in the search path.
    cable.database(folder, "%2Cpg_catalog")
}

/// The response to a request during whose commit the server crashes.
async fn response_over_crash(
    cable: &TcpProxy,
    folder: &Path,
    cut: BreakPoint,
    request: impl Future<Output = Response> + Send + 'static,
) -> Response {
    cable.crash_at_next_commit(cut);
    let answer = tokio::spawn(request);
    cable.wait_until_broken().await;
    // As the server's recovery does.
    test_database::execute(folder, "TRUNCATE server_incarnations");
    cable.restore();
    answer.await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_in_doubt_after_a_server_crash_is_resolved_from_rows() {
    if test_database::skip_on_sqlite("it is about servers") {
        return;
    }
    for cut in [BreakPoint::BeforeCommit, BreakPoint::AfterCommit] {
        let folder = tempfile::tempdir().unwrap();
        let operator = Arc::new(ScriptedOperator::new());
        let cable = TcpProxy::start(folder.path()).await;
        let (_app, shop) =
            idle_service(that_gave_numbers_twice(&cable, folder.path()), &operator).await;
        let paying = async move { send_with_key(&shop, "/v1/charge", "k", PAYMENT).await };
        response_over_crash(&cable, folder.path(), cut, paying).await.is(202);
        assert_eq!((operator.each("send"), charges(folder.path())), (vec![1], 1), "{cut:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_in_doubt_after_a_server_crash_is_reported_as_unknown() {
    if test_database::skip_on_sqlite("it is about servers") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let operator =
        Arc::new(ScriptedOperator::new().sends(|_| Some(Observation::Awaits(Step::EnterOtp))));
    let cable = TcpProxy::start(folder.path()).await;
    let (_app, shop) =
        idle_service(that_gave_numbers_twice(&cable, folder.path()), &operator).await;
    let id = send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is(202).id();
    let code = json!({ "transactionId": id, "otp": "123456" }).to_string();
    let entering = {
        let shop = shop.clone();
        let code = code.clone();
        async move { send_with_key(&shop, "/v1/submit-otp", "c", &code).await }
    };
    let told = response_over_crash(&cable, folder.path(), BreakPoint::BeforeCommit, entering).await;
    let told = told.is_problem(503, "service_unavailable");
    assert!(told.json()["detail"].as_str().unwrap().contains("not known whether"), "{}", told.text);
    send_with_key(&shop, "/v1/submit-otp", "c", &code).await.is(200);
    assert_eq!(operator.each("code"), [1]);
}
