//! The one code in a sentence, such as a pasted SMS. A wrong code costs one of five tries, so every
//! number in the sentence must be known for what it is: the code, or something that is none.
//! Specified in `docs/reference/values.md#typed-numbers`.
//!
//! Short tables and byte loops keep this small in the wasm.

use crate::phone::find;
use crate::{Code, Phone};

/// Beginnings of months, three letters each: a number beside one is a date.
const MONTHS: &[u8] = b"janfebmaraprmayjunjulaugsepoctnovdec";

/// Beginnings of what is counted, three letters each: a number before one is no part of a code.
const UNITS: &[u8] = b"minhouhrssecdaytrytriatttim";

/// Words in capitals that may stand beside a code. Other capitals may be a part of it: `ABCD 1234`.
const WORDS: &str = " OTP PIN CODE VOUCHER TOKEN PASSCODE PASSWORD NUMBER NO IS AS USE ENTER THE YOUR AND FOR FROM \
    DO TO ON IN WITH SMS MTN MOMO TELECEL CASH ";

/// The only code in a sentence whose digits, spaces and dashes are ASCII. `None` where there is none,
/// where there are several, or where a part of a number may be missing.
pub(crate) fn only_code_in(sentence: &str) -> Option<Code> {
    let mut reader = Reader::default();
    sentence.split(' ').for_each(|word| reader.read(word));
    reader.end_number("");
    reader.found.filter(|_| !reader.is_ambiguous)
}

#[derive(Default)]
struct Reader<'a> {
    found: Option<Code>,
    is_ambiguous: bool,
    /// The number that is being read, in parts: `123 456`.
    parts: Vec<&'a str>,
    /// Whether more than one space or hyphen separates the parts.
    is_wide: bool,
    /// The word before the number.
    before: &'a str,
}

impl<'a> Reader<'a> {
    fn read(&mut self, word: &'a str) {
        let opened = word.trim_start_matches(is_opening);
        let bare = opened.trim_end_matches(is_closing);
        self.is_ambiguous |= bare.chars().any(is_numeral);
        if !bare.bytes().any(|byte| byte.is_ascii_alphanumeric()) && !is_currency(bare) {
            // A second space, or a lone dash.
            self.is_wide = true;
            return;
        }
        if opened.len() < word.len() {
            self.end_number("");
        }
        self.read_bare(bare);
        if bare.len() < opened.len() {
            self.end_number("");
        }
        self.is_wide = false;
    }

    fn read_bare(&mut self, word: &'a str) {
        let number = word.strip_suffix(':').unwrap_or(word);
        if !has_digit(word) {
            self.end_number(word);
            self.before = word;
        } else if number.split('-').all(is_digits) {
            self.is_ambiguous |= self.is_wide && !self.parts.is_empty();
            self.parts.extend(number.split('-'));
            if number.len() < word.len() {
                self.end_number(":");
            }
        } else if let Some((label, number)) = labelled(word) {
            self.read_bare(label);
            self.read_bare(number);
        } else {
            self.end_number("");
            self.is_ambiguous |= !is_no_code(word);
            self.before = "";
        }
    }

    /// Decides what the number is. `after` is the word that follows it in the same clause.
    fn end_number(&mut self, after: &str) {
        let parts = std::mem::take(&mut self.parts);
        let before = self.before;
        let Some((first, rest)) = parts.split_first() else { return };
        let digits = parts.concat();
        let is_short = digits.len() < 4;
        // In "Nov 25, 2026", the year follows the day.
        if !(is_short && begins_with(before, MONTHS)) {
            self.before = "";
        }
        let is_single = rest.is_empty();
        let is_grouped = first.len() <= 3 && rest.iter().all(|part| part.len() == 3);
        let is_cedis = after.len() >= 4 && begins_with(after, b"cedgha");
        self.is_ambiguous |= is_short && after == ":";
        if is_short || is_phone(&digits) || is_date(&parts, before) {
            return;
        }
        if is_currency(before) || is_cedis {
            self.is_ambiguous |= !is_single && !is_grouped;
            return;
        }
        let is_counted = begins_with(after, UNITS) || begins_with(after, MONTHS);
        let is_cut = after == ":" || (is_counted && !is_single);
        let has_letters = |word: &str| {
            let is_capitals = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase());
            is_capitals && !is_in(WORDS, word)
        };
        match Code::parse(&digits) {
            _ if is_cut || is_currency(after) || has_letters(before) || has_letters(after) => self.is_ambiguous = true,
            Ok(code) => {
                self.is_ambiguous |= self.found.as_ref().is_some_and(|found| *found != code);
                self.found = Some(code);
            }
            // One long number is the id of something.
            Err(_) => self.is_ambiguous |= !is_single,
        }
    }
}

