//! Marks of the direction of text (Unicode Standard Annex 9). They are invisible, and copied texts
//! often contain them.

/// Whether it changes the direction of the text after it, so that a reader sees other digits than
/// there are.
pub const fn is_bidi(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
