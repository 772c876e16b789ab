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

#[test]
fn a_phone_number_is_masked_in_every_shape() {
    for (text, kept) in [
        (r#"{"payer":{"partyId":233241234567}}"#, r#"{"payer":{"partyId":"*********567"}}"#),
        (r#"{"msisdn":241234567}"#, r#"{"msisdn":"******567"}"#),
        (r#"{"msisdn":2.33241234567e11}"#, r#"{"msisdn":"*********567"}"#),
        (r#"{"list":[233241234567.0]}"#, r#"{"list":["*********567"]}"#),
        (r#"{"phone":"+233 24 123 4567"}"#, r#"{"phone":"+*** ** *** *567"}"#),
        (r#"{"m":"call 024-123-4567 now"}"#, r#"{"m":"call ***-***-*567 now"}"#),
        (r#"{"m":"(024) 123 4567"}"#, r#"{"m":"(***) *** *567"}"#),
        (r#"{"m":"{\"msisdn\":233241234567}"}"#, r#"{"m":"{\"msisdn\":\"*********567\"}"}"#),
        ("/v1/x?phone=%2B233241234567&page=2", "/v1/x?phone=+*********567&page=2"),
        ("/v1/tel%3A0241234567/x", "/v1/tel%3A*******567/x"),
        ("/v1/to%200241234567", "/v1/to%20*******567"),
        ("phone=0241234567&amount=10", "phone=*******567&amount=10"),
        ("<a><Msisdn>+233241234567</Msisdn></a>", "<a><Msisdn>+*********567</Msisdn></a>"),
        (r#"<tel n="0241234567"/>"#, r#"<tel n="*******567"/>"#),
        ("order-0241234567", "order-*******567"),
        ("tel:00233201234567", "tel:***********567"),
    ] {
        assert_eq!(redact(text), kept);
    }
}

#[test]
fn what_is_no_phone_number_stays() {
    for text in [
        r#"{"id":541234567,"fees":195,"code":4000,"amount":250000000}"#,
        r#"{"at":"02-12-2026 10:33:03","day":"2026-11-22"}"#,
        r#"{"ref":"7b0a3f0e-1c1d-4e5f-8a6b-123456789012","id":"ref_541234567"}"#,
        "/v1/transactions/1795339974814?page=2",
    ] {
        assert_eq!(
            redact(text),
            serde_json::from_str::<Value>(text).map_or(text.to_owned(), |value| value.to_string())
        );
    }
}

#[test]
fn secrets_and_names_are_removed_in_every_shape() {
    for text in [
        r#"{"otp":123456,"code":654321,"token":{"value":"hunter2"},"name":{"first":"Ama"}}"#,
        r#"{"m":"{\"otp\":\"123456\",\"customer_name\":\"Ama\",\"secret\":\"hunter2\"}"}"#,
        "otp=123456&customer_name=Ama&secret=hunter2&code=654321",
        "/v1/names?name=Ama&token=hunter2",
        "<r><ns:otp>123456</ns:otp><FirstName a=\"1\">Ama</FirstName><token>hunter2</token></r>",
    ] {
        let redacted = redact(text);
        for gone in ["123456", "654321", "Ama", "hunter2"] {
            assert!(!redacted.contains(gone), "{gone} in {redacted}");
        }
    }
}

#[test]
fn every_member_with_a_secret_a_name_or_a_number_is_known() {
    for name in [
        "access_token",
        "apiKey",
        "Authorization",
        "birthdate",
        "callbackUrl",
        "code",
        "CustomerEmail",
        "email",
        "otp",
        "password",
        "pin",
        "PrimaryCallbackURL",
        "secret",
        "token",
        "account_name",
        "CustomerName",
        "family_name",
        "firstName",
        "given_name",
        "last_name",
        "name",
        "RecipientName",
        "displayName",
    ] {
        let redacted = redact(&format!(r#"{{"{name}":"123456"}}"#));
        assert_eq!(redacted, format!(r#"{{"{name}":"[removed]"}}"#));
    }
    for name in [
        "account_number",
        "CustomerNo",
        "mobile",
        "customerMsisdn",
        "partyId",
        "payee",
        "payer",
        "phoneNumber",
        "recipient",
    ] {
        // Where the zero is lost, only the name tells that it is a phone number.
        let redacted = redact(&format!(r#"{{"{name}":241234567}}"#));
        assert_eq!(redacted, format!(r#"{{"{name}":"******567"}}"#));
    }
}

proptest::proptest! {
    #[test]
    fn any_text_can_be_redacted_and_no_number_with_its_prefix_stays(
        before in "[ -~é%<{\\[]{0,20}",
        national in "[25][0-9]{8}",
        after in "[ \"'<>/?&,;]?[ -~]{0,10}",
    ) {
        let number = format!("0{national}");
        let text = format!("{before} {number} {after}");
        proptest::prop_assert!(!redact(&text).contains(&number), "{} -> {}", text, redact(&text));
    }
}
