//! Bodies, fields and validation errors that charges and payouts have in common.

use crate::{ApiClient, Response};
use serde_json::{Value, json};

/// The members of a transaction that a merchant reads, with `message`.
pub const MERCHANT_FIELDS: &str = "amount batchId checkoutId codeAttemptsLeft conflict createdAt \
    currency email failure message metadata mode network nextAction operator operatorFee \
    operatorTransactionId payeeNote payerMessage payerPays phoneNumber reference refundableAmount \
    refundedAmount reversedAt status transactionId type updatedAt";

/// The names of an object's members, in order.
pub fn names(object: &Value) -> String {
    let mut names: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names.join(" ")
}

/// A payment's body with one field changed or omitted.
pub fn payment_with(field: &str, raw: Option<&str>) -> String {
    let mut fields =
        vec![("amount", "10.5"), ("phoneNumber", r#""0241234567""#), ("network", r#""MTN""#)];
    fields.retain(|(name, _)| *name != field);
    fields.extend(raw.map(|raw| (field, raw)));
    let members: Vec<String> =
        fields.iter().map(|(name, raw)| format!("\"{name}\":{raw}")).collect();
    format!("{{{}}}", members.join(","))
}

/// Asserts one error in one field, with its pointer.
#[track_caller]
pub fn assert_field_error(answer: Response, field: &str, code: &str) {
    let answer = answer.is_problem(422, code);
    let errors = answer.json()["errors"].clone();
    assert_eq!(errors.as_array().map(Vec::len), Some(1), "{errors}");
    assert_eq!(
        (&errors[0]["pointer"], &errors[0]["code"]),
        (&json!(format!("/{field}")), &json!(code))
    );
    assert!(!errors[0]["detail"].as_str().unwrap().is_empty());
}

/// Asserts the validation errors that charges and payouts have in common.
pub async fn assert_rejects_invalid_fields(shop: &ApiClient, path: &str) {
    let long = |count: usize| format!("\"{}\"", "é".repeat(count));
    for (field, raw, code) in [
        ("phoneNumber", r#""024123456""#, "invalid_phone_number"),
        ("phoneNumber", r#""02412345678""#, "invalid_phone_number"),
        ("phoneNumber", r#""1241234567""#, "invalid_phone_number"),
        ("phoneNumber", r#""+233241234567""#, "invalid_phone_number"),
        ("phoneNumber", r#""+241234567""#, "invalid_phone_number"),
        ("phoneNumber", r#""024 123 4567""#, "invalid_phone_number"),
        ("phoneNumber", r#"" 0241234567""#, "invalid_phone_number"),
        ("phoneNumber", r#""0241234567\n""#, "invalid_phone_number"),
        ("phoneNumber", r#""024123456a""#, "invalid_phone_number"),
        ("phoneNumber", r#""०२४१२३४५६७""#, "invalid_phone_number"),
        ("phoneNumber", r#""""#, "invalid_phone_number"),
        ("phoneNumber", "241234567", "invalid_type"),
        ("phoneNumber", r#"["0241234567"]"#, "invalid_type"),
        ("phoneNumber", "null", "field_required"),
        ("network", r#""mtn""#, "unsupported_network"),
        ("network", r#""VODAFONE""#, "unsupported_network"),
        ("network", r#""MTN ""#, "unsupported_network"),
        ("network", r#""""#, "unsupported_network"),
        ("network", "1", "invalid_type"),
        ("network", "null", "field_required"),
        ("currency", r#""USD""#, "unsupported_currency"),
        ("currency", r#""ghs""#, "unsupported_currency"),
        ("currency", r#""""#, "unsupported_currency"),
        ("currency", "936", "invalid_type"),
        ("payerMessage", &long(161), "too_long"),
        ("payerMessage", r#""a\u0000b""#, "invalid_text"),
        ("payerMessage", "5", "invalid_type"),
        ("payeeNote", &long(161), "too_long"),
        ("payeeNote", r#""a\u001bb""#, "invalid_text"),
        ("payeeNote", "{}", "invalid_type"),
        ("reference", &long(65), "too_long"),
        ("reference", r#""""#, "invalid_text"),
        ("reference", "7", "invalid_type"),
        ("amout", "1", "unknown_field"),
        ("Amount", "1", "unknown_field"),
        ("checkoutId", r#""x""#, "unknown_field"),
    ] {
        assert_field_error(
            shop.post_text(path, &payment_with(field, Some(raw))).await,
            field,
            code,
        );
    }
    for field in ["amount", "phoneNumber", "network"] {
        assert_field_error(
            shop.post_text(path, &payment_with(field, None)).await,
            field,
            "field_required",
        );
    }
    for (field, raw) in
        [("payerMessage", long(160)), ("payeeNote", long(160)), ("reference", long(64))]
    {
        let accepted = shop.post_text(path, &payment_with(field, Some(&raw))).await.is(202).json();
        assert_eq!(accepted[field].to_string(), raw);
    }
}
