//! The characters of texts that people type or paste: digits of every script, and characters that nobody sees.
//!
//! The API does not use this: it accepts ASCII digits only. Forms and files do. Specified in
//! `docs/reference/values.md#typed-texts`.

/// The zero of each script's decimal digits (Unicode 16, general category Nd). The nine digits after each zero follow it.
const ZEROS: [u32; 76] = [
    0x0030, 0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6,
    0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40,
    0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x10d40, 0x11066,
    0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x116d0, 0x116da, 0x11730, 0x118e0,
    0x11950, 0x11bf0, 0x11c50, 0x11d50, 0x11da0, 0x11f50, 0x16130, 0x16a60, 0x16ac0, 0x16b50, 0x16d70, 0x1ccf0,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e5f1, 0x1e950, 0x1fbf0,
];

/// The ASCII digit that this digit of any script means; `None` for a character that is no decimal digit.
#[must_use]
pub fn ascii_digit(character: char) -> Option<char> {
    let code = u32::from(character);
    ZEROS.iter().find_map(|zero| char::from_digit(code.checked_sub(*zero)?, 10))
}

/// Whether nobody sees this character: it marks a writing direction, a place for a line break or a variant, or it only
/// joins its neighbours. White space is not invisible.
#[must_use]
pub const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// The text with ASCII digits, without invisible characters.
#[must_use]
pub fn plain_text(text: &str) -> String {
    text.chars().filter(|character| !is_invisible(*character)).map(|c| ascii_digit(c).unwrap_or(c)).collect()
}

/// Whether people write this character between the parts of a number or code: white space, and every kind of dash.
#[must_use]
pub fn is_space_or_dash(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn digits_of_every_script_are_digits() {
        for (text, expected) in [
            ("0123456789", "0123456789"),
            ("٠١٢٣٤٥٦٧٨٩", "0123456789"),
            ("۰۱۲۳۴۵۶۷۸۹", "0123456789"),
            ("０１２３４５６７８９", "0123456789"),
            ("०१२३४५६७८९", "0123456789"),
            ("߀߁߂߃߄߅߆߇߈߉", "0123456789"),
            ("𝟎𝟏𝟘𝟡𝟿", "01099"),
        ] {
            assert_eq!(plain_text(text), expected, "{text}");
        }
        for character in ['²', '①', '½', '一', 'Ⅳ', 'a', ' ', '.', '\u{0}', char::MAX] {
            assert_eq!(ascii_digit(character), None, "{character:?}");
        }
    }

    #[test]
    fn the_zeros_are_the_digits_that_the_standard_library_knows() {
        for zero in ZEROS {
            // The library may know an older Unicode than this table: then it knows none of these ten.
            let known = (zero..zero + 10).filter(|code| char::from_u32(*code).is_some_and(char::is_numeric)).count();
            assert!(known == 10 || known == 0, "U+{zero:04X}");
        }
    }

    #[test]
    fn invisible_characters_are_nothing() {
        assert_eq!(plain_text("\u{feff}02\u{200b}4\u{2060}\u{ad}\u{200d}\u{202a}1\u{2069}\u{fe0f}"), "0241");
        for character in [' ', '\u{a0}', '\u{202f}', '\u{3000}', '\t', '\n', 'a', '.', '-', '\u{0}'] {
            assert!(!is_invisible(character), "{character:?}");
        }
    }

    proptest! {
        #[test]
        fn a_plain_text_stays_as_it_is(text in "\\PC{0,40}") {
            let plain = plain_text(&text);
            prop_assert_eq!(plain_text(&plain), plain.clone());
            prop_assert!(!plain.chars().any(is_invisible));
        }
    }
}
