//! Verifies the signatures of the merchant's requests (RFC 9421).

use super::{
    key::SigningKey,
    responses::failure,
    settings::{PawapayCredentials, PawapaySettings},
    signatures::{component_name, parse_dictionary, signature_base},
    state::Pawapay,
};
use crate::{
    extract::{media_type, require_json},
    operator::Operator,
    protocol::{Context, Shared},
    wire::{Refusal, header_text},
};
use aws_lc_rs::{
    digest,
    signature::{ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_FIXED, UnparsedPublicKey},
};
use axum::{
    body::Bytes,
    extract::{FromRequest, OriginalUri, Request},
    http::{HeaderMap, Method, StatusCode, Uri},
};
use serde_json::Value;
use sfv::{InnerList, ListEntry};

/// How much the merchant's clock may differ, in seconds.
const CLOCK_TOLERANCE_SECONDS: i64 = 300;
/// The components that a request must sign.
const REQUIRED: [&str; 4] = ["@method", "@path", "signature-date", "content-digest"];

/// A body whose signature, if it has one or must have one, is right.
#[derive(Debug)]
pub(super) struct SignedBody(Bytes);

impl SignedBody {
    pub(super) fn json(&self) -> Result<Value, Refusal> {
        serde_json::from_slice(&self.0)
            .map_err(|_| failure(StatusCode::BAD_REQUEST, "INVALID_INPUT", "The body is not JSON."))
    }
}

impl FromRequest<Context<Pawapay>> for SignedBody {
    type Rejection = Refusal;

    async fn from_request(request: Request, context: &Context<Pawapay>) -> Result<Self, Refusal> {
        let shared = &context.shared;
        let unreadable =
            || failure(StatusCode::BAD_REQUEST, "INVALID_INPUT", "The body cannot be read.");
        let (parts, body) = request.into_parts();
        require_json(&media_type(&parts.headers))
            .map_err(|(status, message)| context.refuse(status, message))?;
        let body = axum::body::to_bytes(body, MAX_BODY_BYTES).await.map_err(|_| unreadable())?;
        let must_sign = shared.settings.operators.get::<PawapaySettings>().signed_requests_only;
        if must_sign || parts.headers.contains_key("signature") {
            // The path as it was sent, with the emulator's own prefix.
            let uri = parts.extensions.get::<OriginalUri>().map_or(&parts.uri, |uri| &uri.0);
            verify(shared, &parts.method, uri, &parts.headers, &body)
                .map_err(|reason| failure(StatusCode::FORBIDDEN, "HTTP_SIGNATURE_ERROR", reason))?;
        }
        Ok(Self(body))
    }
}

/// The largest body of a request.
const MAX_BODY_BYTES: usize = 1 << 20;

fn verify(
    shared: &Shared,
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<(), &'static str> {
    let input = parse_dictionary(header_text(headers, "signature-input"));
    let (label, input) = input
        .iter()
        .find_map(|(label, entry)| match entry {
            ListEntry::InnerList(list) => Some((label, list)),
            ListEntry::Item(_) => None,
        })
        .ok_or("Signature-Input is missing or malformed")?;
    let signatures = parse_dictionary(header_text(headers, "signature"));
    let signature = match signatures.get(label) {
        Some(ListEntry::Item(item)) => item.bare_item.as_byte_sequence(),
        _ => None,
    };
    let signature = signature.ok_or("Signature is missing or malformed")?;
    let covers =
        |name: &&'static str| input.items.iter().any(|item| component_name(item) == Some(*name));
    if !REQUIRED.iter().all(covers) {
        return Err("The signature does not cover the required components");
    }
    let credentials = shared
        .accepted_credentials::<PawapayCredentials>(Operator::PAWAPAY)
        .ok_or("Unknown key")?;
    let text_parameter = |name: &str| input.params.get(name).and_then(|value| value.as_string());
    if text_parameter("keyid").map(sfv::StringRef::as_str)
        != Some(credentials.signing_key_id.as_str())
    {
        return Err("Unknown key");
    }
    if text_parameter("alg").is_some_and(|alg| alg.as_str() != "ecdsa-p256-sha256") {
        return Err("Unsupported algorithm");
    }
    check_times(shared, input)?;
    check_digest(headers, body)?;
    let base = signature_base(input, |name| match name {
        "@method" => Some(method.to_string()),
        "@authority" => header_text(headers, "host").map(str::to_lowercase),
        "@path" => Some(uri.path().to_owned()),
        name => header_text(headers, name).map(|value| value.trim().to_owned()),
    });
    let base = base.ok_or("A signed component is missing")?;
    let key = SigningKey::parse(&credentials.signing_key).ok_or("Unknown key")?;
    let public = key.public_point();
    // RFC 9421 asks for the raw form of 64 bytes; pawaPay's own example uses DER.
    let algorithm =
        if signature.len() == 64 { &ECDSA_P256_SHA256_FIXED } else { &ECDSA_P256_SHA256_ASN1 };
    UnparsedPublicKey::new(algorithm, public)
        .verify(base.as_bytes(), signature)
        .map_err(|_| "Wrong signature")
}

fn check_times(shared: &Shared, input: &InnerList) -> Result<(), &'static str> {
    let now = shared.clock.signing_time().as_second();
    let time =
        |name: &str| input.params.get(name).and_then(|value| value.as_integer()).map(i64::from);
    if time("created").is_some_and(|created| created > now + CLOCK_TOLERANCE_SECONDS) {
        return Err("The signature is from the future");
    }
    match time("expires") {
        Some(expires) if expires + CLOCK_TOLERANCE_SECONDS < now => {
            Err("The signature has expired")
        }
        _ => Ok(()),
    }
}

fn check_digest(headers: &HeaderMap, body: &[u8]) -> Result<(), &'static str> {
    let digests = parse_dictionary(header_text(headers, "content-digest"));
    let matches = |name: &str, algorithm: &'static digest::Algorithm| match digests.get(name) {
        Some(ListEntry::Item(item)) => {
            item.bare_item.as_byte_sequence() == Some(digest::digest(algorithm, body).as_ref())
        }
        _ => false,
    };
    if matches("sha-512", &digest::SHA512) || matches("sha-256", &digest::SHA256) {
        Ok(())
    } else {
        Err("Content-Digest is missing or wrong")
    }
}
