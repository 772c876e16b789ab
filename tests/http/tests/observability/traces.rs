//! Traces over OTLP: a charge as a tree of spans, without personal data, and without an effect on
//! charges where the collector is down.

use axum::{Router, body::Bytes, routing::post};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value::Value},
    resource::v1::Resource,
    trace::v1::Span,
};
use prost::Message;
use reqwest::Method;
use serde_json::json;
use std::{
    fs,
    path::Path,
    process::Command,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use tokio::net::TcpListener;
use tua_test_support::binary::{RunningService, account, refused, tua};

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const PHONE: &str = "0209876001";
const TRACE_ID: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT_ID: &str = "b7ad6b7169203331";

/// A collector that keeps what it receives.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<Bytes>>>);

impl Collector {
    /// Listens on a free port. Returns the collector and its endpoint.
    async fn start() -> (Self, String) {
        let collector = Self::default();
        let received = collector.clone();
        let export = move |body: Bytes| {
            received.0.lock().unwrap().push(body);
            std::future::ready(())
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().route("/v1/traces", post(export));
        tokio::spawn(async move { axum::serve(listener, router).await });
        (collector, endpoint)
    }

    /// The bodies of all requests.
    fn bodies(&self) -> Vec<Bytes> {
        self.0.lock().unwrap().clone()
    }

    fn requests(&self) -> Vec<ExportTraceServiceRequest> {
        let decode = |body: Bytes| ExportTraceServiceRequest::decode(body).unwrap();
        self.bodies().into_iter().map(decode).collect()
    }

    fn resources(&self) -> Vec<Resource> {
        let requests = self.requests().into_iter();
        requests.flat_map(|request| request.resource_spans).filter_map(|of| of.resource).collect()
    }

    fn spans(&self) -> Spans {
        let resources = self.requests().into_iter().flat_map(|request| request.resource_spans);
        let scopes = resources.flat_map(|resource| resource.scope_spans);
        Spans(scopes.flat_map(|scope| scope.spans).collect())
    }
}

/// What a collector received.
#[derive(Debug)]
struct Spans(Vec<Span>);

impl Spans {
    /// The span with a name that begins so, and with this parent.
    #[track_caller]
    fn child(&self, parent: &[u8], name: &str) -> &Span {
        let mut children = self.0.iter().filter(|span| span.parent_span_id == parent);
        children.find(|span| span.name.starts_with(name)).unwrap_or_else(|| {
            let names: Vec<_> =
                self.0.iter().map(|span| (&span.name, &span.parent_span_id)).collect();
            panic!("{parent:?} has no {name:?}: {names:?}")
        })
    }
}

fn value(attributes: &[KeyValue], key: &str) -> Option<Value> {
    attributes.iter().find(|attribute| attribute.key == key)?.value.clone()?.value
}

fn text(attributes: &[KeyValue], key: &str) -> Option<String> {
    match value(attributes, key)? {
        Value::StringValue(text) => Some(text),
        other => panic!("{key}: {other:?}"),
    }
}

fn exporting<'a>(endpoint: &'a str) -> impl FnOnce(&mut Command) + use<'a> {
    move |command: &mut Command| {
        command.env(ENDPOINT, endpoint).env("TUA_LOG_FORMAT", "json");
        command.env("TUA_LIMITS", "off").env("TUA_SANDBOX_SPEED", "100");
    }
}

/// Whether the process has the thread that exports spans.
fn has_export_thread(serving: &RunningService) -> bool {
    let threads = fs::read_dir(format!("/proc/{}/task", serving.process_id())).unwrap();
    threads
        .map(|thread| fs::read_to_string(thread.unwrap().path().join("comm")).unwrap_or_default())
        .any(|name| name.starts_with("OpenTelemetry"))
}

/// Begins a charge. Returns its id.
async fn charge(serving: &RunningService, key: &str, headers: &[(&str, &str)]) -> String {
    let body = json!({ "amount": 1, "phoneNumber": PHONE, "network": "TELECEL" }).to_string();
    let response = serving.actor(key).send(Method::POST, "/v1/charge", headers, Some(&body)).await;
    response.is(202).id()
}

/// A service that exports to a collector, a charge in it, and what was received once it has ended.
struct ExportedCharge {
    collector: Collector,
    id: String,
    key: String,
    log: String,
}

