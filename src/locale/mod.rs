//! The words that the payer reads: ids here, texts in `pkg/locales/<language>.js`.

mod ids;

pub use ids::Text;
use std::rc::Rc;

/// How a language writes money and times.
pub trait Format {
    /// An amount of money: `10.5`, `GHS` becomes `GH₵10.50` or what the language makes of it.
    fn money(&self, amount: &str, currency: &str) -> String;
    /// A moment, given in ISO 8601.
    fn moment(&self, iso: &str) -> String;
}

/// The texts of one language.
#[derive(Clone, Debug)]
pub struct Texts(Rc<[String]>);

/// By identity: texts are read once and shared.
impl PartialEq for Texts {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Texts {
    /// Takes the text of each id from `look_up`. A text that is missing shows as its id.
    pub fn read(look_up: impl Fn(&'static str) -> Option<String>) -> Self {
        Self(Text::ALL.iter().map(|text| look_up(text.id()).unwrap_or_else(|| text.id().to_owned())).collect())
    }

    /// The text as it is.
    #[must_use]
    pub fn get(&self, text: Text) -> &str {
        self.0.get(text as usize).map_or("", String::as_str)
    }

    /// The text, with the value of each `{name}` put in its place.
    #[must_use]
    pub fn fill(&self, text: Text, values: &[(&str, &str)]) -> String {
        let mut rest = self.get(text);
        let mut filled = String::new();
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else { break };
            filled.push_str(before);
            filled.push_str(values.iter().find(|value| value.0 == name).map_or("", |value| value.1));
            rest = after;
        }
        filled.push_str(rest);
        filled
    }
}

/// The JSON inside `pkg/locales/en.js`, which is a module for the browser and data for everyone else.
#[cfg(any(test, feature = "english"))]
#[must_use]
pub fn english_json() -> &'static str {
    let module = include_str!("../../pkg/locales/en.js").trim();
    module.trim_start_matches("export default").trim_end_matches(';').trim()
}

// On the host only: the browser has its own tests.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn english() -> BTreeMap<String, String> {
        serde_json::from_str(english_json()).unwrap()
    }

    /// The ids that the hand-written JavaScript asks for.
    fn loader_ids() -> BTreeSet<String> {
        let loader = include_str!("../../pkg/tua-checkout.js");
        loader.split("texts[\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
    }

    #[test]
    fn the_file_holds_exactly_the_texts_that_the_code_uses() {
        let used: BTreeSet<String> = Text::ALL.iter().map(|text| text.id().to_owned()).chain(loader_ids()).collect();
        let written: BTreeSet<String> = english().into_keys().collect();
        assert_eq!(used, written);
    }

    #[test]
    fn no_id_is_named_twice_in_the_file() {
        let named = english_json().lines().filter(|line| line.trim_start().starts_with('"')).count();
        assert_eq!(named, english().len());
    }

    #[test]
    fn placeholders_are_those_that_the_code_fills() {
        let known = ["amount", "merchant", "phone", "count"];
        for (id, text) in english() {
            for name in text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)) {
                assert!(known.contains(&name), "{id} names {name}");
            }
        }
    }

    #[test]
    fn values_go_where_their_names_stand() {
        let texts = Texts::read(|id| Some(["{b} ", id, " {a}{c}{"].concat()));
        assert_eq!(texts.fill(Text::ModeTest, &[("a", "1"), ("b", "{a}")]), "{a} mode.test 1{");
    }
}
