//! The cookies of the dashboard: the session's token, and the language.

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::{Cookie, SameSite, time::Duration};
use jiff::SignedDuration;
use tua_domain::people::{AGE_MAX, BROWSER_KEPT, SessionToken};

/// Over HTTPS. A cookie with this prefix is of this host alone, and of no insecure page (RFC
/// 6265bis section 4.1.3).
const SECURE_SESSION: &str = "__Host-tua-session";

/// On loopback over HTTP, where no cookie may have the prefix.
const LOOPBACK_SESSION: &str = "tua-session";

const BROWSER: CookieNames = CookieNames { secure: "__Host-tua-browser", loopback: "tua-browser" };

/// Of a browser whose session ended after wrong PINs.
const LOCKED_OUT: CookieNames =
    CookieNames { secure: "__Host-tua-locked-out", loopback: "tua-locked-out" };

const LANGUAGE: &str = "tua-language";

/// The names of a cookie, of which only the first can have the prefix.
#[derive(Clone, Copy, Debug)]
pub(super) struct CookieNames {
    /// The name over HTTPS, with the prefix `__Host-`.
    pub(super) secure: &'static str,
    /// On loopback over HTTP.
    pub(super) loopback: &'static str,
}

impl CookieNames {
    const fn at(self, is_https: bool) -> &'static str {
        if is_https { self.secure } else { self.loopback }
    }
}

const fn session_name(is_https: bool) -> &'static str {
    CookieNames { secure: SECURE_SESSION, loopback: LOOPBACK_SESSION }.at(is_https)
}

/// The token of the request's session.
pub(super) fn session_token(headers: &HeaderMap, is_https: bool) -> Option<SessionToken> {
    value(headers, session_name(is_https)).map(|text| SessionToken::new(&text))
}

/// Keeps the token of a session, until the browser is closed.
pub(super) fn begin_session(headers: &mut HeaderMap, token: &SessionToken, is_https: bool) {
    let mut cookie = base(session_name(is_https), token.as_str().to_owned(), is_https);
    cookie.set_http_only(true);
    append(headers, &cookie);
}

/// Ends the cookie of the session.
pub(super) fn end_session(headers: &mut HeaderMap, is_https: bool) {
    end(headers, CookieNames { secure: SECURE_SESSION, loopback: LOOPBACK_SESSION }, is_https);
}

/// The value of the request's cookie with this name.
pub(super) fn find(headers: &HeaderMap, names: CookieNames, is_https: bool) -> Option<String> {
    value(headers, names.at(is_https))
}

/// Keeps a value for this time.
pub(super) fn keep(
    headers: &mut HeaderMap,
    names: CookieNames,
    text: String,
    max_age: SignedDuration,
    is_https: bool,
) {
    let mut cookie = base(names.at(is_https), text, is_https);
    cookie.set_http_only(true);
    cookie.set_max_age(Duration::seconds(max_age.as_secs()));
    append(headers, &cookie);
}

/// Ends the cookie with this name.
pub(super) fn end(headers: &mut HeaderMap, names: CookieNames, is_https: bool) {
    let mut cookie = base(names.at(is_https), String::new(), is_https);
    cookie.set_http_only(true);
    cookie.set_max_age(Duration::ZERO);
    append(headers, &cookie);
}

/// The token by which this browser is known.
pub(super) fn known_browser(headers: &HeaderMap, is_https: bool) -> Option<String> {
    find(headers, BROWSER, is_https)
}

/// Keeps the token by which this browser is known.
pub(super) fn keep_known_browser(headers: &mut HeaderMap, token: &str, is_https: bool) {
    keep(headers, BROWSER, token.to_owned(), BROWSER_KEPT, is_https);
}

/// Whether a session of this browser ended after wrong PINs, within its age.
pub(super) fn is_locked_out(headers: &HeaderMap, is_https: bool) -> bool {
    find(headers, LOCKED_OUT, is_https).is_some()
}

/// Keeps that a session of this browser has ended after wrong PINs, as long as it could have lived.
pub(super) fn keep_locked_out(headers: &mut HeaderMap, is_https: bool) {
    keep(headers, LOCKED_OUT, "yes".to_owned(), AGE_MAX, is_https);
}

/// The code of the language that the person has chosen.
pub(super) fn language(headers: &HeaderMap) -> Option<String> {
    value(headers, LANGUAGE)
}

/// Keeps the chosen language for a year.
pub(super) fn keep_language(headers: &mut HeaderMap, code: &str, is_https: bool) {
    let mut cookie = base(LANGUAGE, code.to_owned(), is_https);
    cookie.set_max_age(Duration::days(365));
    append(headers, &cookie);
}

fn base(name: &'static str, value: String, is_https: bool) -> Cookie<'static> {
    // Lax, so that a link to a payment in a message opens the page. Forms are protected by
    // `same_origin`.
    Cookie::build((name, value)).path("/").same_site(SameSite::Lax).secure(is_https).build()
}

fn append(headers: &mut HeaderMap, cookie: &Cookie<'_>) {
    if let Ok(value) = HeaderValue::try_from(cookie.to_string()) {
        headers.append(header::SET_COOKIE, value);
    }
}

fn value(headers: &HeaderMap, name: &str) -> Option<String> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|one| one.to_str().ok());
    let found = all.flat_map(Cookie::split_parse).flatten().find(|cookie| cookie.name() == name);
    found.map(|cookie| cookie.value().to_owned())
}
