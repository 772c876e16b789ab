//! The sign-in with an authorization code (OpenID Connect Core 1.0 section 3.1), with PKCE (RFC
//! 7636).

use super::{
    claims::{self, OtherClaims},
    discovery::{Discovery, Metadata},
    error::OidcError,
    http_client,
    settings::OidcSettings,
};
use chrono::{DateTime, Utc};
use openidconnect::{
    AuthType, AuthenticationFlow, AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken,
    EmptyExtraTokenFields, EndpointMaybeSet, EndpointNotSet, EndpointSet, IdToken, IdTokenClaims,
    IdTokenFields, IssuerUrl, Nonce, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl,
    RequestTokenError, Scope, StandardErrorResponse, StandardTokenResponse, TokenResponse,
    core::{
        CoreAuthDisplay, CoreAuthPrompt, CoreClientAuthMethod, CoreErrorResponseType,
        CoreGenderClaim, CoreJsonWebKey, CoreJweContentEncryptionAlgorithm,
        CoreJwsSigningAlgorithm, CoreResponseType, CoreRevocableToken, CoreRevocationErrorResponse,
        CoreTokenIntrospectionResponse, CoreTokenType,
    },
};
use openidconnect::{ClaimsVerificationError, SignatureVerificationError};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use std::{sync::Arc, time::Duration};
use tua_domain::{people::IdentityClaims, ports::Clock};
use url::Url;

/// The signatures that count. None is made with a secret that we share with the provider, and none
/// is absent.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

type Tokens = StandardTokenResponse<
    IdTokenFields<
        OtherClaims,
        EmptyExtraTokenFields,
        CoreGenderClaim,
        CoreJweContentEncryptionAlgorithm,
        CoreJwsSigningAlgorithm,
    >,
    CoreTokenType,
>;
type SignedIdToken = IdToken<
    OtherClaims,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;
type OidcClient = Client<
    OtherClaims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    Tokens,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// A client of the OpenID Connect provider in the settings.
#[derive(Debug)]
pub struct Provider {
    settings: OidcSettings,
    redirect_url: RedirectUrl,
    client: reqwest::Client,
    clock: Arc<dyn Clock>,
    discovery: Discovery,
}

/// Whether a person who is signed in to the provider must enter credentials again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prompt {
    /// The provider decides: its own session is enough.
    Provider,
    /// They must: the request has `prompt=login` and `max_age=0`.
    Login,
}

/// A request that the browser takes to the provider. All but the address is kept until the browser
/// comes back.
#[derive(Clone, Serialize, Deserialize)]
pub struct AuthorizationRequest {
    /// Comes back in the query, and shows that this browser began.
    pub state: String,
    /// Comes back in the ID token, and shows that it was made for this request.
    nonce: String,
    /// Shows the provider that who brings the code also began.
    verifier: String,
}

impl std::fmt::Debug for AuthorizationRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AuthorizationRequest(…)")
    }
}

/// What the browser brings back from the provider (RFC 6749 sections 4.1.2 and 4.1.2.1, RFC 9207).
#[derive(Clone, Default, Deserialize)]
pub struct CallbackQuery {
    /// The state of the request.
    #[serde(default)]
    pub state: String,
    /// The code, which is good once.
    code: Option<String>,
    /// Why there is no code.
    error: Option<String>,
    /// The issuer (RFC 9207); required only if the provider's metadata promises it.
    iss: Option<String>,
}

impl std::fmt::Debug for CallbackQuery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CallbackQuery(…)")
    }
}

