//! The table `[networks]` of the settings.

use toml::Table;
use tua_contract::Network;
use tua_domain::routing::{EndedNetworks, NetworkEnd};

/// The value of a network that takes no new payments.
const RETIRED: &str = "retired";

/// Reads the table `[networks]`: for each network that has ended `"retired"`, or the network that
/// it became a part of.
///
/// # Errors
/// Every fault, each as a sentence that names the setting.
pub fn read_ended_networks(table: Table) -> Result<EndedNetworks, Vec<String>> {
    let mut ended = EndedNetworks::default();
    let mut faults = Vec::new();
    for (name, value) in table {
        let end = value.as_str().and_then(|text| match (text, Network::parse(text)) {
            (RETIRED, _) => Some(NetworkEnd::Retired),
            (_, Some(other)) => Some(NetworkEnd::MovedTo(other)),
            (_, None) => None,
        });
        match (Network::parse(&name), end) {
            (None, _) => faults.push(format!(
                "networks.{name}: there is no such network; there are MTN, TELECEL and AIRTELTIGO"
            )),
            (Some(_), None) => {
                faults.push(format!(
                    "networks.{name}: must be \"{RETIRED}\", or the network that \
                     it became a part of"
                ));
            }
            (Some(network), Some(end)) => ended = ended.with(network, end),
        }
    }
    let chained = ended.moved().filter(|(_, other)| ended.end_of(*other).is_some());
    faults.extend(chained.map(|(network, other)| {
        format!("networks.{network}: {other} has ended too; name a network that goes on")
    }));
    if faults.is_empty() { Ok(ended) } else { Err(faults) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_retired_or_moved_to_one_that_goes_on() {
        let read = |text: &str| read_ended_networks(text.parse().unwrap());
        assert_eq!(read(""), Ok(EndedNetworks::default()));
        let moved = read("AIRTELTIGO = \"TELECEL\"").unwrap();
        assert_eq!(moved.sent_as(Network::AirtelTigo), Network::Telecel);
        assert_eq!(moved.sent_as(Network::Mtn), Network::Mtn);
        let retired = read("AIRTELTIGO = \"retired\"").unwrap();
        assert_eq!(retired.end_of(Network::AirtelTigo), Some(NetworkEnd::Retired));
        assert_eq!(retired.moved().count(), 0);
        for text in [
            "AIRTELTIGO = \"AIRTELTIGO\"",
            "AIRTELTIGO = \"TELECEL\"\nTELECEL = \"retired\"",
            "AIRTELTIGO = \"gone\"",
            "AIRTELTIGO = true",
            "AT = \"TELECEL\"",
        ] {
            let faults = read(text).unwrap_err();
            assert!(faults.len() == 1 && faults[0].starts_with("networks."), "{text}: {faults:?}");
        }
    }
}