/// Whether a word with digits is surely no code, and no part of one.
fn is_no_code(word: &str) -> bool {
    let is_of = |text: &str, extra: &[u8]| text.bytes().all(|byte| byte.is_ascii_digit() || extra.contains(&byte));
    let is_short = |separators: &[u8]| {
        is_of(word, separators) && word.as_bytes().split(|byte| separators.contains(byte)).any(|part| part.len() <= 3)
    };
    let is_time =
        is_of(word, b":") && word.as_bytes().split(|byte| *byte == b':').all(|part| matches!(part.len(), 1 | 2));
    // `10mins`, `2nd`
    let unit = word.trim_start_matches(|one: char| one.is_ascii_digit());
    let is_unit = begins_with(unit, UNITS) || is_in(" st nd rd th am pm ", unit);
    let is_counted = word.len() - unit.len() <= 3 && is_unit && unit.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_ussd = word.starts_with('*') && word.ends_with('#') && is_of(word, b"*#");
    // Longer than a code, and without anything that could separate one from the rest.
    let is_id = word.len() > 10 && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
    let is_address =
        find(word, "://").is_some() || (word.contains('@') && word.bytes().any(|byte| byte.is_ascii_alphabetic()));
    is_short(b".,/")
        || is_time
        || is_counted
        || is_ussd
        || is_id
        || is_address
        || is_amount(word)
        || is_named_date(word)
}

/// `25-Nov-2026`
fn is_named_date(word: &str) -> bool {
    let mut parts = word.split('-');
    let [day, month, year] = [parts.next(), parts.next(), parts.next()].map(Option::unwrap_or_default);
    day.len() <= 2 && begins_with(month, MONTHS) && is_digits(year) && parts.next().is_none()
}

/// `25-11-2026`, `2026 11 25`, and after a month `2026` and `25 2026`.
fn is_date(parts: &[&str], before: &str) -> bool {
    let is_year = |part: &&&str| part.len() == 4 && (part.starts_with("19") || part.starts_with("20"));
    let are_days = parts.iter().filter(|part| part.len() <= 2).count() + 1 == parts.len();
    let is_whole = parts.len() == 3 || (parts.len() <= 2 && begins_with(before, MONTHS));
    is_whole && are_days && parts.iter().filter(is_year).count() == 1
}

/// A phone number in a sentence is where the code was sent to. Nine digits without the zero begin
/// with 2 or 5.
fn is_phone(digits: &str) -> bool {
    digits.len() >= 9 && (digits.len() != 9 || digits.starts_with(['2', '5'])) && Phone::parse_typed(digits).is_ok()
}

/// `GHS5000`, `GH₵5,000`, `5000cedis`
fn is_amount(word: &str) -> bool {
    let is_mark = |one: char| !one.is_ascii_digit() && !matches!(one, '.' | ',');
    let (before, after) = (word.trim_end_matches(|one| !is_mark(one)), word.trim_start_matches(|one| !is_mark(one)));
    let is_marked = |mark: &str| is_currency(mark) || (mark.len() >= 4 && begins_with(mark, b"ced"));
    (is_marked(before) && before.len() < word.len()) || (is_marked(after) && after.len() < word.len())
}

/// `OTP:123456`
fn labelled(word: &str) -> Option<(&str, &str)> {
    let at = word.bytes().position(|byte| matches!(byte, b':' | b'=' | b'#'))?;
    let (label, number) = (&word[..at], &word[at + 1..]);
    let is_label = !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_label && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') && has_digit(number))
        .then_some((label, number))
}

fn is_currency(word: &str) -> bool {
    let is_sign = |one: char| matches!(one, '\u{20b5}' | '\u{a2}' | '\u{ffe0}');
    let name = word.trim_end_matches(is_sign);
    match name.len() {
        0 => !word.is_empty(),
        2 => name.eq_ignore_ascii_case("GH"),
        _ => name.eq_ignore_ascii_case("GHS") || name.eq_ignore_ascii_case("GHC"),
    }
}

/// Whether a word begins with three letters of the table, whatever its case.
fn begins_with(word: &str, table: &[u8]) -> bool {
    let start = word.as_bytes().get(..3);
    start.is_some_and(|start| table.chunks(3).any(|letters| letters.eq_ignore_ascii_case(start)))
}

/// Whether a list of words between spaces has this one.
fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What stands before a word, and is no part of a number.
fn is_opening(character: char) -> bool {
    matches!(character, '(' | '[' | '{' | '"' | '<' | '>' | '#' | '+' | '\u{ab}' | '\u{201c}') || is_picture(character)
}

/// What stands behind a word, and is no part of a number.
fn is_closing(character: char) -> bool {
    matches!(character, '.' | ',' | ';' | '!' | '?' | ')' | ']' | '}' | '"' | '<' | '>')
        || matches!(character, '\u{bb}' | '\u{201d}' | '\u{2026}')
        || is_picture(character)
}

fn is_picture(character: char) -> bool {
    matches!(character, '\u{1f300}'..='\u{1faff}')
}

/// A digit that is no decimal digit: `①`, `²`, `Ⅷ`, a key with a digit.
fn is_numeral(character: char) -> bool {
    matches!(
        character,
        '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{bc}'..='\u{be}' | '\u{2070}'..='\u{2089}' | '\u{20e3}'
            | '\u{2150}'..='\u{218f}' | '\u{2460}'..='\u{24ff}' | '\u{2776}'..='\u{2793}' | '\u{1f100}'..='\u{1f10c}'
    )
}

#[cfg(test)]
mod tests;
