//! `/metrics`: Prometheus metrics on a listener of their own (docs/reference/endpoints.md).

use serde_json::json;
use std::{net::TcpListener, sync::Arc};
use tua_config::Config;
use tua_contract::lifecycle::Observation;
use tua_domain::{
    TransactionId,
    ports::{NextStatusQuery, StatusResponse},
};
use tua_emulator::{Call, Fault, Operator};
use tua_test_support::{
    ApiClient, TestApp,
    binary::{RunningService, refused, tua},
    eventually,
    live_operators::LiveOperators,
    scripted_operator::ScriptedOperator,
    test_database,
    webhook_receiver::{Subscriber, WebhookReceiver},
};

fn with_metrics(config: &mut Config) {
    config.metrics_listen = Some("127.0.0.1:0".to_owned());
}

/// A client of the metrics listener.
fn prometheus(app: &TestApp) -> ApiClient {
    let address = app.running().metrics_addr().unwrap();
    ApiClient {
        credential: String::new(),
        origin: format!("http://{address}"),
        http: app.http.clone(),
    }
}

async fn scrape(prometheus: &ApiClient) -> String {
    let answer = prometheus.get("/metrics").await.is(200);
    assert!(
        answer.header("content-type").starts_with("application/openmetrics-text"),
        "{answer:?}"
    );
    assert!(answer.text.ends_with("# EOF\n"));
    answer.text
}

/// The value of the one line with this name and all of these labels.
#[track_caller]
fn value(text: &str, name: &str, labels: &[(&str, &str)]) -> Option<f64> {
    let labels: Vec<String> =
        labels.iter().map(|(name, value)| format!("{name}=\"{value}\"")).collect();
    let mut lines = text.lines().filter(|line| {
        line.split(['{', ' ']).next() == Some(name)
            && labels.iter().all(|label| line.contains(label.as_str()))
    });
    let found = lines.next().map(|line| line.rsplit(' ').next().unwrap().parse().unwrap());
    assert_eq!(lines.next(), None, "more than one line of {name} {labels:?}");
    found
}

#[tokio::test]
async fn requests_and_transitions_are_counted_without_personal_data() {
    let app = TestApp::with(with_metrics, |operators| operators).await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let id = payer.charge("0241230006", "MTN").await.is(202).id();
    shop.get(&format!("/v1/status/{id}")).await.is(200);
    shop.get("/nowhere/tua_checkout_secret").await.is(404);
    shop.send(reqwest::Method::from_bytes(b"BREW").unwrap(), "/v1/charge", &[], None).await.is(405);
    let text = scrape(&prometheus(&app)).await;

    let requests = |method, route, status| {
        value(
            &text,
            "tua_http_requests_total",
            &[("method", method), ("route", route), ("status", status)],
        )
    };
    assert_eq!(requests("POST", "/v1/charge", "202"), Some(1.0));
    assert_eq!(requests("GET", "/v1/status/{transaction_id}", "200"), Some(1.0));
    assert_eq!(requests("GET", "(no route)", "404"), Some(1.0));
    assert_eq!(requests("OTHER", "/v1/charge", "405"), Some(1.0));
    let route = [("method", "POST"), ("route", "/v1/charge")];
    assert_eq!(value(&text, "tua_http_request_duration_seconds_count", &route), Some(1.0));

    let subject = [("kind", "CHARGE"), ("network", "MTN"), ("mode", "test")];
    let moved = |from, to, failure| {
        let labels = [&subject[..], &[("from", from), ("to", to), ("failure", failure)]].concat();
        value(&text, "tua_transitions_total", &labels)
    };
    assert_eq!(moved("NONE", "WAIT", ""), Some(1.0));
    assert_eq!(moved("WAIT", "FAILED", "payer_not_found"), Some(1.0));
    for secret in
        ["0241230006", "241230006", "tua_checkout_secret", &id, &shop.credential, "ama@example.com"]
    {
        assert!(!text.contains(secret), "{secret} is in the metrics:\n{text}");
    }
}

