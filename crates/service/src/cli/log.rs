//! Logs as structured lines on standard error.

mod lines;
mod traces;

use super::environment::variable;
use lines::{JsonLines, TextLines};
use std::io::{self, IsTerminal};
pub(super) use traces::Traces;
use tracing_subscriber::{
    EnvFilter, Layer, Registry,
    filter::{FilterExt, LevelFilter, ParseError, Targets},
    layer::{Filter, SubscriberExt},
    util::SubscriberInitExt,
};

/// The default of `TUA_LOG`.
const DEFAULT_FILTER: &str = "info,rusqlite_migration=warn";

/// Targets that log the parameters of every statement, which are payers' data, or what a collector
/// responds, which may quote its key. They stay at `info` with any filter.
const SENSITIVE_TARGETS: [&str; 3] =
    ["tokio_postgres", "tokio_postgres::query", "opentelemetry-otlp"];

/// Which lines are logged.
type LineFilter = Box<dyn Filter<Registry> + Send + Sync>;

/// The format of a log line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Text,
    Json,
}

/// Installs the logger and, if `exports_traces` and the environment names an endpoint, the export
/// of traces. `TUA_LOG` is the filter (`debug`, `info,tua_domain=trace`), `TUA_LOG_FORMAT` the
/// format (`text`, `json`).
///
/// # Errors
/// One line that names the invalid variables. An invalid filter that logs nothing would be noticed
/// too late.
pub(super) fn start(exports_traces: bool) -> Result<Option<Traces>, String> {
    let mut faults = Vec::new();
    let filter = variable("TUA_LOG").and_then(|text| filter(&text.unwrap_or_default()));
    let format = variable("TUA_LOG_FORMAT").and_then(|text| format(&text.unwrap_or_default()));
    let traces = if exports_traces { Traces::from_environment() } else { Ok(None) };
    let traces = traces.unwrap_or_else(|all| {
        faults.extend(all);
        None
    });
    let (filter, format) = match (filter, format) {
        (Ok(filter), Ok(format)) if faults.is_empty() => (filter, format),
        (filter, format) => {
            let of_log = filter.err().into_iter().chain(format.err());
            return Err(of_log.chain(faults).collect::<Vec<_>>().join("; "));
        }
    };
    // Without an export, the spans of traces are not made. With one, log lines find their request
    // through them.
    let filter: LineFilter = if traces.is_some() {
        filter.or(traces::trace_spans()).boxed()
    } else {
        filter.and(traces::no_trace_spans()).boxed()
    };
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        // Errors of logging would go to the same standard error, and panic if that fails too: a
        // full disk under the log must not end the writer thread.
        .log_internal_errors(false)
        .with_ansi(io::stderr().is_terminal());
    let lines = match format {
        Format::Text => lines.event_format(TextLines).boxed(),
        Format::Json => lines.json().event_format(JsonLines).boxed(),
    };
    let lines = tracing_subscriber::registry().with(lines.with_filter(filter));
    // An absent layer would count as one that records every span.
    match &traces {
        Some(traces) => lines.with(traces.layer()).init(),
        None => lines.init(),
    }
    Ok(traces)
}

/// The filter that the text describes. [`EnvFilter`] reads all of its syntax, but looks a span up
/// whenever it is entered; so it is used only where the text names spans.
fn filter(text: &str) -> Result<LineFilter, String> {
    let refused = |part: &str| {
        format!(
            "TUA_LOG: {part:?} is neither a level (error, warn, info, debug, trace, off) nor \
             target=level"
        )
    };
    let text = without_blanks(text);
    // The parser would read an invalid level as a target, which silences everything else.
    let is_level = |part: &str| part.parse::<LevelFilter>().is_ok();
    let is_readable =
        |part: &str| is_level(part) || part.contains(['=', '[', ']']) && !part.ends_with('=');
    if let Some(part) = text.split(',').find(|part| !is_readable(part)) {
        return Err(refused(part));
    }
    if !text.contains('[') {
        return targets(&text).map(FilterExt::boxed).map_err(|_| refused(&text));
    }
    let filter = EnvFilter::try_new(&text).map_err(|_| refused(&text))?;
    let filter = SENSITIVE_TARGETS.iter().fold(filter, |filter, target| {
        match format!("{target}=info").parse() {
            Ok(directive) => filter.add_directive(directive),
            Err(_) => filter,
        }
    });
    Ok(FilterExt::boxed(filter))
}

/// The parts of a filter without spaces around names and levels and without empty parts, which
/// [`Targets`] would read as names and as the level `error`; the default where no part is left.
fn without_blanks(text: &str) -> String {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    let parts: Vec<String> =
        parts.map(|part| part.split('=').map(str::trim).collect::<Vec<_>>().join("=")).collect();
    if parts.is_empty() { DEFAULT_FILTER.to_owned() } else { parts.join(",") }
}

fn targets(text: &str) -> Result<Targets, ParseError> {
    let filter: Targets = text.parse()?;
    Ok(filter.with_targets(SENSITIVE_TARGETS.map(|target| (target, LevelFilter::INFO))))
}

fn format(text: &str) -> Result<Format, String> {
    match text.trim() {
        "" | "text" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        other => Err(format!("TUA_LOG_FORMAT: {other:?} is neither text nor json")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Level;

    #[test]
    fn an_invalid_part_of_a_filter_is_named() {
        for good in [
            "",
            " ",
            "info",
            "WARN",
            "off",
            "tua_service=debug",
            "info,tua_service::http=trace",
            "[request]=debug",
        ] {
            assert!(filter(good).is_ok(), "{good:?}");
        }
        for (bad, part) in [
            ("inof", "inof"),
            ("info,debg", "debg"),
            ("tua_service=loud", "loud"),
            ("tua_store=", "tua_store="),
        ] {
            assert!(filter(bad).is_err_and(|fault| fault.contains(part)), "{bad:?}");
        }
    }

    #[test]
    fn spaces_and_empty_parts_of_a_filter_mean_nothing() {
        let enables = |text: &str, target: &str, level| {
            targets(&without_blanks(text)).unwrap().would_enable(target, &level)
        };
        for info in ["", " ", ",", "info", " info", "info,", "info,,tua_sql=warn", "INFO "] {
            assert!(enables(info, "tua_store", Level::INFO), "{info:?}");
            assert!(!enables(info, "tua_store", Level::DEBUG), "{info:?}");
        }
        for debug in ["warn, tua_store=debug", "tua_store=debug ,warn", "warn,tua_store = debug"] {
            assert!(enables(debug, "tua_store", Level::DEBUG), "{debug:?}");
            assert!(!enables(debug, "tua_sql", Level::INFO), "{debug:?}");
        }
        assert!(!enables("trace", "tokio_postgres", Level::DEBUG), "it logs parameters");
    }

    #[test]
    fn the_format_is_text_or_json() {
        assert_eq!(
            (format(""), format("text"), format("json")),
            (Ok(Format::Text), Ok(Format::Text), Ok(Format::Json))
        );
        assert!(format("jsn").unwrap_err().contains("jsn"));
    }
}
