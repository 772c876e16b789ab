//! The text that is signed (RFC 9421, section 2.5), and structured fields (RFC 9651).

use sfv::{Dictionary, FieldType, InnerList, ListEntry, Parser};

/// Parses a dictionary; `None` where it is malformed.
pub(super) fn parse_dictionary(text: &str) -> Option<Dictionary> {
    Parser::new(text).parse().ok()
}

/// The names of the covered components; `None` where one is not a string, has parameters, which
/// change what is covered, or occurs twice.
pub(super) fn components(input: &InnerList) -> Option<Vec<&str>> {
    let mut names = Vec::new();
    for item in &input.items {
        let name = item.bare_item.as_string()?.as_str();
        if !item.params.is_empty() || names.contains(&name) {
            return None;
        }
        names.push(name);
    }
    Some(names)
}

/// The signature base: a line for each component, whose value `value` finds by its name, then the
/// parameters. `None` where a component has no value, or [`components`] refuses one.
pub(super) fn signature_base(
    input: &InnerList,
    value: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let mut base = String::new();
    for name in components(input)? {
        base.push_str(&format!("\"{name}\": {}\n", value(name)?));
    }
    let parameters = vec![ListEntry::InnerList(input.clone())].serialize()?;
    base.push_str(&format!("\"@signature-params\": {parameters}"));
    Some(base)
}
