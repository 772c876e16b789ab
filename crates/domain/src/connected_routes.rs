//! The networks and directions that an operator serves which people connected in the dashboard.

use crate::Kind;
use std::collections::BTreeSet;
use tua_contract::Network;

/// Networks and directions that a connected operator serves.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ConnectedRoutes {
    /// The positions of networks and directions in their enums.
    known: BTreeSet<(usize, usize)>,
    /// What a row has that this version does not know, such as a network of a later version. It is
    /// kept in the row.
    unknown: BTreeSet<String>,
}

impl ConnectedRoutes {
    /// Whether it serves this network and direction.
    #[must_use]
    pub fn has(&self, network: Network, kind: Kind) -> bool {
        self.known.contains(&(network as usize, kind as usize))
    }

    /// The networks and directions, in the order of the networks.
    pub fn iter(&self) -> impl Iterator<Item = (Network, Kind)> {
        let all = Network::ALL
            .into_iter()
            .flat_map(|network| Kind::ALL.iter().map(move |kind| (network, *kind)));
        all.filter(|(network, kind)| self.has(*network, *kind))
    }

    /// Those that `other` has not.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        Self {
            known: self.known.difference(&other.known).copied().collect(),
            unknown: self.unknown.difference(&other.unknown).cloned().collect(),
        }
    }

    /// The written form, such as `MTN:CHARGE TELECEL:CHARGE`.
    #[must_use]
    pub fn to_text(&self) -> String {
        let known =
            self.iter().map(|(network, kind)| format!("{}:{}", network.as_str(), kind.as_str()));
        known.chain(self.unknown.iter().cloned()).collect::<Vec<_>>().join(" ")
    }

    /// Reads the written form. `None` if a word is not a network and a direction.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Some(Self::of_row(text)).filter(|routes| routes.unknown.is_empty())
    }

    /// Reads the written form of a row. What this version does not know is kept, and serves
    /// nothing.
    #[must_use]
    pub fn of_row(text: &str) -> Self {
        let mut routes = Self::default();
        for word in text.split_whitespace() {
            match parse_word(word) {
                Some((network, kind)) => {
                    routes.known.insert((network as usize, kind as usize));
                }
                None => {
                    routes.unknown.insert(word.to_owned());
                }
            }
        }
        routes
    }
}

fn parse_word(word: &str) -> Option<(Network, Kind)> {
    let (network, kind) = word.split_once(':')?;
    Some((Network::parse(network)?, Kind::parse(kind)?))
}

impl FromIterator<(Network, Kind)> for ConnectedRoutes {
    fn from_iter<I: IntoIterator<Item = (Network, Kind)>>(routes: I) -> Self {
        let known = routes.into_iter().map(|(network, kind)| (network as usize, kind as usize));
        Self { known: known.collect(), unknown: BTreeSet::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_read_from_their_text() {
        let all = ConnectedRoutes::from_iter([
            (Network::Telecel, Kind::Payout),
            (Network::Mtn, Kind::Charge),
        ]);
        assert_eq!(all.to_text(), "MTN:CHARGE TELECEL:PAYOUT");
        assert_eq!(ConnectedRoutes::parse(&all.to_text()), Some(all));
        assert_eq!(ConnectedRoutes::parse(""), Some(ConnectedRoutes::default()));
        assert_eq!(ConnectedRoutes::parse("MTN"), None);
        assert_eq!(ConnectedRoutes::parse("MTN:REFUND"), None);
    }

    #[test]
    fn a_row_of_a_later_version_is_read_and_kept() {
        let routes = ConnectedRoutes::of_row("MTN:CHARGE NEXT:CHARGE");
        assert!(routes.has(Network::Mtn, Kind::Charge));
        assert_eq!(routes.iter().count(), 1);
        let mtn = ConnectedRoutes::from_iter([(Network::Mtn, Kind::Charge)]);
        assert_eq!(routes.without(&mtn).to_text(), "NEXT:CHARGE");
        assert_eq!(ConnectedRoutes::parse("NEXT:CHARGE"), None, "what people choose is known");
    }
}
