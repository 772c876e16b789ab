use super::*;
use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};
use tracing::{error_span, info, info_span, warn};
use tracing_subscriber::{Layer, Registry, fmt::layer, layer::SubscriberExt};

/// What was written.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a layer with this writer writes while `work` runs, without the times.
fn written(
    make: impl FnOnce(Written) -> Box<dyn Layer<Registry> + Send + Sync>,
    work: impl FnOnce(),
) -> String {
    let written = Written::default();
    let subscriber = tracing_subscriber::registry().with(make(written.clone()));
    tracing::subscriber::with_default(subscriber, work);
    let bytes = written.0.lock().unwrap().clone();
    let text = String::from_utf8(bytes).unwrap();
    let without_time = |line: &str| line.split_once('Z').unwrap().1.to_owned();
    text.lines().map(|line| without_time(line) + "\n").collect()
}

fn lines_in_and_out_of_a_request() {
    warn!(error = %"a \"quoted\" text", "outside a request");
    error_span!("request", id = "req_1", method = %"POST", route = "/v1/charge").in_scope(|| {
        info!(status = 202, is_replay = false, name = "Ama\n", "answered");
    });
}

#[test]
fn a_line_is_as_the_library_writes_it() {
    for ansi in [false, true] {
        let ours = written(
            |to| {
                let writer = move || to.clone();
                let lines = layer().with_writer(writer).with_ansi(ansi).with_target(false);
                lines.event_format(TextLines).boxed()
            },
            lines_in_and_out_of_a_request,
        );
        let theirs = written(
            |to| {
                let writer = move || to.clone();
                layer().with_writer(writer).with_ansi(ansi).with_target(false).boxed()
            },
            lines_in_and_out_of_a_request,
        );
        assert_eq!(ours, theirs);
    }
}

#[test]
fn a_line_of_json_is_as_the_library_writes_it() {
    let ours = written(
        |to| layer().json().event_format(JsonLines).with_writer(move || to.clone()).boxed(),
        lines_in_and_out_of_a_request,
    );
    let theirs = written(
        |to| layer().json().with_target(false).with_writer(move || to.clone()).boxed(),
        lines_in_and_out_of_a_request,
    );
    assert_eq!(ours, theirs);
}

#[test]
fn a_line_shows_no_other_span_than_the_request() {
    let line = || {
        error_span!("request", id = "req_1").in_scope(|| {
            info_span!("begin_payment", amount = 1).in_scope(|| info!("transaction moved"));
        });
    };
    let text = written(
        |to| {
            let writer = move || to.clone();
            layer().with_writer(writer).with_ansi(false).event_format(TextLines).boxed()
        },
        line,
    );
    assert_eq!(text, "  INFO request{id=\"req_1\"}: transaction moved\n");
    let json = written(
        |to| layer().json().event_format(JsonLines).with_writer(move || to.clone()).boxed(),
        line,
    );
    assert!(json.contains(r#""span":{"id":"req_1","name":"request"}"#), "{json}");
    assert!(!json.contains("begin_payment"), "{json}");
}
