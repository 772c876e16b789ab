//! Names and notes that people type on one line.

use tua_contract::plain_text::visible;

/// The longest name of a person, an account or a key, in characters.
pub const MAX_NAME_CHARS: usize = 80;

/// Reads the name of a person, an account or a key: a line of 1 to 80 characters.
///
/// # Errors
/// The rule that the text breaks.
pub fn parse_name(text: &str) -> Result<String, String> {
    parse_line(text, MAX_NAME_CHARS)
}

/// Reads a line of 1 to `max_chars` characters. White space around it is removed, and so are
/// invisible characters, which copied texts often contain and which can show other digits than
/// there are. Unicode's own line breaks, which word processors write, become spaces.
///
/// # Errors
/// The rule that the text breaks.
pub fn parse_line(text: &str, max_chars: usize) -> Result<String, String> {
    let line = visible(text).replace(['\u{2028}', '\u{2029}'], " ");
    if (1..=max_chars).contains(&line.chars().count()) && !line.contains(char::is_control) {
        Ok(line)
    } else {
        Err(format!("it must be 1 to {max_chars} characters without control characters"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_has_no_break_and_nothing_that_nobody_sees() {
        for typed in ["Ama\u{2028}Mensah", " Ama\u{200b} Mensah\u{202e} \u{feff}"] {
            assert_eq!(parse_line(typed, 10).as_deref(), Ok("Ama Mensah"));
        }
        for bad in ["", " ", "\u{200b}", "\u{2028}", "a\nb", "\u{7}", "Ama Mensah!"] {
            assert!(parse_line(bad, 10).is_err(), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn what_was_read_is_read_again_as_it_is(text in "\\PC{0,20}") {
            if let Ok(line) = parse_line(&text, 10) {
                prop_assert_eq!(parse_line(&line, 10), Ok(line));
            }
        }
    }
}
