//! Subscription keys, tokens, target environments.

use super::{
    platform::{NEW_PLATFORM, Platform, Product},
    responses::error,
    settings::{MtnCredentials, MtnProductCredentials, MtnSettings},
    state::{Client, MtnMomo, Token},
};
use crate::{
    operator::Operator,
    protocol::{Context, Shared},
    wire::{Refusal, basic, bearer, header_text, refuse, respond},
};
use axum::{
    Extension,
    extract::{FromRequestParts, State},
    http::{HeaderMap, StatusCode, request::Parts},
    response::Response,
};
use serde_json::json;
use std::time::Duration;
use url::Url;
use uuid::Uuid;

/// How long a token is valid.
const TOKEN_LIFETIME: Duration = Duration::from_secs(3600);

/// The environment that a request names, which decides the currency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Environment {
    Sandbox,
    Ghana,
}

impl Environment {
    fn parse(name: &str) -> Option<Self> {
        match name {
            "sandbox" => Some(Self::Sandbox),
            "mtnghana" => Some(Self::Ghana),
            _ => None,
        }
    }

    pub(super) const fn currency(self) -> &'static str {
        match self {
            Self::Sandbox => "EUR",
            Self::Ghana => "GHS",
        }
    }
}

/// The product whose subscription key a request has.
pub(super) fn subscribed_product(shared: &Shared, headers: &HeaderMap) -> Result<Product, Refusal> {
    let Some(key) = header_text(headers, "ocp-apim-subscription-key") else {
        return Err(deny(
            "missing subscription key. Make sure to include subscription key when making requests \
             to an API.",
        ));
    };
    let products =
        shared.accepted_credentials::<MtnCredentials>(Operator::MTN_MOMO).map(|credentials| {
            [
                (Product::Collection, credentials.collection.subscription_key),
                (Product::Disbursement, credentials.disbursement.subscription_key),
            ]
        });
    let found = products.and_then(|products| products.into_iter().find(|(_, valid)| valid == key));
    found.map(|(product, _)| product).ok_or_else(deny_key)
}

fn require_subscription(
    shared: &Shared,
    headers: &HeaderMap,
    product: Product,
) -> Result<(), Refusal> {
    if subscribed_product(shared, headers)? == product { Ok(()) } else { Err(deny_key()) }
}

fn deny_key() -> Refusal {
    deny("invalid subscription key. Make sure to provide a valid key for an active subscription.")
}

fn deny(reason: &str) -> Refusal {
    let body = json!({"statusCode": 401, "message": format!("Access denied due to {reason}")});
    refuse(StatusCode::UNAUTHORIZED, body)
}

/// `POST /{product}/token/`: issues a token to a client with the right credentials.
pub(super) async fn issue_token(
    State(context): State<Context<MtnMomo>>,
    Extension(platform): Extension<Platform>,
    Extension(product): Extension<Product>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let shared = &context.shared;
    require_subscription(shared, &headers, product)?;
    let environment = header_text(&headers, "x-target-environment");
    let is_required = platform.0 == NEW_PLATFORM
        || shared.settings.operators.get::<MtnSettings>().target_environment_required;
    let is_valid = environment.map_or(!is_required, |name| Environment::parse(name).is_some());
    if !is_valid {
        let body = json!({"error": "Invalid or missing X-Target-Environment header"});
        return Err(refuse(StatusCode::BAD_REQUEST, body));
    }
    let invalid_client = || refuse(StatusCode::UNAUTHORIZED, json!({"error": "invalid_client"}));
    let (user, key) = basic(&headers).ok_or_else(invalid_client)?;
    if platform.0 == NEW_PLATFORM && user.contains('%') {
        // The new platform fails on credentials that were URL-encoded first.
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        return Err(error(status, "INTERNAL_PROCESSING_ERROR", "An internal error occurred."));
    }
    let client = client(&context, platform, product, &user, &key).ok_or_else(invalid_client)?;
    let now = shared.clock.now();
    let token = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    let mut tokens = context.protocol.tokens();
    tokens.retain(|_, token| now < token.expires);
    tokens.insert(
        token.clone(),
        Token { platform, product, client, expires: shared.clock.after(TOKEN_LIFETIME) },
    );
    drop(tokens);
    let body = json!({
        "access_token": token,
        "token_type": "access_token",
        "expires_in": TOKEN_LIFETIME.as_secs(),
    });
    Ok(respond(StatusCode::OK, body))
}

