//! Removes personal data and secrets from what is kept of exchanges.

mod phone_numbers;

use phone_numbers::{mask_json_number, mask_phone_numbers};
use serde_json::{Number, Value};
use url::form_urlencoded;

/// The most characters that are kept of a body.
const MAX_CHARS: usize = 4000;

/// What stands in the place of a value.
const REMOVED: &str = "[removed]";

/// How many times JSON is read in a text of JSON.
const MAX_NESTED: usize = 3;

/// Names of members, in lower case and without separators, whose values are replaced.
const SECRET: [&str; 14] = [
    "accesstoken",
    "apikey",
    "authorization",
    "birthdate",
    "callbackurl",
    "code",
    "customeremail",
    "email",
    "otp",
    "password",
    "pin",
    "primarycallbackurl",
    "secret",
    "token",
];

/// Names of members whose values are people's names.
const NAME: [&str; 9] = [
    "accountname",
    "customername",
    "familyname",
    "firstname",
    "givenname",
    "lastname",
    "name",
    "recipientname",
    "displayname",
];

/// Parts of the names of members whose values are phone numbers, also where the zero is lost.
const PHONE: [&str; 9] = [
    "accountnumber",
    "customerno",
    "mobile",
    "msisdn",
    "partyid",
    "payee",
    "payer",
    "phone",
    "recipient",
];

/// A body or path without phone numbers, names and secrets. Of a phone number only the last three
/// digits stay. Other numbers, such as the operator's transaction ids, stay whole.
#[must_use]
pub fn redact(text: &str) -> String {
    let redacted = redact_text(text, MAX_NESTED);
    match redacted.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &redacted[..end]),
        None => redacted,
    }
}

/// `nested` is how many more times JSON is read inside a text.
fn redact_text(text: &str, nested: usize) -> String {
    if text.trim_start().starts_with(['{', '[']) {
        return match serde_json::from_str::<Value>(text) {
            Ok(mut value) if nested > 0 => {
                redact_value(&mut value, "", nested - 1);
                value.to_string()
            }
            // Its members cannot be told apart, so that names and secrets in it cannot be found.
            _ => format!("[{} bytes of JSON that is not complete]", text.len()),
        };
    }
    if text.trim_start().starts_with('<') {
        return redact_elements(text);
    }
    match text.split_once('?') {
        Some((path, query)) if is_form(query) => {
            format!("{}?{}", mask_phone_numbers(path), redact_form(query))
        }
        None if is_form(text) => redact_form(text),
        _ => mask_phone_numbers(text),
    }
}

/// `name` is the plain name of the nearest member that the value is in.
fn redact_value(value: &mut Value, name: &str, nested: usize) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let name = plain(name);
                if is_removed(&name, value) {
                    *value = Value::from(REMOVED)
                } else {
                    redact_value(value, &name, nested)
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| redact_value(item, name, nested)),
        Value::String(text) => *text = redact_text(text, nested),
        Value::Number(number) => {
            let masked = whole_digits(number)
                .and_then(|digits| mask_json_number(&digits, is_phone_name(name)));
            if let Some(masked) = masked {
                *value = Value::from(masked);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// A member's name in lower case and without separators.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

fn is_removed(name: &str, value: &Value) -> bool {
    // `code` is also the name of an operator's error code, which is evidence: only digits are a
    // passcode.
    let is_evidence = match value {
        Value::Null | Value::Bool(_) => true,
        Value::String(text) => name == "code" && !is_passcode(text, 4),
        Value::Number(number) => name == "code" && !is_passcode(&number.to_string(), 6),
        Value::Array(_) | Value::Object(_) => name == "code",
    };
    let is_text_or_more = !matches!(value, Value::Number(_));
    !is_evidence && (SECRET.contains(&name) || is_text_or_more && NAME.contains(&name))
}

fn is_passcode(text: &str, min_digits: usize) -> bool {
    (min_digits..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_phone_name(name: &str) -> bool {
    PHONE.iter().any(|part| name.contains(part))
}

/// The digits of a positive whole number, also where it is written as `2.33241234567e11`.
fn whole_digits(number: &Number) -> Option<String> {
    match number.as_u64() {
        Some(whole) => Some(whole.to_string()),
        None => number
            .as_f64()
            .filter(|float| *float > 0.0 && float.fract() == 0.0)
            .map(|float| format!("{float:.0}")),
    }
}

/// Whether a text is a form as `application/x-www-form-urlencoded` writes it.
fn is_form(text: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'<')
    };
    let is_field = |field: &str| field.split_once('=').is_some_and(|(name, _)| is_name(name));
    !text.contains(char::is_whitespace) && text.split('&').all(is_field)
}

fn redact_form(text: &str) -> String {
    let fields = form_urlencoded::parse(text.as_bytes()).map(|(name, value)| {
        let mut value = Value::from(value.into_owned());
        if is_removed(&plain(&name), &value) {
            value = Value::from(REMOVED)
        } else {
            redact_value(&mut value, "", 0)
        }
        format!("{name}={}", value.as_str().unwrap_or_default())
    });
    fields.collect::<Vec<_>>().join("&")
}

/// XML or HTML without the contents of the elements whose names are those of secrets or names.
fn redact_elements(text: &str) -> String {
    let mut redacted = String::with_capacity(text.len());
    for part in text.split_inclusive('>') {
        let (contents, tag) = part
            .split_once('<')
            .map_or((part, ""), |(contents, _)| (contents, &part[contents.len()..]));
        let opened = last_tag(&redacted);
        let is_private = !contents.trim().is_empty() && is_removed(&opened, &Value::from(contents));
        redacted.push_str(if is_private { REMOVED } else { contents });
        redacted.push_str(tag);
    }
    mask_phone_numbers(&redacted)
}

/// The plain name of the element that was opened last, without the prefix of its namespace.
fn last_tag(text: &str) -> String {
    let tag =
        text.strip_suffix('>').and_then(|text| text.rsplit_once('<')).map_or("", |(_, tag)| tag);
    let name = tag.split(char::is_whitespace).next().unwrap_or_default();
    plain(name.rsplit(':').next().unwrap_or_default())
}

#[cfg(test)]
mod tests;
