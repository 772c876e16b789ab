//! What a secret key may do (docs/reference/credentials.md#scopes).

use super::{
    string_enum,
    transaction_type::TransactionType::{self, Charge, Payout, Refund as Refunds},
};
use std::{fmt, str::FromStr};

string_enum! {
    /// The generation of a secret key (docs/reference/credentials.md).
    pub enum Generation {
        /// `sk_…`: charges and payouts.
        V1 = "v1",
        /// `tua_…_v2_…`: every route of a merchant.
        V2 = "v2",
    }
}

string_enum! {
    /// A permission of a secret key.
    pub enum KeyScope {
        /// Begins charges and checkout sessions, and reads both.
        Collect = "collect",
        /// Begins and cancels payouts, and reads them.
        Payout = "payout",
        /// Refunds charges, and reads both.
        Refund = "refund",
        /// Reads everything of its account and mode, except webhook endpoints.
        Read = "read",
        /// Adds, reads, changes and removes webhook endpoints.
        Webhooks = "webhooks",
    }
}

impl KeyScope {
    const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// The types of transactions that it allows to read.
    const fn readable_types(self) -> &'static [TransactionType] {
        match self {
            Self::Collect => &[Charge],
            Self::Refund => &[Charge, Refunds],
            Self::Payout => &[Payout],
            Self::Read => TransactionType::ALL,
            Self::Webhooks => &[],
        }
    }
}

/// The scopes of one key: at least one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyScopes(u8);

impl KeyScopes {
    /// The largest set that a key of this generation may have.
    #[must_use]
    pub fn all_of(generation: Generation) -> Self {
        Self::union(match generation {
            // Its only routes begin charges and payouts.
            Generation::V1 => &[KeyScope::Collect, KeyScope::Payout],
            Generation::V2 => KeyScope::ALL,
        })
    }

    fn union(scopes: &[KeyScope]) -> Self {
        Self(scopes.iter().fold(0, |bits, scope| bits | scope.bit()))
    }

    /// These scopes; `None` where there are none.
    #[must_use]
    pub fn new(scopes: &[KeyScope]) -> Option<Self> {
        (!scopes.is_empty()).then(|| Self::union(scopes))
    }

    /// Whether it has this scope.
    #[must_use]
    pub const fn contains(self, scope: KeyScope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether every scope of the other set is also in this one.
    #[must_use]
    pub const fn is_superset(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Its scopes, in the order of declaration.
    pub fn iter(self) -> impl Iterator<Item = KeyScope> {
        KeyScope::ALL.iter().copied().filter(move |scope| self.contains(*scope))
    }

    /// Whether its key may read transactions of this type.
    #[must_use]
    pub fn may_read(self, wanted: TransactionType) -> bool {
        self.iter().any(|scope| scope.readable_types().contains(&wanted))
    }
}

impl fmt::Display for KeyScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iter().map(KeyScope::as_str).collect::<Vec<_>>().join(","))
    }
}

impl fmt::Debug for KeyScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl FromStr for KeyScopes {
    type Err = String;

    /// Reads names separated by commas.
    fn from_str(text: &str) -> Result<Self, String> {
        let scopes: Option<Vec<KeyScope>> =
            text.split(',').map(|name| KeyScope::parse(name.trim())).collect();
        scopes.as_deref().and_then(Self::new).ok_or_else(|| {
            let names: Vec<&str> = KeyScope::ALL.iter().map(|scope| scope.as_str()).collect();
            format!("it must be one or more of {}, separated by commas", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_read_as_they_are_written() {
        for bits in 1..32 {
            let scopes = KeyScopes(bits);
            assert_eq!(scopes.to_string().parse(), Ok(scopes));
        }
        assert_eq!(
            " read, collect,read".parse::<KeyScopes>().map(|scopes| scopes.to_string()),
            Ok("collect,read".into())
        );
        for text in ["", ",", "collect,", "Collect", "admin", "collect read"] {
            assert!(text.parse::<KeyScopes>().is_err(), "{text:?}");
        }
        assert_eq!(KeyScopes::new(&[]), None);
    }

    #[test]
    fn a_set_reads_only_its_own() {
        let reads = |text: &str| {
            let scopes: KeyScopes = text.parse().unwrap();
            (scopes.may_read(Charge), scopes.may_read(Payout), scopes.may_read(Refunds))
        };
        assert_eq!(reads("collect"), (true, false, false));
        assert_eq!(reads("refund"), (true, false, true));
        assert_eq!(reads("payout"), (false, true, false));
        assert_eq!(reads("read"), (true, true, true));
        assert_eq!(reads("collect,payout"), (true, true, false));
        assert_eq!(reads("webhooks"), (false, false, false));
    }

    #[test]
    fn a_v1_key_collects_and_pays_out_at_most() {
        assert_eq!(KeyScopes::all_of(Generation::V1).to_string(), "collect,payout");
        assert_eq!(
            KeyScopes::all_of(Generation::V2).to_string(),
            "collect,payout,refund,read,webhooks"
        );
        assert!(KeyScopes::all_of(Generation::V2).is_superset(KeyScopes::all_of(Generation::V1)));
        assert!(!KeyScopes::all_of(Generation::V1).is_superset(KeyScopes::all_of(Generation::V2)));
    }
}
