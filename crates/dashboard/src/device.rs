//! The device of a person: its name, so that the person recognises a session, and the token by
//! which the browser is known at the next sign-in.

use super::cookies;
use axum::{
    http::{HeaderMap, header},
    response::Response,
};
use tua_domain::{
    people::{Device, SessionToken},
    secret::SecretDigest,
};
use tua_net::Client;

/// A browser that signs in, with its token.
pub(super) struct Browser {
    /// As the store gets it.
    pub(super) device: Device,
    token: SessionToken,
}

impl Browser {
    /// The browser of a request. Without a token it gets a new one.
    pub(super) fn of(headers: &HeaderMap, client: Client, is_https: bool) -> Self {
        let known = cookies::known_browser(headers, is_https);
        let token = known.map_or_else(SessionToken::generate, |text| SessionToken::new(&text));
        let browser = SecretDigest::of(&format!("browser {}", token.as_str()));
        Self {
            device: Device { name: name(headers), browser, address: client.limited_address() },
            token,
        }
    }

    /// A response with which the browser keeps its token.
    pub(super) fn remember(&self, mut response: Response, is_https: bool) -> Response {
        cookies::keep_known_browser(response.headers_mut(), self.token.as_str(), is_https);
        response
    }
}

/// What a User-Agent header contains, and what people call it. The first match counts: browsers
/// name each other.
const BROWSERS: &[(&str, &str)] = &[
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

const SYSTEMS: &[(&str, &str)] = &[
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// Browser and system, such as `Firefox, Android`. The header itself is not stored.
pub(super) fn name(headers: &HeaderMap) -> String {
    let agent =
        headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let find = |known: &[(&str, &'static str)]| {
        known.iter().find(|(part, _)| agent.contains(part)).map(|(_, name)| *name)
    };
    let names = [find(BROWSERS), find(SYSTEMS)].into_iter().flatten().collect::<Vec<_>>();
    if names.is_empty() { "?".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_that_name_each_other_are_told_apart() {
        for (agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                "Firefox, Linux",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/138.0 Mobile \
                 Safari/537.36",
                "Chrome, Android",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/138.0 Safari/537.36 \
                 Edg/138.0",
                "Edge, Windows",
            ),
            ("curl/8.0", "?"),
        ] {
            let headers = HeaderMap::from_iter([(header::USER_AGENT, agent.parse().unwrap())]);
            assert_eq!(name(&headers), expected);
        }
    }
}
