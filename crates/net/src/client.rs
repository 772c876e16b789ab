//! The client of a request: the socket's peer, or the address that a trusted proxy forwards.

use axum::http::{HeaderMap, HeaderName, Request, Version, header};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The beginnings of the names of the headers that proxies add. Browsers and clients of the API
/// send none of them, so one of them means: there is a proxy, whether or not it also sets the
/// headers that are read here.
const PROXY_HEADERS: [&str; 14] = [
    "forwarded", // RFC 7239
    "x-forwarded",
    "x-real-",     // nginx
    "x-original-", // Kubernetes, IIS, Envoy
    "x-client-ip",
    "x-cluster-client-ip",
    "x-proxyuser-ip",
    "x-envoy-", // Istio too
    "x-azure-",
    "x-appengine-",
    "cf-", // Cloudflare
    "true-client-ip",
    "fly-",
    "fastly-",
];

/// The client of a request. Stored in the request's extensions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Client {
    /// The nearest address in `X-Forwarded-For` that is not a trusted proxy, or the socket's peer.
    pub address: IpAddr,
    /// Whether the client used TLS: with this service, or with a trusted proxy according to
    /// `X-Forwarded-Proto`.
    pub https: bool,
    /// Whether the request came from this machine: from a loopback address, and not forwarded.
    pub local: bool,
    /// Whether a proxy on this machine forwarded the request that is not one of the trusted
    /// proxies.
    pub unnamed_proxy: bool,
    /// Whether a proxy on this machine sent the request, and does not forward the address of its
    /// client.
    pub silent_proxy: bool,
}

/// The remote end of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer {
    address: IpAddr,
    tls: bool,
}

impl Peer {
    /// `address` is the socket's peer address. An IPv4-mapped IPv6 address is converted to IPv4.
    pub(super) const fn new(address: IpAddr, tls: bool) -> Self {
        Self { address: address.to_canonical(), tls }
    }
}

impl Client {
    /// The address by which requests are limited. `None` where `address` is that of a proxy with
    /// many clients.
    #[must_use]
    pub fn limited_address(&self) -> Option<IpAddr> {
        (!self.silent_proxy).then_some(self.address)
    }

    /// Uses `X-Forwarded-For` and `X-Forwarded-Proto` only when the peer is a trusted proxy.
    pub(super) fn of_request<B>(trusted: &[IpNet], peer: Peer, request: &Request<B>) -> Self {
        let headers = request.headers();
        let is_trusted = |address: &IpAddr| trusted.iter().any(|network| network.contains(address));
        let is_loopback = peer.address.is_loopback();
        let is_forwarded = is_loopback && is_forwarded(headers);
        let local = is_loopback && !is_forwarded;
        if !is_trusted(&peer.address) {
            let silent_proxy = local && is_of_proxy(request);
            return Self {
                address: peer.address,
                https: peer.tls,
                local,
                unnamed_proxy: is_forwarded,
                silent_proxy,
            };
        }
        Self {
            address: client_address(peer.address, headers, is_trusted),
            // Each proxy may append its scheme. One value that is not https means that a hop was
            // not encrypted.
            https: match list_members(headers, &FORWARDED_PROTO).as_slice() {
                [] => peer.tls,
                schemes => schemes.iter().all(|scheme| scheme.eq_ignore_ascii_case("https")),
            },
            local,
            unnamed_proxy: false,
            silent_proxy: is_loopback
                && !headers.contains_key(&FORWARDED_FOR)
                && (is_forwarded || is_of_proxy(request)),
        }
    }
}

/// Whether a request has a header that only proxies add.
fn is_forwarded(headers: &HeaderMap) -> bool {
    headers.keys().any(|name| PROXY_HEADERS.iter().any(|start| name.as_str().starts_with(start)))
}

/// Whether a request looks like one of a proxy that adds no header: it is for a host that is not
/// this machine, names a proxy (RFC 9110 section 7.6.3), or has the version that nginx uses unless
/// it is told otherwise.
fn is_of_proxy<B>(request: &Request<B>) -> bool {
    let host =
        request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    request.version() == Version::HTTP_10
        || request.headers().contains_key(header::VIA)
        || !is_this_machine(host)
}

/// Whether a `Host` is a name or an address of this machine. An absent one is.
fn is_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => host.split(':').next().unwrap_or_default(),
    };
    let is_local_address = || {
        name.parse::<IpAddr>()
            .is_ok_and(|address| address.to_canonical().is_loopback() || address.is_unspecified())
    };
    name.is_empty() || name == "localhost" || name.ends_with(".localhost") || is_local_address()
}

/// Walks `X-Forwarded-For` from the nearest hop outwards, past every trusted proxy. An entry that
/// is not an address ends the walk before it, because no trusted proxy wrote it.
fn client_address(
    peer: IpAddr,
    headers: &HeaderMap,
    is_trusted: impl Fn(&IpAddr) -> bool,
) -> IpAddr {
    let mut nearest = peer;
    for hop in list_members(headers, &FORWARDED_FOR).into_iter().rev() {
        let Some(address) = parse_address(hop) else { break };
        nearest = address;
        if !is_trusted(&address) {
            break;
        }
    }
    nearest
}

/// The members of a comma-separated list over all headers of this name, in order.
fn list_members<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Vec<&'a str> {
    let values = headers.get_all(name).iter();
    values.flat_map(|value| value.to_str().unwrap_or_default().split(',')).map(str::trim).collect()
}

/// Parses an address, optionally with a port, optionally in brackets.
fn parse_address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse::<SocketAddr>().map(|address| address.ip());
    bare.parse().or_else(|_| with_port()).ok().map(|address: IpAddr| address.to_canonical())
}

/// Parses `--trusted-proxies`: networks and addresses, separated by commas.
///
/// # Errors
/// A sentence that names the setting and the invalid entry.
pub fn parse_trusted(text: &str) -> Result<Vec<IpNet>, String> {
    let entries = text.split(',').map(str::trim);
    let network = |entry: &str| entry.parse().or_else(|_| entry.parse::<IpAddr>().map(IpNet::from));
    let read = |entry| match network(entry) {
        Ok(network) if network.prefix_len() == 0 => Err(format!(
            "trusted-proxies: {entry:?} trusts everybody; name your proxies' own networks"
        )),
        Ok(network) => Ok(network),
        Err(_) => Err(format!(
            "trusted-proxies: {entry:?} is not an address such as 192.0.2.7, or a network"
        )),
    };
    entries.map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use proptest::prelude::*;

    /// Headers of common proxies.
    const NAMES_OF_PROXIES: [&str; 16] = [
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
        "x-envoy-external-address",
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
            assert!(
                !client("127.0.0.1", false, &sent).2 && !client("::1", false, &sent).2,
                "{name}"
            );
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
                client.silent_proxy && !client.local && !client.unnamed_proxy,
                "a named proxy: {name}"
            );
        }
        assert_eq!(limited("::1", header::VIA, "1.1 proxy"), None);
        let old = Request::builder().version(Version::HTTP_10).body(()).unwrap();
        assert!(
            Client::of_request(&[], Peer::new("127.0.0.1".parse().unwrap(), false), &old)
                .silent_proxy
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
}