impl Provider {
    /// A provider to which browsers come back at this URL. Nothing is sent yet.
    ///
    /// # Errors
    /// One line, if the HTTP client cannot be built.
    pub fn new(
        settings: OidcSettings,
        redirect_url: String,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, String> {
        let with_context = |error: openidconnect::url::ParseError| format!("oidc: {error}");
        let issuer = IssuerUrl::new(settings.issuer.clone()).map_err(with_context)?;
        let redirect_url = RedirectUrl::new(redirect_url).map_err(with_context)?;
        let client = http_client::build(&settings.issuer)?;
        let discovery = Discovery::new(issuer, client.clone(), clock.clone());
        Ok(Self { settings, redirect_url, client, clock, discovery })
    }

    /// The validated settings that it was created with.
    #[must_use]
    pub const fn settings(&self) -> &OidcSettings {
        &self.settings
    }

    /// Begins a sign-in. Returns the provider's address for the browser, too.
    ///
    /// # Errors
    /// [`OidcError::Unreachable`].
    pub async fn begin(&self, prompt: Prompt) -> Result<(AuthorizationRequest, Url), OidcError> {
        let metadata = self.discovery.metadata().await?;
        let client = self.client_of(&metadata);
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let flow = AuthenticationFlow::<CoreResponseType>::AuthorizationCode;
        let mut request = client.authorize_url(flow, CsrfToken::new_random, Nonce::new_random);
        for scope in &self.settings.scopes {
            request = request.add_scope(Scope::new(scope.clone()));
        }
        if prompt == Prompt::Login {
            request = request.add_prompt(CoreAuthPrompt::Login).set_max_age(Duration::ZERO);
        }
        let (url, state, nonce) = request.set_pkce_challenge(challenge).url();
        let request = AuthorizationRequest {
            state: state.into_secret(),
            nonce: nonce.secret().clone(),
            verifier: verifier.into_secret(),
        };
        Ok((request, url))
    }

    /// Ends a sign-in whose state was compared: exchanges the code, and verifies the ID token.
    ///
    /// # Errors
    /// [`OidcError`].
    pub async fn finish(
        &self,
        request: AuthorizationRequest,
        query: CallbackQuery,
    ) -> Result<IdentityClaims, OidcError> {
        let metadata = self.discovery.metadata().await?;
        let must_name_issuer =
            metadata.additional_metadata().authorization_response_iss_parameter_supported;
        let is_ours =
            query.iss.as_ref().map_or(!must_name_issuer, |issuer| *issuer == self.settings.issuer);
        if !is_ours {
            return Err(refused(OidcError::Invalid, "another provider has responded"));
        }
        let (None, Some(code)) = (query.error, query.code) else {
            return Err(refused(OidcError::Refused, "the provider or the person refused"));
        };
        let tokens = self.exchange(&metadata, code, request.verifier).await?;
        let token =
            tokens.id_token().ok_or_else(|| refused(OidcError::Invalid, "there is no ID token"))?;
        let nonce = Nonce::new(request.nonce);
        let claims = match self.verify(&metadata, token, &nonce) {
            Err(ClaimsVerificationError::SignatureVerification(
                SignatureVerificationError::NoMatchingKey,
            )) => {
                let metadata = self.discovery.refreshed().await?;
                self.verify(&metadata, token, &nonce)
                    .map(|claims| claims::read(claims, &self.settings.groups_claim))
            }
            verified => verified.map(|claims| claims::read(claims, &self.settings.groups_claim)),
        };
        claims.map_err(|error| refused(OidcError::Invalid, fault(&error)))
    }

    /// Where people sign out of the provider, if it has a page for that and was reached before.
    pub fn sign_out_url(&self, back: &str) -> Option<Url> {
        let metadata = self.discovery.cached()?;
        let mut url = metadata.additional_metadata().end_session_endpoint.clone()?;
        url.query_pairs_mut()
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("post_logout_redirect_uri", back);
        Some(url)
    }

    async fn exchange(
        &self,
        metadata: &Metadata,
        code: String,
        verifier: String,
    ) -> Result<Tokens, OidcError> {
        let client = self.client_of(metadata);
        let request = client
            .exchange_code(AuthorizationCode::new(code))
            .map_err(|_| OidcError::Unreachable)?;
        let http = |request| http_client::send(self.client.clone(), request);
        let response =
            request.set_pkce_verifier(PkceCodeVerifier::new(verifier)).request_async(&http).await;
        response.map_err(|error| match error {
            RequestTokenError::ServerResponse(response)
                if *response.error() == CoreErrorResponseType::InvalidClient =>
            {
                refused(OidcError::Invalid, "the provider refused client-id or client-secret")
            }
            RequestTokenError::ServerResponse(_) => {
                refused(OidcError::Refused, "the provider refused the code")
            }
            RequestTokenError::Request(_) => {
                refused(OidcError::Unreachable, "the code could not be exchanged")
            }
            RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
                refused(OidcError::Invalid, "the token response is not valid")
            }
        })
    }

    fn verify<'a>(
        &self,
        metadata: &Metadata,
        token: &'a SignedIdToken,
        nonce: &Nonce,
    ) -> Result<&'a IdTokenClaims<OtherClaims, CoreGenderClaim>, ClaimsVerificationError> {
        let now = DateTime::from_timestamp_millis(self.clock.now().as_millisecond())
            .unwrap_or(DateTime::<Utc>::MAX_UTC);
        let client = self.client_of(metadata);
        let verifier =
            client.id_token_verifier().set_allowed_algs(ALGORITHMS).set_time_fn(move || now);
        token.claims(&verifier, nonce)
    }

    fn client_of(&self, metadata: &Metadata) -> OidcClient {
        let id = ClientId::new(self.settings.client_id.clone());
        let secret = ClientSecret::new(self.settings.client_secret.expose_secret().to_owned());
        // What is absent means client_secret_basic (OpenID Connect Discovery 1.0 section 3).
        let methods = metadata.token_endpoint_auth_methods_supported();
        let takes_basic = methods
            .is_none_or(|methods| methods.contains(&CoreClientAuthMethod::ClientSecretBasic));
        let how = if takes_basic { AuthType::BasicAuth } else { AuthType::RequestBody };
        Client::from_provider_metadata(metadata.clone(), id, Some(secret))
            .set_auth_type(how)
            .set_redirect_uri(self.redirect_url.clone())
    }
}

/// Logs why, without any text of the provider or the browser.
fn refused(error: OidcError, reason: &'static str) -> OidcError {
    tracing::warn!(reason, "a sign-in with the provider was refused");
    error
}

/// Which check of the ID token failed. The library's text quotes the token.
fn fault(error: &ClaimsVerificationError) -> &'static str {
    match error {
        ClaimsVerificationError::Expired(_) => "the ID token has expired",
        ClaimsVerificationError::InvalidAudience(_) => "the ID token is for another client",
        ClaimsVerificationError::InvalidIssuer(_) => "the ID token is of another provider",
        ClaimsVerificationError::InvalidNonce(_) => "the ID token was made for another request",
        ClaimsVerificationError::SignatureVerification(_) => {
            "the signature of the ID token is not valid"
        }
        _ => "the ID token is not valid",
    }
}
