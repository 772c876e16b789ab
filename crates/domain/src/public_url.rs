//! The URL under which people and programs reach the service.

use std::{fmt, ops::Deref, sync::Arc};
use url::{Host, Url};

/// An origin (RFC 6454): scheme, host, and the port unless it is the scheme's own. Without a slash
/// at the end.
///
/// It has one spelling, that of browsers: `https://Pay.Example:443/` is `https://pay.example`. So
/// links, redirects, documents and comparisons with an `Origin` header agree, however the settings
/// spell it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicUrl {
    origin: Arc<str>,
    url: Arc<Url>,
}

impl PublicUrl {
    /// Reads an `http` or `https` URL without a path, query, fragment and user. `None` for any
    /// other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let is_origin = matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        is_origin
            .then(|| Self { origin: url.origin().ascii_serialization().into(), url: Arc::new(url) })
    }

    /// The origin as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.origin
    }

    /// Whether it is reached over TLS.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// The host: a name in ASCII, or an address.
    #[must_use]
    pub fn host(&self) -> Option<Host<&str>> {
        self.url.host()
    }

    /// The host, with the port unless it is the scheme's own, as the `Host` header has it (RFC
    /// 9110, section 7.2).
    #[must_use]
    pub fn authority(&self) -> &str {
        self.origin.split_once("://").map_or("", |(_, authority)| authority)
    }

    /// The port, unless it is the scheme's own.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.url.port()
    }

    /// Scheme and host, without a port.
    #[must_use]
    pub fn without_port(&self) -> String {
        format!("{}://{}", self.url.scheme(), self.url.host_str().unwrap_or_default())
    }
}

impl Deref for PublicUrl {
    type Target = str;

    fn deref(&self) -> &str {
        &self.origin
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_has_one_spelling() {
        for (text, origin, authority) in [
            ("https://Pay.Example:443", "https://pay.example", "pay.example"),
            ("HTTPS://pay.example/", "https://pay.example", "pay.example"),
            ("https://pay.example:0443", "https://pay.example", "pay.example"),
            ("http://pay.example:80", "http://pay.example", "pay.example"),
            ("http://pay.example:443", "http://pay.example:443", "pay.example:443"),
            ("https://bücher.example", "https://xn--bcher-kva.example", "xn--bcher-kva.example"),
            ("http://127.1:8080", "http://127.0.0.1:8080", "127.0.0.1:8080"),
            ("http://[0:0:0:0:0:0:0:1]:8080", "http://[::1]:8080", "[::1]:8080"),
        ] {
            let url = PublicUrl::parse(text).unwrap();
            assert_eq!((url.as_str(), url.authority()), (origin, authority), "{text}");
            assert_eq!(PublicUrl::parse(&url).unwrap(), url, "{text}");
        }
    }

    #[test]
    fn only_an_origin_is_one() {
        for text in [
            "",
            "pay.example",
            "ftp://pay.example",
            "https://pay.example/x",
            "https://a@pay.example",
            "https://pay.example?x",
            "https://pay.example#x",
            "https://",
            "https://a:b@pay.example",
        ] {
            assert_eq!(PublicUrl::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_policy_can_name_it_without_its_port() {
        assert_eq!(
            PublicUrl::parse("https://pay.example").unwrap().without_port(),
            "https://pay.example"
        );
        assert_eq!(
            PublicUrl::parse("http://127.0.0.1:8080").unwrap().without_port(),
            "http://127.0.0.1"
        );
    }
}