fn client(
    context: &Context<MtnMomo>,
    platform: Platform,
    product: Product,
    user: &str,
    key: &str,
) -> Option<Client> {
    let credentials = context.shared.accepted_credentials::<MtnCredentials>(Operator::MTN_MOMO)?;
    let of_settings = Client { callback_host: None };
    if platform.0 == NEW_PLATFORM {
        let (new_user, token) = credentials.new_platform;
        return (new_user == user && token == key).then_some(of_settings);
    }
    let MtnProductCredentials { user: valid_user, key: valid_key, .. } = match product {
        Product::Collection => credentials.collection,
        Product::Disbursement => credentials.disbursement,
    };
    if valid_user == user && valid_key == key {
        return Some(of_settings);
    }
    let users = context.protocol.users();
    let provisioned = users
        .get(user)
        .filter(|user| user.product == product && user.key.as_deref() == Some(key))?;
    Some(Client { callback_host: Some(registered_host(&provisioned.callback_host)) })
}

/// A request with a valid subscription key, token and target environment.
#[derive(Clone, Debug)]
pub(super) struct Authorized {
    pub(super) platform: Platform,
    pub(super) environment: Environment,
    /// The only host that callbacks may go to; `None` where none is registered.
    pub(super) callback_host: Option<String>,
}

impl FromRequestParts<Context<MtnMomo>> for Authorized {
    type Rejection = Refusal;

    async fn from_request_parts(
        parts: &mut Parts,
        context: &Context<MtnMomo>,
    ) -> Result<Self, Refusal> {
        let shared = &context.shared;
        let missing =
            || error(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL_PROCESSING_ERROR", "No route.");
        let platform = *parts.extensions.get::<Platform>().ok_or_else(missing)?;
        let product = *parts.extensions.get::<Product>().ok_or_else(missing)?;
        require_subscription(shared, &parts.headers, product)?;
        let now = shared.clock.now();
        let token =
            bearer(&parts.headers).and_then(|token| context.protocol.tokens().get(token).cloned());
        let is_valid = |token: &Token| {
            token.platform == platform && token.product == product && now < token.expires
        };
        let Some(Token { client, .. }) = token.filter(is_valid) else {
            let body = json!({
                "error": "invalid_token",
                "error_description": "The access token is invalid or has expired",
            });
            return Err(refuse(StatusCode::UNAUTHORIZED, body));
        };
        let callback_host = client.callback_host.or_else(|| configured_callback_host(shared));
        let Some(name) = header_text(&parts.headers, "x-target-environment") else {
            return Err(error(
                StatusCode::BAD_REQUEST,
                "BAD_REQUEST",
                "X-Target-Environment is missing.",
            ));
        };
        match Environment::parse(name) {
            Some(environment) => Ok(Self { platform, environment, callback_host }),
            None => Err(error(
                StatusCode::INTERNAL_SERVER_ERROR,
                "NOT_ALLOWED_TARGET_ENVIRONMENT",
                "Access to target environment is forbidden.",
            )),
        }
    }
}

/// The registered host of the credentials of the settings: that of the merchant's callback address.
fn configured_callback_host(shared: &Shared) -> Option<String> {
    shared.callback_url(Operator::MTN_MOMO).and_then(|url| host(&url))
}

/// The host of an address.
pub(super) fn host(url: &str) -> Option<String> {
    Url::parse(url).ok()?.host_str().map(str::to_owned)
}

/// The host of what an API user was created with. MTN asks for a host, takes any text, and many
/// merchants give it a whole address.
fn registered_host(registered: &str) -> String {
    let with_scheme = || host(&format!("https://{registered}"));
    host(registered).or_else(with_scheme).unwrap_or_else(|| registered.to_owned())
}
