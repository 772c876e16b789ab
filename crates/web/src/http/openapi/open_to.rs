//! Who may call an operation, and what the document says of that.

use tua_contract::ErrorCode::{self, *};
use tua_domain::KeyScope;
use utoipa::openapi::security::SecurityRequirement;

/// Codes of every operation that needs a credential.
const CREDENTIAL: &[ErrorCode] = &[
    MissingCredentials,
    InvalidCredentials,
    ConflictingCredentials,
    CheckoutTokenExpired,
    AddressNotAllowed,
    SecretKeyExposed,
    HttpsRequired,
    RateLimited,
];

/// Codes of every operation that needs a scope which some keys do not have.
const SCOPED: &[ErrorCode] = &[ScopeMissing];

/// Codes of every operation that only some credentials may use.
const RESTRICTED: &[ErrorCode] = &[CredentialNotAllowed];

/// Who may call an operation (docs/reference/credentials.md). A secret key needs one of the scopes
/// beside it, and may have others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OpenTo {
    /// Everybody: no credential is needed.
    Anybody,
    /// Secret keys of both generations.
    AnyKey(&'static [KeyScope]),
    /// Secret keys of both generations, and checkout tokens.
    AnyKeyOrToken(&'static [KeyScope]),
    /// Secret keys of the second generation.
    V2Key(&'static [KeyScope]),
    /// Secret keys of the second generation, and checkout tokens.
    V2KeyOrToken(&'static [KeyScope]),
    /// Checkout tokens; secret keys are refused.
    Token,
}

impl OpenTo {
    pub(super) fn sentence(self) -> String {
        let scopes = self.scopes().map_or_else(String::new, scope_sentence);
        format!("{}{scopes}", self.credentials())
    }

    const fn credentials(self) -> &'static str {
        match self {
            Self::Anybody => "No credential is needed.",
            Self::AnyKey(_) => "Open to secret keys of either generation (`sk_…`, `tua_…_v2_…`).",
            Self::AnyKeyOrToken(_) => {
                "Open to secret keys of either generation (`sk_…`, `tua_…_v2_…`) and to checkout \
                 tokens (`tua_checkout_…`)."
            }
            Self::V2Key(_) => "Open to v2 secret keys (`tua_test_v2_…`, `tua_live_v2_…`).",
            Self::V2KeyOrToken(_) => {
                "Open to v2 secret keys (`tua_test_v2_…`, `tua_live_v2_…`) and to checkout tokens \
                 (`tua_checkout_…`)."
            }
            Self::Token => "Open to checkout tokens (`tua_checkout_…`) alone.",
        }
    }

    /// The scopes of which a secret key needs one; `None` where no secret key is accepted.
    pub(crate) const fn scopes(self) -> Option<&'static [KeyScope]> {
        match self {
            Self::AnyKey(scopes)
            | Self::AnyKeyOrToken(scopes)
            | Self::V2Key(scopes)
            | Self::V2KeyOrToken(scopes) => Some(scopes),
            Self::Anybody | Self::Token => None,
        }
    }

    /// The codes that a request gets because of its credential.
    pub(super) fn error_codes(self) -> impl Iterator<Item = ErrorCode> {
        let credential = if self == Self::Anybody { &[] } else { CREDENTIAL };
        let restricted = match self {
            Self::Anybody | Self::AnyKeyOrToken(_) => &[][..],
            Self::AnyKey(_) | Self::V2Key(_) | Self::V2KeyOrToken(_) | Self::Token => RESTRICTED,
        };
        let is_scoped = self.scopes().is_some_and(|scopes| scopes != KeyScope::ALL);
        let scoped = if is_scoped { SCOPED } else { &[] };
        [credential, restricted, scoped].into_iter().flatten().copied()
    }

    /// Either header may have any credential.
    pub(super) fn requirements(self) -> Vec<SecurityRequirement> {
        let schemes: &[&str] = if self == Self::Anybody { &[] } else { &["apiKey", "bearer"] };
        schemes
            .iter()
            .map(|name| SecurityRequirement::new::<_, [&str; 0], &str>(*name, []))
            .collect()
    }
}

/// What a secret key needs for an operation (docs/reference/credentials.md#scopes).
fn scope_sentence(scopes: &[KeyScope]) -> String {
    if scopes == KeyScope::ALL {
        return " A key sees only what its scopes let it read.".to_owned();
    }
    let names: Vec<String> = scopes.iter().map(|scope| format!("`{}`", scope.as_str())).collect();
    format!(" A key needs the scope {}.", names.join(" or "))
}
