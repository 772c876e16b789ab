//! The form of a log line: as that of `tracing-subscriber`, but with the span of the request only.
//!
//! The other spans are those of a trace. They are shown where traces are shown, and a line that
//! listed them would differ between a service that exports traces and one that does not.

use nu_ansi_term::{Color, Style};
use serde::ser::{Error, Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};
use std::fmt;
use tracing::{Event, Level, Subscriber};
use tracing_serde::{AsSerde, fields::AsMap};
use tracing_subscriber::{
    fmt::{
        FmtContext, FormatEvent, FormatFields, FormattedFields,
        format::Writer,
        time::{FormatTime, SystemTime},
    },
    registry::{LookupSpan, SpanRef},
};

/// The name of the span with the id, method and route of a request.
pub(super) const REQUEST_SPAN: &str = "request";

/// Lines of text: time, level, request, message and fields.
#[derive(Debug)]
pub(super) struct TextLines;

/// Lines of JSON with the members `timestamp`, `level`, `fields`, and in a request `span` and
/// `spans`.
#[derive(Debug)]
pub(super) struct JsonLines;

/// The span of the request that an event belongs to, if it belongs to one.
fn request<'a, S, N>(context: &'a FmtContext<'_, S, N>, event: &Event<'_>) -> Option<SpanRef<'a, S>>
where
    S: Subscriber + for<'b> LookupSpan<'b>,
    N: for<'b> FormatFields<'b> + 'static,
{
    let parent = event.parent().and_then(|id| context.span(id));
    let current = parent.or_else(|| context.lookup_current())?;
    current.scope().find(|span| span.name() == REQUEST_SPAN)
}

impl<S, N> FormatEvent<S, N> for TextLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let has_colours = writer.has_ansi_escapes();
        let style = |style: Style| if has_colours { style } else { Style::new() };
        let bold = style(Style::new().bold());
        let dimmed = style(Style::new().dimmed());
        write!(writer, "{}", dimmed.prefix())?;
        SystemTime.format_time(&mut writer)?;
        write!(writer, "{} ", dimmed.suffix())?;
        let level = event.metadata().level();
        write!(writer, "{} ", style(colour(level).normal()).paint(format!("{level:>5}")))?;
        if let Some(span) = request(context, event) {
            write!(writer, "{}", bold.paint(REQUEST_SPAN))?;
            if let Some(fields) = span.extensions().get::<FormattedFields<N>>() {
                write!(writer, "{}{fields}{}", bold.paint("{"), bold.paint("}"))?;
            }
            write!(writer, "{} ", dimmed.paint(":"))?;
        }
        context.field_format().format_fields(writer.by_ref(), event)?;
        writeln!(writer)
    }
}

const fn colour(level: &Level) -> Color {
    match *level {
        Level::TRACE => Color::Purple,
        Level::DEBUG => Color::Blue,
        Level::INFO => Color::Green,
        Level::WARN => Color::Yellow,
        Level::ERROR => Color::Red,
    }
}

impl<S, N> FormatEvent<S, N> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let span = request(context, event).and_then(|span| {
            let extensions = span.extensions();
            let fields = extensions.get::<FormattedFields<N>>()?;
            serde_json::from_str(&fields.fields).ok()
        });
        let line = serde_json::to_string(&JsonLine { event, span }).map_err(|_| fmt::Error)?;
        writeln!(writer, "{line}")
    }
}

/// A line, and the fields of its request.
struct JsonLine<'a, 'b> {
    event: &'a Event<'b>,
    span: Option<Map<String, Value>>,
}

impl Serialize for JsonLine<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut timestamp = String::new();
        SystemTime.format_time(&mut Writer::new(&mut timestamp)).map_err(S::Error::custom)?;
        let mut line = serializer.serialize_map(None)?;
        line.serialize_entry("timestamp", &timestamp)?;
        line.serialize_entry("level", &self.event.metadata().level().as_serde())?;
        line.serialize_entry("fields", &self.event.field_map())?;
        if let Some(fields) = &self.span {
            line.serialize_entry("span", &RequestFields(fields))?;
            line.serialize_entry("spans", &[RequestFields(fields)])?;
        }
        line.end()
    }
}

/// The fields of a request, and then the name of its span.
struct RequestFields<'a>(&'a Map<String, Value>);

impl Serialize for RequestFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut span = serializer.serialize_map(None)?;
        for (name, value) in self.0 {
            span.serialize_entry(name, value)?;
        }
        span.serialize_entry("name", REQUEST_SPAN)?;
        span.end()
    }
}

#[cfg(test)]
mod tests;
