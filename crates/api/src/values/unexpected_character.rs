//! Names a character that a value must not have: an invisible one shows in no editor and in no log.

use tua_contract::typed_text::{ascii_digit, is_invisible};

/// The names of white space and invisible characters (Unicode 16), by code point.
const NAMES: [(char, &str); 30] = [
    ('\t', "CHARACTER TABULATION"),
    ('\n', "LINE FEED"),
    ('\r', "CARRIAGE RETURN"),
    (' ', "SPACE"),
    ('\u{a0}', "NO-BREAK SPACE"),
    ('\u{ad}', "SOFT HYPHEN"),
    ('\u{34f}', "COMBINING GRAPHEME JOINER"),
    ('\u{61c}', "ARABIC LETTER MARK"),
    ('\u{180e}', "MONGOLIAN VOWEL SEPARATOR"),
    ('\u{2007}', "FIGURE SPACE"),
    ('\u{2009}', "THIN SPACE"),
    ('\u{200b}', "ZERO WIDTH SPACE"),
    ('\u{200c}', "ZERO WIDTH NON-JOINER"),
    ('\u{200d}', "ZERO WIDTH JOINER"),
    ('\u{200e}', "LEFT-TO-RIGHT MARK"),
    ('\u{200f}', "RIGHT-TO-LEFT MARK"),
    ('\u{202a}', "LEFT-TO-RIGHT EMBEDDING"),
    ('\u{202b}', "RIGHT-TO-LEFT EMBEDDING"),
    ('\u{202c}', "POP DIRECTIONAL FORMATTING"),
    ('\u{202d}', "LEFT-TO-RIGHT OVERRIDE"),
    ('\u{202e}', "RIGHT-TO-LEFT OVERRIDE"),
    ('\u{202f}', "NARROW NO-BREAK SPACE"),
    ('\u{2060}', "WORD JOINER"),
    ('\u{2066}', "LEFT-TO-RIGHT ISOLATE"),
    ('\u{2067}', "RIGHT-TO-LEFT ISOLATE"),
    ('\u{2068}', "FIRST STRONG ISOLATE"),
    ('\u{2069}', "POP DIRECTIONAL ISOLATE"),
    ('\u{3000}', "IDEOGRAPHIC SPACE"),
    ('\u{fe0f}', "VARIATION SELECTOR-16"),
    ('\u{feff}', "ZERO WIDTH NO-BREAK SPACE"),
];

/// A sentence about the first character that is not expected, with a space before it: ` It has
/// U+200B ZERO WIDTH SPACE at position 4.` Positions count characters from 1. Empty where every
/// character is expected.
#[must_use]
pub fn unexpected_character(text: &str, is_expected: impl Fn(char) -> bool) -> String {
    let mut characters = text.chars().zip(1_u32..);
    let found = characters.find(|(character, _)| !is_expected(*character));
    found.map_or_else(String::new, |(character, at)| {
        format!(" It has U+{:04X} {} at position {at}.", u32::from(character), name(character))
    })
}

fn name(character: char) -> String {
    let known =
        NAMES.iter().find(|(named, _)| *named == character).map(|(_, name)| (*name).to_owned());
    known.unwrap_or_else(|| match ascii_digit(character) {
        _ if character.is_control() => "(a control character)".to_owned(),
        _ if is_invisible(character) || character.is_whitespace() => "(invisible)".to_owned(),
        Some(digit) => format!("({character}, the digit {digit} of another script)"),
        None => format!("({character})"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_character_that_is_not_expected_is_named() {
        for (text, sentence) in [
            ("0241234567", ""),
            ("024\u{200b}1234567", " It has U+200B ZERO WIDTH SPACE at position 4."),
            ("\u{feff}0241234567", " It has U+FEFF ZERO WIDTH NO-BREAK SPACE at position 1."),
            ("٠٢٤", " It has U+0660 (٠, the digit 0 of another script) at position 1."),
            ("024 123", " It has U+0020 SPACE at position 4."),
            ("024-123", " It has U+002D (-) at position 4."),
            ("é24", " It has U+00E9 (é) at position 1."),
            ("0\u{0}", " It has U+0000 (a control character) at position 2."),
            ("0\u{e0001}", " It has U+E0001 (\u{e0001}) at position 2."),
        ] {
            assert_eq!(
                unexpected_character(text, |character| character.is_ascii_digit()),
                sentence,
                "{text:?}"
            );
        }
        assert!(NAMES.is_sorted_by_key(|(character, _)| character));
    }
}
