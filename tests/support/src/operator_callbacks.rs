//! Callbacks that a test sends in an operator's name.

use super::live_operators::{LiveOperators, callback_url};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha512;
use tua_emulator::PaystackCredentials;

/// Sends a callback to the address of this operator entry, with Paystack's signature. Returns the
/// HTTP status.
pub async fn send(live: &LiveOperators, name: &str, body: &str) -> u16 {
    let key = PaystackCredentials::default().secret_key;
    let mac = Hmac::<Sha512>::new_from_slice(key.as_bytes()).unwrap().chain_update(body);
    let signature = hex::encode(mac.finalize().into_bytes());
    let request =
        live.app.http.post(callback_url(&live.app, name)).header("x-paystack-signature", signature);
    request.body(body.to_owned()).send().await.unwrap().status().as_u16()
}

/// What Hubtel sends about a charge that has failed.
pub fn hubtel_failure(reference: &str) -> Value {
    json!({
        "ResponseCode": "2001",
        "Message": "failed",
        "Data": {
            "Amount": 10.5,
            "Description": "FAILED",
            "ClientReference": reference.replace('-', ""),
        },
    })
}

/// What each connector's operator sends about an order of this reference that has failed.
pub fn failures(reference: &str) -> [(&'static str, Value); 4] {
    let of_paystack =
        json!({ "event": "transfer.failed", "data": { "reference": reference, "amount": 1050 } });
    [
        ("mtn", json!({ "externalId": reference, "status": "FAILED", "reason": "EXPIRED" })),
        ("paystack", of_paystack),
        ("pawapay", json!({ "depositId": reference, "status": "FAILED" })),
        ("hubtel", hubtel_failure(reference)),
    ]
}

/// Other texts that a lenient parser takes for the UUID of this reference. None of them is the form
/// without hyphens, which Hubtel gets.
pub fn other_spellings(reference: &str) -> Vec<String> {
    let version = |digit: &str| format!("{}{digit}{}", &reference[..14], &reference[15..]);
    let mut spellings = vec![
        version("1"),
        version("7"),
        version("0"),
        reference.to_uppercase(),
        format!("{{{reference}}}"),
        format!("urn:uuid:{reference}"),
        version("7").replace('-', ""),
        reference.replace('-', "").to_uppercase(),
    ];
    // A reference without letters is the same in capitals.
    spellings.retain(|one| one != reference && *one != reference.replace('-', ""));
    spellings
}
