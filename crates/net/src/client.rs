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

/// Which proxy forwarded a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proxy {
    /// None, or one that is not trusted and is on another machine or adds no header
    /// ([`Client::silent_proxy`]).
    None,
    /// One of the trusted proxies.
    Trusted,
    /// One on this machine that is not one of the trusted proxies.
    Unnamed,
}

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
    /// The proxy that forwarded the request. One that is not trusted is known by its headers only.
    pub proxy: Proxy,
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
                proxy: if is_forwarded { Proxy::Unnamed } else { Proxy::None },
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
            proxy: Proxy::Trusted,
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
/// this machine, names a proxy (RFC 9110 section 7.6.3), or has the version that nginx uses by
/// default.
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
mod tests;
