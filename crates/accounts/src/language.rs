//! The languages in which people are written to.

use std::fmt;

/// A language tag (RFC 5646), such as `fr`, of the texts that a person has seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LanguageTag(String);

impl LanguageTag {
    /// The longest tag that is accepted, in bytes.
    const MAX_BYTES: usize = 35;

    /// The tag in lower case. `None` if the text is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_part = |part: &str| {
            (1..=8).contains(&part.len()) && part.bytes().all(|one| one.is_ascii_alphanumeric())
        };
        let is_tag = text.len() <= Self::MAX_BYTES && text.split('-').all(is_part);
        is_tag.then(|| Self(text.to_ascii_lowercase()))
    }

    /// The tag as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The language without region and script.
    #[must_use]
    pub fn primary(&self) -> &str {
        self.0.split('-').next().unwrap_or_default()
    }
}

impl fmt::Display for LanguageTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_tag_has_only_letters_digits_and_hyphens() {
        assert_eq!(LanguageTag::parse("fr-GH").unwrap().primary(), "fr");
        for text in ["", "fr_GH", "fr-", "<script>", &"a-".repeat(20), "abcdefghi"] {
            assert_eq!(LanguageTag::parse(text), None, "{text}");
        }
    }
}
