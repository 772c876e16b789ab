//! The characters of numbers that people type or copy: digits of any script, and characters that
//! nobody sees. Specified in `docs/reference/values.md#typed-numbers`.

/// The zeros of the scripts of Unicode's Basic Multilingual Plane (decimal digits). Nine digits
/// follow each.
const ZEROS: [u16; 37] = [
    0x0030, 0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6,
    0x0d66, 0x0de6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80,
    0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
    0xff10,
];

/// The same of the Supplementary Multilingual Plane, less 0x10000.
const SUPPLEMENTARY_ZEROS: [u16; 37] = [
    0x04a0, 0x0d30, 0x0d40, 0x1066, 0x10f0, 0x1136, 0x11d0, 0x12f0, 0x1450, 0x14d0, 0x1650, 0x16c0,
    0x16d0, 0x16da, 0x1730, 0x18e0, 0x1950, 0x1bf0, 0x1c50, 0x1d50, 0x1da0, 0x1f50, 0x6a60, 0x6ac0,
    0x6b50, 0xccf0, 0xd7ce, 0xd7d8, 0xd7e2, 0xd7ec, 0xd7f6, 0xe140, 0xe2f0, 0xe4f0, 0xe5f1, 0xe950,
    0xfbf0,
];

/// The ASCII digit of a decimal digit of any script: `2` for `2`, `٢`, `۲` and `２`. `None` for
/// every other character.
#[must_use]
pub fn ascii_digit(character: char) -> Option<char> {
    let code = u32::from(character);
    let zeros = match code >> 16 {
        0 => &ZEROS,
        1 => &SUPPLEMENTARY_ZEROS,
        _ => return None,
    };
    let digit = zeros
        .iter()
        .map(|zero| (code & 0xffff).wrapping_sub(u32::from(*zero)))
        .find(|digit| *digit < 10)?;
    char::from_digit(digit, 10)
}

/// Whether a character has no width and no meaning in a number: joiners, soft hyphens, byte order
/// marks, marks of direction, and selectors of variants.
#[must_use]
pub const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_script_are_ascii_digits() {
        for (zero, name) in [
            ('0', "ASCII"),
            ('\u{660}', "Arabic"),
            ('\u{6f0}', "Persian"),
            ('\u{ff10}', "fullwidth"),
        ] {
            for digit in 0..10 {
                let written = char::from_u32(u32::from(zero) + digit).unwrap();
                assert_eq!(ascii_digit(written), char::from_digit(digit, 10), "{name}");
            }
        }
        for (written, expected) in [('߂', '2'), ('𞥒', '2'), ('𝟸', '2'), ('𝟎', '0'), ('𝟿', '9')]
        {
            assert_eq!(ascii_digit(written), Some(expected), "{written}");
        }
        for other in ['a', '/', ':', '²', '①', 'Ⅷ', '\u{65f}', '\u{66a}', '\u{2fff0}', '-'] {
            assert_eq!(ascii_digit(other), None, "{other}");
        }
    }

    #[test]
    fn the_digits_are_those_of_unicode() {
        let all: Vec<char> = (0..=u32::from(char::MAX)).filter_map(char::from_u32).collect();
        let digits: Vec<char> = all.into_iter().filter(|one| ascii_digit(*one).is_some()).collect();
        assert_eq!(digits.len(), (ZEROS.len() + SUPPLEMENTARY_ZEROS.len()) * 10);
        // The standard library may be older than the newest script.
        let unknown: Vec<_> = digits.iter().filter(|digit| !digit.is_numeric()).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn what_nobody_sees_is_invisible_and_what_separates_is_not() {
        for unseen in [
            '\u{200b}', '\u{200d}', '\u{2060}', '\u{feff}', '\u{ad}', '\u{200e}', '\u{202c}',
            '\u{2069}',
        ] {
            assert!(is_invisible(unseen), "{:x}", u32::from(unseen));
        }
        for seen in [' ', '\u{a0}', '\u{202f}', '-', '\u{2010}', '\u{2212}', '0', '\n'] {
            assert!(!is_invisible(seen), "{:x}", u32::from(seen));
        }
    }
}
