//! Bare e-mail addresses: one mailbox and nothing else. With a display name or a comment, what a
//! person reads and where a message goes could be two things: `owner@shop.example (x)
//! <other@evil.example>`.

use super::bidi::is_bidi;
use email_address::{EmailAddress, Options};
use unicode_normalization::UnicodeNormalization;
use url::Host;

/// The longest address, in bytes (RFC 5321 section 4.5.3.1.3).
const MAX_BYTES: usize = 254;

/// The characters with which RFC 5322 writes display names, comments, quoted local parts and lists.
const SPECIALS: [char; 11] = ['"', '(', ')', ',', ':', ';', '<', '>', '[', ']', '\\'];

/// Whether a text is exactly one address, without anything that is invisible.
#[must_use]
pub fn is_bare_address(text: &str) -> bool {
    let options = Options::default().without_display_text().without_domain_literal();
    let is_plain = |c: char| {
        !SPECIALS.contains(&c)
            && !c.is_control()
            && !c.is_whitespace()
            && !is_bidi(c)
            && !is_invisible(c)
    };
    text.len() <= MAX_BYTES
        && text.chars().all(is_plain)
        && EmailAddress::parse_with_options(text, options).is_ok()
}

/// The address by which a mailbox is compared: in lower case and one form of each letter (RFC 6532
/// section 3.1), with the domain as the name system has it, so that `ama@bücher.example` and
/// `ama@xn--bcher-kva.example` are one mailbox. `None` if the text is not exactly one address.
#[must_use]
pub fn mailbox(text: &str) -> Option<String> {
    let text: String = text.to_lowercase().nfc().collect();
    let (local, domain) = text.rsplit_once('@').filter(|_| is_bare_address(&text))?;
    // A percent sign would be decoded.
    let is_encoded = domain.contains('%');
    let Some(Host::Domain(domain)) = Host::parse(domain).ok().filter(|_| !is_encoded) else {
        return None;
    };
    let mailbox = format!("{local}@{domain}");
    is_bare_address(&mailbox).then_some(mailbox)
}

/// Whether nothing is drawn for it, so that two addresses look the same: Unicode's
/// Default_Ignorable_Code_Point, marks of annotations, and the blank letters of Braille and of
/// musical notation.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_address_has_no_display_name_no_comment_and_nothing_invisible() {
        for text in [
            "esi@example.com",
            "esi+tua@mail.example.com",
            "o'neil@example.com",
            "ésì@example.com",
            "a@localhost",
        ] {
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

    #[test]
    fn nothing_invisible_is_accepted_in_any_part() {
        let ranges = [
            0x34f..=0x34f,
            0x115f..=0x1160,
            0x17b4..=0x17b5,
            0x180b..=0x180f,
            0x200b..=0x200f,
            0x202a..=0x202e,
            0x2060..=0x206f,
            0x2800..=0x2800,
            0x3164..=0x3164,
            0xfe00..=0xfe0f,
            0xffa0..=0xffa0,
            0xfff0..=0xfffb,
            0x1_bca0..=0x1_bca3,
            0x1_d173..=0x1_d17a,
            0xe_0000..=0xe_0fff,
        ];
        for unseen in ranges.into_iter().flatten().filter_map(char::from_u32) {
            for text in [format!("am{unseen}a@example.com"), format!("ama@exam{unseen}ple.com")] {
                assert_eq!(mailbox(&text), None, "{:x}", u32::from(unseen));
            }
        }
    }

    #[test]
    fn two_spellings_of_one_mailbox_are_equal() {
        for (one, other) in [
            ("ama@bücher.example", "ama@xn--bcher-kva.example"),
            ("ama@BÜCHER.example", "AMA@XN--BCHER-KVA.example"),
            ("ama@bu\u{308}cher.example", "ama@bücher.example"),
            ("e\u{301}si@example.com", "ési@example.com"),
            ("ama@ｅｘａｍｐｌｅ.com", "ama@example.com"),
        ] {
            assert_eq!(mailbox(one), mailbox(other), "{one} {other}");
            assert!(mailbox(one).is_some(), "{one}");
        }
        assert_ne!(mailbox("ama@bücher.example"), mailbox("ama@bucher.example"));
        for text in ["ama@%65xample.com", "ama@127.0.0.1", "ama@0x7f.1"] {
            assert_eq!(mailbox(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_accepted_has_one_at_sign_and_no_space(
            text in "[a-z@<>(),;: \\.\"\\[\\]]{0,24}",
        ) {
            if is_bare_address(&text) {
                prop_assert_eq!(text.matches('@').count(), 1);
                prop_assert!(!text.contains(|c: char| c.is_whitespace() || SPECIALS.contains(&c)));
            }
        }
    }
}
