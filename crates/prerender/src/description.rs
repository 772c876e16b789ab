//! Markup as the loader draws it: `["p", {"class": "tua-note"}, child, …]`. A child is another such
//! list or a text. A text is a string, or the number of a text in the language's list.
//!
//! A page that enforces Trusted Types refuses markup in a string, so the loader creates each
//! element by itself.

use anyhow::{Context, Result, ensure};
use scraper::{ElementRef, Html, Node};
use serde_json::{Map, Value, json};
use tua_checkout::locale::{Text, Texts};

/// The first character of a private use area of Unicode: no text of ours holds one.
const FIRST_PLACEHOLDER: u32 = 0xf0000;

/// Texts of one character each, which tells which text it is.
pub fn placeholders() -> Texts {
    Texts::read(|id| {
        let place = Text::ALL.iter().position(|text| text.id() == id)?;
        char::from_u32(FIRST_PLACEHOLDER + u32::try_from(place).ok()?).map(String::from)
    })
}

/// The text whose placeholder this is.
fn text_of(placeholder: char) -> Option<Text> {
    let place = u32::from(placeholder).checked_sub(FIRST_PLACEHOLDER)?;
    Text::ALL.get(usize::try_from(place).ok()?).copied()
}

/// The texts that descriptions refer to, in the order of their numbers.
#[derive(Debug, Default)]
pub struct UsedTexts(pub Vec<Text>);

impl UsedTexts {
    /// The number of a text.
    pub fn number_of(&mut self, text: Text) -> usize {
        self.0.iter().position(|used| *used == text).unwrap_or_else(|| {
            self.0.push(text);
            self.0.len() - 1
        })
    }

    /// The description of the one element that this markup holds.
    ///
    /// # Errors
    /// Where the markup holds anything but one element, or an attribute that a strict policy
    /// refuses or that is only partly a language's text.
    pub fn describe(&mut self, markup: &str) -> Result<Value> {
        let document = Html::parse_fragment(markup);
        let mut elements = document.root_element().child_elements();
        let element = elements.next().context("the views draw nothing")?;
        ensure!(elements.next().is_none(), "the views draw more than one element");
        self.element(element)
    }

    fn element(&mut self, element: ElementRef<'_>) -> Result<Value> {
        let mut attributes = Map::new();
        for (name, value) in element.value().attrs() {
            ensure!(
                name != "style" && !name.starts_with("on"),
                "{name} is refused by a strict content security policy"
            );
            let mut texts = self.texts(value);
            let text = texts.pop().unwrap_or_else(|| json!(""));
            ensure!(texts.is_empty(), "{name} joins a language's text with others: {value:?}");
            attributes.insert(name.to_owned(), text);
        }
        let mut description = vec![json!(element.value().name()), attributes.into()];
        for child in element.children() {
            match child.value() {
                Node::Element(_) => {
                    let child = ElementRef::wrap(child).context("an element is none")?;
                    description.push(self.element(child)?);
                }
                Node::Text(text) => description.extend(self.texts(text)),
                _ => {}
            }
        }
        Ok(description.into())
    }

    /// Strings, and the numbers of a language's texts, in their order.
    fn texts(&mut self, text: &str) -> Vec<Value> {
        let mut texts: Vec<Value> = Vec::new();
        for char in text.chars() {
            match (text_of(char), texts.last_mut()) {
                (Some(text), _) => texts.push(json!(self.number_of(text))),
                (None, Some(Value::String(text))) => text.push(char),
                (None, _) => texts.push(json!(char.to_string())),
            }
        }
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placeholder(text: Text) -> String {
        placeholders().get(text).to_owned()
    }

    fn describe(markup: &str) -> Result<Value> {
        UsedTexts::default().describe(markup)
    }

    #[test]
    fn an_element_has_its_attributes_and_children_in_order() {
        let label = placeholder(Text::FormPhone);
        let pin = placeholder(Text::FormPin);
        let markup = format!("<p class=\"a\" aria-label=\"{label}\">{pin} y<b></b>x{label}</p>");
        let mut used = UsedTexts::default();
        assert_eq!(
            used.describe(&markup).unwrap(),
            json!(["p", { "class": "a", "aria-label": 0 }, 1, " y", ["b", {}], "x", 0])
        );
        assert_eq!(used.0, [Text::FormPhone, Text::FormPin]);
    }

    #[test]
    fn names_of_svg_keep_their_case() {
        let svg = describe("<svg viewBox=\"0 0 1 1\"><path d=\"M0 0\"></path></svg>").unwrap();
        assert_eq!(svg, json!(["svg", { "viewBox": "0 0 1 1" }, ["path", { "d": "M0 0" }]]));
    }

    #[test]
    fn an_attribute_that_csp_blocks_or_the_loader_cannot_fill_is_an_error() {
        let mixed = format!("<p title=\"{}!\"></p>", placeholder(Text::FormPhone));
        for markup in [
            "",
            "<p></p><p></p>",
            "<p style=\"color: red\"></p>",
            "<p onclick=\"x()\"></p>",
            &mixed,
        ] {
            assert!(describe(markup).is_err(), "{markup}");
        }
    }
}
