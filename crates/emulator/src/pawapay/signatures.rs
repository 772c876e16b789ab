//! Signed messages (RFC 9421): verifies the merchant's requests, signs callbacks.

use super::{Authorized, failure};
use crate::{
    callback::Callback,
    operator::Operator,
    settings::SignatureEncoding,
    state::Shared,
    wire::{Refusal, header_text, respond},
};
use aws_lc_rs::{
    digest,
    encoding::AsDer,
    rand::SystemRandom,
    signature::{
        ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_ASN1_SIGNING, ECDSA_P256_SHA256_FIXED,
        ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, UnparsedPublicKey,
    },
};
use axum::{
    body::Bytes,
    extract::{FromRequest, OriginalUri, Request},
    http::{HeaderMap, Method, StatusCode, Uri},
    response::Response,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use sfv::{Dictionary, FieldType, InnerList, ListEntry, Parser};
use url::Url;

/// The name of the key that signs callbacks.
const KEY_ID: &str = "HTTP_EC_P256_KEY:1";
/// How long a signature is valid, in seconds.
const LIFETIME_SECONDS: i64 = 60;
/// How much the merchant's clock may differ, in seconds.
const CLOCK_TOLERANCE_SECONDS: i64 = 300;
/// The components that a request must sign.
const REQUIRED: [&str; 4] = ["@method", "@path", "signature-date", "content-digest"];

/// The emulator's own key. It is a constant, so that a restart does not change it, and protects
/// nothing.
const PRIVATE_KEY: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgf2gnw8vTTPy7iQcX
GpCBfW8zB4jybqCXB5Chco2nZ0OhRANCAAQkPKukwWoIWQo5pbALVwqikliMAucu
0cpXL6bc6F59S1khUF7rqpSehC0jvz9kuS9bM30CNdHzGaeCTqEnKMmr
-----END PRIVATE KEY-----
";
/// A key that pawaPay does not publish, for forged callbacks: the merchant's own.
fn forging_key(shared: &Shared) -> String {
    shared.settings.credentials.pawapay_signing_key.clone()
}

/// The key that signs callbacks, in both encodings of signatures.
#[derive(Debug)]
pub(crate) struct OperatorKey {
    der: EcdsaKeyPair,
    raw: EcdsaKeyPair,
}

impl OperatorKey {
    pub(super) fn load() -> Option<Self> {
        Self::parse(PRIVATE_KEY)
    }

    /// Reads a private key: PKCS #8, EC P-256, PEM.
    fn parse(text: &str) -> Option<Self> {
        let pem = pem::parse(text).ok()?;
        let der = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, pem.contents()).ok()?;
        let raw =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pem.contents()).ok()?;
        Some(Self { der, raw })
    }

    fn sign(&self, message: &[u8], encoding: SignatureEncoding) -> Option<Vec<u8>> {
        let pair = if encoding == SignatureEncoding::Raw { &self.raw } else { &self.der };
        pair.sign(&SystemRandom::new(), message).ok().map(|signature| signature.as_ref().to_vec())
    }
}

/// `GET /v2/public-key/http`.
pub(super) async fn public_keys(
    axum::extract::State(shared): axum::extract::State<Shared>,
    _: Authorized,
) -> Response {
    let der = shared.pawapay.key.as_ref().and_then(|key| key.der.public_key().as_der().ok());
    let keys = der.map(|der| {
        json!({
            "id": KEY_ID,
            "key": pem::encode(&pem::Pem::new("PUBLIC KEY", der.as_ref().to_vec())),
        })
    });
    respond(StatusCode::OK, keys.into_iter().collect())
}

/// A body whose signature, if it has one or must have one, is right.
#[derive(Debug)]
pub(super) struct SignedBody(Bytes);

impl SignedBody {
    pub(super) fn json(&self) -> Result<Value, Refusal> {
        serde_json::from_slice(&self.0)
            .map_err(|_| failure(StatusCode::BAD_REQUEST, "INVALID_INPUT", "The body is not JSON."))
    }
}

impl FromRequest<Shared> for SignedBody {
    type Rejection = Refusal;

