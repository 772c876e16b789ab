//! Long polling without lost changes: `Prefer: wait` (RFC 7240) and `If-None-Match` (RFC 9110
//! section 13.1.2).

use super::{problem::ApiError, refusals::transaction_not_found};
use axum::{
    Json,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::SignedDuration;
use serde::Serialize;
use std::sync::Arc;
use tua_domain::{Caller, Transaction, TransactionId};
use tua_net::{Client, limits::AddressConcurrency};
use tua_use_cases::{TransactionResource, Transactions};

/// The longest wait, in seconds (docs/reference/endpoints.md).
pub(super) const MAX_WAIT_SECONDS: u32 = 30;

pub(super) const PREFER: HeaderName = HeaderName::from_static("prefer");
pub(super) const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// The seconds of `Prefer: wait=N`, at most 30; `None` where the preference is absent or not a
/// number.
pub(super) fn wait_seconds(headers: &HeaderMap) -> Option<u32> {
    let preferences = headers.get_all(PREFER).iter().filter_map(|value| value.to_str().ok());
    preferences.flat_map(|value| value.split(',')).find_map(|preference| {
        let (name, value) = preference.split(';').next()?.split_once('=')?;
        let seconds = value.trim().trim_matches('"');
        let digits = !seconds.is_empty() && seconds.bytes().all(|byte| byte.is_ascii_digit());
        (name.trim().eq_ignore_ascii_case("wait") && digits).then(|| {
            seconds.parse().map_or(MAX_WAIT_SECONDS, |seconds: u32| seconds.min(MAX_WAIT_SECONDS))
        })
    })
}

/// The state that a request with `Prefer: wait` needs.
pub(super) struct LongPoll {
    pub(super) transactions: Arc<Transactions>,
    pub(super) polls: Arc<AddressConcurrency>,
    pub(super) client: Client,
}

/// A transaction after a long poll, with the request's conditions on the response.
pub(super) struct PolledTransaction {
    pub(super) transaction: Transaction,
    if_none_match: Option<IfNoneMatch>,
    waited_seconds: Option<u32>,
}

/// Reads a transaction, after the wait that `Prefer` and `If-None-Match` ask for.
///
/// # Errors
/// 404 where the caller may see none.
pub(super) async fn poll_transaction(
    LongPoll { transactions, polls, client }: LongPoll,
    caller: &Caller,
    resource: TransactionResource,
    id: &TransactionId,
    headers: HeaderMap,
) -> Result<PolledTransaction, ApiError> {
    // A preference need not be honoured (RFC 7240 section 2): where the address has its share of
    // waiting polls, the response comes at once, without Preference-Applied.
    let (share, waited_seconds) = match wait_seconds(&headers) {
        Some(seconds) => polls.acquire(client.address).map(|permit| (permit, seconds)).unzip(),
        None => (None, None),
    };
    let if_none_match = IfNoneMatch::from_headers(&headers);
    drop(headers);
    let found = match waited_seconds {
        Some(seconds) => {
            let until = transactions.clock.now() + SignedDuration::from_secs(seconds.into());
            let is_version_known = if_none_match
                .as_ref()
                .map(|if_none_match| move |version: u32| if_none_match.matches(&etag(version)));
            transactions.wait_for_change(caller, resource, id, until, is_version_known).await?
        }
        None => transactions.find(caller, resource, id).await?,
    };
    drop(share);
    Ok(PolledTransaction {
        transaction: found.ok_or_else(transaction_not_found)?,
        if_none_match,
        waited_seconds,
    })
}

impl PolledTransaction {
    /// The response with this view of the transaction, or 304.
    pub(super) fn respond(&self, view: &impl Serialize) -> Response {
        let tag = etag(self.transaction.version);
        let mut response =
            if self.if_none_match.as_ref().is_some_and(|if_none_match| if_none_match.matches(&tag))
            {
                StatusCode::NOT_MODIFIED.into_response()
            } else {
                Json(view).into_response()
            };
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            headers.insert(header::ETAG, tag);
        }
        let applied =
            self.waited_seconds.map(|seconds| HeaderValue::from_str(&format!("wait={seconds}")));
        if let Some(Ok(applied)) = applied {
            headers.insert(PREFERENCE_APPLIED, applied);
        }
        response
    }
}

/// The ETag of this version of a transaction.
pub(super) fn etag(version: u32) -> String {
    format!("\"{version}\"")
}

/// The ETags of `If-None-Match`. They are copied: a header would keep the whole read buffer of its
/// connection alive while the request waits, and thousands wait.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct IfNoneMatch(Vec<String>);

impl IfNoneMatch {
    /// `None` where the header is absent.
    pub(super) fn from_headers(headers: &HeaderMap) -> Option<Self> {
        let sent =
            headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        let tags = sent
            .flat_map(|value| value.split(','))
            .map(|tag| tag.trim().trim_start_matches("W/").to_owned());
        headers.contains_key(header::IF_NONE_MATCH).then(|| Self(tags.collect()))
    }

    /// Whether one of them matches this ETag, by weak comparison.
    pub(super) fn matches(&self, etag: &str) -> bool {
        self.0.iter().any(|one| one == "*" || one == etag)
    }
}

/// Whether `If-None-Match` matches this ETag.
pub(super) fn matches(headers: &HeaderMap, etag: &str) -> bool {
    IfNoneMatch::from_headers(headers).is_some_and(|tags| tags.matches(etag))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn wait(value: &'static str) -> Option<u32> {
        wait_seconds(&HeaderMap::from_iter([(PREFER, HeaderValue::from_static(value))]))
    }

    #[test]
    fn a_wait_is_limited_to_thirty_seconds() {
        assert_eq!(wait("wait=5"), Some(5));
        assert_eq!(wait("respond-async, Wait=\"7\"; foo=bar"), Some(7));
        assert_eq!(wait("wait=31"), Some(30));
        assert_eq!(wait("wait=99999999999999"), Some(30));
        assert_eq!(wait("wait=0"), Some(0));
        for value in ["wait", "wait=", "wait=-1", "wait=1.5", "wait=+3", "return=minimal", ""] {
            assert_eq!(wait(value), None, "{value}");
        }
    }

    #[test]
    fn an_etag_matches_in_a_list_and_weakly() {
        for (value, expected) in [
            ("\"3\"", true),
            ("\"2\", W/\"3\"", true),
            ("*", true),
            ("\"33\"", false),
            ("3", false),
        ] {
            let headers =
                HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::from_static(value))]);
            assert_eq!(matches(&headers, &etag(3)), expected, "{value}");
        }
    }
}
