//! Bare e-mail addresses: one mailbox and nothing else. With a display name or a comment, what a person reads and where a
//! message goes could be two things: `owner@shop.example (x) <other@evil.example>`.

use super::bidi::is_bidi;
use email_address::{EmailAddress, Options};

/// The longest address, in bytes (RFC 5321 section 4.5.3.1.3).
const MAX_BYTES: usize = 254;

/// The characters with which RFC 5322 writes display names, comments, quoted local parts and lists.
const SPECIALS: [char; 11] = ['"', '(', ')', ',', ':', ';', '<', '>', '[', ']', '\\'];

/// Whether a text is exactly one address, without anything that is invisible.
#[must_use]
pub fn is_bare_address(text: &str) -> bool {
    let options = Options::default().without_display_text().without_domain_literal();
    let is_plain =
        |c: char| !SPECIALS.contains(&c) && !c.is_control() && !c.is_whitespace() && !is_bidi(c) && !is_invisible(c);
    text.len() <= MAX_BYTES && text.chars().all(is_plain) && EmailAddress::parse_with_options(text, options).is_ok()
}

/// Whether nothing is drawn for it, so that two addresses look the same.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200d}'
        | '\u{2060}'..='\u{2064}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_address_has_no_display_name_no_comment_and_nothing_invisible() {
        for text in
            ["esi@example.com", "esi+tua@mail.example.com", "o'neil@example.com", "ésì@example.com", "a@localhost"]
        {
            assert!(is_bare_address(text), "{text}");
        }
        for text in [
            "",
            "esi",
            "esi@",
            "@example.com",
            "owner@a.example (x) <y@evil.example>",
            "Esi <esi@example.com>",
            "<esi@example.com>",
            "esi@example.com (Esi)",
            "\"esi\"@example.com",
            "\"owner@a.example\"@evil.example",
            "esi@[127.0.0.1]",
            "esi@example.com,other@evil.example",
            "esi@example.com;other@evil.example",
            "esi@example.com other@evil.example",
            "esi@example.com\r\nBcc: other@evil.example",
            "e\u{200b}si@example.com",
            "e\u{ad}si@example.com",
            "esi@example.com\u{202e}",
            "esi@@example.com",
        ] {
            assert!(!is_bare_address(text), "{text:?}");
        }
        assert!(!is_bare_address(&format!("{}@example.com", "a".repeat(250))));
    }

    proptest! {
        #[test]
        fn what_is_accepted_has_one_at_sign_and_no_space(text in "[a-z@<>(),;: \\.\"\\[\\]]{0,24}") {
            if is_bare_address(&text) {
                prop_assert_eq!(text.matches('@').count(), 1);
                prop_assert!(!text.contains(|c: char| c.is_whitespace() || SPECIALS.contains(&c)));
            }
        }
    }
}