#[tokio::test]
async fn operator_calls_are_measured_by_call_and_outcome() {
    let sends = |_| Some(Observation::Ambiguous);
    let asks = |time| (time > 1).then_some(StatusResponse::known(Observation::Succeeded));
    let operator = Arc::new(ScriptedOperator::new().sends(sends).asks(asks));
    let app = TestApp::with_clock(
        tua_system::clock::OffsetClock::stopped(),
        with_metrics,
        operator.behind_test(),
    )
    .await;
    app.test_clock.wait_for_workers().await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    // The first query times out after thirty seconds, the next one succeeds.
    app.advance(10);
    operator.called("ask", 1).await;
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(30), 1).await;
    for seconds in [30, 60] {
        app.advance(seconds);
        app.wait_for_due_work().await;
    }
    shop.until(&id, |status| status["status"] == "SUCCESSFUL").await;
    let text = scrape(&prometheus(&app)).await;
    for (operation, outcome) in [("send", "ambiguous"), ("ask", "timed_out"), ("ask", "known")] {
        let labels =
            [("operation", operation), ("outcome", outcome), ("network", "MTN"), ("mode", "test")];
        assert_eq!(
            value(&text, "tua_operator_call_duration_seconds_count", &labels),
            Some(1.0),
            "{labels:?}\n{text}"
        );
    }
}

#[tokio::test]
async fn pending_and_flagged_transactions_are_counted_on_each_scrape() {
    let app =
        TestApp::with_clock(tua_system::clock::OffsetClock::stopped(), with_metrics, |operators| {
            operators
        })
        .await;
    app.test_clock.wait_for_workers().await;
    let shop = app.shop().await;
    let prometheus = prometheus(&app);
    let pending = |text: &str, age| value(text, "tua_pending", &[("mode", "test"), ("age", age)]);
    let flagged = |text: &str| value(text, "tua_flagged", &[("mode", "test")]);
    let old = app.payer(&shop).await.charge("0241230007", "MTN").await.is(202).id();
    app.advance(120);
    app.wait_for_due_work().await;
    app.payer(&shop).await.charge("0241230007", "MTN").await.is(202);
    let text = scrape(&prometheus).await;
    assert_eq!((pending(&text, "under_1m"), pending(&text, "1m_to_10m")), (Some(1.0), Some(1.0)));
    assert_eq!((flagged(&text), pending(&text, "over_24h")), (Some(0.0), None));

    let store = app.running().store.clone();
    store
        .schedule_status_query(
            &TransactionId::new(&old),
            1,
            NextStatusQuery { at: None, is_flagged: true },
            app.test_clock.now_plus(0),
        )
        .await
        .unwrap();
    let text = scrape(&prometheus).await;
    assert_eq!((flagged(&text), pending(&text, "1m_to_10m")), (Some(1.0), Some(1.0)));
}

#[tokio::test]
async fn store_webhooks_and_process_are_measured() {
    let app = TestApp::with(with_metrics, |operators| operators).await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    let (endpoint, _) = merchant.add_endpoint(&app, &receiver.url).await;
    app.payer(&merchant.shop).await;
    let prometheus = prometheus(&app);
    let disabled = |text: &str| value(text, "tua_webhook_endpoints_disabled", &[("mode", "test")]);
    assert_eq!(disabled(&scrape(&prometheus).await), Some(0.0));
    let sql = format!("UPDATE webhook_endpoints SET disabled_at = 1 WHERE id = '{endpoint}'");
    test_database::execute(app.folder.path(), &sql);
    assert_eq!(disabled(&scrape(&prometheus).await), Some(1.0));
    test_database::execute(app.folder.path(), "UPDATE webhook_endpoints SET disabled_at = NULL");
    let sent = [("outcome", "taken")];
    let webhooks = |text: &str| value(text, "tua_webhook_delay_seconds_count", &sent);
    let queued = |text: &str| value(text, "tua_store_queue", &[]);
    eventually("the webhook is with_metrics, and the queue is empty", async || {
        let text = scrape(&prometheus).await;
        (webhooks(&text), queued(&text)) == (Some(1.0), Some(0.0))
    })
    .await;
    let text = scrape(&prometheus).await;
    assert!(value(&text, "tua_store_commit_duration_seconds_count", &[]) >= Some(2.0), "{text}");
    assert!(value(&text, "tua_store_batch_sum", &[]) >= Some(2.0), "{text}");
    assert_eq!(value(&text, "tua_store_commit_failures_total", &[]), Some(0.0));
    assert_eq!(
        value(&text, "tua_build_info", &[("version", env!("CARGO_PKG_VERSION"))]),
        Some(1.0)
    );
    assert!(value(&text, "process_start_time_seconds", &[]) > Some(1_700_000_000.0), "{text}");
}

#[tokio::test]
async fn metrics_are_per_service_and_not_on_the_public_listener() {
    let one = TestApp::with(with_metrics, |operators| operators).await;
    let other = TestApp::with(with_metrics, |operators| operators).await;
    one.actor("").get("/healthz").await.is(200);
    let healthz = [("route", "/healthz"), ("status", "200")];
    assert_eq!(
        value(&scrape(&prometheus(&one)).await, "tua_http_requests_total", &healthz),
        Some(1.0)
    );
    assert_eq!(
        value(&scrape(&prometheus(&other)).await, "tua_http_requests_total", &healthz),
        None
    );
    one.actor("").get("/metrics").await.is_problem(404, "not_found");
    prometheus(&one).get("/healthz").await.is(404);
    assert!(TestApp::start().await.running().metrics_addr().is_none(), "they are off by default");
}

