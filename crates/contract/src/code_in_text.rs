//! The one code in a sentence, such as a pasted SMS. A wrong code costs one of five tries, so
//! whatever is in doubt is refused. Specified in `docs/reference/values.md#typed-numbers`.
//!
//! Words are read as bytes and kept nowhere, which keeps this small in the wasm.

/// Words in capitals that may stand beside a code. Others may be a part of it: `ABCD 1234`.
const LABELS: [&[u8]; 7] = [b"OTP", b"PIN", b"CODE", b"VOUCHER", b"YOUR", b"IS", b"MTN"];

/// The only code in a sentence, with the spaces in it. All digits and spaces of the sentence are
/// ASCII, and a space is its end. `None` where there is no code, or any doubt.
pub(crate) fn only_code_in(sentence: &[u8]) -> Option<&[u8]> {
    let mut code = None;
    let mut number = Number::default();
    // Whether a number came after the last word.
    let mut is_after_number = false;
    let mut at = 0;
    for whole in sentence.split(|byte| *byte == b' ') {
        let word = Word::read(whole)?;
        if word.has_digits {
            if is_after_number || !number.add(&word, at) {
                return None;
            }
        } else if word.is_doubtful {
            number.is_beside_doubt = true;
        }
        number.is_amount |= word.is_currency;
        at += whole.len() + 1;
        let is_end = word.ends_clause || (word.length == 0 && number.groups > 0);
        if !word.is_plain && (word.is_currency || !is_end) {
            continue;
        }
        is_after_number = !word.is_plain && (is_after_number || number.groups > 0);
        match std::mem::take(&mut number).end(sentence) {
            NumberKind::Other => {}
            NumberKind::Code(found) if code.is_none() => code = Some(found),
            NumberKind::Code(_) | NumberKind::Doubtful => return None,
        }
    }
    code
}

/// A word of a sentence.
struct Word {
    length: usize,
    has_digits: bool,
    /// Whether it has digits, and points or commas.
    has_points: bool,
    /// `GHS`, `GHC`, `GH₵`, `Ghana`; `cedis`.
    is_currency: bool,
    /// Whether it is an ordinary word, which ends a number.
    is_plain: bool,
    /// Whether it may be a part of a code: capitals, a single letter, a sign.
    is_doubtful: bool,
    /// Whether a point, a comma or the like follows it.
    ends_clause: bool,
}

impl Word {
    /// `None` for one that may have hidden digits, or that mixes digits with something else.
    fn read(whole: &[u8]) -> Option<Self> {
        let word = match whole {
            [word @ .., b'.' | b',' | b':' | b';' | b'!' | b'?'] => word,
            _ => whole,
        };
        let is_currency = match word {
            [first, second, ..] if [first | 0x20, second | 0x20] == *b"gh" => true,
            [first, second, third, ..] => [first | 0x20, second | 0x20, third | 0x20] == *b"ced",
            _ => false,
        };
        let mut digits = 0;
        let mut points = 0;
        let mut has_small = false;
        for byte in word {
            match byte {
                b'0'..=b'9' => digits += 1,
                b'.' | b',' => points += 1,
                // Letters of two bytes are letters.
                b'a'..=b'z' | 0x80..=0xc1 | 0xc3..=0xdf => has_small = true,
                // They may stand for digits that are hidden; numerals such as `①` are digits.
                b'*' | b'_' | 0x80.. if !is_currency => return None,
                _ => {}
            }
        }
        let has_digits = digits > 0;
        if has_digits && digits + points < word.len() && !is_currency {
            return None;
        }
        let is_one_letter = matches!(word, [_] | [0x80..=0xff, _]);
        let is_plain =
            LABELS.contains(&word) || (!has_digits && has_small && !is_one_letter && !is_currency);
        Some(Self {
            length: word.len(),
            has_digits,
            has_points: has_digits && points > 0,
            is_currency,
            is_plain,
            is_doubtful: !is_plain && !is_currency && !word.is_empty(),
            ends_clause: word.len() < whole.len(),
        })
    }
}

/// What a number in a sentence is.
enum NumberKind<'a> {
    /// The code, with the spaces in it.
    Code(&'a [u8]),
    /// No code: an amount, up to three digits, or no number at all.
    Other,
    /// A number that may be a code, or may be another number.
    Doubtful,
}

/// A number in a sentence: `123 456` has two groups of three digits. An amount is one group.
#[derive(Default)]
struct Number {
    start: usize,
    end: usize,
    groups: usize,
    /// Of each group, in bytes.
    length: usize,
    has_points: bool,
    is_amount: bool,
    is_beside_doubt: bool,
}

impl Number {
    /// Adds the group that begins at a byte of the sentence. Returns whether it is as long as the
    /// others.
    fn add(&mut self, word: &Word, at: usize) -> bool {
        let is_first = self.groups == 0;
        let fits = is_first || self.length == word.length;
        if is_first {
            self.start = at;
        }
        self.end = at + word.length;
        self.groups += 1;
        self.length = word.length;
        self.has_points |= word.has_points;
        fits
    }

    /// What the number is, now that it is complete.
    fn end(self, sentence: &[u8]) -> NumberKind<'_> {
        if self.groups == 0 {
            return NumberKind::Other;
        }
        let is_parted = self.groups > 1;
        if self.is_beside_doubt
            || (self.has_points && !self.is_amount)
            || (is_parted && (self.is_amount || self.length < 3))
        {
            return NumberKind::Doubtful;
        }
        let digits = self.groups * self.length;
        if self.is_amount || digits <= 3 {
            return NumberKind::Other;
        }
        match sentence.get(self.start..self.end) {
            // A year.
            None | Some([b'1', b'9', _, _] | [b'2', b'0', _, _]) => NumberKind::Doubtful,
            // Nine digits may be a phone number.
            Some(text) if digits <= 8 => NumberKind::Code(text),
            Some(_) => NumberKind::Doubtful,
        }
    }
}

#[cfg(test)]
mod tests;
