//! What people and spreadsheet programs make of a number: digits of other scripts, invisible
//! characters, decimals, exponents.

use std::borrow::Cow;
use tua_contract::typed_text::{ascii_digit, is_invisible};

/// A number with an exponent, whose last digits are lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShortenedNumber;

/// The most digits of a number that a spreadsheet program keeps.
const EXACT_DIGITS: usize = 15;

/// A text with ASCII digits, without what nobody sees, and with the ASCII forms of signs, brackets
/// and separators.
pub fn typed_number(text: &str) -> String {
    let typed = |one: char| match one {
        '\u{2010}'..='\u{2015}'
        | '\u{207b}'
        | '\u{208b}'
        | '\u{2212}'
        | '\u{fe58}'
        | '\u{fe63}'
        | '\u{ff0d}' => '-',
        '\u{207a}' | '\u{ff0b}' => '+',
        '\u{ff08}' => '(',
        '\u{ff09}' => ')',
        '\u{ff0c}' | '\u{66c}' => ',',
        '\u{ff0e}' | '\u{66b}' => '.',
        '\u{2019}' | '\u{ff07}' => '\'',
        _ if one.is_whitespace() => ' ',
        _ => ascii_digit(one).unwrap_or(one),
    };
    let text: String = text.chars().filter(|one| !is_invisible(*one)).map(typed).collect();
    text.trim().to_owned()
}

/// The digits of an integer that a spreadsheet program has written as a decimal (`241234567.0`) or
/// with an exponent (`2.33241234567E+11`). Every other text stays as it is.
///
/// # Errors
/// `ShortenedNumber` where digits are lost, so that several integers are possible.
pub fn restored_integer(text: &str) -> Result<Cow<'_, str>, ShortenedNumber> {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    if let Some((mantissa, power)) = unsigned.split_once(['e', 'E']) {
        let (first, decimals) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, ""));
        let power = power.strip_prefix('+').unwrap_or(power).trim_start_matches('0');
        if !is_digits(first) || !(decimals.is_empty() || is_digits(decimals)) || !is_digits(power) {
            return Ok(Cow::Borrowed(text));
        }
        // Only where every digit is written, no other number could have been shortened to this one.
        let is_whole = first.len() == 1
            && power.parse() == Ok(decimals.len())
            && decimals.len() < EXACT_DIGITS;
        return if is_whole {
            Ok(Cow::Owned([first, decimals].concat()))
        } else {
            Err(ShortenedNumber)
        };
    }
    match unsigned.split_once(['.', ',']) {
        Some((whole, zeros))
            if is_digits(whole) && is_digits(zeros) && zeros.bytes().all(|byte| byte == b'0') =>
        {
            if whole.len() <= EXACT_DIGITS {
                Ok(Cow::Borrowed(whole))
            } else {
                Err(ShortenedNumber)
            }
        }
        _ => Ok(Cow::Borrowed(text)),
    }
}
