//! Logs as structured lines on standard error.

use std::{env, io, io::IsTerminal};
use tracing_subscriber::{EnvFilter, filter::LevelFilter};

/// The default of `TUA_LOG`.
const DEFAULT_FILTER: &str = "info,rusqlite_migration=warn";

/// Targets that log the parameters of every statement, which are payers' data. They stay at `info`
/// with any filter.
const SENSITIVE_TARGETS: [&str; 2] = ["tokio_postgres", "tokio_postgres::query"];

/// The format of a log line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Text,
    Json,
}

/// Installs the logger. `TUA_LOG` is the filter (`debug`, `info,tua_domain=trace`),
/// `TUA_LOG_FORMAT` the format (`text`, `json`).
///
/// # Errors
/// One line that names the invalid variable. An invalid filter that logs nothing would be noticed
/// too late.
pub(super) fn start() -> Result<(), String> {
    let filter = filter(&variable("TUA_LOG")?)?;
    let format = format(&variable("TUA_LOG_FORMAT")?)?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        // Errors of logging would go to the same standard error, and panic if that fails too: a
        // full disk under the log must not end the writer thread.
        .log_internal_errors(false)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false);
    match format {
        Format::Text => builder.init(),
        Format::Json => builder.json().init(),
    }
    Ok(())
}

/// The value of a variable, empty if it is not set.
fn variable(name: &str) -> Result<String, String> {
    match env::var(name) {
        Ok(text) => Ok(text),
        Err(env::VarError::NotPresent) => Ok(String::new()),
        Err(env::VarError::NotUnicode(_)) => Err(format!("{name}: it is not UTF-8")),
    }
}

fn filter(text: &str) -> Result<EnvFilter, String> {
    let refused = |part: &str| {
        format!(
            "TUA_LOG: {part:?} is neither a level (error, warn, info, debug, trace, off) nor \
             target=level"
        )
    };
    let text = if text.trim().is_empty() { DEFAULT_FILTER } else { text };
    // The parser would read an invalid level as a target, which silences everything else.
    let is_level = |part: &str| part.trim().parse::<LevelFilter>().is_ok();
    if let Some(part) =
        text.split(',').find(|part| !part.contains(['=', '[', ']']) && !is_level(part))
    {
        return Err(refused(part));
    }
    let filter = EnvFilter::try_new(text).map_err(|_| refused(text))?;
    Ok(SENSITIVE_TARGETS.iter().fold(filter, |filter, target| {
        match format!("{target}=info").parse() {
            Ok(directive) => filter.add_directive(directive),
            Err(_) => filter,
        }
    }))
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
        for (bad, part) in [("inof", "inof"), ("info,debg", "debg"), ("tua_service=loud", "loud")] {
            assert!(filter(bad).unwrap_err().contains(part), "{bad:?}");
        }
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
