use super::*;
use tua_http_json::JsonObject;

/// What a member of this JSON text is refused with.
fn refusal<T: for<'de> Deserialize<'de>>(json: &str) -> Option<&'static str> {
    #[derive(Deserialize)]
    struct Body<T> {
        value: T,
    }
    let body = format!("{{\"value\":{json}}}");
    let read = JsonObject::parse(body.as_bytes()).unwrap().read::<Body<T>>();
    read.map(|body| drop(body.value)).err().map(|faults| faults[0].code)
}

/// What a member of this JSON text is refused for, in words.
fn detail<T: TryFrom<String, Error = Refusal>>(text: &str) -> String {
    T::try_from(text.to_owned())
        .err()
        .map(|refusal| refusal.detail.into_owned())
        .unwrap_or_default()
}

#[test]
fn a_character_that_nobody_sees_is_named() {
    let phone = detail::<PhoneNumber>("024\u{200b}1234567");
    assert!(
        phone.contains("send 0241234567.")
            && phone.contains("U+200B ZERO WIDTH SPACE at position 4"),
        "{phone}"
    );
    let phone = detail::<PhoneNumber>("٠٢٤١٢٣٤٥٦٧");
    assert!(
        phone.contains("send 0241234567.")
            && phone.contains("U+0660")
            && phone.contains("position 1"),
        "{phone}"
    );
    let network = detail::<Network>("MTN\u{feff}");
    assert!(
        network.contains("send MTN.")
            && network.contains("U+FEFF")
            && network.contains("position 4"),
        "{network}"
    );
    let otp = detail::<Otp>("123\u{2060}456");
    assert!(otp.contains("U+2060 WORD JOINER at position 4") && !otp.contains("123"), "{otp}");
    let currency = detail::<Currency>("GHS\u{ad}");
    assert!(currency.contains("U+00AD SOFT HYPHEN at position 4"), "{currency}");
    assert!(
        !detail::<PhoneNumber>("024").contains("U+"),
        "a number that is too short has no wrong character"
    );
}

#[test]
fn metadata_keeps_its_text_within_its_limits() {
    let body = br#"{"metadata":{"n": 1.10}}"#;
    let kept = JsonObject::parse(body).unwrap().get::<Metadata>("metadata");
    assert_eq!(kept.unwrap().0, "{\"n\": 1.10}");
    let many: String = (0..51).map(|n| format!("\"k{n}\":1")).collect::<Vec<_>>().join(",");
    for json in [
        format!("{{{many}}}"),
        format!("{{\"{}\":1}}", "k".repeat(65)),
        format!("{{\"k\":\"{}\"}}", "v".repeat(9000)),
    ] {
        assert_eq!(refusal::<Metadata>(&json), Some("invalid_metadata"));
    }
    assert_eq!(refusal::<Metadata>("[1]"), Some("invalid_type"));
    for json in [r#"{"k":"a\tb\nc\r"}"#, r#"{"k":[{"é":"\u00e9\\u0000"}]}"#, "{\n\t\"k\":\r1}"] {
        assert_eq!(refusal::<Metadata>(json), None, "{json}");
    }
    for json in [
        r#"{"k":"a\u0000b"}"#,
        r#"{"k\u0000":1}"#,
        r#"{"k\n":1}"#,
        r#"{"k":[{"m":["\u001b"]}]}"#,
        r#"{"k":{"\t":1}}"#,
        "{\"k\":\"\u{7f}\"}",
        "{\"k\":\"\u{9b}\"}",
    ] {
        assert_eq!(refusal::<Metadata>(json), Some("invalid_metadata"), "{json}");
    }
}

#[test]
fn a_note_is_one_line_of_at_most_160_characters() {
    assert_eq!(refusal::<Note>(&format!("\"{}\"", "é".repeat(160))), None);
    assert_eq!(refusal::<Note>(&format!("\"{}\"", "é".repeat(161))), Some("too_long"));
    assert_eq!(refusal::<Note>("\"a\\u0000b\""), Some("invalid_text"));
    assert_eq!(refusal::<Reference>("\"  \""), Some("invalid_text"));
    assert_eq!(refusal::<Note>("7"), Some("invalid_type"));
}
