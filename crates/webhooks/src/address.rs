//! The addresses that webhooks may be sent to. A merchant chooses the endpoint, so it must not
//! reach hosts that only our own network can reach (server-side request forgery, OWASP A10:2021).

use super::networks::{FORBIDDEN, GLOBAL_UNICAST_V6, PRIVATE};
use ipnet::IpNet;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::{
    io,
    net::{IpAddr, SocketAddr},
};

/// Which networks a webhook may be sent to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressPolicy {
    /// Only addresses of the public Internet.
    PublicOnly,
    /// Also this machine and private networks.
    AllowPrivate,
}

impl AddressPolicy {
    /// Whether a webhook may be sent to this address. An IPv4-mapped address is its IPv4 address,
    /// as for the system's sockets. The other IPv6 addresses that embed an IPv4 address are
    /// forbidden, whatever they embed.
    #[must_use]
    pub fn allows(self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let is_in = |networks: &[IpNet]| networks.iter().any(|network| network.contains(&address));
        if is_in(PRIVATE) {
            return self == Self::AllowPrivate && !is_in(FORBIDDEN);
        }
        (address.is_ipv4() || GLOBAL_UNICAST_V6.contains(&address)) && !is_in(FORBIDDEN)
    }
}

/// Resolves a name and drops every address that the policy forbids. The client connects only to the
/// addresses that were checked, so a second DNS response cannot redirect it (DNS rebinding).
#[derive(Clone, Copy, Debug)]
pub struct GuardedResolver(pub AddressPolicy);

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let policy = self.0;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> =
                found.filter(|address| policy.allows(address.ip())).collect();
            if allowed.is_empty() {
                return Err(
                    io::Error::new(io::ErrorKind::PermissionDenied, ForbiddenAddress).into()
                );
            }
            Ok::<Addrs, _>(Box::new(allowed.into_iter()))
        })
    }
}

/// Every address of the host is forbidden.
#[derive(Debug, thiserror::Error)]
#[error("the address is private, link-local or reserved; nothing is ever sent there")]
pub struct ForbiddenAddress;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::net::{Ipv4Addr, Ipv6Addr};

    fn is_allowed(policy: AddressPolicy, address: &str) -> bool {
        policy.allows(address.parse().unwrap())
    }

    #[test]
    fn public_addresses_are_allowed_by_every_policy() {
        for address in ["1.1.1.1", "8.8.8.8", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1"] {
            assert!(
                is_allowed(AddressPolicy::PublicOnly, address)
                    && is_allowed(AddressPolicy::AllowPrivate, address),
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
            "::8.8.8.8",
            "64:ff9b::8.8.8.8",
            "64:ff9b:1::a9fe:a9fe",
            "64:ff9b:1:ffff:ffff:ffff:808:808",
            "2002:808:808::1",
            "2001:0:808:808::1",
            "168.63.129.16",
            "::ffff:168.63.129.16",
            "192.0.0.192",
            "192.31.196.1",
            "192.52.193.1",
            "192.88.99.1",
            "192.175.48.6",
            "198.19.255.255",
            "240.0.0.1",
            "100::1",
            "100:0:0:1::1",
            "2001:1::1",
            "2001:20::1",
            "2001:db8::1",
            "2620:4f:8000::1",
            "3fff:fff::1",
            "4000::1",
            "5f00::1",
            "fe80::1",
            "fd00:ec2::254",
            "fd20:ce::254",
            "fd00:c1::a9fe:a9fe",
            "100.100.100.200",
            "0.0.0.0",
            "::",
            "255.255.255.255",
            "224.0.0.1",
            "ff02::1",
        ] {
            assert!(
                !is_allowed(AddressPolicy::AllowPrivate, address)
                    && !is_allowed(AddressPolicy::PublicOnly, address),
                "{address}"
            );
        }
    }

    #[test]
    fn private_addresses_are_allowed_only_by_allow_private() {
        for address in [
            "127.0.0.1",
            "127.8.8.8",
            "::1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "100.64.0.1",
            "fc00::1",
        ] {
            assert!(
                is_allowed(AddressPolicy::AllowPrivate, address)
                    && !is_allowed(AddressPolicy::PublicOnly, address),
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

        #[test]
        fn no_other_ipv6_address_leads_to_an_ipv4_address(
            bits in any::<u32>(),
            low in any::<u64>()
        ) {
            let [a, b] = [bits >> 16, bits & 0xffff].map(|half| u16::try_from(half).unwrap());
            let v4 = u128::from(bits);
            let forms = [
                v4,
                (0x64_ff9b << 96) | v4,
                (0x64_ff9b_0001 << 80) | u128::from(low),
                Ipv6Addr::new(0x2002, a, b, 0, 0, 0, 0, 1).to_bits(),
                Ipv6Addr::new(0x2001, 0, a, b, 0, 0, !a, !b).to_bits(),
            ];
            for form in
                forms.map(Ipv6Addr::from_bits).into_iter().filter(|form| !form.is_loopback())
            {
                prop_assert!(!AddressPolicy::AllowPrivate.allows(form.into()), "{}", form);
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
