use super::*;
use crate::values::Amount;
use proptest::prelude::*;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Payment<'a> {
    amount: Amount,
    phone_number: String,
    note: Option<String>,
    #[serde(borrow)]
    data: Option<JsonText<'a>>,
}

fn error(body: &str) -> Option<ObjectError> {
    JsonObject::parse(body.as_bytes()).err()
}

fn faults(object: &JsonObject<'_>) -> Vec<(String, &'static str)> {
    let faults = object.read::<Payment<'_>>().err().unwrap_or_default();
    faults.into_iter().map(|fault| (fault.pointer, fault.code)).collect()
}

#[test]
fn a_struct_is_read_with_the_text_of_its_members() {
    let body =
        br#"{"phoneNumber":"\u0030241234567","data":{"n": 1.10},"amount":10.50,"note":null}"#;
    let object = JsonObject::parse(body).unwrap();
    let payment: Payment<'_> = object.read().unwrap();
    assert_eq!((payment.amount.0.pesewas(), payment.phone_number.as_str()), (1050, "0241234567"));
    assert_eq!((payment.note, payment.data.unwrap().as_str()), (None, "{\"n\": 1.10}"));
}

#[test]
fn all_faults_are_reported_in_the_order_of_the_fields_and_then_of_the_body() {
    let body = br#"{"zebra":1,"a/b":2,"note":5,"secret":1,"other":null,"amount":1e400}"#;
    let object = JsonObject::parse(body).unwrap().forbid(&["secret", "other"], "It is secret.");
    let expected = [
        ("/amount", "invalid_amount"),
        ("/phoneNumber", "field_required"),
        ("/note", "invalid_type"),
        ("/secret", "field_not_allowed"),
        ("/zebra", "unknown_field"),
        ("/a~1b", "unknown_field"),
    ];
    assert_eq!(faults(&object), expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    let details = object
        .read::<Payment<'_>>()
        .unwrap_err()
        .into_iter()
        .map(|fault| fault.detail.into_owned());
    let details: Vec<String> = details.take(3).collect();
    assert_eq!(
        details,
        [
            "The amount is at most 1000000000.00.",
            "phoneNumber is required.",
            "This must be a string."
        ]
    );
}

#[test]
fn a_rule_of_the_caller_is_reported_at_its_field() {
    let other = |amount: &Amount| match amount.0.pesewas() {
        100 => Ok(()),
        _ => Err(Refusal::new(ErrorCode::AmountMismatch, "The amount is 1.")),
    };
    let object =
        |body: &'static str| JsonObject::parse(body.as_bytes()).unwrap().require("amount", other);
    assert_eq!(faults(&object(r#"{"amount":2}"#))[0], ("/amount".to_owned(), "amount_mismatch"));
    assert_eq!(faults(&object(r#"{"amount":"2"}"#))[0], ("/amount".to_owned(), "invalid_type"));
    assert_eq!(faults(&object(r#"{"amount":1,"phoneNumber":"x"}"#)), []);
}

#[test]
fn an_object_inside_the_body_is_read_at_its_own_pointer() {
    let object = JsonObject::at("/items/0".to_owned(), JsonText(r#"{"amount":0}"#)).unwrap();
    assert_eq!(faults(&object)[0], ("/items/0/amount".to_owned(), "invalid_amount"));
    assert_eq!(
        JsonObject::at("/items/0".to_owned(), JsonText("[1]")).unwrap_err().code,
        "invalid_type"
    );
}

#[test]
fn broken_json_is_malformed() {
    let deep = "[".repeat(10_000);
    let nested = format!("{}{}", "[".repeat(40), "]".repeat(40));
    for body in [
        "",
        "{",
        "{\"a\":}",
        "{\"a\":1,}",
        "{'a':1}",
        "{\"a\":01}",
        "{\"a\":\"\\ud800\"}",
        "{\"\\ud800\":1}",
        "{} {}",
        "nul",
        &deep,
        &nested,
        "{\"a\":1,\"a\":2}",
        "{\"a\":{\"b\":1,\"b\":1}}",
        "{\"a\":[{\"b\":1,\"\\u0062\":1}]}",
        "{\"a\":NaN}",
        "[{\"a\":1,\"a\":1}]",
    ] {
        assert!(
            matches!(error(body), Some(ObjectError::Malformed(_))),
            "{}",
            &body[..body.len().min(40)]
        );
    }
    assert!(matches!(JsonObject::parse(b"\"\xff\""), Err(ObjectError::Malformed(_))));
}

#[test]
fn a_duplicate_is_found_among_many_names() {
    for count in [2, 15, 16, 17, 18, 500] {
        let names: Vec<String> = (0..count).map(|index| format!("\"k{index}\":1")).collect();
        assert_eq!(error(&format!("{{{}}}", names.join(","))), None, "{count}");
        let duplicate = format!("{{{},\"k{}\":1}}", names.join(","), count - 1);
        assert!(matches!(error(&duplicate), Some(ObjectError::Malformed(_))), "{count}");
    }
}

#[test]
fn an_empty_array_is_an_empty_object_as_php_writes_it() {
    for body in ["[]", " [ ]\n", "{}"] {
        assert_eq!(JsonObject::parse(body.as_bytes()).unwrap().members().count(), 0, "{body}");
    }
    assert_eq!(
        JsonObject::at("/items/0".to_owned(), JsonText("[ ]")).unwrap().members().count(),
        0
    );
}

#[test]
fn a_byte_order_mark_is_skipped_once_and_only_at_the_beginning() {
    assert_eq!(JsonObject::parse(b"\xef\xbb\xbf{\"a\":1}").unwrap().members().count(), 1);
    for body in ["\u{feff}\u{feff}{}", " \u{feff}{}", "{}\u{feff}", "{\u{feff}}"] {
        assert!(matches!(error(body), Some(ObjectError::Malformed(_))), "{body:?}");
    }
}

#[test]
fn a_body_that_is_not_an_object_is_of_the_wrong_type() {
    for body in ["[1]", "[{}]", "1", "\"text\"", "null", "true"] {
        assert!(matches!(error(body), Some(ObjectError::NotAnObject(_))), "{body}");
    }
}

proptest! {
    #[test]
    fn no_bytes_break_the_parser(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = JsonObject::parse(&bytes).map(|object| object.read::<Payment<'_>>().is_ok());
    }

    #[test]
    fn no_json_like_text_breaks_the_parser(text in "[\\[\\]{}\",:0-9a\\\\u ]{0,60}") {
        let _ = JsonObject::parse(text.as_bytes())
            .map(|object| object.read::<Payment<'_>>().is_ok());
    }
}

#[test]
fn a_position_is_that_in_the_body() {
    for (body, position) in [
        ("{\n \"amount\": 1,\n \"data\": {\n  \"a\": 1,\n  \"a\": 2}\n}", "(line 5, column 9)"),
        ("{\n \"note\": \"a\\ud800b\"\n}", "(line 2, column 18)"),
        ("{\"data\": [{},\n {\"a\": 1, \"a\": 2}]}", "(line 2, "),
        ("{\n \"a\": 1,\n \"a\": 2\n}", "(line 4, "),
    ] {
        let Some(ObjectError::Malformed(text)) = error(body) else { panic!("{body}") };
        assert!(text.contains(position), "{body}: {text}");
    }
}
