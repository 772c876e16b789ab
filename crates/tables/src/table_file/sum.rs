//! Sums of money in the notations of spreadsheet programs and portals
//! (docs/reference/files.md#sums).

use super::number::typed_number;
use tua_contract::{Amount, AmountError};

/// A sum as it is written: how much, and which way if the text says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sum {
    /// The sum without its sign, in pesewas. It may be 0.
    pub pesewas: i64,
    /// The direction that is written; `None` without a sign.
    pub direction: Option<Direction>,
}

/// Which way money moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To the merchant: `+` or `CR`.
    In,
    /// From the merchant: a minus sign, brackets or `DR`.
    Out,
}

/// The sign that decimals follow, which also decides what may group thousands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecimalSign {
    /// A point. Commas, spaces and apostrophes group thousands.
    Point,
    /// A comma. Points, spaces and apostrophes group thousands.
    Comma,
    /// Not known, so that a text is refused which means another sum with each of them.
    Unknown,
    /// Not known, but semicolons divide the cells, which spreadsheet programs write where a comma
    /// begins decimals. So a comma before one or two digits does, and one before three, which
    /// groups thousands otherwise, is refused.
    UnknownBesideSemicolons,
}

/// Why a text is no sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SumFault {
    /// It is no sum of whole pesewas, or has two signs.
    NotASum,
    /// A separator may group thousands or begin decimals.
    Ambiguous,
    /// A spreadsheet program has written it with an exponent.
    Shortened,
}

impl Sum {
    /// Reads a sum.
    ///
    /// # Errors
    /// [`SumFault`].
    pub fn parse(text: &str, decimal_sign: DecimalSign) -> Result<Self, SumFault> {
        // Longer than every sum with all its marks.
        const MAX_BYTES: usize = 128;
        if text.len() > MAX_BYTES {
            return Err(SumFault::NotASum);
        }
        let typed = typed_number(text);
        let marks = Marks::split(&typed)?;
        let is_exponent = |digits: &str| {
            digits.split_once(['e', 'E']).is_some_and(|(first, power)| {
                first.bytes().any(|byte| byte.is_ascii_digit())
                    && power.bytes().any(|byte| byte.is_ascii_digit())
            })
        };
        if is_exponent(marks.digits) {
            return Err(SumFault::Shortened);
        }
        let decimal = decimal_text(marks.digits, decimal_sign)?;
        let pesewas = match Amount::parse(&decimal) {
            Ok(amount) => amount.pesewas(),
            Err(AmountError::NotPositive) => 0,
            Err(_) => return Err(SumFault::NotASum),
        };
        Ok(Self { pesewas, direction: marks.direction })
    }
}

/// A typed sum, taken apart.
struct Marks<'a> {
    direction: Option<Direction>,
    digits: &'a str,
}

/// Marks of the currency, and of the direction, in upper case. Longer ones come before their
/// beginnings.
const CURRENCIES: [&str; 10] =
    ["GHANA CEDIS", "CEDIS", "CEDI", "GH¢", "GH₵", "GHS", "GHC", "¢", "₵", "￠"];
const DIRECTIONS: [(&str, Direction); 9] = [
    ("DR.", Direction::Out),
    ("CR.", Direction::In),
    ("DR", Direction::Out),
    ("CR", Direction::In),
    ("DB", Direction::Out),
    ("DEBIT", Direction::Out),
    ("CREDIT", Direction::In),
    ("-", Direction::Out),
    ("+", Direction::In),
];

impl<'a> Marks<'a> {
    /// Takes marks from both ends until digits are left.
    fn split(text: &'a str) -> Result<Self, SumFault> {
        let mut marks = Marks { direction: None, digits: text };
        let mut has_currency = false;
        loop {
            marks.digits = marks.digits.trim();
            if let Some(inner) =
                marks.digits.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))
            {
                marks.take_direction(Direction::Out, inner)?;
            } else if let Some((direction, rest)) = without_mark(marks.digits, &DIRECTIONS) {
                marks.take_direction(direction, rest)?;
            } else if let Some(rest) = without_currency(marks.digits) {
                if std::mem::replace(&mut has_currency, true) {
                    return Err(SumFault::NotASum);
                }
                marks.digits = rest;
            } else {
                return Ok(marks);
            }
        }
    }

    /// A sum with two signs could mean either direction.
    fn take_direction(&mut self, direction: Direction, rest: &'a str) -> Result<(), SumFault> {
        self.digits = rest;
        match self.direction.replace(direction) {
            None => Ok(()),
            Some(_) => Err(SumFault::NotASum),
        }
    }
}

fn without_mark<'a>(text: &'a str, marks: &[(&str, Direction)]) -> Option<(Direction, &'a str)> {
    marks.iter().find_map(|(mark, direction)| Some((*direction, without(text, mark)?)))
}

