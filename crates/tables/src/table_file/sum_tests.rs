//! Sums in all their notations.

use super::{DecimalSign, Direction, Sum, SumFault};
use proptest::prelude::*;

/// A number of cedis with this between its thousands.
fn grouped(cedis: i64, separator: &str) -> String {
    let digits = cedis.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push_str(separator);
        }
        grouped.push(digit);
    }
    grouped
}

#[test]
fn a_sum_is_read_in_every_notation_that_means_one_sum() {
    use DecimalSign::{Comma, Point, Unknown, UnknownBesideSemicolons};
    use Direction::{In, Out};
    for (text, sign, pesewas, direction) in [
        ("1500", Unknown, 150_000, None),
        ("1,500.00", Unknown, 150_000, None),
        ("1.500,00", Unknown, 150_000, None),
        ("1 500", Unknown, 150_000, None),
        ("1\u{202f}500,50", Unknown, 150_050, None),
        ("1'234.50", Unknown, 123_450, None),
        ("1,000,000", Unknown, 100_000_000, None),
        ("1,500", Unknown, 150_000, None),
        ("1 500", Unknown, 150_000, None),
        ("0.500", Unknown, 50, None),
        ("GH¢10.50", Unknown, 1050, None),
        ("GHS 10.5", Unknown, 1050, None),
        ("10 cedis", Unknown, 1000, None),
        ("GH₵ 5", Unknown, 500, None),
        ("5¢", Unknown, 500, None),
        ("٥٠", Unknown, 5000, None),
        ("１０．５０", Unknown, 1050, None),
        ("-5", Point, 500, Some(Out)),
        ("\u{2212}5", Point, 500, Some(Out)),
        ("GHS -5", Point, 500, Some(Out)),
        ("-GHS 5", Point, 500, Some(Out)),
        ("(5.00)", Point, 500, Some(Out)),
        ("GHS (5.00)", Point, 500, Some(Out)),
        ("(GHS 5.00)", Point, 500, Some(Out)),
        ("5.00-", Point, 500, Some(Out)),
        ("5.00 DR", Point, 500, Some(Out)),
        ("DR 5.00", Point, 500, Some(Out)),
        ("5.00 Dr.", Point, 500, Some(Out)),
        ("5.00CR", Point, 500, Some(In)),
        ("+5", Point, 500, Some(In)),
        ("1,500", Point, 150_000, None),
        ("-1.234,50", Comma, 123_450, Some(Out)),
        ("1,5", Comma, 150, None),
        ("0", Point, 0, None),
        ("150,00", UnknownBesideSemicolons, 15_000, None),
        ("150,5", UnknownBesideSemicolons, 15_050, None),
        ("0,50", UnknownBesideSemicolons, 50, None),
        ("150.00", UnknownBesideSemicolons, 15_000, None),
        ("1 234,50", Unknown, 123_450, None),
        ("1\u{a0}234,50 GH₵", Unknown, 123_450, None),
        ("-1.234,50", UnknownBesideSemicolons, 123_450, Some(Out)),
        ("1,234,567", UnknownBesideSemicolons, 123_456_700, None),
        ("1 234", UnknownBesideSemicolons, 123_400, None),
    ] {
        assert_eq!(Sum::parse(text, sign), Ok(Sum { pesewas, direction }), "{text}");
    }
    for (text, sign, fault) in [
        ("0,500", Unknown, SumFault::Ambiguous),
        ("1,2000", Unknown, SumFault::Ambiguous),
        ("1,234", UnknownBesideSemicolons, SumFault::Ambiguous),
        ("150,00", Unknown, SumFault::Ambiguous),
        ("150,00", Point, SumFault::NotASum),
        ("1 234,50", Point, SumFault::NotASum),
        ("0,500", Point, SumFault::NotASum),
        ("0.500", Comma, SumFault::NotASum),
        ("1,2,3", Point, SumFault::NotASum),
        ("1.2,50", Unknown, SumFault::NotASum),
        (",50", UnknownBesideSemicolons, SumFault::NotASum),
        ("1.500", Unknown, SumFault::Ambiguous),
        ("1E+02", Unknown, SumFault::Shortened),
        ("1.5e3", Point, SumFault::Shortened),
        ("-(5)", Point, SumFault::NotASum),
        ("--5", Point, SumFault::NotASum),
        ("-5 DR", Point, SumFault::NotASum),
        ("GHS 5 GHS", Point, SumFault::NotASum),
        ("USD 5", Point, SumFault::NotASum),
        ("1234,567", Point, SumFault::NotASum),
        ("1,2,3", Unknown, SumFault::NotASum),
        ("1.2.3", Unknown, SumFault::NotASum),
        ("5.001", Point, SumFault::NotASum),
        ("free", Point, SumFault::NotASum),
        ("", Point, SumFault::NotASum),
        ("-", Point, SumFault::NotASum),
        ("5.", Point, SumFault::NotASum),
    ] {
        assert_eq!(Sum::parse(text, sign), Err(fault), "{text}");
    }
}

proptest! {
    #[test]
    fn a_written_sum_is_read_whatever_groups_its_thousands(
        pesewas in 0_i64..=100_000_000_000,
        is_out: bool
    ) {
        let text = format!("{}.{:02}", grouped(pesewas / 100, ","), pesewas % 100);
        let text = if is_out { format!("({text})") } else { text };
        let direction = is_out.then_some(Direction::Out);
        prop_assert_eq!(Sum::parse(&text, DecimalSign::Unknown), Ok(Sum { pesewas, direction }));
    }

    #[test]
    fn a_sum_of_a_french_spreadsheet_is_read(
        pesewas in 0_i64..=100_000_000_000,
        separator in prop::sample::select(vec!["", " ", "\u{a0}", "\u{202f}", "."]),
        is_out: bool
    ) {
        let text = format!("{},{:02}", grouped(pesewas / 100, separator), pesewas % 100);
        let text = if is_out { format!("\u{2212}{text}") } else { text };
        let sum = Sum { pesewas, direction: is_out.then_some(Direction::Out) };
        for sign in [DecimalSign::Comma, DecimalSign::UnknownBesideSemicolons] {
            prop_assert_eq!(Sum::parse(&text, sign), Ok(sum), "{}", &text);
        }
    }

    #[test]
    fn no_sum_has_two_meanings(text in "[0-9]{1,4}([., ][0-9]{1,4}){0,3}") {
        let read = |sign| Sum::parse(&text, sign).ok();
        let point = read(DecimalSign::Point);
        let comma = read(DecimalSign::Comma);
        if let Some(sum) = read(DecimalSign::UnknownBesideSemicolons) {
            prop_assert!(point.is_none_or(|other| other == sum), "{}", &text);
            prop_assert!(comma.is_none_or(|other| other == sum), "{}", &text);
        }
    }
}
