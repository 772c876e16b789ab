//! Why a sign-in with the OpenID Connect provider failed.

/// Why a sign-in with the provider failed. No variant contains a text of the provider.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OidcError {
    /// The provider did not respond, or its metadata is not valid.
    #[error("the sign-in provider could not be reached")]
    Unreachable,
    /// The provider or the person refused, or the code was used before.
    #[error("the sign-in provider refused")]
    Refused,
    /// The response is of another provider, or the ID token is not valid.
    #[error("the response of the sign-in provider is not valid")]
    Invalid,
}
