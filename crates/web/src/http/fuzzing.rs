//! Fuzz targets for the parsers of requests. Each panics where a parser accepts what docs/reference
//! forbids.

use super::{
    auth, idempotent, poll,
    routes::{
        create_charge::{ChargeRequest, CheckoutChargeRequest},
        create_checkout::CheckoutRequest,
        create_payout::PayoutRequest,
        list_transactions,
        submit_otp::CodeRequest,
    },
};
use axum::{
    extract::Query,
    http::{HeaderMap, HeaderValue, Uri, header},
};
use tua_contract::Amount;
use tua_domain::{Mode, checkout::NewCheckout, idempotency::canonical, instruction::Instruction};
use tua_http_json::JsonObject;

/// A body, parsed by every route that has one.
pub fn body(bytes: &[u8]) {
    let Ok(object) = JsonObject::parse(bytes) else { return };
    for (name, value) in object.members() {
        assert!(
            object.members().filter(|(other, _)| *other == name).count() == 1,
            "a duplicate name"
        );
        let once = canonical(value.as_str());
        assert_eq!(canonical(&once), once, "the canonical form is not stable");
    }
    let charge = object.read::<ChargeRequest>().map(Instruction::from);
    let payout = object.read::<PayoutRequest>().map(Instruction::from);
    for instruction in [charge, payout].into_iter().flatten() {
        assert!(
            instruction.reference.is_none_or(|text| is_line(&text, 64) && !text.trim().is_empty())
        );
        assert!(instruction.details.payer_message.is_none_or(|text| is_line(&text, 160)));
        assert!(instruction.details.payee_note.is_none_or(|text| is_line(&text, 160)));
        assert!(instruction.details.email.is_none_or(|text| is_address(&text)));
    }
    if let Ok(due) = Amount::from_pesewas(1050)
        && let Ok(charge) = CheckoutChargeRequest::read(object.clone(), due)
    {
        assert_eq!(charge.instruction(due).transfer.amount, due, "a page set its own price");
    }
    for mode in [Mode::Test, Mode::Live] {
        let Ok(new) = CheckoutRequest::read(object.clone(), mode).map(NewCheckout::from) else {
            continue;
        };
        assert!(
            new.terms.email.as_deref().is_some_and(is_address)
                && new.terms.metadata.is_none_or(|text| text.len() <= 8 << 10)
        );
        assert!(
            new.terms.return_url.is_none_or(
                |url| mode == Mode::Test || url.to_ascii_lowercase().contains("https:"),
            )
        );
    }
    let _ = object.read::<CodeRequest>();
}

/// Whether `POST /v1/checkout` accepts a body.
pub fn is_checkout(bytes: &[u8]) -> bool {
    JsonObject::parse(bytes).is_ok_and(|object| CheckoutRequest::read(object, Mode::Live).is_ok())
}

/// Every header that the service reads. The first byte of a line chooses the header.
pub fn headers(bytes: &[u8]) {
    let names = ["idempotency-key", "prefer", "if-none-match", "x-api-key", "authorization"];
    let mut headers = HeaderMap::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let Some((which, value)) = line.split_first() else { continue };
        if let Ok(value) = HeaderValue::from_bytes(value) {
            headers.append(names[usize::from(*which) % names.len()], value);
        }
    }
    if idempotent::key(&headers).is_ok()
        && let Some(key) = headers.get("idempotency-key")
    {
        let printable = key.as_bytes().iter().all(|byte| (b' '..=b'~').contains(byte));
        assert!(printable && (1..=255).contains(&key.len()));
    }
    assert!(poll::wait_seconds(&headers).is_none_or(|seconds| seconds <= 30));
    let _ = poll::matches(&headers, &poll::etag(3));
    if let Ok(credential) = auth::credential(&headers) {
        assert!(!credential.is_empty() && credential == credential.trim());
        assert!(headers.contains_key("x-api-key") || headers.contains_key(header::AUTHORIZATION));
    }
}

/// The query of `GET /v1/transactions`.
pub fn query(bytes: &[u8]) {
    let text: String =
        String::from_utf8_lossy(bytes).chars().filter(|c| !c.is_control() && *c != ' ').collect();
    let Ok(uri) = format!("http://localhost/v1/transactions?{text}").parse::<Uri>() else { return };
    let Ok(Query(parameters)) = Query::<Vec<(String, String)>>::try_from_uri(&uri) else { return };
    if let Ok((_, page)) = list_transactions::parse(parameters) {
        assert!((1..=100).contains(&page.limit));
    }
}

fn is_line(text: &str, max_chars: usize) -> bool {
    text.chars().count() <= max_chars && !text.chars().any(char::is_control)
}

fn is_address(text: &str) -> bool {
    text.len() <= 254 && text.contains('@') && !text.chars().any(char::is_control)
}
