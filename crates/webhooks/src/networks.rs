//! Networks that are not the public Internet.
//!
//! Sources, read on 2026-11-22: the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC
//! 6890), the IANA IPv6 address space registry (global unicast is `2000::/3`), and the
//! documentation of cloud providers. Ranges that the registries call globally reachable are here
//! too: no merchant's endpoint is in them. `ipnet` has no such list, and `Ipv4Addr::is_global` of
//! the standard library is unstable.

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use std::net::{Ipv4Addr, Ipv6Addr};

/// Forbidden under every policy: link-local addresses, metadata services, multicast, and the
/// special-purpose ranges that are not private.
pub(super) const FORBIDDEN: &[IpNet] = &[
    v4(0, 0, 0, 0, 8),
    // The metadata service of Alibaba Cloud.
    v4(100, 100, 100, 200, 32),
    // The platform's services on Azure (metadata, DNS, health probes).
    v4(168, 63, 129, 16, 32),
    v4(169, 254, 0, 0, 16),
    v4(192, 0, 0, 0, 24),
    v4(192, 0, 2, 0, 24),
    v4(192, 31, 196, 0, 24),
    v4(192, 52, 193, 0, 24),
    v4(192, 88, 99, 0, 24),
    v4(192, 175, 48, 0, 24),
    v4(198, 18, 0, 0, 15),
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    // Multicast, reserved, broadcast.
    v4(224, 0, 0, 0, 3),
    // Metadata services of Oracle Cloud, AWS and Google Cloud inside fc00::/7.
    v6([0xfd00, 0x00c1, 0, 0], 32),
    v6([0xfd00, 0x0ec2, 0, 0], 32),
    v6([0xfd20, 0x00ce, 0, 0], 32),
    // IETF protocol assignments, with Teredo (2001::/32) and ORCHID.
    v6([0x2001, 0, 0, 0], 23),
    v6([0x2001, 0x0db8, 0, 0], 32),
    // 6to4, which embeds an IPv4 address.
    v6([0x2002, 0, 0, 0], 16),
    v6([0x2620, 0x004f, 0x8000, 0], 48),
    v6([0x3fff, 0, 0, 0], 20),
];

/// Global unicast. Everything else of IPv6 is forbidden unless it is private: `::/96`
/// (IPv4-compatible), `64:ff9b::/96` and `64:ff9b:1::/48` (NAT64), `100::/64`, `5f00::/16`,
/// `fe80::/10`, `ff00::/8`, and what is not assigned.
pub(super) const GLOBAL_UNICAST_V6: IpNet = v6([0x2000, 0, 0, 0], 3);

/// This machine, and private networks.
pub(super) const PRIVATE: &[IpNet] = &[
    v4(10, 0, 0, 0, 8),
    v4(100, 64, 0, 0, 10),
    v4(127, 0, 0, 0, 8),
    v4(172, 16, 0, 0, 12),
    v4(192, 168, 0, 0, 16),
    IpNet::V6(Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128)),
    v6([0xfc00, 0, 0, 0], 7),
    // Site-local, deprecated by RFC 3879.
    v6([0xfec0, 0, 0, 0], 10),
];

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> IpNet {
    IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix))
}

/// A network by the first half of its address.
const fn v6([a, b, c, d]: [u16; 4], prefix: u8) -> IpNet {
    IpNet::V6(Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0), prefix))
}
