//! Verifies the signatures of callbacks.

use super::{
    base::{components, parse_dictionary, signature_base},
    sign::authority,
};
use aws_lc_rs::{
    digest::{Algorithm, SHA256, SHA512, digest},
    signature::{
        ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_FIXED, EcdsaVerificationAlgorithm,
        UnparsedPublicKey,
    },
};
use jiff::Timestamp;
use sfv::{Dictionary, InnerList, ListEntry};
use tua_domain::ports::CallbackRequest;
use url::Url;

/// What the signature must cover: otherwise a valid one could be moved to another body or address.
const REQUIRED: [&str; 4] = ["@method", "@authority", "@path", "content-digest"];

/// How long after its end, or before its beginning, a signature is accepted. pawaPay repeats
/// callbacks for 15 minutes, and the clocks may differ. A callback that is repeated by somebody
/// else only brings a status read forward.
const TIME_TOLERANCE_SECONDS: i64 = 20 * 60;

/// The length of an ECDSA signature on P-256 in the encoding of RFC 9421.
const RAW_SIGNATURE_BYTES: usize = 64;

/// A key that pawaPay publishes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PublicKey {
    /// The id that a signature names as `keyid`.
    pub id: String,
    /// The `SubjectPublicKeyInfo` in DER.
    pub der: Vec<u8>,
}

/// Where pawaPay sent a callback: the configured address, because a proxy before the service may
/// change host and path, or the address as it arrived, because the address in pawaPay's settings
/// may be an older one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Addressed {
    authority: String,
    path: String,
}

impl Addressed {
    /// The addresses that a signature may be about.
    pub(crate) fn of(callback_url: &str, request: &CallbackRequest) -> Vec<Self> {
        let configured = Url::parse(callback_url).ok().and_then(|url| {
            Some(Self { authority: authority(&url)?, path: url.path().to_owned() })
        });
        let arrived =
            Self { authority: request.authority.to_lowercase(), path: request.path.clone() };
        configured.into_iter().chain([arrived]).collect()
    }
}

/// The signature of a callback with its parameters.
struct Claim {
    input: InnerList,
    signature: Vec<u8>,
}

/// The id of the key that a callback is signed with, if it is signed.
pub(crate) fn key_id(request: &CallbackRequest) -> Option<String> {
    claims(request).iter().find_map(|claim| text_parameter(&claim.input, "keyid"))
}

/// Whether a callback has a right signature by one of these keys.
pub(crate) fn verify(
    request: &CallbackRequest,
    addresses: &[Addressed],
    keys: &[PublicKey],
    now: Timestamp,
) -> bool {
    let is_right = |claim: &Claim| {
        is_complete(&claim.input)
            && is_timely(&claim.input, now)
            && addresses.iter().any(|address| is_signed(claim, request, address, keys))
    };
    is_digest_right(request) && claims(request).iter().any(is_right)
}

/// The signatures of a request, each with the parameters of the same name.
fn claims(request: &CallbackRequest) -> Vec<Claim> {
    let parsed =
        |name| header(request, name).and_then(|text| parse_dictionary(&text)).unwrap_or_default();
    let inputs: Dictionary = parsed("signature-input");
    let signatures: Dictionary = parsed("signature");
    let claim = |(label, input): (&sfv::Key, &ListEntry)| match (input, signatures.get(label)?) {
        (ListEntry::InnerList(input), ListEntry::Item(signature)) => Some(Claim {
            input: input.clone(),
            signature: signature.bare_item.as_byte_sequence()?.to_vec(),
        }),
        _ => None,
    };
    inputs.iter().filter_map(claim).collect()
}

/// The values of a header, joined as RFC 9421, section 2.1, describes; `None` where there is none.
fn header(request: &CallbackRequest, name: &str) -> Option<String> {
    let found = request.headers.iter().filter(|(found, _)| found == name);
    let values: Option<Vec<_>> =
        found.map(|(_, value)| Some(std::str::from_utf8(value).ok()?.trim())).collect();
    values.filter(|values| !values.is_empty()).map(|values| values.join(", "))
}

fn text_parameter(input: &InnerList, name: &str) -> Option<String> {
    input.params.get(name)?.as_string().map(|text| text.as_str().to_owned())
}

fn is_complete(input: &InnerList) -> bool {
    components(input)
        .is_some_and(|covered| REQUIRED.iter().all(|required| covered.contains(required)))
}

fn is_timely(input: &InnerList, now: Timestamp) -> bool {
    let time =
        |name: &str| input.params.get(name).and_then(sfv::BareItem::as_integer).map(i64::from);
    let now = now.as_second();
    let has_begun =
        time("created").is_none_or(|created| created <= now.saturating_add(TIME_TOLERANCE_SECONDS));
    let last = |time: i64| time.saturating_add(TIME_TOLERANCE_SECONDS);
    has_begun && time("expires").is_none_or(|expires| now <= last(expires))
}

/// Whether `Content-Digest` has a digest of the exact body, and none that differs from it (RFC
/// 9530).
fn is_digest_right(request: &CallbackRequest) -> bool {
    let digests = header(request, "content-digest")
        .and_then(|text| parse_dictionary(&text))
        .unwrap_or_default();
    let compared = |name: &str, algorithm: &'static Algorithm| match digests.get(name) {
        Some(ListEntry::Item(item)) => Some(
            item.bare_item.as_byte_sequence() == Some(digest(algorithm, &request.body).as_ref()),
        ),
        Some(ListEntry::InnerList(_)) => Some(false),
        None => None,
    };
    let results: Vec<_> = [compared("sha-512", &SHA512), compared("sha-256", &SHA256)]
        .into_iter()
        .flatten()
        .collect();
    !results.is_empty() && results.into_iter().all(|is_right| is_right)
}

fn is_signed(
    claim: &Claim,
    request: &CallbackRequest,
    address: &Addressed,
    keys: &[PublicKey],
) -> bool {
    let algorithm = text_parameter(&claim.input, "alg");
    if algorithm.is_some_and(|algorithm| algorithm != "ecdsa-p256-sha256") {
        return false;
    }
    let base = signature_base(&claim.input, |name| match name {
        "@method" => Some(request.method.clone()),
        "@authority" => Some(address.authority.clone()),
        "@path" => Some(address.path.clone()),
        name if name.starts_with('@') => None,
        name => header(request, name),
    });
    let (Some(base), Some(id)) = (base, text_parameter(&claim.input, "keyid")) else {
        return false;
    };
    // An encoding in DER has another length, except for a few signatures with very small numbers;
    // so both are tried.
    let algorithms: &[&'static EcdsaVerificationAlgorithm] = match claim.signature.len() {
        RAW_SIGNATURE_BYTES => &[&ECDSA_P256_SHA256_FIXED, &ECDSA_P256_SHA256_ASN1],
        _ => &[&ECDSA_P256_SHA256_ASN1],
    };
    keys.iter().filter(|key| key.id == id).any(|key| {
        let verify = |algorithm: &&'static EcdsaVerificationAlgorithm| {
            UnparsedPublicKey::new(*algorithm, &key.der)
                .verify(base.as_bytes(), &claim.signature)
                .is_ok()
        };
        algorithms.iter().any(verify)
    })
}
