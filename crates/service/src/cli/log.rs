//! Structured lines on standard error.

use std::{env, io, io::IsTerminal};
use tracing_subscriber::{EnvFilter, filter::LevelFilter};

/// What is said where nobody says otherwise.
const USUAL: &str = "info,rusqlite_migration=warn";

/// Who would say, with every statement, the values that it writes: whatever is set, these keep to `info`.
const SILENCED: [&str; 2] = ["tokio_postgres", "tokio_postgres::query"];

/// How a line is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Text,
    Json,
}

/// Begins to log. `TUA_LOG` sets what is said (`debug`, `info,tua_service=trace`), and
/// `TUA_LOG_FORMAT` how (`text`, `json`).
///
/// # Errors
/// A variable that says neither; a log that is silent by mistake is found out too late.
pub(super) fn start() -> Result<(), String> {
    let (filter, format) = (filter(&variable("TUA_LOG")?)?, format(&variable("TUA_LOG_FORMAT")?)?);
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        // It would say so on the same stderr, and panic where that fails as well: a full disk under the log
        // must not end the store's one writing thread.
        .log_internal_errors(false)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false);
    match format {
        Format::Text => builder.init(),
        Format::Json => builder.json().init(),
    }
    Ok(())
}

/// Empty where it is not set.
fn variable(name: &str) -> Result<String, String> {
    match env::var(name) {
        Ok(text) => Ok(text),
        Err(env::VarError::NotPresent) => Ok(String::new()),
        Err(env::VarError::NotUnicode(_)) => Err(format!("{name}: it is not UTF-8")),
    }
}

fn filter(text: &str) -> Result<EnvFilter, String> {
    let refused = |part: &str| {
        format!("TUA_LOG: {part:?} is neither a level (error, warn, info, debug, trace, off) nor target=level")
    };
    let text = if text.trim().is_empty() { USUAL } else { text };
    // A bare word would be taken for a target, and a misspelt level would silence everything else.
    let is_level = |part: &str| part.trim().parse::<LevelFilter>().is_ok();
    if let Some(part) = text.split(',').find(|part| !part.contains(['=', '[', ']']) && !is_level(part)) {
        return Err(refused(part));
    }
    let filter = EnvFilter::try_new(text).map_err(|_| refused(text))?;
    Ok(SILENCED.iter().fold(filter, |filter, target| match format!("{target}=info").parse() {
        Ok(directive) => filter.add_directive(directive),
        Err(_) => filter,
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
    fn levels_and_targets_are_taken_and_misspelt_ones_named() {
        for good in
            ["", " ", "info", "WARN", "off", "tua_service=debug", "info,tua_service::http=trace", "[request]=debug"]
        {
            assert!(filter(good).is_ok(), "{good:?}");
        }
        for (bad, part) in [("inof", "inof"), ("info,debg", "debg"), ("tua_service=loud", "loud")] {
            assert!(filter(bad).unwrap_err().contains(part), "{bad:?}");
        }
    }

    #[test]
    fn a_format_is_text_or_json() {
        assert_eq!(
            (format(""), format("text"), format("json")),
            (Ok(Format::Text), Ok(Format::Text), Ok(Format::Json))
        );
        assert!(format("jsn").unwrap_err().contains("jsn"));
    }
}
