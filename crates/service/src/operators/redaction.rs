//! Removes personal data and secrets from what is kept of exchanges.

use serde_json::Value;

/// The most characters that are kept of a body.
const MAX_CHARS: usize = 4000;

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

/// A body or path without phone numbers, names and secrets. Of a phone number only the last three digits stay. Other
/// numbers, such as the operator's transaction ids, stay whole.
#[must_use]
pub fn redact(text: &str) -> String {
    let redacted = match serde_json::from_str::<Value>(text) {
        Ok(mut value @ (Value::Object(_) | Value::Array(_))) => {
            redact_value(&mut value);
            value.to_string()
        }
        // Its members cannot be told apart, so that names and secrets in it cannot be found.
        Err(_) if text.trim_start().starts_with(['{', '[']) => {
            format!("[{} bytes of JSON that is not complete]", text.len())
        }
        _ => mask_numbers(text),
    };
    match redacted.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &redacted[..end]),
        None => redacted,
    }
}

fn redact_value(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
                let plain = plain.to_ascii_lowercase();
                // `code` is also the name of an operator's error code, which is evidence: only digits are a passcode.
                let is_error_code = plain == "code" && !value.as_str().is_some_and(is_passcode);
                match value {
                    Value::String(_) | Value::Number(_) if SECRET.contains(&plain.as_str()) && !is_error_code => {
                        *value = Value::from("[removed]");
                    }
                    Value::String(_) if NAME.contains(&plain.as_str()) => *value = Value::from("[removed]"),
                    _ => redact_value(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(redact_value),
        Value::String(text) => *text = mask_numbers(text),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_passcode(text: &str) -> bool {
    (4..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether digits have the form of a Ghanaian phone number: 0241234567, 233241234567, 00233241234567 or 241234567.
fn is_phone(digits: &str) -> bool {
    let national =
        digits.strip_prefix("00233").or_else(|| digits.strip_prefix("233")).or_else(|| digits.strip_prefix('0'));
    let national = national.unwrap_or(digits);
    national.len() == 9 && national.starts_with(['2', '5'])
}

/// Masks each phone number that stands alone: not digits inside UUIDs and other ids.
fn mask_numbers(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let length = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
        let (digits, after) = from.split_at(length);
        masked.push_str(before);
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let is_alone = !before.ends_with(is_part) && !after.starts_with(is_part);
        match is_alone && is_phone(digits) {
            true => {
                masked.extend(std::iter::repeat_n('*', length - 3));
                masked.push_str(&digits[length - 3..]);
            }
            false => masked.push_str(digits),
        }
        rest = after;
    }
    masked.push_str(rest);
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phone_numbers_names_and_secrets_are_removed_and_the_rest_stays() {
        let body = r#"{"payer":{"partyId":"233241234567"},"otp":"123456","customer":{"name":"Ama Owusu","email":"a@b.example"},
            "reason":{"code":"PAYER_NOT_FOUND","message":"no wallet for 0241234567"},"amount":"10.50","fees":195,
            "reference":"7b0a3f0e-1c1d-4e5f-8a6b-123456789012"}"#;
        let redacted = redact(body);
        for gone in ["233241234567", "0241234567", "123456\"", "Ama", "a@b.example"] {
            assert!(!redacted.contains(gone), "{gone} in {redacted}");
        }
        for kept in ["567", "PAYER_NOT_FOUND", "10.50", "195", "7b0a3f0e-1c1d-4e5f-8a6b-123456789012"] {
            assert!(redacted.contains(kept), "{kept} not in {redacted}");
        }
    }

    #[test]
    fn nothing_of_incomplete_json_stays() {
        for text in [r#" {"account_name":"Ama Mensah","status":"succ"#, r#"[{"otp":"1234"#] {
            assert_eq!(redact(text), format!("[{} bytes of JSON that is not complete]", text.len()));
        }
        assert_eq!(redact("\"text\""), "\"text\"");
    }

    #[test]
    fn only_phone_numbers_are_masked() {
        for phone in ["0241234567", "233241234567", "00233201234567", "541234567"] {
            assert_eq!(redact(&format!("<{phone}>")), format!("<{}567>", "*".repeat(phone.len() - 3)));
        }
        for id in ["1795339974814", "123456789", "0041234567", "20261122093303"] {
            assert_eq!(redact(id), id);
        }
    }

    #[test]
    fn paths_and_pages_are_masked_too_and_long_bodies_are_cut_off() {
        assert_eq!(
            redact("/v1/accountholder/msisdn/233241234567/active"),
            "/v1/accountholder/msisdn/*********567/active"
        );
        let page = format!("<html>{}</html>", "é".repeat(5000));
        assert_eq!(redact(&page).chars().count(), MAX_CHARS + 1);
    }
}
