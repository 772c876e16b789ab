//! The name of a device, so that a person recognises a session.

use axum::http::{HeaderMap, header};

/// What a User-Agent header contains, and what people call it. The first match counts: browsers name each other.
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
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let find =
        |known: &[(&str, &'static str)]| known.iter().find(|(part, _)| agent.contains(part)).map(|(_, name)| *name);
    let names = [find(BROWSERS), find(SYSTEMS)].into_iter().flatten().collect::<Vec<_>>();
    if names.is_empty() { "?".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_that_name_each_other_are_told_apart() {
        for (agent, expected) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/138.0 Mobile Safari/537.36",
                "Chrome, Android",
            ),
            ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/138.0 Safari/537.36 Edg/138.0", "Edge, Windows"),
            ("curl/8.0", "?"),
        ] {
            let headers = HeaderMap::from_iter([(header::USER_AGENT, agent.parse().unwrap())]);
            assert_eq!(name(&headers), expected);
        }
    }
}
