//! The normal form of texts that people type, which the parsers of forms read. Specified in
//! `docs/reference/values.md#typed-numbers`.

use crate::typed_text::{ascii_digit, is_invisible};

/// Replaces digits of any script by ASCII digits, and removes invisible characters.
#[must_use]
pub fn normalize_text(text: &str) -> String {
    text.chars()
        .filter(|character| !is_invisible(*character))
        .map(|c| ascii_digit(c).unwrap_or(c))
        .collect()
}

/// The text without invisible characters and without white space around it: an address or an id
/// that somebody typed or copied. Its digits stay as they are.
#[must_use]
pub fn visible(text: &str) -> String {
    let seen: String = text.chars().filter(|character| !is_invisible(*character)).collect();
    seen.trim_matches(is_white_space).to_owned()
}

/// Whether a character is white space by Unicode. As `char::is_whitespace`, which would add its
/// table to the wasm.
pub(crate) const fn is_white_space(character: char) -> bool {
    matches!(
        character,
        '\t'..='\r' | ' ' | '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}'
            | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// Whether people type this character between the parts of a number or code: white space, or any
/// kind of dash.
#[must_use]
pub fn is_space_or_dash(character: char) -> bool {
    is_white_space(character)
        || matches!(character, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}')
}

/// Whether a text has only white space and invisible characters, or nothing.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|character| is_white_space(character) || is_invisible(character))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn digits_are_ascii_and_invisible_characters_are_nothing() {
        assert_eq!(
            normalize_text("\u{feff}٠2\u{200b}۴\u{2060}\u{ad}\u{200d}\u{202a}１\u{2069}\u{fe0f}"),
            "0241"
        );
        assert_eq!(normalize_text("024 12²"), "024 12²");
    }

    #[test]
    fn a_visible_text_keeps_its_digits_and_the_spaces_in_it() {
        let copied = "\u{feff} a\u{ad}ma٢@\u{200b}example.com\u{2060} \u{200e}";
        assert_eq!(visible(copied), "ama٢@example.com");
        assert_eq!(visible(" Adom  Stores\u{a0}"), "Adom  Stores");
    }

    #[test]
    fn a_text_that_nobody_sees_is_blank() {
        assert!(is_blank("") && is_blank(" \u{200b}\u{a0}\u{feff}"));
        assert!(!is_blank(".") && !is_blank("0"));
    }

    #[test]
    fn white_space_is_that_of_unicode() {
        for character in '\0'..=char::MAX {
            assert_eq!(is_white_space(character), character.is_whitespace(), "{character:?}");
        }
    }

    proptest! {
        #[test]
        fn normalization_is_idempotent(text in "\\PC{0,40}") {
            let normal = normalize_text(&text);
            prop_assert_eq!(normalize_text(&normal), normal);
        }
    }
}
