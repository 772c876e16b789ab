//! What a response needs of the credential of its request: the headers about its rate limit and
//! about the sandbox clock of its account, and the log of test mode.

use super::rate_headers;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use jiff::{Timestamp, fmt::rfc2822};
use std::sync::{Arc, OnceLock};
use tua_domain::{
    Caller, KeyId, Scope,
    rate_limit::RateLimitStatus,
    sandbox_times::SandboxTime,
    test_log::{LogEntryKind, LoggedRequest, TestLog},
};

/// The present time on the sandbox clock of the credential's account, in RFC 3339.
const TEST_CLOCK: HeaderName = HeaderName::from_static("tua-test-clock");

/// The route that shows what is recorded. Requests to it are not recorded: otherwise each would end
/// the wait of the next one.
pub(super) const LOGS_PATH: &str = "/v1/logs";

/// Facts about the request's credential, which `http::auth` sets. They are in the extensions of
/// every request.
#[derive(Clone, Debug, Default)]
pub(super) struct CredentialFacts(Arc<Facts>);

/// A request is authenticated only once, so that nothing is set twice.
#[derive(Debug, Default)]
struct Facts {
    key: OnceLock<KeyId>,
    rate_limit: OnceLock<RateLimitStatus>,
    sandbox_time: OnceLock<SandboxTime>,
    logged: OnceLock<LoggedCaller>,
}

/// A caller of test mode.
#[derive(Debug)]
struct LoggedCaller {
    log: Arc<TestLog>,
    scope: Scope,
}

impl CredentialFacts {
    /// Sets the id of the secret key, where the caller has one.
    pub(super) fn set_key(&self, caller: &Caller) {
        if let Caller::Key(key) = caller {
            let _ = self.0.key.set(key.id.clone());
        }
    }

    /// The id of the request's secret key. `None` for a checkout token, and for a credential that
    /// nobody holds.
    pub(super) fn key(&self) -> Option<&KeyId> {
        self.0.key.get()
    }

    pub(super) fn set_rate_limit(&self, status: RateLimitStatus) {
        let _ = self.0.rate_limit.set(status);
    }

    /// Sets the sandbox clock, in test mode.
    pub(super) fn set_sandbox_time(&self, time: Option<SandboxTime>) {
        if let Some(time) = time {
            let _ = self.0.sandbox_time.set(time);
        }
    }

    /// Sets the log, in test mode.
    pub(super) fn set_log(&self, log: Arc<TestLog>, caller: &Caller) {
        if TestLog::records(caller.scope()) {
            let _ = self.0.logged.set(LoggedCaller { log, scope: caller.scope().clone() });
        }
    }

    /// Adds the response to the log, in test mode. `response` gets the key.
    pub(super) fn record(&self, response: impl FnOnce(Option<KeyId>) -> LoggedRequest) {
        if let Some(LoggedCaller { log, scope }) = self.0.logged.get() {
            log.record(scope, LogEntryKind::Request(response(self.key().cloned())));
        }
    }

    /// Inserts the headers into a response.
    pub(super) fn insert(&self, headers: &mut HeaderMap) {
        if let Some(status) = self.0.rate_limit.get() {
            rate_headers::write_if_absent(*status, headers);
        }
        if let Some(now) = self.0.sandbox_time.get().and_then(SandboxTime::now) {
            insert_time(now, headers);
        }
    }
}

/// `Date` has the time of the sandbox clock too: pages compare the end of a session with it.
fn insert_time(now: Timestamp, headers: &mut HeaderMap) {
    let date = rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&now).ok();
    let times = [(TEST_CLOCK, Some(format!("{now:.0}"))), (header::DATE, date)];
    for (name, value) in times {
        if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
            headers.insert(name, value);
        }
    }
}