#[tokio::test]
async fn the_metrics_address_is_configurable_and_one_in_use_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let busy = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = busy.local_addr().unwrap().to_string();
    for wrong in [&address, "nonsense"] {
        let serve = ["serve", "--listen", "127.0.0.1:0", "--metrics-listen", wrong];
        let said = refused(tua(folder.path()).args(serve));
        assert!(said.contains("metrics-listen") && said.contains(wrong), "{said}");
    }
    assert!(!folder.path().join("tua.db").exists(), "a transaction was created");
    drop(busy);
    std::fs::write(
        folder.path().join("tua.toml"),
        json!(address).to_string().replacen('"', "metrics-listen = \"", 1),
    )
    .unwrap();
    let serving = RunningService::start(folder.path(), |command| {
        command.args(["--config", "tua.toml"]);
    });
    let answer =
        serving.actor("").http.get(format!("http://{address}/metrics")).send().await.unwrap();
    assert!(answer.text().await.unwrap().contains("tua_build_info{"));
    assert_eq!(serving.terminate(), Some(0));
}

#[tokio::test]
async fn breakers_and_balances_of_operators_are_measured() {
    let live = LiveOperators::routed_to("mtn").await;
    let prometheus = prometheus(&live.app);
    let breaker = |text: &str, kind| {
        value(text, "tua_operator_breaker_open", &[("operator", "mtn"), ("kind", kind)])
    };
    let balance = |text: &str| {
        let labels = [("operator", "mtn"), ("account", "disbursement"), ("currency", "GHS")];
        value(text, "tua_operator_balance", &labels)
    };
    eventually("the balances are read", async || balance(&scrape(&prometheus).await).is_some())
        .await;
    assert_eq!(breaker(&scrape(&prometheus).await, "CHARGE"), Some(0.0));
    live.emulator.chaos().set(Operator::MTN_MOMO, Call::Send, Fault::ErrorAfter);
    for _ in 0..5 {
        live.charge("0241234567", "MTN").await.is(202);
    }
    let text = scrape(&prometheus).await;
    assert_eq!((breaker(&text, "CHARGE"), breaker(&text, "PAYOUT")), (Some(1.0), Some(0.0)));
    let read_at = value(&text, "tua_operator_balance_read_time_seconds", &[("operator", "mtn")]);
    assert!(read_at > Some(0.0));
}

#[tokio::test]
async fn access_tokens_of_operators_are_measured_by_direction() {
    let live = LiveOperators::routed_to("mtn").await;
    let prometheus = prometheus(&live.app);
    let requests = |text: &str, kind, outcome| {
        let labels = [("operator", "mtn"), ("kind", kind), ("outcome", outcome)];
        value(text, "tua_operator_token_requests_total", &labels)
    };
    let valid_until = |text: &str, kind| {
        value(text, "tua_operator_token_not_after_seconds", &[("operator", "mtn"), ("kind", kind)])
    };
    // The last call of the first reading: after it, no call is under way that would replace a
    // token.
    let last = [("operator", "mtn"), ("account", "disbursement"), ("currency", "GHS")];
    let is_read =
        async || value(&scrape(&prometheus).await, "tua_operator_balance", &last).is_some();
    eventually("a token of each product is fetched", is_read).await;
    let text = scrape(&prometheus).await;
    for kind in ["CHARGE", "PAYOUT"] {
        assert_eq!(
            (requests(&text, kind, "fetched"), requests(&text, kind, "failed")),
            (Some(1.0), Some(0.0)),
            "{kind}"
        );
        assert!(valid_until(&text, kind) > Some(0.0));
    }
    assert_eq!(
        value(&text, "tua_operator_token_requests_total", &[("operator", "paystack")]),
        None
    );

    live.emulator.revoke_credentials(Operator::MTN_MOMO);
    live.charge("0241234567", "MTN").await.is(202);
    let has_failed = async || requests(&scrape(&prometheus).await, "CHARGE", "failed") > Some(0.0);
    eventually("the refused token could not be replaced", has_failed).await;
    let text = scrape(&prometheus).await;
    assert_eq!(valid_until(&text, "CHARGE"), None, "a refused token is none");
    assert!(valid_until(&text, "PAYOUT").is_some());
}