    async fn from_request(request: Request, shared: &Shared) -> Result<Self, Refusal> {
        let unreadable =
            || failure(StatusCode::BAD_REQUEST, "INVALID_INPUT", "The body cannot be read.");
        let (parts, body) = request.into_parts();
        let body = axum::body::to_bytes(body, MAX_BODY_BYTES).await.map_err(|_| unreadable())?;
        let must_sign = shared.settings.pawapay_signed_requests_only;
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
    let credentials = shared.credentials(Operator::Pawapay).ok_or("Unknown key")?;
    let text_parameter = |name: &str| input.params.get(name).and_then(|value| value.as_string());
    if text_parameter("keyid").map(sfv::StringRef::as_str)
        != Some(credentials.pawapay_signing_key_id.as_str())
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
    let key = OperatorKey::parse(&credentials.pawapay_signing_key).ok_or("Unknown key")?;
    let public = key.der.public_key().as_ref().to_vec();
    // RFC 9421 asks for the raw form of 64 bytes; pawaPay's own example uses DER.
    let algorithm =
        if signature.len() == 64 { &ECDSA_P256_SHA256_FIXED } else { &ECDSA_P256_SHA256_ASN1 };
    UnparsedPublicKey::new(algorithm, public)
        .verify(base.as_bytes(), signature)
        .map_err(|_| "Wrong signature")
}

fn parse_dictionary(text: Option<&str>) -> Dictionary {
    text.and_then(|text| Parser::new(text).parse::<Dictionary>().ok()).unwrap_or_default()
}

fn component_name(item: &sfv::Item) -> Option<&str> {
    item.bare_item.as_string().map(sfv::StringRef::as_str)
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

/// The text that is signed (RFC 9421, section 2.5): one line for each component, then the
/// parameters. `None` if a component is missing.
fn signature_base(input: &InnerList, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut base = String::new();
    for item in &input.items {
        let name = component_name(item)?;
        base.push_str(&format!("\"{name}\": {}\n", value(name)?));
    }
    let parameters = vec![ListEntry::InnerList(input.clone())].serialize()?;
    base.push_str(&format!("\"@signature-params\": {parameters}"));
    Some(base)
}

/// The headers of a signed callback; empty where callbacks are not signed.
pub(crate) fn sign_callback(
    shared: &Shared,
    callback: &Callback,
    body: &[u8],
) -> Vec<(&'static str, String)> {
    if !shared.settings.pawapay_signed_callbacks {
        return Vec::new();
    }
    callback_headers(shared, callback, body).unwrap_or_default()
}

fn callback_headers(
    shared: &Shared,
    callback: &Callback,
    body: &[u8],
) -> Option<Vec<(&'static str, String)>> {
    let url = Url::parse(&callback.url).ok()?;
    let authority = match (url.host_str()?, url.port()) {
        (host, Some(port)) => format!("{host}:{port}"),
        (host, None) => host.to_owned(),
    };
    let now = shared.clock.signing_time();
    let created = now.as_second();
    let expires = now.as_second() + LIFETIME_SECONDS;
    let signature_date = now.to_string();
    let content_type = "application/json; charset=UTF-8";
    let content_digest =
        format!("sha-512=:{}:", STANDARD.encode(digest::digest(&digest::SHA512, body)));
    let input = format!(
        "sig-pp=(\"@method\" \"@authority\" \"@path\" \"signature-date\" \"content-digest\" \"content-type\")\
         ;alg=\"ecdsa-p256-sha256\";keyid=\"{KEY_ID}\";created={created};expires={expires}"
    );
    let parsed = parse_dictionary(Some(&input));
    let Some(ListEntry::InnerList(list)) = parsed.get("sig-pp") else { return None };
    let base = signature_base(list, |name| match name {
        "@method" => Some(callback.method.to_string()),
        "@authority" => Some(authority.clone()),
        "@path" => Some(url.path().to_owned()),
        "signature-date" => Some(signature_date.clone()),
        "content-digest" => Some(content_digest.clone()),
        "content-type" => Some(content_type.to_owned()),
        _ => None,
    })?;
    let encoding = shared.settings.pawapay_signature_encoding;
    let signature = if callback.is_forged {
        OperatorKey::parse(&forging_key(shared))?.sign(base.as_bytes(), encoding)?
    } else {
        shared.pawapay.key.as_ref()?.sign(base.as_bytes(), encoding)?
    };
    Some(vec![
        ("content-type", content_type.to_owned()),
        ("content-digest", content_digest),
        ("signature-date", signature_date),
        ("signature-input", input),
        ("signature", format!("sig-pp=:{}:", STANDARD.encode(signature))),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_base_has_one_line_for_each_component() {
        let dictionary = parse_dictionary(Some(r#"sig-pp=("@method" "@path");alg="x";created=1"#));
        let Some(ListEntry::InnerList(list)) = dictionary.get("sig-pp") else {
            panic!("an inner list")
        };
        let base = signature_base(list, |name| Some(format!("<{name}>")));
        let expected = "\"@method\": <@method>\n\"@path\": <@path>\n\
            \"@signature-params\": (\"@method\" \"@path\");alg=\"x\";created=1";
        assert_eq!(base.as_deref(), Some(expected));
        assert_eq!(signature_base(list, |_| None), None);
    }

    #[test]
    fn both_encodings_are_signed_and_verified() {
        let key = OperatorKey::load().unwrap();
        let public = key.der.public_key().as_ref().to_vec();
        let raw = key.sign(b"text", SignatureEncoding::Raw).unwrap();
        assert_eq!(raw.len(), 64);
        assert!(
            UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &public).verify(b"text", &raw).is_ok()
        );
        let der = key.sign(b"text", SignatureEncoding::Der).unwrap();
        assert_eq!(der[0], 0x30);
        assert!(
            UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, &public).verify(b"text", &der).is_ok()
        );
    }
}
