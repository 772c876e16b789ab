//! Paths that no route has: the response names the path, and the route that was probably meant.

use super::{problem::ApiError, routes};
use axum::extract::OriginalUri;
use std::borrow::Cow;
use tua_contract::ErrorCode;

/// The longest part of a path that the response contains, in bytes. The path of a URI is ASCII.
const MAX_PATH_BYTES: usize = 120;

/// Responds 404 to a path that no route has, with the probable path where there is one.
pub(super) async fn unknown_path(OriginalUri(uri): OriginalUri) -> ApiError {
    let path = uri.path();
    let routes: Vec<&str> = routes::paths().collect();
    let advice = match probable_path(path, &routes) {
        Some(probable) if lacks_version_prefix(path) => {
            format!("The API is below /v1: {probable}").into()
        }
        Some(probable) => format!("Did you mean {probable}").into(),
        None => Cow::Borrowed("/docs/api lists every route."),
    };
    ApiError::new(
        ErrorCode::NotFound,
        format!("The path {} does not exist. {advice}", shorten(path)),
    )
}

/// Whether the first segment of the path is the one after `/v1` in a route, so that the caller
/// probably left out `/v1`.
fn lacks_version_prefix(path: &str) -> bool {
    let first =
        |path: &'static str| path.strip_prefix("/v1/").and_then(|rest| rest.split('/').next());
    let wanted = path.trim_start_matches('/').split('/').next();
    routes::paths().any(|path| first(path) == wanted)
}

fn shorten(path: &str) -> Cow<'_, str> {
    match path.get(..MAX_PATH_BYTES) {
        Some(start) if path.len() > MAX_PATH_BYTES => format!("{start}…").into(),
        _ => path.into(),
    }
}

/// The path that a caller who sent this one probably meant, of these routes: the one that has the
/// same letters in the same order, with other slashes, with or without the version. Values of
/// parameters are taken over. A route whose last parameter is missing is named with its template.
fn probable_path(path: &str, routes: &[&str]) -> Option<String> {
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let letters = |segments: &[&str]| segments.concat();
    let version = segments.iter().take_while(|segment| **segment == "v1").count();
    let unversioned = format!("v1{}", letters(&segments[version..]));
    let sent = [letters(&segments), unversioned];
    let mut found = sent
        .iter()
        .flat_map(|sent| routes.iter().filter_map(|route| match_template(route, sent, &segments)));
    found.find(|filled| filled != path && filled.len() <= MAX_PATH_BYTES)
}

/// The path of a route with this template, such as `/v1/status/{transactionId}`, whose letters
/// without slashes are `sent`. An identifier has no slash inside, so it is within one of
/// `sent_segments`. `None` if no path of the route has these letters.
fn match_template(template: &str, sent: &str, sent_segments: &[&str]) -> Option<String> {
    let mut rest = sent;
    let mut path = String::with_capacity(template.len());
    let segments: Vec<&str> = template.split('/').skip(1).collect();
    let is_sent =
        |id: &str| is_identifier(id) && sent_segments.iter().any(|segment| segment.contains(id));
    for (index, segment) in segments.iter().enumerate() {
        path.push('/');
        let value = if segment.starts_with('{') {
            // An identifier has a prefix of its own, so that no other word is taken for one.
            let after: String = segments[index + 1..].concat();
            rest.strip_suffix(after.as_str()).filter(|id| is_sent(id) || id.is_empty())?
        } else {
            segment
        };
        path.push_str(if value.is_empty() { segment } else { value });
        rest = rest.strip_prefix(value)?;
    }
    rest.is_empty().then_some(path)
}

/// Whether a text has the form of our identifiers: `txn_…`, `chk_…`.
fn is_identifier(text: &str) -> bool {
    text.split_once('_').is_some_and(|(prefix, id)| prefix.len() == 3 && !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_slashes_lead_to_the_route() {
        let routes: Vec<&str> = routes::paths().collect();
        for (sent, probable) in [
            ("/v1//charge", Some("/v1/charge")),
            ("//v1/charge", Some("/v1/charge")),
            ("/v1/charge/", Some("/v1/charge")),
            ("/v1charge", Some("/v1/charge")),
            ("/v1/v1/charge", Some("/v1/charge")),
            ("/charge", Some("/v1/charge")),
            ("/charge/", Some("/v1/charge")),
            ("/v1/submit-otp//", Some("/v1/submit-otp")),
            ("/v1/payoutsbatches", Some("/v1/payouts/batches")),
            ("/v1/statustxn_01", Some("/v1/status/txn_01")),
            ("/v1/status//txn_01/", Some("/v1/status/txn_01")),
            ("/status/txn_01", Some("/v1/status/txn_01")),
            ("/v1/status/", Some("/v1/status/{transactionId}")),
            ("/v1/status", Some("/v1/status/{transactionId}")),
            ("/v1/payouts/txn_01cancel", Some("/v1/payouts/txn_01/cancel")),
            ("/v1/payouts//cancel", Some("/v1/payouts/{transactionId}/cancel")),
            ("/healthz/", Some("/healthz")),
            ("/v1/charges", None),
            ("/v1/status/txn_01/x", None),
            ("/", None),
            ("/v1", None),
            ("/v1/nothing//here", None),
        ] {
            assert_eq!(probable_path(sent, &routes).as_deref(), probable, "{sent}");
        }
    }

    #[test]
    fn a_long_path_is_shortened() {
        let path = format!("/{}", "a".repeat(5000));
        assert!(shorten(&path).len() < 150 && shorten("/a") == "/a");
    }
}
