//! Ghana's three mobile-money networks.

use crate::Phone;
use std::fmt;

/// A mobile-money network. Specified in `docs/reference/values.md#networks`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Network {
    /// MTN MoMo, the wallet of MTN.
    Mtn,
    /// Telecel Cash, formerly Vodafone Cash.
    Telecel,
    /// AT Money, the wallet of AirtelTigo.
    AirtelTigo,
}

impl Network {
    /// All networks, in the order in which the form shows them.
    pub const ALL: [Self; 3] = [Self::Mtn, Self::Telecel, Self::AirtelTigo];

    /// The name in JSON: `MTN`, `TELECEL` or `AIRTELTIGO`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mtn => "MTN",
            Self::Telecel => "TELECEL",
            Self::AirtelTigo => "AIRTELTIGO",
        }
    }

    /// Parses the name as it appears in JSON. `None` for any other text; the comparison is
    /// case-sensitive.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|network| network.as_str() == name)
    }

    /// The network that a common name stands for, such as `mtn`, `Vodafone Cash` or `AT`. Case and
    /// separators are ignored. It is a guess: use it in the text of an error, or where a person
    /// confirms the result before money moves. `None` where no network has that name.
    #[must_use]
    pub fn meant_by(text: &str) -> Option<Self> {
        // Longer than every name, with separators.
        const MAX_CHARS: usize = 32;
        let letters = text.chars().take(MAX_CHARS).filter(char::is_ascii_alphanumeric);
        let name: String = letters.map(|letter| letter.to_ascii_uppercase()).collect();
        match name.as_str() {
            "MTN" | "MTNMOMO" | "MTNMOBILEMONEY" | "MTNGHANA" | "MTNGH" | "MOMO" => Some(Self::Mtn),
            "TELECEL" | "TELECELCASH" | "TELECELGHANA" | "TELECELVODAFONE" | "VODAFONE"
            | "VODAFONECASH" | "VODAFONEGHANA" | "VODAFONETELECEL" | "VODACASH" | "VODA"
            | "VOD" => Some(Self::Telecel),
            "AT" | "ATL" | "ATMONEY" | "ATCASH" | "ATGHANA" | "AIRTEL" | "AIRTELMONEY"
            | "AIRTELCASH" | "TIGO" | "TIGOCASH" | "AIRTELTIGO" | "AIRTELTIGOMONEY"
            | "AIRTELTIGOCASH" => Some(Self::AirtelTigo),
            _ => None,
        }
    }

    /// The network to which the numbering plan of Ghana assigned the number's prefix. `None` for
    /// other prefixes.
    ///
    /// This is only a hint: Ghana has mobile number portability since 2011.
    /// A mismatch is never a reason to refuse a payment.
    #[must_use]
    pub fn hinted_by(phone: &Phone) -> Option<Self> {
        Self::hinted_by_prefix(&phone.as_str()[..3])
    }

    /// The same for the first three digits, while the payer is still typing.
    #[must_use]
    pub fn hinted_by_prefix(prefix: &str) -> Option<Self> {
        let [b'0', tens @ b'0'..=b'9', ones @ b'0'..=b'9'] = *prefix.as_bytes() else {
            return None;
        };
        match (tens - b'0') * 10 + (ones - b'0') {
            24 | 25 | 53 | 54 | 55 | 59 => Some(Self::Mtn),
            20 | 50 => Some(Self::Telecel),
            23 | 26 | 27 | 56 | 57 => Some(Self::AirtelTigo),
            _ => None,
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exact_names_are_parsed() {
        for network in Network::ALL {
            assert_eq!(Network::parse(network.as_str()), Some(network));
        }
        for name in ["mtn", "MTN ", "VODAFONE", ""] {
            assert_eq!(Network::parse(name), None, "{name:?}");
        }
    }

    #[test]
    fn a_name_that_is_not_exact_means_at_most_one_network() {
        for (text, expected) in [
            ("mtn", Some(Network::Mtn)),
            ("MTN MoMo", Some(Network::Mtn)),
            ("Vodafone", Some(Network::Telecel)),
            ("telecel-cash", Some(Network::Telecel)),
            ("AT", Some(Network::AirtelTigo)),
            ("AirtelTigo", Some(Network::AirtelTigo)),
            ("GLO", None),
            ("", None),
            ("MTN or TELECEL", None),
        ] {
            assert_eq!(Network::meant_by(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_prefix_hints_at_the_network_that_it_was_assigned_to() {
        let hint = |number: &str| Network::hinted_by(&Phone::parse(number).unwrap());
        assert_eq!(hint("0241234567"), Some(Network::Mtn));
        assert_eq!(hint("0591234567"), Some(Network::Mtn));
        assert_eq!(hint("0501234567"), Some(Network::Telecel));
        assert_eq!(hint("0231234567"), Some(Network::AirtelTigo));
        assert_eq!(hint("0281234567"), None);
    }
}
