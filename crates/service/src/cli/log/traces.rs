//! Exports traces over OTLP (docs/operations.md#traces).
//!
//! As with the log, the settings are in the environment only, because they apply before the
//! settings file is read. They have the names of the OpenTelemetry specification.

use super::lines::REQUEST_SPAN;
use crate::cli::environment::variable;
use opentelemetry::{KeyValue, global, trace::TracerProvider};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig};
use opentelemetry_sdk::{Resource, propagation::TraceContextPropagator, trace::SdkTracerProvider};
use std::time::Duration;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::{
    Layer,
    filter::{FilterFn, LevelFilter},
    registry::LookupSpan,
};
use url::Url;

/// How long the end of the process waits for the last spans to be sent.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
const PROTOCOLS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"];
const EXPORTER: &str = "OTEL_TRACES_EXPORTER";

/// The export of traces, from the start of the process to its end.
#[derive(Debug)]
pub(crate) struct Traces(SdkTracerProvider);

impl Traces {
    /// Prepares the export, unless no endpoint is set or the export is turned off. Nothing is sent
    /// before the first span ends.
    ///
    /// # Errors
    /// One line for each invalid variable.
    pub(super) fn from_environment() -> Result<Option<Self>, Vec<String>> {
        let mut faults = Vec::new();
        let mut read = |name: &'static str| {
            let value = variable(name).unwrap_or_else(|fault| {
                faults.push(fault);
                None
            });
            value.unwrap_or_default()
        };
        let exporter = read(EXPORTER);
        let is_off = exporter == "none" || read("OTEL_SDK_DISABLED").eq_ignore_ascii_case("true");
        let endpoints = ENDPOINTS.map(|name| (name, read(name)));
        let protocols = PROTOCOLS.map(|name| (name, read(name)));
        if is_off || (endpoints.iter().all(|(_, text)| text.is_empty()) && faults.is_empty()) {
            return Ok(None);
        }
        for (name, text) in &endpoints {
            if !text.is_empty() && !is_endpoint(text) {
                faults.push(format!(
                    "{name}: it is not an HTTP URL without credentials and query, such as \
                     http://collector:4318"
                ));
            }
        }
        for (name, text) in &protocols {
            if !["", "http/protobuf"].contains(&text.as_str()) {
                faults.push(format!("{name}: {text:?} is not http/protobuf"));
            }
        }
        if !["", "otlp"].contains(&exporter.as_str()) {
            faults.push(format!("{EXPORTER}: {exporter:?} is neither otlp nor none"));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let exporter = SpanExporter::builder().with_http().with_protocol(Protocol::HttpBinary);
        let exporter = exporter.build().map_err(|error| {
            vec![format!("the export of traces: {}", error.to_string().replace('\n', " "))]
        })?;
        let provider =
            SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource());
        global::set_text_map_propagator(TraceContextPropagator::new());
        Ok(Some(Self(provider.build())))
    }

    /// The layer that gives each span of the service to the export, and no log line: a line may
    /// have values that a trace must not have.
    pub(super) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        tracing_opentelemetry::layer()
            .with_tracer(self.0.tracer("tua"))
            .with_context_activation(false)
            .with_location(false)
            .with_target(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(trace_spans())
    }

    /// Sends the last spans, for two seconds at most.
    pub(crate) fn stop(&self) {
        if let Err(error) = self.0.shutdown_with_timeout(FLUSH_TIMEOUT) {
            tracing::warn!(%error, "the last spans were not sent");
        }
    }
}

/// Whether a span or an event is chosen.
type Choice = fn(&Metadata<'_>) -> bool;

/// The filter of the spans of a trace: all spans of the service, except the one for log lines.
pub(super) fn trace_spans() -> FilterFn {
    FilterFn::new(is_of_trace as Choice).with_max_level_hint(LevelFilter::INFO)
}

/// As [`trace_spans`], of everything else.
pub(super) fn no_trace_spans() -> FilterFn {
    FilterFn::new((|metadata| !is_of_trace(metadata)) as Choice)
        .with_max_level_hint(LevelFilter::TRACE)
}

fn is_of_trace(metadata: &Metadata<'_>) -> bool {
    metadata.is_span()
        && metadata.target().starts_with("tua_")
        && metadata.name() != REQUEST_SPAN
        && *metadata.level() <= LevelFilter::INFO
}

fn is_endpoint(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| {
        let has_secret =
            !url.username().is_empty() || url.password().is_some() || url.query().is_some();
        ["http", "https"].contains(&url.scheme()) && url.has_host() && !has_secret
    })
}

/// What describes this process in a trace: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`, or
/// the name `tua`.
fn resource() -> Resource {
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let builder = Resource::builder().with_attribute(version);
    let value = |name: &str| variable(name).ok().flatten();
    let is_named = value("OTEL_SERVICE_NAME").is_some()
        || value("OTEL_RESOURCE_ATTRIBUTES").is_some_and(|text| text.contains("service.name="));
    if is_named { builder.build() } else { builder.with_service_name("tua").build() }
}
