//! The name that an operator has registered for the owner of a wallet. It is shown before money is
//! sent, and never stored.

use std::{collections::HashSet, fmt};

/// What is known about the owner of a wallet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecipientName {
    /// The name at the operator.
    Registered(RegisteredName),
    /// The operator reports that the number has no wallet.
    NoWallet,
    /// The operator did not respond in time, or not as documented.
    Unknown,
    /// No operator of the account reports names for this network.
    NotOffered,
    /// Too many other names were asked for.
    NotAsked,
}

/// A registered name. Its `Debug` output has no letter of it, so that no log has one.
#[derive(Clone, PartialEq, Eq)]
pub struct RegisteredName(String);

/// How many characters of a word are shown.
const WORD_MAX_CHARS: usize = 40;

impl RegisteredName {
    /// A name as the operator has it.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self(name.to_owned())
    }

    /// The first word, and the initials of the others: `Ama S. M.` Enough to recognise a person,
    /// and no list of names.
    #[must_use]
    pub fn masked(&self) -> String {
        let shown =
            |word: &str| -> String { word.chars().filter(|one| !one.is_control()).collect() };
        let mut words = self.0.split_whitespace().map(shown).filter(|word| !word.is_empty());
        let first: String = words.next().unwrap_or_default().chars().take(WORD_MAX_CHARS).collect();
        words
            .filter_map(|word| word.chars().next())
            .fold(first, |name, initial| format!("{name} {initial}."))
    }

    /// Whether another spelling names the same person: every word of the shorter name is in the
    /// longer one, in any order and case.
    #[must_use]
    pub fn agrees_with(&self, other: &str) -> bool {
        let own = words(&self.0);
        let other = words(other);
        let (shorter, longer) = if own.len() < other.len() { (own, other) } else { (other, own) };
        !shorter.is_empty() && shorter.is_subset(&longer)
    }
}

fn words(name: &str) -> HashSet<String> {
    let words = name.split(|one: char| !one.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

impl fmt::Debug for RegisteredName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RegisteredName(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shown_by_its_first_word_and_initials() {
        for (name, shown) in [
            ("Ama Mensah", "Ama M."),
            (" AMA  SERWAA\tMENSAH ", "AMA S. M."),
            ("Ama", "Ama"),
            ("", ""),
            ("Élodie Ŋ", "Élodie Ŋ."),
        ] {
            assert_eq!(RegisteredName::new(name).masked(), shown);
        }
        assert_eq!(RegisteredName::new(&"a".repeat(100)).masked().len(), WORD_MAX_CHARS);
        assert!(!format!("{:?}", RegisteredName::new("Ama Mensah")).contains("Ama"));
    }

    #[test]
    fn names_agree_in_any_order_and_case_and_with_fewer_words() {
        let name = RegisteredName::new("AMA SERWAA MENSAH");
        for same in ["Ama Mensah", "Mensah, Ama", "mensah ama serwaa", "Ama Serwaa Abena Mensah"] {
            assert!(name.agrees_with(same), "{same}");
        }
        for other in ["Kofi Mensah", "Am Mensah", "", " - "] {
            assert!(!name.agrees_with(other), "{other}");
        }
    }
}
