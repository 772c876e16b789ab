//! What was seen of a journey's browser, and what of it must not be.

use hyper::http::uri::Authority;
use hyper::{StatusCode, Uri};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub(crate) struct Witness {
    unheeded: &'static [&'static str],
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    origins: BTreeSet<String>,
    expected: Vec<String>,
    seen: Vec<Sighting>,
}

/// Something that fails a journey which did not expect it.
#[derive(Debug)]
pub(crate) enum Sighting {
    Foreign { url: String },
    NoAnswer { url: String, error: String },
    ErrorAnswer { status: StatusCode, url: String },
    Refusal { directive: String, blocked: String },
    Console { line: String },
}

impl Witness {
    /// A witness that does not heed what the browser asks these domains for.
    pub(crate) fn unheeding(domains: &'static [&'static str]) -> Self {
        Self { unheeded: domains, notes: Mutex::default() }
    }

    pub(crate) fn allow_origin(&self, origin: &str) {
        self.notes().origins.insert(origin.trim_end_matches('/').to_owned());
    }

    pub(crate) fn expect(&self, part: &str) {
        self.notes().expected.push(part.to_owned());
    }

    pub(crate) fn saw(&self, sighting: Sighting) {
        self.notes().seen.push(sighting);
    }

    /// Whether the browser may ask for this; that it did, where it may not, is remembered.
    pub(crate) fn admits(&self, uri: &Uri) -> bool {
        let mut notes = self.notes();
        let is_allowed = notes.origins.contains(&origin_of(uri));
        if !is_allowed && !self.unheeds(uri) {
            notes.seen.push(Sighting::Foreign { url: uri.to_string() });
        }
        is_allowed
    }

    fn unheeds(&self, uri: &Uri) -> bool {
        let host = uri.host().unwrap_or_default();
        self.unheeded
            .iter()
            .any(|domain| host.strip_suffix(domain).is_some_and(|sub| sub.is_empty() || sub.ends_with('.')))
    }

    /// What nobody expected.
    pub(crate) fn faults(&self) -> Vec<String> {
        let notes = self.notes();
        let lines = notes.seen.iter().map(Sighting::to_string);
        lines.filter(|line| !notes.expected.iter().any(|part| line.contains(part.as_str()))).collect()
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for Sighting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign { url } => write!(f, "a request to a foreign origin: {url}"),
            Self::NoAnswer { url, error } => write!(f, "no answer: {url}: {error}"),
            Self::ErrorAnswer { status, url } => write!(f, "answered {}: {url}", status.as_u16()),
            Self::Refusal { directive, blocked } => {
                write!(f, "refused by the page's security policy: {directive}: {blocked}")
            }
            Self::Console { line } => write!(f, "on the console: {line}"),
        }
    }
}

/// What is encrypted is asked for as `host:port` alone, and has no scheme here.
fn origin_of(uri: &Uri) -> String {
    let authority = uri.authority().map_or("", Authority::as_str);
    format!("{}://{authority}", uri.scheme_str().unwrap_or("https"))
}
