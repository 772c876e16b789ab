//! Bodies of HTML forms, which Paystack takes as well as JSON.

use serde_json::{Map, Value};
use url::form_urlencoded;

/// The type of such a body.
pub(super) const MEDIA_TYPE: &str = "application/x-www-form-urlencoded";

/// How deep brackets are followed. Deeper ones are left out.
const MAX_DEPTH: usize = 8;

/// The JSON that a form stands for. `mobile_money[phone]=…` is a member of an object,
/// `channels[]=…` and `channels[0]=…` are items of an array. Every value is text.
pub(super) fn to_json(body: &[u8]) -> Value {
    let mut form = Value::Object(Map::new());
    for (name, value) in form_urlencoded::parse(body) {
        let keys = name.split('[').map(|key| key.trim_end_matches(']')).take(MAX_DEPTH);
        let place = keys.enumerate().fold(&mut form, |place, (depth, key)| match index(key) {
            Some(index) if depth > 0 => item(place, index),
            _ => member(place, key),
        });
        *place = Value::String(value.into_owned());
    }
    form
}

/// The index of an item of an array, which may be left out; `None` for the name of a member.
fn index(key: &str) -> Option<usize> {
    if key.is_empty() { Some(usize::MAX) } else { key.parse().ok() }
}

fn member<'a>(place: &'a mut Value, name: &str) -> &'a mut Value {
    if !place.is_object() {
        *place = Value::Object(Map::new());
    }
    &mut place[name]
}

/// The item with this index, or a new one behind the last.
fn item(place: &mut Value, index: usize) -> &mut Value {
    if !place.is_array() {
        *place = Value::Array(Vec::new());
    }
    let length = place.as_array().map_or(0, Vec::len);
    let index = index.min(length);
    if let Some(items) = place.as_array_mut().filter(|_| index == length) {
        items.push(Value::Null);
    }
    &mut place[index]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn brackets_are_members_and_items() {
        let form = "email=a%40b.example&amount=1250&mobile_money%5Bphone%5D=0241234567\
                    &mobile_money[provider]=mtn&channels[]=card&channels[]=mobile_money\
                    &metadata[custom_fields][0][value]=7&metadata[custom_fields][0][name]=x+y";
        let json = json!({
            "email": "a@b.example",
            "amount": "1250",
            "mobile_money": {"phone": "0241234567", "provider": "mtn"},
            "channels": ["card", "mobile_money"],
            "metadata": {"custom_fields": [{"value": "7", "name": "x y"}]},
        });
        assert_eq!(to_json(form.as_bytes()), json);
    }

    #[test]
    fn a_strange_form_is_read_too() {
        assert_eq!(to_json(b""), json!({}));
        assert_eq!(to_json(b"a=1&a[b]=2"), json!({"a": {"b": "2"}}));
        assert_eq!(to_json(b"a[9]=1&0=x"), json!({"a": ["1"], "0": "x"}));
        let deep = format!("a{}=1", "[b]".repeat(10_000));
        assert!(to_json(deep.as_bytes()).to_string().len() < 100);
    }
}
