//! Finds a phone number in any text, however it is written: with digits of any script, and with
//! anything between them that is no letter.

use tua_contract::{
    Phone,
    plain_text::is_space_or_dash,
    typed_text::{ascii_digit, is_invisible},
};

/// How many digits follow the 0 of a number.
const SUBSCRIBER_DIGITS: usize = 9;

/// What may stand before these digits, the longest first.
const PREFIXES: [&str; 6] = ["002330", "00233", "2330", "233", "0", ""];

/// The most visible characters between two digits of a number: those of `233 (0) 24`, and more.
const MAX_SEPARATORS: usize = 4;

/// A digit in a text, with its position in bytes.
struct WrittenDigit {
    digit: char,
    start: usize,
    end: usize,
    /// What stands between the digit before it and this one.
    gap: Gap,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// Nothing, or nothing that anybody sees.
    Nothing,
    /// What people write between the digits of one number.
    Separators,
    /// Letters, the syntax of JSON or of forms, or more separators than a number has.
    Other,
}

/// Where a text has this number: positions of whole numbers, not of parts of longer ones.
pub(super) fn mentions(text: &str, phone: &Phone) -> Vec<(usize, usize)> {
    let digits = written_digits(text);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for at in subscribers(&digits, phone) {
        let end = at + SUBSCRIBER_DIGITS;
        let is_longer = digits.get(end).is_some_and(|next| next.gap == Gap::Nothing);
        let Some(first) = first_digit(&digits, at).filter(|_| !is_longer) else { continue };
        let start = digits[first].start;
        let start = text[..start].strip_suffix(['+', '\u{ff0b}']).map_or(start, str::len);
        // They are overwritten one by one, so they must not overlap.
        if found.last().is_none_or(|&(_, earlier)| earlier <= start) {
            found.push((start, digits[end - 1].end));
        }
    }
    found
}

/// Whether a text has the digits of this number, perhaps as a part of a longer one.
pub(super) fn may_contain(text: &str, phone: &Phone) -> bool {
    subscribers(&written_digits(text), phone).next().is_some()
}

/// The digits of a text, in ASCII, without everything else.
#[must_use]
pub fn digits_only(text: &str) -> String {
    text.chars().filter_map(ascii_digit).collect()
}

/// Where the digits of this number after its 0 begin.
fn subscribers<'a>(
    digits: &'a [WrittenDigit],
    phone: &'a Phone,
) -> impl Iterator<Item = usize> + 'a {
    let subscriber = &phone.as_str()[1..];
    (0..digits.len()).filter(move |at| is_at(digits, *at, subscriber))
}

/// Whether these digits begin there, as parts of one number.
fn is_at(digits: &[WrittenDigit], at: usize, wanted: &str) -> bool {
    let written = digits.get(at..at + wanted.len()).unwrap_or_default();
    written.len() == wanted.len()
        && written.iter().zip(wanted.chars()).all(|(written, digit)| written.digit == digit)
        && written.iter().skip(1).all(|written| written.gap != Gap::Other)
}

/// The first digit of the number whose digits after the 0 begin at `at`. `None` if they are a part
/// of a longer one.
fn first_digit(digits: &[WrittenDigit], at: usize) -> Option<usize> {
    let begins = |prefix: &&str| {
        let Some(first) = at.checked_sub(prefix.len()) else { return false };
        let is_joined = prefix.is_empty() || digits[at].gap != Gap::Other;
        is_joined && is_at(digits, first, prefix) && digits[first].gap != Gap::Nothing
    };
    PREFIXES.iter().find(|prefix| begins(prefix)).map(|prefix| at - prefix.len())
}

fn written_digits(text: &str) -> Vec<WrittenDigit> {
    let mut digits = Vec::new();
    let mut gap = Gap::Other;
    let mut separators = 0;
    for (start, character) in text.char_indices() {
        if let Some(digit) = ascii_digit(character) {
            digits.push(WrittenDigit { digit, start, end: start + character.len_utf8(), gap });
            (gap, separators) = (Gap::Nothing, 0);
        } else if !is_invisible(character) {
            separators += 1;
            let is_between = is_separator(character) && separators <= MAX_SEPARATORS;
            gap = if is_between && gap != Gap::Other { Gap::Separators } else { Gap::Other };
        }
    }
    digits
}

/// Whether people write this between the digits of a number. What separates the values of JSON and
/// of forms is none.
fn is_separator(character: char) -> bool {
    let is_structure =
        matches!(character, '"' | '{' | '}' | '[' | ']' | '=' | '&' | '<' | '>' | '@' | '%');
    is_space_or_dash(character) || !character.is_alphanumeric() && !is_structure
}
