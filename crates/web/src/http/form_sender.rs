//! Which page sent a form, as the browser reports.

use axum::http::{HeaderMap, HeaderName, header};
use tua_domain::public_url::PublicUrl;

/// Sent by current browsers (<https://www.w3.org/TR/fetch-metadata/>).
pub(super) const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The page that sent a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormSender {
    /// A page of this service.
    OwnPage,
    /// A page of another site.
    OtherSite,
    /// The browser does not report it.
    Unknown,
}

impl FormSender {
    /// Reads `Sec-Fetch-Site`, otherwise `Origin`. An `Origin` of `null` names no page:
    /// browsers send it with forms of a page whose policy is to send no referrer.
    #[must_use]
    pub fn of(headers: &HeaderMap, public_url: &PublicUrl) -> Self {
        let sites: Vec<_> = headers.get_all(FETCH_SITE).iter().collect();
        if !sites.is_empty() {
            return if sites.iter().all(|site| *site == "same-origin") {
                Self::OwnPage
            } else if sites.iter().all(|site| *site == "none") {
                Self::Unknown
            } else {
                Self::OtherSite
            };
        }
        match headers.get(header::ORIGIN) {
            None => Self::Unknown,
            Some(origin) if origin == "null" => Self::Unknown,
            Some(origin) if is_own(origin.as_bytes(), headers, public_url) => Self::OwnPage,
            Some(_) => Self::OtherSite,
        }
    }
}

/// Where a proxy changes the `Host` header, the public URL counts.
fn is_own(origin: &[u8], headers: &HeaderMap, public_url: &PublicUrl) -> bool {
    let Ok(origin) = std::str::from_utf8(origin) else { return false };
    let authority = origin.split_once("://").map(|(_, authority)| authority.as_bytes());
    let host = headers.get(header::HOST).map(|host| host.as_bytes());
    origin == public_url.as_str() || (authority.is_some() && authority == host)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn sender(headers: &[(HeaderName, &'static str)]) -> FormSender {
        let mut map = HeaderMap::new();
        map.insert(header::HOST, HeaderValue::from_static("10.0.0.7:8080"));
        for (name, value) in headers {
            map.append(name, HeaderValue::from_static(value));
        }
        FormSender::of(&map, &PublicUrl::parse("https://pay.example").unwrap())
    }

    #[test]
    fn the_browser_reports_which_page_sent_a_form() {
        let site = |value| (FETCH_SITE, value);
        let origin = |value| (header::ORIGIN, value);
        for own in [
            vec![site("same-origin")],
            vec![site("same-origin"), origin("null")],
            vec![origin("https://pay.example")],
            vec![origin("http://10.0.0.7:8080")],
        ] {
            assert_eq!(sender(&own), FormSender::OwnPage, "{own:?}");
        }
        for other in [
            vec![site("cross-site")],
            vec![site("same-site"), origin("https://pay.example")],
            vec![site("same-origin"), site("cross-site")],
            vec![origin("https://evil.example")],
            vec![origin("http://pay.example")],
            vec![origin("https://pay.example.evil.example")],
            vec![origin("10.0.0.7:8080")],
        ] {
            assert_eq!(sender(&other), FormSender::OtherSite, "{other:?}");
        }
        for unknown in [vec![], vec![site("none")], vec![origin("null")]] {
            assert_eq!(sender(&unknown), FormSender::Unknown, "{unknown:?}");
        }
    }
}
