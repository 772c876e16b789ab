//! Who is at the other end: the socket's peer, or whom a trusted proxy names.

use axum::http::{HeaderMap, HeaderName};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Whom a request comes from. In every request's extensions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Client {
    /// The nearest address that is not a trusted proxy's.
    pub address: IpAddr,
    /// Whether the request came over TLS: ours, or a trusted proxy's by its own word.
    pub https: bool,
    /// Whether it never left this machine: from a loopback address that forwards for nobody.
    pub local: bool,
}

/// The other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer {
    address: IpAddr,
    tls: bool,
}

impl Peer {
    /// `address` as the socket has it; IPv4 addresses are known whatever socket they come to.
    pub(super) const fn new(address: IpAddr, tls: bool) -> Self {
        Self { address: address.to_canonical(), tls }
    }
}

impl Client {
    /// Believes `X-Forwarded-For` and `X-Forwarded-Proto` from a trusted peer alone.
    pub(super) fn behind(trusted: &[IpNet], peer: Peer, headers: &HeaderMap) -> Self {
        let is_trusted = |address: &IpAddr| trusted.iter().any(|network| network.contains(address));
        if !is_trusted(&peer.address) {
            return Self { address: peer.address, https: peer.tls, local: peer.address.is_loopback() };
        }
        let forwards = headers.contains_key(FORWARDED_FOR) || headers.contains_key(FORWARDED_PROTO);
        Self {
            address: origin(peer.address, headers, is_trusted),
            // Each proxy on the way may add a word; one that is not https is enough.
            https: match listed(headers, &FORWARDED_PROTO).as_slice() {
                [] => peer.tls,
                words => words.iter().all(|word| word.eq_ignore_ascii_case("https")),
            },
            local: peer.address.is_loopback() && !forwards,
        }
    }
}

/// Walks from the nearest hop outwards, past every trusted one. What cannot be read was written by
/// somebody whom nobody vouches for: the walk ends before it.
fn origin(peer: IpAddr, headers: &HeaderMap, is_trusted: impl Fn(&IpAddr) -> bool) -> IpAddr {
    let mut nearest = peer;
    for hop in listed(headers, &FORWARDED_FOR).into_iter().rev() {
        let Some(address) = read_address(hop) else { break };
        nearest = address;
        if !is_trusted(&address) {
            break;
        }
    }
    nearest
}

/// A list's members over all headers of the name, in order.
fn listed<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Vec<&'a str> {
    let values = headers.get_all(name).iter();
    values.flat_map(|value| value.to_str().unwrap_or_default().split(',')).map(str::trim).collect()
}

/// An address, maybe with a port, maybe in brackets.
fn read_address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse::<SocketAddr>().map(|address| address.ip());
    bare.parse().or_else(|_| with_port()).ok().map(|address: IpAddr| address.to_canonical())
}

/// Reads `--trusted-proxies`: networks and addresses, with commas between.
///
/// # Errors
/// A sentence that names the setting and the entry.
pub fn parse_trusted(text: &str) -> Result<Vec<IpNet>, String> {
    let entries = text.split(',').map(str::trim);
    let network = |entry: &str| entry.parse().or_else(|_| entry.parse::<IpAddr>().map(IpNet::from));
    let read = |entry| match network(entry) {
        Ok(network) if network.prefix_len() == 0 => {
            Err(format!("trusted-proxies: {entry:?} trusts everybody; name your proxies' own networks"))
        }
        Ok(network) => Ok(network),
        Err(_) => Err(format!("trusted-proxies: {entry:?} is not an address or a network such as 10.0.0.0/8")),
    };
    entries.map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use proptest::prelude::*;

    fn client(peer: &str, tls: bool, sent: &[(HeaderName, &'static str)]) -> (String, bool, bool) {
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            headers.append(name, HeaderValue::from_static(value));
        }
        let trusted = parse_trusted("10.0.0.0/8, 127.0.0.1, fd00::/8").unwrap();
        let client = Client::behind(&trusted, Peer::new(peer.parse().unwrap(), tls), &headers);
        (client.address.to_string(), client.https, client.local)
    }

    fn from(peer: &str, forwarded: &'static str) -> String {
        client(peer, false, &[(FORWARDED_FOR, forwarded)]).0
    }

    #[test]
    fn a_stranger_is_believed_nothing() {
        let claims = [(FORWARDED_FOR, "192.0.2.1"), (FORWARDED_PROTO, "https")];
        assert_eq!(client("203.0.113.9", false, &claims), ("203.0.113.9".to_owned(), false, false));
        assert_eq!(client("203.0.113.9", true, &claims), ("203.0.113.9".to_owned(), true, false));
        assert_eq!(client("::1", false, &claims), ("::1".to_owned(), false, true));
    }

    #[test]
    fn a_trusted_proxy_names_the_nearest_address_that_is_not_trusted() {
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
    fn what_cannot_be_read_ends_the_walk() {
        assert_eq!(from("10.0.0.1", "192.0.2.1, unknown, 10.9.9.9"), "10.9.9.9");
        assert_eq!(from("10.0.0.1", ""), "10.0.0.1");
        let mut headers = HeaderMap::new();
        headers.append(FORWARDED_FOR, HeaderValue::from_bytes(b"192.0.2.1, caf\xe9").unwrap());
        let peer = Peer::new("10.0.0.1".parse().unwrap(), false);
        let trusted = parse_trusted("10.0.0.0/8").unwrap();
        assert_eq!(Client::behind(&trusted, peer, &headers).address, peer.address);
    }

    #[test]
    fn every_proxy_on_the_way_must_say_https() {
        let said = |words| client("10.0.0.1", false, &[(FORWARDED_PROTO, words)]).1;
        assert!(said("https") && said("HTTPS") && said("https, https"));
        assert!(!said("http") && !said("https, http") && !said("http, https") && !said("") && !said("wss"));
    }

    #[test]
    fn a_proxy_on_this_machine_is_local_only_for_itself() {
        assert!(client("127.0.0.1", false, &[]).2);
        assert!(!client("127.0.0.1", false, &[(FORWARDED_FOR, "192.0.2.1")]).2);
        assert!(!client("127.0.0.1", false, &[(FORWARDED_FOR, "127.0.0.1")]).2);
        assert!(!client("127.0.0.1", false, &[(FORWARDED_PROTO, "http")]).2);
    }

    proptest! {
        #[test]
        fn whatever_a_proxy_says_the_address_is_its_own_or_one_that_it_named(
            said in prop::collection::vec("[0-9a-f.:,\\[\\] x]{0,40}|10\\.0\\.0\\.[0-9]|192\\.0\\.2\\.[0-9]", 0..4),
        ) {
            let mut headers = HeaderMap::new();
            for line in &said {
                headers.append(FORWARDED_FOR, HeaderValue::from_str(line).unwrap());
            }
            let trusted = parse_trusted("10.0.0.0/8").unwrap();
            let peer = Peer::new("10.0.0.1".parse().unwrap(), false);
            let address = Client::behind(&trusted, peer, &headers).address;
            let named = said.iter().flat_map(|line| line.split(',')).filter_map(|hop| read_address(hop.trim()));
            prop_assert!(address == peer.address || named.into_iter().any(|hop| hop == address));
        }
    }

    #[test]
    fn nobody_trusts_everybody() {
        for text in ["0.0.0.0/0", "::/0", "10.0.0.0/8,0.0.0.0/0", "proxy.example", "10.0.0.0/33", "", "10.0.0.1,,"] {
            assert!(parse_trusted(text).unwrap_err().starts_with("trusted-proxies: "), "{text}");
        }
    }
}
