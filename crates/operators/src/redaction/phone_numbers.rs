//! Finds and masks Ghanaian phone numbers in any text: of a number only the last three digits stay.

/// How many digits stay.
const SHOWN_DIGITS: usize = 3;

/// The digits of a national number without its zero: 241234567.
const NATIONAL_DIGITS: usize = 9;

/// How the digits of a number are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// With a zero or the country code, so that it is hardly anything else.
    Prefixed,
    /// Nine digits, as also an operator's transaction id may have.
    Bare,
}

/// The form of digits that are a phone number: 0241234567, 233241234567, 00233241234567 or
/// 241234567.
fn form(digits: &str) -> Option<Form> {
    let stripped = digits.strip_prefix("00233").or_else(|| digits.strip_prefix("233"));
    let prefixed = stripped.or_else(|| digits.strip_prefix('0'));
    let is_national = |text: &str| text.len() == NATIONAL_DIGITS && text.starts_with(['2', '5']);
    if prefixed.is_some_and(is_national) {
        return Some(Form::Prefixed);
    }
    is_national(digits).then_some(Form::Bare)
}

/// A number of JSON as masked text, if it is a phone number. Nine digits are one only where the
/// member's name says so: operators' transaction ids are numbers, too.
pub(super) fn mask_json_number(digits: &str, is_named_phone: bool) -> Option<String> {
    match form(digits)? {
        Form::Bare if !is_named_phone => None,
        Form::Bare | Form::Prefixed => Some(mask(digits)),
    }
}

/// The text with each phone number masked that stands alone: not digits inside UUIDs and other ids.
pub(super) fn mask_phone_numbers(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut end = 0;
    while let Some(found) = text[end..].find(|c: char| c.is_ascii_digit()) {
        let start = end + found;
        masked.push_str(&text[end..start]);
        let (before, from) = text.split_at(start);
        let length = match escape_at(before, from).or_else(|| number_at(before, from)) {
            Some(DigitRun::Escape) => ESCAPE_DIGITS,
            Some(DigitRun::Number(number)) => {
                masked.push_str(&mask(number));
                end = start + number.len();
                continue;
            }
            None => leading_digits(from).len(),
        };
        masked.push_str(&from[..length]);
        end = start + length;
    }
    masked.push_str(&text[end..]);
    masked
}

/// What a run of digits in a text is.
enum DigitRun<'a> {
    /// The two digits of a percent-encoded character, such as `%20`.
    Escape,
    /// A phone number with its separators.
    Number(&'a str),
}

/// The number of digits of a percent-encoded character.
const ESCAPE_DIGITS: usize = 2;

fn escape_at<'a>(before: &str, from: &'a str) -> Option<DigitRun<'a>> {
    let digits = from.get(..ESCAPE_DIGITS)?;
    let is_escape = before.ends_with('%') && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_escape.then_some(DigitRun::Escape)
}

/// The phone number with which `from` begins. One with a zero or the country code may follow `-`
/// and `_`, which also join the parts of ids.
fn number_at<'a>(before: &str, from: &'a str) -> Option<DigitRun<'a>> {
    let digits = leading_digits(from);
    let grouped = grouped_number(from);
    [digits, grouped].into_iter().find_map(|number| {
        let joiners = match form(&digits_of(number))? {
            Form::Prefixed if number.len() == digits.len() => "",
            Form::Prefixed | Form::Bare => "-_",
        };
        let after = &from[number.len()..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || joiners.contains(c);
        let is_alone =
            (!before.ends_with(is_part) || ends_with_escape(before)) && !after.starts_with(is_part);
        is_alone.then_some(DigitRun::Number(number))
    })
}

/// Digits in groups as people write a number: `024 123 4567`, `233-24-123-4567`. Only the first
/// group if there is no other one. A date such as `02-12-2026` begins with a shorter group.
fn grouped_number(from: &str) -> &str {
    let first = leading_digits(from);
    let is_first_group = first.len() >= 3 && (first.starts_with('0') || first.starts_with("233"));
    let mut end = first.len();
    while is_first_group && form(&digits_of(&from[..end])).is_none() {
        let rest = &from[end..];
        let after = SEPARATORS
            .iter()
            .find_map(|separator| rest.strip_prefix(*separator))
            .unwrap_or_default();
        let group = leading_digits(after);
        if group.is_empty() {
            break;
        }
        end = from.len() - after.len() + group.len();
    }
    &from[..end]
}

/// What people write between the digits of a number, also percent-encoded.
const SEPARATORS: [&str; 6] = ["%20", ") ", " ", "-", ".", "+"];

fn leading_digits(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())]
}

/// The digits of a written number. Those of a percent-encoded space are none.
fn digits_of(number: &str) -> String {
    number.replace("%20", " ").chars().filter(char::is_ascii_digit).collect()
}

fn ends_with_escape(before: &str) -> bool {
    let escape = before.len().checked_sub(ESCAPE_DIGITS + 1).and_then(|start| before.get(start..));
    escape
        .and_then(|escape| escape.strip_prefix('%'))
        .is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The number with every digit replaced but the last three.
fn mask(number: &str) -> String {
    let number = number.replace("%20", " ");
    let mut left = digits_of(&number).len();
    let shown = |c: char| {
        if !c.is_ascii_digit() {
            return c;
        }
        left -= 1;
        if left < SHOWN_DIGITS { c } else { '*' }
    };
    number.chars().map(shown).collect()
}
