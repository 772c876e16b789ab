//! Which addresses are never connected to: a merchant names the endpoint, and must not reach with it
//! what only our own network may (server-side request forgery, OWASP A10:2021).

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

/// How far a request may reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Only addresses of the public Internet.
    Public,
    /// This machine and private networks too.
    Private,
}

/// Never connected to: the link and its metadata services, multicast, and what is no host
/// (IANA special-purpose registries).
const NEVER: &[IpNet] = &[
    v4(0, 0, 0, 0, 8),
    v4(169, 254, 0, 0, 16),
    // A metadata service outside the link-local range.
    v4(100, 100, 100, 200, 32),
    v4(192, 0, 0, 0, 24),
    v4(192, 0, 2, 0, 24),
    v4(198, 18, 0, 0, 15),
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    v4(224, 0, 0, 0, 3),
    v6(Ipv6Addr::UNSPECIFIED, 128),
    v6(Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10),
    v6(Ipv6Addr::new(0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0), 32),
    v6(Ipv6Addr::new(0x0100, 0, 0, 0, 0, 0, 0, 0), 64),
    v6(Ipv6Addr::new(0x2001, 0x0db8, 0, 0, 0, 0, 0, 0), 32),
    v6(Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8),
];

/// Of this machine, or of a network behind it.
const PRIVATE: &[IpNet] = &[
    v4(10, 0, 0, 0, 8),
    v4(100, 64, 0, 0, 10),
    v4(127, 0, 0, 0, 8),
    v4(172, 16, 0, 0, 12),
    v4(192, 168, 0, 0, 16),
    v6(Ipv6Addr::LOCALHOST, 128),
    v6(Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7),
    v6(Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10),
];

impl Reach {
    /// Whether a request may connect to this address.
    #[must_use]
    pub fn allows(self, address: IpAddr) -> bool {
        let stands_in = |nets: &[IpNet]| every_form(address).any(|form| nets.iter().any(|net| net.contains(&form)));
        !stands_in(NEVER) && (self == Self::Private || !stands_in(PRIVATE))
    }
}

/// An address, and the IPv4 address that an IPv6 address stands for: mapped (RFC 4291), NAT64
/// (RFC 6052), 6to4 (RFC 3056).
fn every_form(address: IpAddr) -> impl Iterator<Item = IpAddr> {
    let inner = match address {
        IpAddr::V4(_) => None,
        IpAddr::V6(v6) => v6.to_ipv4_mapped().or_else(|| match v6.segments() {
            [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => Some(joined(high, low)),
            [0, 0, 0, 0, 0, 0, high, low] if high > 0 => Some(joined(high, low)),
            _ => None,
        }),
    };
    std::iter::once(address).chain(inner.map(IpAddr::V4))
}

const fn joined(high: u16, low: u16) -> Ipv4Addr {
    let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
    Ipv4Addr::new(a, b, c, d)
}

/// Looks a name up and leaves out every address that is out of reach, so that what was checked is
/// what is connected to, whatever the name server says next (DNS rebinding).
#[derive(Clone, Copy, Debug)]
pub struct GuardedResolver(pub Reach);

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.0;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = found.filter(|address| reach.allows(address.ip())).collect();
            if allowed.is_empty() {
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, OutOfReach).into());
            }
            Ok::<Addrs, _>(Box::new(allowed.into_iter()))
        })
    }
}

/// Why nothing was connected to.
#[derive(Debug, thiserror::Error)]
#[error("the address is private, link-local or reserved; nothing is ever sent there")]
pub struct OutOfReach;

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> IpNet {
    IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix))
}

const fn v6(address: Ipv6Addr, prefix: u8) -> IpNet {
    IpNet::V6(Ipv6Net::new_assert(address, prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn reached_by(reach: Reach, address: &str) -> bool {
        reach.allows(address.parse().unwrap())
    }

    #[test]
    fn hosts_of_the_internet_are_always_reached() {
        for address in ["1.1.1.1", "8.8.8.8", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1"] {
            assert!(reached_by(Reach::Public, address) && reached_by(Reach::Private, address), "{address}");
        }
    }

    #[test]
    fn the_link_and_its_metadata_are_never_reached_in_whatever_form() {
        for address in [
            "169.254.169.254",
            "::ffff:169.254.169.254",
            "64:ff9b::a9fe:a9fe",
            "2002:a9fe:a9fe::1",
            "::a9fe:a9fe",
            "fe80::1",
            "fd00:ec2::254",
            "100.100.100.200",
            "0.0.0.0",
            "::",
            "255.255.255.255",
            "224.0.0.1",
            "ff02::1",
        ] {
            assert!(!reached_by(Reach::Private, address) && !reached_by(Reach::Public, address), "{address}");
        }
    }

    #[test]
    fn this_machine_and_private_networks_are_reached_only_where_that_is_meant() {
        for address in
            ["127.0.0.1", "127.8.8.8", "::1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "fc00::1"]
        {
            assert!(reached_by(Reach::Private, address) && !reached_by(Reach::Public, address), "{address}");
        }
    }

    proptest! {
        #[test]
        fn an_ipv4_address_in_ipv6_clothes_is_treated_as_itself(bits in any::<u32>()) {
            let plain = Ipv4Addr::from(bits);
            let mapped = plain.to_ipv6_mapped();
            for reach in [Reach::Public, Reach::Private] {
                prop_assert_eq!(reach.allows(plain.into()), reach.allows(mapped.into()));
            }
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_to_this_machine_is_not_followed() {
        let name = || "localhost".parse::<Name>().unwrap();
        assert!(GuardedResolver(Reach::Public).resolve(name()).await.is_err());
        assert!(GuardedResolver(Reach::Private).resolve(name()).await.is_ok());
    }
}
