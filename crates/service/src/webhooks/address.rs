//! The addresses that webhooks may be sent to. A merchant chooses the endpoint, so it must not reach hosts that only
//! our own network can reach (server-side request forgery, OWASP A10:2021).

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

/// Which networks a webhook may be sent to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressPolicy {
    /// Only addresses of the public Internet.
    PublicOnly,
    /// Also this machine and private networks.
    AllowPrivate,
}

/// Forbidden under every policy: link-local addresses with their metadata services, multicast, and addresses that belong
/// to no host (IANA special-purpose address registries).
const FORBIDDEN_NETWORKS: &[IpNet] = &[
    v4(0, 0, 0, 0, 8),
    v4(169, 254, 0, 0, 16),
    // The metadata service of Alibaba Cloud, which is outside the link-local range.
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

/// This machine, and private networks.
const PRIVATE_NETWORKS: &[IpNet] = &[
    v4(10, 0, 0, 0, 8),
    v4(100, 64, 0, 0, 10),
    v4(127, 0, 0, 0, 8),
    v4(172, 16, 0, 0, 12),
    v4(192, 168, 0, 0, 16),
    v6(Ipv6Addr::LOCALHOST, 128),
    v6(Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7),
    v6(Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10),
];

impl AddressPolicy {
    /// Whether a webhook may be sent to this address.
    #[must_use]
    pub fn allows(self, address: IpAddr) -> bool {
        let is_in = |nets: &[IpNet]| with_embedded_ipv4(address).any(|form| nets.iter().any(|net| net.contains(&form)));
        !is_in(FORBIDDEN_NETWORKS) && (self == Self::AllowPrivate || !is_in(PRIVATE_NETWORKS))
    }
}

/// An address, and the IPv4 address that an IPv6 address embeds: mapped or compatible (RFC 4291), NAT64 (RFC 6052),
/// 6to4 (RFC 3056).
fn with_embedded_ipv4(address: IpAddr) -> impl Iterator<Item = IpAddr> {
    let inner = match address {
        IpAddr::V4(_) => None,
        IpAddr::V6(v6) => v6.to_ipv4_mapped().or_else(|| match v6.segments() {
            [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => Some(ipv4_from_segments(high, low)),
            [0, 0, 0, 0, 0, 0, high, low] if high > 0 => Some(ipv4_from_segments(high, low)),
            _ => None,
        }),
    };
    std::iter::once(address).chain(inner.map(IpAddr::V4))
}

const fn ipv4_from_segments(high: u16, low: u16) -> Ipv4Addr {
    let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
    Ipv4Addr::new(a, b, c, d)
}

/// Resolves a name and drops every address that the policy forbids. The client connects only to the addresses that were
/// checked, so a second DNS response cannot redirect it (DNS rebinding).
#[derive(Clone, Copy, Debug)]
pub struct GuardedResolver(pub AddressPolicy);

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let policy = self.0;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = found.filter(|address| policy.allows(address.ip())).collect();
            if allowed.is_empty() {
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, ForbiddenAddress).into());
            }
            Ok::<Addrs, _>(Box::new(allowed.into_iter()))
        })
    }
}

/// Every address of the host is forbidden.
#[derive(Debug, thiserror::Error)]
#[error("the address is private, link-local or reserved; nothing is ever sent there")]
pub struct ForbiddenAddress;

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

    fn is_allowed(policy: AddressPolicy, address: &str) -> bool {
        policy.allows(address.parse().unwrap())
    }

    #[test]
    fn public_addresses_are_allowed_by_every_policy() {
        for address in ["1.1.1.1", "8.8.8.8", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1"] {
            assert!(
                is_allowed(AddressPolicy::PublicOnly, address) && is_allowed(AddressPolicy::AllowPrivate, address),
                "{address}"
            );
        }
    }

    #[test]
    fn metadata_and_link_local_addresses_are_forbidden_in_every_form() {
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
            assert!(
                !is_allowed(AddressPolicy::AllowPrivate, address) && !is_allowed(AddressPolicy::PublicOnly, address),
                "{address}"
            );
        }
    }

    #[test]
    fn private_addresses_are_allowed_only_by_allow_private() {
        for address in
            ["127.0.0.1", "127.8.8.8", "::1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "fc00::1"]
        {
            assert!(
                is_allowed(AddressPolicy::AllowPrivate, address) && !is_allowed(AddressPolicy::PublicOnly, address),
                "{address}"
            );
        }
    }

    proptest! {
        #[test]
        fn an_ipv4_mapped_address_is_treated_as_its_ipv4_address(bits in any::<u32>()) {
            let plain = Ipv4Addr::from(bits);
            let mapped = plain.to_ipv6_mapped();
            for policy in [AddressPolicy::PublicOnly, AddressPolicy::AllowPrivate] {
                prop_assert_eq!(policy.allows(plain.into()), policy.allows(mapped.into()));
            }
        }
    }

    #[tokio::test]
    async fn a_name_that_resolves_to_this_machine_is_forbidden() {
        let name = || "localhost".parse::<Name>().unwrap();
        assert!(GuardedResolver(AddressPolicy::PublicOnly).resolve(name()).await.is_err());
        assert!(GuardedResolver(AddressPolicy::AllowPrivate).resolve(name()).await.is_ok());
    }
}
