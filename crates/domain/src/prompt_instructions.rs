//! An operator's instructions for a payer who sees no prompt.

use super::bidi::is_bidi;
use std::collections::BTreeMap;

/// More is no help text. A text that is longer is left out, because half of the steps mislead.
const MAX_CHARACTERS: usize = 300;

/// More languages than any operator offers.
const MAX_LANGUAGES: usize = 10;

/// Texts by the tag of their language, such as `en`. They come from an operator and are shown to
/// payers, so they are plain text: one line, of limited length, without control characters.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PromptInstructions(BTreeMap<String, String>);

impl PromptInstructions {
    /// The text in a language.
    #[must_use]
    pub fn text(&self, language: &str) -> Option<&str> {
        self.0.get(language).map(String::as_str)
    }

    /// The texts by language.
    #[must_use]
    pub const fn texts(&self) -> &BTreeMap<String, String> {
        &self.0
    }

    /// The texts by language.
    #[must_use]
    pub fn into_texts(self) -> BTreeMap<String, String> {
        self.0
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Languages and texts. What is no two- or three-letter tag, or no text that can be shown, is left
/// out.
impl FromIterator<(String, String)> for PromptInstructions {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(texts: I) -> Self {
        let is_tag = |tag: &str| {
            matches!(tag.len(), 2..=3) && tag.bytes().all(|byte| byte.is_ascii_lowercase())
        };
        let texts = texts.into_iter().filter(|(language, _)| is_tag(language));
        Self(
            texts
                .filter_map(|(language, text)| Some((language, plain(&text)?)))
                .take(MAX_LANGUAGES)
                .collect(),
        )
    }
}

/// The text on one line. `None` where nothing is left, or too much.
fn plain(text: &str) -> Option<String> {
    let visible: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .filter(|c| !is_bidi(*c))
        .collect();
    let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    (1..=MAX_CHARACTERS).contains(&line.chars().count()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[(&str, &str)]) -> PromptInstructions {
        texts.iter().map(|(language, text)| ((*language).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn texts_are_one_line_without_control_characters() {
        let read =
            texts(&[("en", "  Dial\u{0}*170#\n\tthen \u{202e}approve "), ("fr", "Composez *170#")]);
        assert_eq!(read.text("en"), Some("Dial *170# then approve"));
        assert_eq!(read.text("fr"), Some("Composez *170#"));
        assert_eq!(read.text("tw"), None);
    }

    #[test]
    fn what_cannot_be_shown_is_left_out() {
        let longest = "é".repeat(MAX_CHARACTERS);
        let read = texts(&[
            ("en", &longest),
            ("fr", &format!("{longest}e")),
            ("tw", " \n"),
            ("English", "Dial"),
            ("", "D"),
        ]);
        assert_eq!((read.text("en"), read.texts().len()), (Some(longest.as_str()), 1));
        assert!(texts(&[]).is_empty() && texts(&[("EN", "Dial *170#")]).is_empty());
        let many =
            (b'a'..=b'z').map(|letter| (format!("x{}", char::from(letter)), "Dial".to_owned()));
        assert_eq!(many.collect::<PromptInstructions>().texts().len(), MAX_LANGUAGES);
    }
}
