//! The one code in a sentence, such as a pasted SMS. A wrong code costs one of five tries, so whatever is in doubt is
//! refused. Specified in `docs/reference/values.md#typed-numbers`.
//!
//! One function with plain variables keeps this small in the wasm.

/// The only code in a sentence, with the spaces in it. All digits and spaces of the sentence are ASCII, and a space is its
/// end. `None` where there is no code, or any doubt.
pub(crate) fn only_code_in(sentence: &[u8]) -> Option<&[u8]> {
    let mut code = None;
    // Whether a number came after the last word.
    let mut is_after_number = false;
    // The number that is being read: `123 456` has two groups of three digits. An amount is one group.
    let (mut start, mut end, mut groups, mut length) = (0, 0, 0, 0);
    let (mut has_currency, mut has_points, mut has_capitals) = (false, false, false);
    let mut at = 0;
    for whole in sentence.split(|byte| *byte == b' ') {
        let word = match whole {
            [word @ .., b'.' | b',' | b':' | b';' | b'!' | b'?'] => word,
            _ => whole,
        };
        // `GHS`, `GHC`, `GH₵`, `Ghana`; `cedis`.
        let is_currency = match word {
            [first, second, ..] if [first | 0x20, second | 0x20] == *b"gh" => true,
            [first, second, third, ..] => [first | 0x20, second | 0x20, third | 0x20] == *b"ced",
            _ => false,
        };
        let (mut digits, mut numeric, mut has_small) = (0, 0, false);
        for byte in word {
            if byte.is_ascii_digit() {
                digits += 1;
                numeric += 1;
            } else if matches!(byte, b'.' | b',') {
                numeric += 1;
            } else if byte.is_ascii_lowercase() || (*byte >= 0x80 && *byte < 0xe0 && *byte != 0xc2) {
                // Letters of two bytes are letters.
                has_small = true;
            } else if !is_currency && (*byte >= 0x80 || matches!(byte, b'*' | b'_')) {
                // They may stand for digits that are hidden; numerals such as `①` are digits.
                return None;
            }
        }
        let is_one_letter = matches!(word, [_] | [0x80..=0xff, _]);
        // Other capitals beside a number may be a part of it: `ABCD 1234`.
        let is_label = matches!(word, b"OTP" | b"PIN" | b"CODE" | b"VOUCHER" | b"YOUR" | b"IS" | b"MTN");
        let is_word = is_label || (digits == 0 && has_small && !is_one_letter && !is_currency);
        if digits > 0 {
            let is_unknown = numeric < word.len() && !is_currency;
            if is_after_number || is_unknown || (groups > 0 && length != word.len()) {
                return None;
            }
            if groups == 0 {
                start = at;
            }
            end = at + word.len();
            groups += 1;
            length = word.len();
            has_points |= numeric > digits;
        } else if !is_word && !is_currency && !word.is_empty() {
            has_capitals = true;
        }
        has_currency |= is_currency;
        at += whole.len() + 1;
        let is_end = word.len() < whole.len() || (word.is_empty() && groups > 0);
        if !is_word && (is_currency || !is_end) {
            continue;
        }
        if groups > 0 {
            let is_parted = groups > 1;
            if has_capitals || (has_points && !has_currency) || (is_parted && (has_currency || length < 3)) {
                return None;
            }
            if !has_currency && groups * length > 3 {
                let text = sentence.get(start..end)?;
                let is_year = matches!(text, [b'1', b'9', _, _] | [b'2', b'0', _, _]);
                // Nine digits may be a phone number.
                if is_year || groups * length > 8 || code.is_some() {
                    return None;
                }
                code = Some(text);
            }
        }
        is_after_number = !is_word && (is_after_number || groups > 0);
        groups = 0;
        (has_currency, has_points, has_capitals) = (false, false, false);
    }
    code
}

#[cfg(test)]
mod tests;