impl ExportedCharge {
    async fn begin(folder: &Path) -> Self {
        let (collector, endpoint) = Collector::start().await;
        let serving = RunningService::start(folder, exporting(&endpoint));
        assert!(has_export_thread(&serving));
        let (.., key) = account(folder);
        let traceparent = format!("00-{TRACE_ID}-{PARENT_ID}-01");
        let headers = [("traceparent", traceparent.as_str()), ("x-request-id", "with-a-trace")];
        let id = charge(&serving, &key, &headers).await;
        let log = serving.log();
        assert_eq!(serving.terminate(), Some(0));
        Self { collector, id, key, log }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_shows_how_a_charge_is_begun() {
    let folder = tempfile::tempdir().unwrap();
    let ExportedCharge { collector, id, .. } = ExportedCharge::begin(folder.path()).await;
    let spans = collector.spans();
    let parent = hex::decode(PARENT_ID).unwrap();
    let request = spans.child(&parent, "POST /v1/charge");
    assert_eq!(hex::encode(&request.trace_id), TRACE_ID);
    assert_eq!(text(&request.attributes, "http.route").as_deref(), Some("/v1/charge"));
    assert_eq!(text(&request.attributes, "tua.request.id").as_deref(), Some("with-a-trace"));
    let status = value(&request.attributes, "http.response.status_code");
    assert_eq!(status, Some(Value::IntValue(202)));
    let begin = spans.child(&request.span_id, "begin_payment");
    assert_eq!(text(&begin.attributes, "tua.transaction.id").as_ref(), Some(&id));
    let statement = spans.child(&begin.span_id, "write ");
    let system = text(&statement.attributes, "db.system.name").unwrap();
    assert!(["postgresql", "sqlite"].contains(&system.as_str()), "{system}");
    let wait = spans.child(&begin.span_id, "await_first_response");
    let send = spans.child(&wait.span_id, "send_order");
    let call = spans.child(&send.span_id, "send sandbox");
    assert_eq!(text(&call.attributes, "tua.operator.outcome").as_deref(), Some("taken"));
    assert!(statement.end_time_unix_nano <= call.start_time_unix_nano, "{spans:?}");
    let record = spans.child(&send.span_id, "record_observation");
    spans.child(&record.span_id, "write ");
    for resource in collector.resources() {
        assert_eq!(text(&resource.attributes, "service.name").as_deref(), Some("tua"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_has_no_personal_data_and_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let ExportedCharge { collector, id, key, .. } = ExportedCharge::begin(folder.path()).await;
    let bodies = collector.bodies().concat();
    let contains = |text: &str| bodies.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(contains(&id));
    for secret in [&PHONE[1..], key.as_str(), "Adom Stores"] {
        assert!(!contains(secret), "{secret} is in a trace");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn log_lines_show_the_request_and_no_span_of_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let ExportedCharge { id, log, .. } = ExportedCharge::begin(folder.path()).await;
    let lines = log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let moved: Vec<_> =
        lines.filter(|line| line["fields"]["message"] == "transaction moved").collect();
    assert!(!moved.is_empty(), "{log}");
    for line in &moved {
        let spans = line["spans"].as_array().unwrap();
        assert_eq!((spans.len(), &line["span"]), (1, &spans[0]), "{line}");
        assert_eq!(line["fields"]["transaction"], *id, "{line}");
        assert_eq!(line["span"]["id"], "with-a-trace", "{line}");
        assert_eq!(line["span"]["name"], "request", "{line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_without_the_setting() {
    let folder = tempfile::tempdir().unwrap();
    let (collector, endpoint) = Collector::start().await;
    for (name, value) in [
        (ENDPOINT, ""),
        ("OTEL_SERVICE_NAME", "shop"),
        ("OTEL_SDK_DISABLED", "true"),
        ("OTEL_TRACES_EXPORTER", "none"),
    ] {
        let is_set = name.ends_with("DISABLED") || name.ends_with("EXPORTER");
        let serving = RunningService::start(folder.path(), |command| {
            command.env(name, value);
            if is_set {
                command.env(ENDPOINT, &endpoint);
            }
        });
        assert!(!has_export_thread(&serving), "{name}");
        assert_eq!(serving.terminate(), Some(0));
    }
    assert!(collector.bodies().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_down_does_not_delay_a_charge() {
    let folder = tempfile::tempdir().unwrap();
    // Connections are accepted by the system, and nothing is ever read.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let of_silent = format!("http://{}", silent.local_addr().unwrap());
    let refusing = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    for endpoint in [of_silent, format!("http://{refusing}")] {
        let serving = RunningService::start(folder.path(), |command| {
            exporting(&endpoint)(command);
            // So that the queue is full, and the exporter waits.
            command.env("OTEL_BSP_MAX_QUEUE_SIZE", "8").env("OTEL_BSP_SCHEDULE_DELAY", "1");
        });
        let (.., key) = account(folder.path());
        let started = Instant::now();
        for _ in 0..10 {
            charge(&serving, &key, &[]).await;
        }
        let elapsed = started.elapsed();
        assert!(elapsed < Duration::from_secs(5), "{endpoint}: {elapsed:?}");
        assert_eq!(serving.terminate(), Some(0), "{endpoint}");
    }
}

#[test]
fn all_invalid_variables_are_named_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = tua(folder.path());
    command
        .args(["serve", "--listen", "127.0.0.1:0"])
        .env("TUA_LOG", "inof")
        .env(ENDPOINT, "collector:4318")
        .env("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");
    let said = refused(&mut command);
    for part in ["TUA_LOG: \"inof\"", ENDPOINT, "OTEL_EXPORTER_OTLP_PROTOCOL: \"grpc\""] {
        assert!(said.contains(part), "{said}");
    }
    // Only the service exports traces.
    let mut command = tua(folder.path());
    command.args(["account", "create", "--name", "A"]).env(ENDPOINT, "collector:4318");
    assert!(command.output().unwrap().status.success());
}
