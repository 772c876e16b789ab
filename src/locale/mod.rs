//! The texts that the payer reads. Their identifiers are here, the texts are in
//! `texts/<language>.json`.

mod ids;

pub use ids::Text;
use std::rc::Rc;

/// Formats amounts and times for one language.
pub trait Format {
    /// Formats an amount, a decimal text, with its currency: `10.5` and `GHS` are `GH₵10.50` in
    /// English.
    fn money(&self, amount: &str, currency: &str) -> String;
    /// Formats a time, given in ISO 8601.
    fn moment(&self, iso: &str) -> String;
}

/// The texts of one language: one line each, in the order of [`Text::ALL`]. A single string needs
/// one allocation before the first rendering instead of a hundred.
#[derive(Clone, Debug)]
pub struct Texts(Rc<str>);

/// Compares the pointers: texts are read once and shared.
impl PartialEq for Texts {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Texts {
    /// Gets the text of each identifier from `look_up`. A missing text is replaced by its
    /// identifier.
    pub fn read(look_up: impl Fn(&'static str) -> Option<String>) -> Self {
        let line = |text: &Text| {
            look_up(text.id()).unwrap_or_else(|| text.id().to_owned()).replace('\n', " ")
        };
        Self(Text::ALL.iter().map(line).collect::<Vec<_>>().join("\n").into())
    }

    /// Parses lines as `tua-prerender` writes them: [`Text::STAMP`], then each text. `None` if the
    /// stamp is that of other identifiers.
    #[must_use]
    pub fn stamped(lines: &str) -> Option<Self> {
        let (stamp, texts) = lines.split_once('\n')?;
        (stamp.parse() == Ok(Text::STAMP)).then(|| Self(texts.into()))
    }

    /// The text, with its `{placeholders}`.
    #[must_use]
    pub fn get(&self, text: Text) -> &str {
        self.0.split('\n').nth(text as usize).unwrap_or_default()
    }

    /// The text, with each `{name}` replaced by its value.
    #[must_use]
    pub fn fill(&self, text: Text, values: &[(&str, &str)]) -> String {
        let mut rest = self.get(text);
        let mut filled = String::new();
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else { break };
            filled.push_str(before);
            filled
                .push_str(values.iter().find(|value| value.0 == name).map_or("", |value| value.1));
            rest = after;
        }
        filled.push_str(rest);
        filled
    }
}

/// A count as decimal digits. `to_string` would add half a kilobyte to the download.
pub(crate) fn digits(count: u32) -> String {
    let mut text = if count > 9 { digits(count / 10) } else { String::new() };
    text.extend(char::from_digit(count % 10, 10));
    text
}

/// The English texts: a JSON object of identifier to text.
#[cfg(any(test, feature = "english"))]
#[must_use]
pub fn english_json() -> &'static str {
    include_str!("texts/en.json")
}

/// Each language's code and texts: a JSON object of identifier to text. The texts that a preview
/// lacks are shown in English.
#[cfg(feature = "server")]
pub const LANGUAGES: [(&str, &str); 6] = [
    ("en", include_str!("texts/en.json")),
    ("fr", include_str!("texts/fr.json")),
    ("ar", include_str!("texts/ar.json")),
    ("tw", include_str!("texts/tw.json")),
    ("ee", include_str!("texts/ee.json")),
    ("ha", include_str!("texts/ha.json")),
];

// On the host only: the browser has its own tests.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
