//! pawaPay's signatures, made and verified without the emulator's own code.

use crate::{
    pawapay::{deposit, new_id},
    support::{ReceivedCallback, Response, Test},
};
use aws_lc_rs::{digest, rand::SystemRandom, signature};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::json;
use tua_emulator::{Call, Fault, Operator, PawapayCredentials, PawapaySettings, SignatureEncoding};

const COMPONENTS: &str = r#"("@method" "@authority" "@path" "signature-date" "content-digest" "content-type" "content-length")"#;

/// Posts a deposit, signed with the merchant's key.
async fn post_signed(
    test: &Test,
    algorithm: &'static signature::EcdsaSigningAlgorithm,
    tamper: bool,
) -> Response {
    let credentials = PawapayCredentials::default();
    let body = deposit(&new_id(), "233241234567", "15").to_string();
    let digest =
        format!("sha-512=:{}:", STANDARD.encode(digest::digest(&digest::SHA512, body.as_bytes())));
    let authority = test.emulator.address().to_string();
    let date = test.emulator.clock().now();
    let path = "/pawapay/v2/deposits";
    let parameters = format!(
        "{COMPONENTS};alg=\"ecdsa-p256-sha256\";keyid=\"{}\";created={};expires={}",
        credentials.signing_key_id,
        date.as_second(),
        date.as_second() + 60
    );
    let base = format!(
        "\"@method\": POST\n\"@authority\": {authority}\n\"@path\": {path}\n\"signature-date\": \
         {date}\n\
         \"content-digest\": {digest}\n\"content-type\": application/json\n\"content-length\": {}\n\
         \"@signature-params\": {parameters}",
        body.len()
    );
    let key = pem::parse(&credentials.signing_key).unwrap();
    let key = signature::EcdsaKeyPair::from_pkcs8(algorithm, key.contents()).unwrap();
    let signed = key.sign(&SystemRandom::new(), base.as_bytes()).unwrap();
    let body = if tamper { body.replace("\"15\"", "\"16\"") } else { body };
    let request =
        test.client.post(format!("http://{authority}{path}")).bearer_auth(credentials.api_token);
    let request =
        request.header("signature-date", date.to_string()).header("content-digest", digest);
    let request = request.header("signature-input", format!("sig-pp={parameters}"));
    let request =
        request.header("signature", format!("sig-pp=:{}:", STANDARD.encode(signed.as_ref())));
    test.send(request.header("content-type", "application/json").body(body)).await
}

#[tokio::test]
async fn signed_requests_are_verified_in_both_encodings() {
    let test = Test::with_settings(|settings| {
        settings
            .operators
            .set(PawapaySettings { signed_requests_only: true, ..PawapaySettings::default() })
    })
    .await;
    let unsigned =
        test.post_pawapay("v2/deposits", &deposit(&new_id(), "233241234567", "15")).await;
    assert_eq!(
        (unsigned.status, &unsigned.json()["failureReason"]["failureCode"]),
        (403, &json!("HTTP_SIGNATURE_ERROR"))
    );
    for algorithm in
        [&signature::ECDSA_P256_SHA256_ASN1_SIGNING, &signature::ECDSA_P256_SHA256_FIXED_SIGNING]
    {
        let accepted = post_signed(&test, algorithm, false).await;
        assert_eq!(accepted.json()["status"], "ACCEPTED", "{}", accepted.text);
        let tampered = post_signed(&test, algorithm, true).await;
        assert_eq!(tampered.json()["failureReason"]["failureCode"], "HTTP_SIGNATURE_ERROR");
    }
}

/// Verifies a callback with the key that pawaPay publishes.
async fn is_signed(test: &Test, callback: &ReceivedCallback) -> bool {
    let header = |name: &str| callback.headers[name].to_str().unwrap().to_owned();
    let parameters = header("signature-input").strip_prefix("sig-pp=").unwrap().to_owned();
    assert!(parameters.contains("keyid=\"HTTP_EC_P256_KEY:1\""));
    let base = format!(
        "\"@method\": POST\n\"@authority\": {}\n\"@path\": /callbacks\n\"signature-date\": \
         {}\n\"content-digest\": {}\n\
         \"content-type\": {}\n\"@signature-params\": {parameters}",
        header("host"),
        header("signature-date"),
        header("content-digest"),
        header("content-type"),
    );
    let expected =
        format!("sha-512=:{}:", STANDARD.encode(digest::digest(&digest::SHA512, &callback.body)));
    assert_eq!(header("content-digest"), expected);
    let signed = header("signature");
    let signed =
        STANDARD.decode(signed.strip_prefix("sig-pp=:").unwrap().trim_end_matches(':')).unwrap();
    let keys = test.get_pawapay("v2/public-key/http").await.json();
    let key = pem::parse(keys[0]["key"].as_str().unwrap()).unwrap();
    let algorithm: &'static dyn signature::VerificationAlgorithm = if signed.len() == 64 {
        &signature::ECDSA_P256_SHA256_FIXED
    } else {
        &signature::ECDSA_P256_SHA256_ASN1
    };
    signature::UnparsedPublicKey::new(algorithm, key.contents())
        .verify(base.as_bytes(), &signed)
        .is_ok()
}

#[tokio::test]
async fn callbacks_are_signed_and_forged_ones_wrongly() {
    for encoding in [SignatureEncoding::Der, SignatureEncoding::Raw] {
        let test = Test::with_settings(|settings| {
            settings
                .operators
                .set(PawapaySettings { signature_encoding: encoding, ..PawapaySettings::default() })
        })
        .await;
        test.emulator.chaos().set_once(Operator::PAWAPAY, Call::Callback, Fault::Forged);
        test.post_pawapay("v2/deposits", &deposit(&new_id(), "233241234567", "15")).await;
        let forged = test.merchant.wait_for_callbacks(1).await.remove(0);
        assert!(!is_signed(&test, &forged).await);
        test.advance(2);
        let callback = test.merchant.wait_for_callbacks(2).await.remove(1);
        assert!(is_signed(&test, &callback).await);
    }
}
