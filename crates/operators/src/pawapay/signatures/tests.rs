use super::*;
use aws_lc_rs::{
    encoding::AsDer,
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::Timestamp;
use proptest::prelude::*;
use tua_domain::ports::CallbackRequest;

/// A key that protects nothing: `openssl ecparam -name P-256 -genkey | openssl pkcs8 -topk8
/// -nocrypt`.
pub(crate) const KEY: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4l52MmfpwJVFlEw3
8x0z7Ga8jQVMHdA/QjhD1hOH00OhRANCAASTAbTGsDUP6htPfMH7ri9qxt9w749q
yLj2YwtDK3zzxjmMMcl/zTbt5R2/qC2k6h4oNCb+Zcue73PQ3JQb1J3z
-----END PRIVATE KEY-----
";

const URL: &str = "https://pay.example/callbacks/pawapay/secret";
const BODY: &[u8] = b"{\"depositId\":\"7b0a3f0e-1c1d-4e5f-8a6b-123456789012\"}";

fn now() -> Timestamp {
    "2026-11-22T08:00:00Z".parse().unwrap()
}

fn keys() -> Vec<PublicKey> {
    let pair = pair();
    vec![PublicKey {
        id: "K:1".to_owned(),
        der: pair.public_key().as_der().unwrap().as_ref().to_vec(),
    }]
}

fn pair() -> EcdsaKeyPair {
    let der = pem::parse(KEY).unwrap();
    EcdsaKeyPair::from_private_key_der(&ECDSA_P256_SHA256_FIXED_SIGNING, der.contents()).unwrap()
}

fn signed() -> CallbackRequest {
    let headers =
        SigningKey::new(KEY, "K:1").unwrap().sign(&URL.parse().unwrap(), BODY, now()).unwrap();
    let headers = headers.into_iter().chain([("content-type", "application/json".to_owned())]);
    CallbackRequest {
        method: "POST".to_owned(),
        authority: "pay.example".to_owned(),
        path: "/callbacks/pawapay/secret".to_owned(),
        headers: headers.map(|(name, value)| (name.to_owned(), value.into_bytes())).collect(),
        body: BODY.to_vec(),
    }
}

fn is_right(request: &CallbackRequest) -> bool {
    verify(request, &Addressed::of(URL, request), &keys(), now())
}

fn change(
    mut request: CallbackRequest,
    name: &str,
    value: impl Fn(&str) -> String,
) -> CallbackRequest {
    for (_, old) in request.headers.iter_mut().filter(|(found, _)| found == name) {
        *old = value(std::str::from_utf8(old).unwrap()).into_bytes();
    }
    request
}

#[test]
fn a_signature_covers_body_method_address_and_time() {
    let right = signed();
    assert!(is_right(&right));
    assert_eq!(key_id(&right).as_deref(), Some("K:1"));
    let wrong = [
        CallbackRequest { body: b"{}".to_vec(), ..right.clone() },
        CallbackRequest { method: "PUT".to_owned(), ..right.clone() },
        CallbackRequest { headers: Vec::new(), ..right.clone() },
        change(right.clone(), "content-type", |_| "text/plain".to_owned()),
        change(right.clone(), "signature-date", |_| "2026-11-22T09:00:00Z".to_owned()),
        change(right.clone(), "content-digest", |_| "sha-512=:AAAA:".to_owned()),
        change(right.clone(), "content-digest", |_| String::new()),
        change(right.clone(), "signature-input", |input| input.replace(" \"content-type\"", "")),
        change(right.clone(), "signature-input", |input| input.replace("K:1", "K:2")),
        change(right.clone(), "signature-input", |input| input.replace("expires=1", "expires=2")),
        change(right.clone(), "signature-input", |input| {
            input.replace("ecdsa-p256-sha256", "hmac-sha256")
        }),
        change(right.clone(), "signature", |_| "sig-pp=:AAAA:".to_owned()),
        change(right.clone(), "signature", |signature| signature.replace("sig-pp", "other")),
    ];
    for request in wrong {
        assert!(!is_right(&request), "{request:?}");
    }
    let other = CallbackRequest {
        authority: "other.example".to_owned(),
        path: "/".to_owned(),
        ..right.clone()
    };
    assert!(!verify(&other, &Addressed::of("", &other), &keys(), now()));
    // A proxy may change host and path; then the configured address counts.
    assert!(is_right(&other));
    // Without a proxy, the address as it arrived.
    assert!(verify(&right, &Addressed::of("https://old.example/", &right), &keys(), now()));
    assert!(!verify(&right, &Addressed::of(URL, &right), &[], now()));
    for (at, is_timely) in
        [("07:39:59", false), ("07:40:00", true), ("08:21:00", true), ("08:21:01", false)]
    {
        let at = format!("2026-11-22T{at}Z").parse().unwrap();
        assert_eq!(verify(&right, &Addressed::of(URL, &right), &keys(), at), is_timely, "{at}");
    }
}

/// The callback with another signature: over these components, with these parameters, in the
/// encoding of RFC 9421. The signer ignores parameters of components.
fn signed_over(components: &[&str], parameters: &str) -> CallbackRequest {
    let right = signed();
    let input = format!("({}){parameters}", components.join(" "));
    let line = |component: &&str| {
        let name = component.split('"').nth(1).unwrap();
        let value = match name {
            "@method" => "POST",
            "@authority" => "pay.example",
            "@path" => "/callbacks/pawapay/secret",
            header => right.header(header).unwrap(),
        };
        format!("\"{name}\": {value}\n")
    };
    let lines: String = components.iter().map(line).collect();
    let base = format!("{lines}\"@signature-params\": {input}");
    let raw = pair().sign(&SystemRandom::new(), base.as_bytes()).unwrap();
    assert_eq!(raw.as_ref().len(), 64);
    let request = change(right, "signature-input", |_| format!("sig-pp={input}"));
    change(request, "signature", |_| format!("sig-pp=:{}:", STANDARD.encode(raw.as_ref())))
}

const REQUIRED: [&str; 4] = ["\"@method\"", "\"@authority\"", "\"@path\"", "\"content-digest\""];

#[test]
fn a_signature_in_the_encoding_of_rfc_9421_is_accepted_too() {
    let signed = signed();
    let input = signed.header("signature-input").unwrap();
    let parameters = &input[input.find(')').unwrap() + 1..];
    let more = ["\"signature-date\"", "\"content-type\""];
    assert!(is_right(&signed_over(&[&REQUIRED[..], &more].concat(), parameters)));
}

#[test]
fn what_is_required_must_be_covered_once_and_without_parameters() {
    let is_right = |covered: &[&str]| is_right(&signed_over(covered, ";keyid=\"K:1\""));
    assert!(is_right(&REQUIRED));
    for missing in REQUIRED {
        let rest = REQUIRED.into_iter().filter(|one| *one != missing).collect::<Vec<_>>();
        assert!(!is_right(&rest), "without {missing}");
    }
    let [method, authority, path, digest] = REQUIRED;
    assert!(!is_right(&[method, authority, path, digest, digest]), "twice");
    assert!(!is_right(&[method, authority, path, "\"content-digest\";sf"]), "with a parameter");
    assert!(!is_right(&[]));
}

#[test]
fn a_signature_counts_with_the_key_that_it_names_and_with_this_algorithm_only() {
    let is_right = |parameters: &str| is_right(&signed_over(&REQUIRED, parameters));
    assert!(is_right(";keyid=\"K:1\";alg=\"ecdsa-p256-sha256\""));
    // Each is signed with the key K:1.
    for wrong in ["", ";keyid=\"K:2\"", ";keyid=\"K:1\";alg=\"hmac-sha256\""] {
        assert!(!is_right(wrong), "{wrong:?}");
    }
}

#[test]
fn keys_are_read_in_both_forms() {
    // `openssl ecparam -name P-256 -genkey`, which writes the curve first.
    let sec1 = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n\
        -----BEGIN EC PRIVATE KEY-----\n\
        MHcCAQEEIOJedjJn6cCVRZRMN/MdM+xmvI0FTB3QP0I4Q9YTh9NDoAoGCCqGSM49\n\
        AwEHoUQDQgAEkwG0xrA1D+obT3zB+64vasbfcO+Pasi49mMLQyt888Y5jDHJf802\n\
        7eUdv6gtpOoeKDQm/mXLnu9z0NyUG9Sd8w==\n-----END EC PRIVATE KEY-----\n";
    assert!(SigningKey::new(sec1, "K:1").is_ok());
    assert!(SigningKey::new(KEY, "K:1").is_ok());
    assert!(SigningKey::new(KEY, "K\"1").is_err());
    assert!(SigningKey::new(&KEY.replace("MIGH", "MIGI"), "K:1").is_err());
    assert!(SigningKey::new("hunter2", "K:1").is_err());
}

proptest! {
    #[test]
    fn no_header_is_right_by_chance_and_none_panics(
        input in "\\PC{0,80}",
        signature in "\\PC{0,80}",
        digest in "\\PC{0,80}"
    ) {
        let request = change(signed(), "signature-input", |_| input.clone());
        let request = change(request, "signature", |_| signature.clone());
        prop_assert!(!is_right(&change(request, "content-digest", |_| digest.clone())));
    }
}