fn without_currency(text: &str) -> Option<&str> {
    CURRENCIES.iter().find_map(|mark| without(text, mark))
}

/// A text without a mark at one of its ends, whatever its case. Something must be left.
fn without<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    let is_mark = |part: &str| part.to_uppercase() == mark;
    let at_start = || {
        text.split_at_checked(mark.len()).filter(|(start, _)| is_mark(start)).map(|(_, rest)| rest)
    };
    let at_end = || {
        let (rest, end) = text.split_at_checked(text.len().checked_sub(mark.len())?)?;
        is_mark(end).then_some(rest)
    };
    at_start().or_else(at_end)
}

/// Digits with at most a decimal point, from digits with separators.
fn decimal_text(text: &str, decimal_sign: DecimalSign) -> Result<String, SumFault> {
    let separators: Vec<char> = text.chars().filter(|one| !one.is_ascii_digit()).collect();
    if separators.iter().any(|one| !matches!(one, '.' | ',' | ' ' | '\'')) {
        return Err(SumFault::NotASum);
    }
    let decimal = match decimal_sign {
        DecimalSign::Point => Some('.'),
        DecimalSign::Comma => Some(','),
        DecimalSign::Unknown => found_decimal_sign(text, &separators, LoneComma::Groups)?,
        DecimalSign::UnknownBesideSemicolons => {
            found_decimal_sign(text, &separators, LoneComma::BeginsDecimals)?
        }
    };
    let (whole, decimals) = decimal
        .and_then(|sign| text.rsplit_once(sign))
        .map_or((text, None), |(whole, decimals)| (whole, Some(decimals)));
    let mut digits = grouped(whole).ok_or(SumFault::NotASum)?;
    if let Some(decimals) = decimals {
        let is_digits = !decimals.is_empty() && decimals.bytes().all(|byte| byte.is_ascii_digit());
        if !is_digits || decimal.is_some_and(|sign| whole.contains(sign)) {
            return Err(SumFault::NotASum);
        }
        digits = format!("{digits}.{decimals}");
    }
    Ok(digits)
}

/// What a single comma without another separator can be, where no sign of decimals is set.
#[derive(Clone, Copy)]
enum LoneComma {
    /// It groups thousands, before three digits. Before fewer it may be a slip, and is refused.
    Groups,
    /// It begins decimals, before one or two digits. Before three it is refused.
    BeginsDecimals,
}

/// The decimal sign of a text with these separators, where only one is possible; `None` without
/// decimals.
fn found_decimal_sign(
    text: &str,
    separators: &[char],
    lone_comma: LoneComma,
) -> Result<Option<char>, SumFault> {
    let marks: Vec<char> =
        separators.iter().copied().filter(|one| matches!(one, '.' | ',')).collect();
    let Some((last, before)) = marks.split_last() else { return Ok(None) };
    // One that is there twice groups thousands, and one after another groups no thousands.
    if before.contains(last) {
        return if before.iter().all(|one| one == last) {
            Ok(None)
        } else {
            Err(SumFault::NotASum)
        };
    }
    if !before.is_empty() || separators.len() > marks.len() {
        return Ok(Some(*last));
    }
    // A point before three digits may group thousands.
    let (whole, decimals) = text.split_once(*last).unwrap_or((text, ""));
    let may_group =
        decimals.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0');
    match (last, lone_comma) {
        (',', LoneComma::Groups) if may_group => Ok(None),
        (',', LoneComma::BeginsDecimals) if matches!(decimals.len(), 1 | 2) => Ok(Some(',')),
        ('.', _) if !may_group => Ok(Some('.')),
        _ => Err(SumFault::Ambiguous),
    }
}

/// The digits of a whole number without its separators of thousands, which must all be the same;
/// without zeros before it. No thousands begin with a zero: `0,500` may have been meant as another
/// number.
fn grouped(text: &str) -> Option<String> {
    let separator = text.chars().find(|one| !one.is_ascii_digit());
    let mut groups = separator
        .map_or_else(|| vec![text], |separator| text.split(separator).collect())
        .into_iter();
    let first = groups.next()?;
    let groups: Vec<&str> = groups.collect();
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let begins_thousands = first.len() <= 3 && !first.starts_with('0');
    let is_first = !first.is_empty() && is_digits(first) && (groups.is_empty() || begins_thousands);
    if !is_first || groups.iter().any(|group| group.len() != 3 || !is_digits(group)) {
        return None;
    }
    let digits = [&[first], &groups[..]].concat().concat();
    let significant = digits.trim_start_matches('0');
    Some(if significant.is_empty() { "0".to_owned() } else { significant.to_owned() })
}
