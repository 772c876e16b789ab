//! What payers read on pages and parts of pages that only the server draws. The component never
//! shows these texts.

use super::language::Language;
use std::{collections::HashMap, sync::LazyLock};

/// Texts by their ids, of the languages that are complete.
static TEXTS: LazyLock<HashMap<&'static str, HashMap<String, String>>> = LazyLock::new(|| {
    let languages = [
        ("en", [include_str!("texts/en.json"), include_str!("links/texts/en.json")]),
        ("fr", [include_str!("texts/fr.json"), include_str!("links/texts/fr.json")]),
        ("ar", [include_str!("texts/ar.json"), include_str!("links/texts/ar.json")]),
    ];
    let read = |json| serde_json::from_str::<HashMap<String, String>>(json).unwrap_or_default();
    languages
        .into_iter()
        .map(|(code, files)| (code, files.into_iter().flat_map(read).collect()))
        .collect()
});

/// The language that these texts are shown in: English for a preview, of which they are not
/// translated.
pub(super) fn written_in(language: Language) -> Language {
    if TEXTS.contains_key(language.code()) { language } else { Language::ENGLISH }
}

/// A text in a language that [`written_in`] has returned.
pub(super) fn text(language: Language, id: &str) -> &'static str {
    TEXTS.get(language.code()).and_then(|texts| texts.get(id)).map_or("", String::as_str)
}

/// A text with one value in it.
pub(super) fn with(language: Language, id: &str, name: &str, value: &str) -> String {
    text(language, id).replace(name, value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosted::language::NAMES;

    #[test]
    fn the_languages_have_the_same_texts_with_the_same_values() {
        let values =
            |text: &str| ["{min}", "{max}", "{amount}", "{date}"].map(|value| text.contains(value));
        assert!(TEXTS["en"].len() > 50);
        for (code, _) in NAMES {
            assert_eq!(TEXTS[code].len(), TEXTS["en"].len(), "{code}");
            for (id, text) in &TEXTS["en"] {
                let other = &TEXTS[code][id];
                assert!(!other.is_empty() && values(other) == values(text), "{code} {id}");
            }
        }
    }

    #[test]
    fn no_text_of_one_file_replaces_one_of_the_other() {
        let count =
            |json: &str| serde_json::from_str::<HashMap<String, String>>(json).unwrap().len();
        let files = [include_str!("texts/en.json"), include_str!("links/texts/en.json")];
        assert_eq!(files.into_iter().map(count).sum::<usize>(), TEXTS["en"].len());
    }
}
