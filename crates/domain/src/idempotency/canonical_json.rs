//! One spelling for JSON of one value, so that two requests can be compared.

use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// JSON with its members in order, without white space, and with each number in one spelling of its
/// exact value. Text that is not JSON is returned as it is.
///
/// A number is never read as a float, which would take two numbers that differ in the 17th digit
/// for one.
#[must_use]
pub fn canonical(json: &str) -> String {
    let mut written = String::with_capacity(json.len());
    match write_value(json, &mut written) {
        Ok(()) => written,
        Err(_) => json.to_owned(),
    }
}

fn write_value(json: &str, written: &mut String) -> serde_json::Result<()> {
    let json = json.trim_ascii();
    match json.as_bytes().first() {
        Some(b'{') => {
            written.push('{');
            for (index, (name, value)) in
                serde_json::from_str::<BTreeMap<String, &RawValue>>(json)?.iter().enumerate()
            {
                written.push_str(if index == 0 { "" } else { "," });
                written.push_str(&serde_json::to_string(name)?);
                written.push(':');
                write_value(value.get(), written)?;
            }
            written.push('}');
        }
        Some(b'[') => {
            written.push('[');
            for (index, value) in
                serde_json::from_str::<Vec<&RawValue>>(json)?.into_iter().enumerate()
            {
                written.push_str(if index == 0 { "" } else { "," });
                write_value(value.get(), written)?;
            }
            written.push(']');
        }
        Some(b'"') => {
            written.push_str(&serde_json::to_string(&serde_json::from_str::<String>(json)?)?)
        }
        Some(b'-' | b'0'..=b'9') => {
            let number: &RawValue = serde_json::from_str(json)?;
            written.push_str(&canonical_number(number.get()));
        }
        _ => {
            let literal: &RawValue = serde_json::from_str(json)?;
            written.push_str(literal.get());
        }
    }
    Ok(())
}

/// A JSON number as its significant digits and the power of ten of the last one: `100` and `1e2`
/// are both `1e2`. The text never becomes longer than what was sent by more than the exponent of
/// its own digits, however large its power is.
fn canonical_number(number: &str) -> String {
    let (sign, unsigned) = match number.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", number),
    };
    let (mantissa, power) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, ""));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = format!("{integer}{fraction}");
    let significant = all_digits.trim_start_matches('0');
    let digits = significant.trim_end_matches('0');
    if digits.is_empty() {
        return "0".to_owned();
    }
    // Both are lengths of texts in memory.
    let shift = (significant.len() - digits.len()) as i128 - fraction.len() as i128;
    let power = power.strip_prefix('+').unwrap_or(power);
    let magnitude = power.trim_start_matches('-').trim_start_matches('0');
    let exact = match magnitude {
        "" => Some(0),
        _ => magnitude
            .parse::<i128>()
            .ok()
            .map(|value| if power.starts_with('-') { -value } else { value }),
    };
    match exact.and_then(|power| power.checked_add(shift)) {
        Some(0) => format!("{sign}{digits}"),
        Some(power) => format!("{sign}{digits}e{power}"),
        // A power of more than 38 digits: nobody means one, so its two spellings need not be one.
        None => format!("{sign}{digits}e{shift}e{power}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn metadata_is_compared_by_its_value() {
        assert_eq!(canonical(r#"{"b": 1.50, "a": [1, 2]}"#), canonical(r#"{"a":[1,2],"b":1.5}"#));
        assert_eq!(canonical(r#"{"\u0061":"\u00e9\/"}"#), canonical(r#"{"a":"é/"}"#));
        assert_ne!(canonical(r#"{"a":[1,2]}"#), canonical(r#"{"a":[2,1]}"#));
        assert_ne!(canonical(r#"{"a":"1"}"#), canonical(r#"{"a":1}"#));
        assert_ne!(canonical(r#"{"a":null}"#), canonical("{}"));
        // Found by `cargo xtask fuzz --target body`.
        let once = canonical(r#"{"a":922222222222222222222222.2222222222222222222222222}"#);
        assert_eq!(canonical(&once), once);
    }

    #[test]
    fn numbers_of_one_value_are_one() {
        for (one, other) in [
            ("1e2", "100"),
            ("1E+2", "100.00"),
            ("0.1e3", "100"),
            ("10000e-2", "1e00002"),
            ("-0", "0.000"),
            ("0e99999999999999999999", "0"),
            ("1.10", "1.1"),
            ("-5e-1", "-0.5"),
            ("1e400", "10e399"),
            ("123456789012345678901234567890", "1.2345678901234567890123456789e29"),
        ] {
            assert_eq!(canonical(one), canonical(other), "{one} {other}");
        }
    }

    #[test]
    fn numbers_that_a_float_cannot_tell_apart_are_two() {
        for (one, other) in [
            ("0.10000000000000001", "0.10000000000000002"),
            ("9007199254740993", "9007199254740992"),
            ("18446744073709551617", "18446744073709551616"),
            ("1e400", "1e401"),
            ("1e-400", "0"),
            (
                "1e99999999999999999999999999999999999999999",
                "1e99999999999999999999999999999999999999998",
            ),
            ("1", "-1"),
        ] {
            assert_ne!(canonical(one), canonical(other), "{one} {other}");
        }
    }

    #[test]
    fn a_large_power_takes_no_memory() {
        assert_eq!(
            canonical("[1e4294967296,1E-999999999999999999]"),
            "[1e4294967296,1e-999999999999999999]"
        );
    }

    proptest! {
        #[test]
        fn a_canonical_text_is_stable(json in "[\\[\\]{}\",:0-9.eE+\\-a\\\\ ]{0,40}") {
            let once = canonical(&json);
            prop_assert_eq!(canonical(&once), once);
        }

        #[test]
        fn a_number_keeps_its_value_however_its_point_is_moved(
            digits in 1_u64.., moved in -30_i32..30,
        ) {
            prop_assert_eq!(
                canonical(&format!("{digits}e{moved}")),
                canonical(&format!("{digits}0e{}", moved - 1))
            );
        }
    }
}
