//! The prefixes of IP addresses by which clients are told apart: by limits of requests and
//! connections, and by attempts to sign in.

use ipnet::IpNet;
use std::net::IpAddr;

/// The prefix of an address, of so many bits.
///
/// # Panics
/// If there are more bits than such an address has.
#[must_use]
pub fn prefix(address: IpAddr, ipv4_bits: u8, ipv6_bits: u8) -> IpNet {
    let address = address.to_canonical();
    let bits = if address.is_ipv4() { ipv4_bits } else { ipv6_bits };
    IpNet::new_assert(address, bits).trunc()
}

/// The prefix that one client has: the address, and of IPv6 the /64, which is what one household or
/// server is assigned (RFC 6177).
#[must_use]
pub fn counted_prefix(address: IpAddr) -> IpAddr {
    prefix(address, 32, 64).addr()
}

/// The site that an IPv6 address is in: the /48, which is the most that one customer is usually
/// assigned (RFC 6177): 65,536 of the prefixes that [`counted_prefix`] tells apart.
#[must_use]
pub fn counted_site(address: IpAddr) -> Option<IpAddr> {
    address.to_canonical().is_ipv6().then(|| prefix(address, 32, 48).addr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_addresses_of_an_ipv6_prefix_are_counted_together() {
        let of = |text: &str| counted_prefix(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }
}
