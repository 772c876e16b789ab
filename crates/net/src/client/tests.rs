//! Which headers decide the address, the scheme and the locality of a client.

use super::*;
use axum::http::HeaderValue;
use proptest::prelude::*;

/// Headers of common proxies.
const NAMES_OF_PROXIES: [&str; 19] = [
    "x-forwarded-host",
    "x-forwarded-port",
    "x-forwarded-server",
    "x-forwarded",
    "forwarded",
    "x-real-ip",
    "x-original-forwarded-for",
    "x-original-host",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-proxyuser-ip",
    "x-envoy-external-address",
    "x-azure-clientip",
    "x-appengine-user-ip",
    "cf-connecting-ip",
    "cf-ray",
    "true-client-ip",
    "fly-client-ip",
    "fastly-client-ip",
];

fn request(headers: HeaderMap) -> Request<()> {
    let mut request = Request::new(());
    *request.headers_mut() = headers;
    request
}

fn client(peer: &str, tls: bool, sent: &[(HeaderName, &'static str)]) -> (String, bool, bool) {
    let mut headers = HeaderMap::new();
    for (name, value) in sent {
        headers.append(name, HeaderValue::from_static(value));
    }
    let trusted = parse_trusted("10.0.0.0/8, 127.0.0.1, fd00::/8").unwrap();
    let client =
        Client::of_request(&trusted, Peer::new(peer.parse().unwrap(), tls), &request(headers));
    (client.address.to_string(), client.https, client.local)
}

fn from(peer: &str, forwarded: &'static str) -> String {
    client(peer, false, &[(FORWARDED_FOR, forwarded)]).0
}

#[test]
fn forwarding_headers_of_an_untrusted_peer_are_ignored() {
    let claims = [(FORWARDED_FOR, "192.0.2.1"), (FORWARDED_PROTO, "https")];
    assert_eq!(client("203.0.113.9", false, &claims), ("203.0.113.9".to_owned(), false, false));
    assert_eq!(client("203.0.113.9", true, &claims), ("203.0.113.9".to_owned(), true, false));
    assert_eq!(client("::1", false, &claims), ("::1".to_owned(), false, false));
}

#[test]
fn the_client_is_the_nearest_untrusted_address() {
    assert_eq!(from("10.0.0.1", "192.0.2.1"), "192.0.2.1");
    assert_eq!(from("::ffff:10.0.0.1", "192.0.2.1"), "192.0.2.1");
    assert_eq!(from("10.0.0.1", "198.51.100.7, 192.0.2.1, 10.9.9.9"), "192.0.2.1");
    assert_eq!(from("10.0.0.1", "10.1.1.1, 10.9.9.9"), "10.1.1.1");
    assert_eq!(from("fd00::1", "[2001:db8::1]:443"), "2001:db8::1");
    assert_eq!(from("10.0.0.1", "192.0.2.1:5678"), "192.0.2.1");
    assert_eq!(from("10.0.0.1", "::ffff:192.0.2.1"), "192.0.2.1");
    let twice = [(FORWARDED_FOR, "198.51.100.7"), (FORWARDED_FOR, "192.0.2.1, 10.9.9.9")];
    assert_eq!(client("10.0.0.1", false, &twice).0, "192.0.2.1");
}

#[test]
fn an_invalid_entry_ends_the_walk() {
    assert_eq!(from("10.0.0.1", "192.0.2.1, unknown, 10.9.9.9"), "10.9.9.9");
    assert_eq!(from("10.0.0.1", ""), "10.0.0.1");
    let mut headers = HeaderMap::new();
    headers.append(FORWARDED_FOR, HeaderValue::from_bytes(b"192.0.2.1, caf\xe9").unwrap());
    let peer = Peer::new("10.0.0.1".parse().unwrap(), false);
    let trusted = parse_trusted("10.0.0.0/8").unwrap();
    assert_eq!(Client::of_request(&trusted, peer, &request(headers)).address, peer.address);
}

#[test]
fn https_requires_that_every_proxy_forwards_https() {
    let forwarded = |schemes| client("10.0.0.1", false, &[(FORWARDED_PROTO, schemes)]).1;
    assert!(forwarded("https") && forwarded("HTTPS") && forwarded("https, https"));
    assert!(
        !forwarded("http")
            && !forwarded("https, http")
            && !forwarded("http, https")
            && !forwarded("")
            && !forwarded("wss")
    );
}

#[test]
fn a_forwarded_request_from_this_machine_is_not_local() {
    assert!(client("127.0.0.1", false, &[]).2);
    assert!(!client("127.0.0.1", false, &[(FORWARDED_FOR, "192.0.2.1")]).2);
    assert!(!client("127.0.0.1", false, &[(FORWARDED_FOR, "127.0.0.1")]).2);
    assert!(!client("127.0.0.1", false, &[(FORWARDED_PROTO, "http")]).2);
    for name in NAMES_OF_PROXIES {
        let sent = [(HeaderName::from_static(name), "x")];
        assert!(!client("127.0.0.1", false, &sent).2 && !client("::1", false, &sent).2, "{name}");
    }
}

#[test]
fn a_proxy_that_adds_no_header_has_clients_without_addresses() {
    let limited = |peer: &str, name: HeaderName, value: &'static str| {
        let headers = HeaderMap::from_iter([(name, HeaderValue::from_static(value))]);
        let peer = Peer::new(peer.parse().unwrap(), false);
        Client::of_request(&parse_trusted("10.0.0.0/8").unwrap(), peer, &request(headers))
            .limited_address()
    };
    for host in [
        "127.0.0.1:8080",
        "localhost",
        "localhost:8080",
        "[::1]:8080",
        "[::1]",
        "shop.localhost",
        "0.0.0.0",
    ] {
        assert!(limited("127.0.0.1", header::HOST, host).is_some(), "{host}");
    }
    for host in ["pay.example", "pay.example:443", "192.0.2.1", "[2001:db8::1]:443"] {
        assert_eq!(limited("127.0.0.1", header::HOST, host), None, "{host}");
        assert!(
            limited("203.0.113.9", header::HOST, host).is_some(),
            "only a proxy on this machine: {host}"
        );
    }
    let trusted = parse_trusted("127.0.0.1").unwrap();
    for name in NAMES_OF_PROXIES {
        let headers = HeaderMap::from_iter([(
            HeaderName::from_static(name),
            HeaderValue::from_static("192.0.2.1"),
        )]);
        let peer = Peer::new("127.0.0.1".parse().unwrap(), false);
        let client = Client::of_request(&trusted, peer, &request(headers));
        assert!(
            client.silent_proxy && !client.local && client.proxy != Proxy::Unnamed,
            "a named proxy: {name}"
        );
    }
    assert_eq!(limited("::1", header::VIA, "1.1 proxy"), None);
    let old = Request::builder().version(Version::HTTP_10).body(()).unwrap();
    assert!(
        Client::of_request(&[], Peer::new("127.0.0.1".parse().unwrap(), false), &old).silent_proxy
    );
}

proptest! {
    #[test]
    fn the_address_is_the_peers_or_one_that_it_forwarded(
        forwarded in prop::collection::vec("[0-9a-f.:,\\[\\] \
            x]{0,40}|10\\.0\\.0\\.[0-9]|192\\.0\\.2\\.[0-9]", 0..4),
    ) {
        let mut headers = HeaderMap::new();
        for line in &forwarded {
            headers.append(FORWARDED_FOR, HeaderValue::from_str(line).unwrap());
        }
        let trusted = parse_trusted("10.0.0.0/8").unwrap();
        let peer = Peer::new("10.0.0.1".parse().unwrap(), false);
        let address = Client::of_request(&trusted, peer, &request(headers)).address;
        let named = forwarded
            .iter()
            .flat_map(|line| line.split(','))
            .filter_map(|hop| parse_address(hop.trim()));
        prop_assert!(address == peer.address || named.into_iter().any(|hop| hop == address));
    }
}

#[test]
fn networks_that_trust_every_address_are_rejected() {
    for text in [
        "0.0.0.0/0",
        "::/0",
        "10.0.0.0/8,0.0.0.0/0",
        "proxy.example",
        "10.0.0.0/33",
        "",
        "10.0.0.1,,",
    ] {
        assert!(parse_trusted(text).unwrap_err().starts_with("trusted-proxies: "), "{text}");
    }
}
