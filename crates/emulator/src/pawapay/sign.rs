//! Signs callbacks (RFC 9421), and publishes the key.

use super::{
    access::Authorized,
    key::SigningKey,
    settings::{PawapayCredentials, PawapaySettings},
    signatures::{parse_dictionary, signature_base},
};
use crate::{callback::Callback, protocol::Shared, wire::respond};
use aws_lc_rs::digest;
use axum::{http::StatusCode, response::Response};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::json;
use sfv::ListEntry;
use url::Url;

/// The name of the key that signs callbacks.
const KEY_ID: &str = "HTTP_EC_P256_KEY:1";
/// How long a signature is valid, in seconds.
const LIFETIME_SECONDS: i64 = 60;

/// Answers `GET /v2/public-key/http` with the key that signs callbacks.
pub(super) async fn public_keys(_: Authorized) -> Response {
    let pem = SigningKey::of_emulator().and_then(|key| key.public_pem());
    let keys = pem.map(|pem| json!({"id": KEY_ID, "key": pem}));
    respond(StatusCode::OK, keys.into_iter().collect())
}

/// A key that pawaPay does not publish, for forged callbacks: the merchant's own.
fn forging_key(shared: &Shared) -> String {
    shared.settings.credentials.get::<PawapayCredentials>().signing_key
}

/// The headers of a signed callback; `None` where callbacks are not signed.
pub(super) fn sign_callback(
    shared: &Shared,
    callback: &Callback,
    body: &[u8],
) -> Option<Vec<(&'static str, String)>> {
    if !shared.settings.operators.get::<PawapaySettings>().signed_callbacks {
        return None;
    }
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
        "sig-pp=(\"@method\" \"@authority\" \"@path\" \"signature-date\" \"content-digest\" \
         \"content-type\")\
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
    let encoding = shared.settings.operators.get::<PawapaySettings>().signature_encoding;
    let signature = if callback.is_forged {
        SigningKey::parse(&forging_key(shared))?.sign(base.as_bytes(), encoding)?
    } else {
        SigningKey::of_emulator()?.sign(base.as_bytes(), encoding)?
    };
    Some(vec![
        ("content-type", content_type.to_owned()),
        ("content-digest", content_digest),
        ("signature-date", signature_date),
        ("signature-input", input),
        ("signature", format!("sig-pp=:{}:", STANDARD.encode(signature))),
    ])
}
