//! The header fields and the signature base of HTTP message signatures (RFC 9421).

use sfv::{Dictionary, FieldType, InnerList, ListEntry, Parser};

/// Parses a header with a dictionary (RFC 9651); empty if it is absent or malformed.
pub(super) fn parse_dictionary(text: Option<&str>) -> Dictionary {
    text.and_then(|text| Parser::new(text).parse::<Dictionary>().ok()).unwrap_or_default()
}

/// The name of a signed component.
pub(super) fn component_name(item: &sfv::Item) -> Option<&str> {
    item.bare_item.as_string().map(sfv::StringRef::as_str)
}

/// The signature base, which is signed (RFC 9421, section 2.5): one line for each component, then
/// the signature parameters. `component_value` returns the value of a component. `None` if a
/// component is missing.
pub(super) fn signature_base(
    input: &InnerList,
    component_value: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let mut base = String::new();
    for item in &input.items {
        let name = component_name(item)?;
        base.push_str(&format!("\"{name}\": {}\n", component_value(name)?));
    }
    let parameters = vec![ListEntry::InnerList(input.clone())].serialize()?;
    base.push_str(&format!("\"@signature-params\": {parameters}"));
    Some(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_base_has_one_line_for_each_component() {
        let dictionary = parse_dictionary(Some(r#"sig-pp=("@method" "@path");alg="x";created=1"#));
        let Some(ListEntry::InnerList(list)) = dictionary.get("sig-pp") else {
            panic!("an inner list")
        };
        let base = signature_base(list, |name| Some(format!("<{name}>")));
        let expected = "\"@method\": <@method>\n\"@path\": <@path>\n\
            \"@signature-params\": (\"@method\" \"@path\");alg=\"x\";created=1";
        assert_eq!(base.as_deref(), Some(expected));
        assert_eq!(signature_base(list, |_| None), None);
    }
}
