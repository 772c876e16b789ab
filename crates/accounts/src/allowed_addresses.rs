//! The addresses from which a secret key may be used
//! (docs/reference/credentials.md#addresses-of-a-key).

use ipnet::IpNet;
use std::{fmt, net::IpAddr, str::FromStr};

/// The largest number of networks of one key: a list that a person can check.
const MAX_NETWORKS: usize = 32;

/// One or more networks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AllowedAddresses(Vec<IpNet>);

impl AllowedAddresses {
    /// Whether this client address is in one of the networks. An IPv4-mapped IPv6 address counts as
    /// IPv4.
    #[must_use]
    pub fn contain(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Each network as text.
    pub fn iter(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(ToString::to_string)
    }
}

impl fmt::Display for AllowedAddresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iter().collect::<Vec<_>>().join(","))
    }
}

impl FromStr for AllowedAddresses {
    type Err = String;

    /// Reads networks and single addresses, separated by commas.
    fn from_str(text: &str) -> Result<Self, String> {
        let networks =
            text.split(',').map(|entry| network(entry.trim())).collect::<Result<Vec<_>, _>>()?;
        match networks.len() {
            ..=MAX_NETWORKS => Ok(Self(networks)),
            _ => Err(format!("it must be at most {MAX_NETWORKS} networks")),
        }
    }
}

fn network(entry: &str) -> Result<IpNet, String> {
    let address = || entry.parse::<IpAddr>().map(|address| IpNet::from(address.to_canonical()));
    match entry.parse::<IpNet>().map(|network| network.trunc()).or_else(|_| address()) {
        Ok(network) if network.prefix_len() == 0 => Err(format!(
            "{entry:?} is every address; without this flag a key may be used from everywhere"
        )),
        Ok(network) => Ok(network),
        Err(_) => Err(format!("{entry:?} is not an address or a network such as 203.0.113.0/24")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_and_single_addresses_contain_their_addresses() {
        let allowed: AllowedAddresses =
            "203.0.113.7, 10.1.2.3/8,2001:db8::/32, ::ffff:192.0.2.1".parse().unwrap();
        assert_eq!(allowed.to_string(), "203.0.113.7/32,10.0.0.0/8,2001:db8::/32,192.0.2.1/32");
        assert_eq!(allowed.to_string().parse(), Ok(allowed.clone()));
        for (address, expected) in [
            ("203.0.113.7", true),
            ("203.0.113.8", false),
            ("10.255.255.255", true),
            ("::ffff:10.0.0.1", true),
            ("2001:db8::1", true),
            ("2001:db9::1", false),
            ("192.0.2.1", true),
            ("::1", false),
        ] {
            assert_eq!(allowed.contain(address.parse().unwrap()), expected, "{address}");
        }
    }

    #[test]
    fn what_is_not_a_network_or_is_every_address_is_rejected() {
        let many = ["10.0.0.1"; MAX_NETWORKS + 1].join(",");
        for text in
            ["", "10.0.0.1,", "shop.example", "10.0.0.0/33", "0.0.0.0/0", "10.0.0.1,::/0", &many]
        {
            assert!(text.parse::<AllowedAddresses>().is_err(), "{text:?}");
        }
    }
}
