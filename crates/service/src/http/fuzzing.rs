//! The parsers of requests, each handed bytes of anybody's choice; each panics where it lets through what the
//! contract forbids.

use super::{auth, body::JsonBody, charge, checkout, fields::Fields, idempotent, payout, poll, transactions, values};
use crate::domain::{Mode, idempotency::canonical};
use axum::{
    body::Bytes,
    extract::Query,
    http::{HeaderMap, HeaderValue, Uri, header},
};
use tua_contract::Amount;

/// A body, as every route reads it.
pub(crate) fn body(bytes: &[u8]) {
    let body = JsonBody::of(Bytes::copy_from_slice(bytes));
    let Ok(members) = body.members() else { return };
    for (name, value) in &members {
        assert!(members.iter().filter(|(other, _)| other == name).count() == 1, "a name stands twice");
        let once = canonical(value.get());
        assert_eq!(canonical(&once), once, "what is the same is not compared as the same");
    }
    let fields = || Fields::new(members.clone());
    for instruction in [charge::merchants_charge(&mut fields()), payout::parse(&mut fields())].into_iter().flatten() {
        assert!(instruction.reference.is_none_or(|text| is_line(&text, 64) && !text.trim().is_empty()));
        assert!(instruction.payer_message.is_none_or(|text| is_line(&text, 160)));
        assert!(instruction.payee_note.is_none_or(|text| is_line(&text, 160)));
        assert!(instruction.email.is_none_or(|text| is_address(&text)));
    }
    if let Ok(due) = Amount::from_pesewas(1050)
        && let Ok(instruction) = charge::payers_charge(&mut fields(), due)
    {
        assert_eq!(instruction.amount, due, "a page set its own price");
    }
    for mode in [Mode::Test, Mode::Live] {
        let Ok(new) = checkout::parse(&mut fields(), mode) else { continue };
        assert!(is_address(&new.email) && new.metadata.is_none_or(|text| text.len() <= 8 << 10));
        assert!(new.return_url.is_none_or(|url| mode == Mode::Test || url.to_ascii_lowercase().contains("https:")));
    }
    let mut code = fields();
    let _ = (code.required("transactionId", values::id), code.required("otp", values::otp), code.finish());
}

/// Every header that is read; the first byte says which.
pub(crate) fn headers(bytes: &[u8]) {
    let names = ["idempotency-key", "prefer", "if-none-match", "x-api-key", "authorization"];
    let mut headers = HeaderMap::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let Some((which, value)) = line.split_first() else { continue };
        if let Ok(value) = HeaderValue::from_bytes(value) {
            headers.append(names[usize::from(*which) % names.len()], value);
        }
    }
    if idempotent::check_key(&headers).is_ok()
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

/// The query of a list.
pub(crate) fn query(bytes: &[u8]) {
    let text: String = String::from_utf8_lossy(bytes).chars().filter(|c| !c.is_control() && *c != ' ').collect();
    let Ok(uri) = format!("http://localhost/v1/transactions?{text}").parse::<Uri>() else { return };
    let Ok(Query(parameters)) = Query::<Vec<(String, String)>>::try_from_uri(&uri) else { return };
    if let Ok((_, page)) = transactions::parse(parameters) {
        assert!((1..=100).contains(&page.limit));
    }
}

fn is_line(text: &str, most: usize) -> bool {
    text.chars().count() <= most && !text.chars().any(char::is_control)
}

fn is_address(text: &str) -> bool {
    text.len() <= 254 && text.contains('@') && !text.chars().any(char::is_control)
}
