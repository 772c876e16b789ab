//! The claims of an ID token.

use jiff::Timestamp;
use openidconnect::{AdditionalClaims, IdTokenClaims, core::CoreGenderClaim};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tua_domain::people::{Identity, IdentityClaims, StaffEmail};

/// The longest name that is stored, in characters.
const NAME_MAX_CHARS: usize = 80;

/// The claims that OpenID Connect does not define.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct OtherClaims {
    #[serde(flatten)]
    all: Map<String, Value>,
}

impl AdditionalClaims for OtherClaims {}

impl OtherClaims {
    /// The groups: one text, or a list of texts.
    fn groups(&self, claim: &str) -> Vec<String> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        match self.all.get(claim) {
            Some(Value::Array(values)) => values.iter().filter_map(text).collect(),
            Some(value) => text(value).into_iter().collect(),
            None => Vec::new(),
        }
    }
}

/// Reads the claims of a verified ID token. An address that the provider has not verified is left
/// out.
pub(super) fn read(
    claims: &IdTokenClaims<OtherClaims, CoreGenderClaim>,
    groups_claim: &str,
) -> IdentityClaims {
    let is_verified = claims.email_verified() == Some(true);
    let email =
        claims.email().filter(|_| is_verified).and_then(|email| email.parse::<StaffEmail>().ok());
    let name = claims
        .name()
        .and_then(|names| names.get(None).or_else(|| names.iter().next().map(|(_, name)| name)));
    let name = name.map(|name| {
        name.trim().chars().filter(|one| !one.is_control()).take(NAME_MAX_CHARS).collect()
    });
    IdentityClaims {
        identity: Identity {
            issuer: claims.issuer().as_str().to_owned(),
            subject: claims.subject().as_str().to_owned(),
        },
        email,
        name: name.filter(|name: &String| !name.is_empty()),
        groups: claims.additional_claims().groups(groups_claim),
        authenticated_at: claims
            .auth_time()
            .and_then(|at| Timestamp::from_second(at.timestamp()).ok()),
    }
}
