//! Violations: actions of a journey's browser that fail the journey.

use hyper::http::uri::Authority;
use hyper::{StatusCode, Uri};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The violations of one journey.
#[derive(Debug)]
pub(crate) struct ViolationLog {
    ignored_domains: &'static [&'static str],
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    origins: BTreeSet<String>,
    expected: Vec<String>,
    recorded: Vec<Violation>,
}

/// Something that fails a journey unless the journey expects it.
#[derive(Debug)]
pub(crate) enum Violation {
    Foreign { url: String },
    NoResponse { url: String, error: String },
    ErrorResponse { status: StatusCode, url: String },
    BlockedByPolicy { directive: String, blocked: String },
    Console { line: String },
}

impl ViolationLog {
    /// A log that ignores the browser's own requests to these domains.
    pub(crate) fn ignoring(domains: &'static [&'static str]) -> Self {
        Self { ignored_domains: domains, notes: Mutex::default() }
    }

    pub(crate) fn allow_origin(&self, origin: &str) {
        self.notes().origins.insert(origin.trim_end_matches('/').to_owned());
    }

    pub(crate) fn expect(&self, part: &str) {
        self.notes().expected.push(part.to_owned());
    }

    pub(crate) fn record(&self, sighting: Violation) {
        self.notes().recorded.push(sighting);
    }

    /// Whether the browser may request this. If not, the request is recorded.
    pub(crate) fn allows(&self, uri: &Uri) -> bool {
        let mut notes = self.notes();
        let is_allowed = notes.origins.contains(&origin_of(uri));
        if !is_allowed && !self.ignores(uri) {
            notes.recorded.push(Violation::Foreign { url: uri.to_string() });
        }
        is_allowed
    }

    fn ignores(&self, uri: &Uri) -> bool {
        let host = uri.host().unwrap_or_default();
        self.ignored_domains.iter().any(|domain| {
            host.strip_suffix(domain).is_some_and(|sub| sub.is_empty() || sub.ends_with('.'))
        })
    }

    /// The violations that the journey did not expect.
    pub(crate) fn unexpected(&self) -> Vec<String> {
        let notes = self.notes();
        let lines = notes.recorded.iter().map(Violation::to_string);
        lines
            .filter(|line| !notes.expected.iter().any(|part| line.contains(part.as_str())))
            .collect()
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign { url } => write!(f, "a request to a foreign origin: {url}"),
            Self::NoResponse { url, error } => write!(f, "no response: {url}: {error}"),
            Self::ErrorResponse { status, url } => write!(f, "response {}: {url}", status.as_u16()),
            Self::BlockedByPolicy { directive, blocked } => {
                write!(f, "blocked by the page's security policy: {directive}: {blocked}")
            }
            Self::Console { line } => write!(f, "on the console: {line}"),
        }
    }
}

/// A CONNECT request for an encrypted connection contains `host:port` without a scheme.
fn origin_of(uri: &Uri) -> String {
    let authority = uri.authority().map_or("", Authority::as_str);
    format!("{}://{authority}", uri.scheme_str().unwrap_or("https"))
}
