//! Calls of MTN's API with the headers that each of them needs.

use super::{
    convert,
    headers::{SUBSCRIPTION_KEY, TARGET_ENVIRONMENT},
    settings::Credentials,
    token::{TokenCache, TokenError},
};
use crate::connection::{Call, Connection, Reply, Response};
use reqwest::{StatusCode, header::AUTHORIZATION};
use secrecy::{ExposeSecret, SecretString};
use std::{sync::Arc, time::Duration};
use tua_domain::ports::{ReadError, SendPermit};

/// A product with its credentials.
#[derive(Debug)]
pub(super) struct Product {
    /// The first segment of its paths: `collection` or `disbursement`.
    pub name: &'static str,
    /// The access token of the product.
    pub tokens: TokenCache,
    subscription_key: SecretString,
    target_environment: String,
    connection: Arc<Connection>,
}

impl Product {
    pub(super) fn new(
        name: &'static str,
        connection: &Arc<Connection>,
        target_environment: &str,
        credentials: Credentials,
    ) -> Self {
        let subscription_key = credentials.subscription_key.clone();
        let target_environment = target_environment.to_owned();
        let tokens =
            TokenCache::new(connection.clone(), name, target_environment.clone(), credentials);
        Self { name, tokens, subscription_key, target_environment, connection: connection.clone() }
    }

    /// Sends an order while the permit is valid. Without a token nothing is sent.
    pub(super) async fn send<'a>(
        &self,
        permit: &'a SendPermit,
        call: impl Fn() -> Call<'a>,
    ) -> Reply {
        let exchange = self.exchange(Some(permit), || call().with_permit(permit));
        exchange.await.unwrap_or(Reply::NotSent)
    }

    /// Reads.
    ///
    /// # Errors
    /// [`ReadError`]; any whole response is none, whatever its status.
    pub(super) async fn read<'a>(
        &self,
        call: impl Fn() -> Call<'a>,
    ) -> Result<Response, ReadError> {
        match self.exchange(None, call).await {
            Ok(Reply::Response(response)) if convert::is_access_denied(&response) => {
                Err(ReadError::Refused(format!("{}: HTTP {}", self.name, response.status.as_u16())))
            }
            Ok(Reply::Response(response)) => Ok(response),
            Ok(Reply::NotSent) => Err(ReadError::Unanswered("no connection".to_owned())),
            Ok(Reply::NoResponse) => Err(ReadError::Unanswered("no response".to_owned())),
            Err(TokenError::Refused(error)) => {
                Err(ReadError::Refused(format!("{}: {error}", self.name)))
            }
            Err(TokenError::Unavailable(error)) => {
                Err(ReadError::Unanswered(format!("{}: {error}", self.name)))
            }
        }
    }

    /// Makes a call, and where MTN refuses its token, once more with a new one. A call with a
    /// refused token had no effect, so an order may be sent again too.
    async fn exchange<'a>(
        &self,
        permit: Option<&SendPermit>,
        call: impl Fn() -> Call<'a>,
    ) -> Result<Reply, TokenError> {
        let token = self.token(permit).await?;
        let reply = self.connection.call(self.authorize(call(), &token)).await;
        if !is_token_refused(&reply) {
            return Ok(reply);
        }
        self.tokens.discard_refused(&token);
        let token = self.token(permit).await?;
        Ok(self.connection.call(self.authorize(call(), &token)).await)
    }

    /// A token. For an order it is waited for during two thirds of the permit's time, so that the
    /// order can still be sent afterwards; the request for the token continues, and serves the next
    /// attempt.
    async fn token(&self, permit: Option<&SendPermit>) -> Result<SecretString, TokenError> {
        let Some(permit) = permit else { return self.tokens.get().await };
        let wait = Duration::try_from(permit.remaining() * 2 / 3).unwrap_or_default();
        let late = |_| Err(TokenError::Unavailable("no token in time".to_owned()));
        tokio::time::timeout(wait, self.tokens.get()).await.unwrap_or_else(late)
    }

    fn authorize<'a>(&self, call: Call<'a>, token: &SecretString) -> Call<'a> {
        call.secret_header(AUTHORIZATION, &format!("Bearer {}", token.expose_secret()))
            .secret_header(SUBSCRIPTION_KEY, self.subscription_key.expose_secret())
            .header(TARGET_ENVIRONMENT, &self.target_environment)
    }
}

/// Whether MTN certainly refused the token: 401 in JSON of its own.
fn is_token_refused(reply: &Reply) -> bool {
    let Reply::Response(response) = reply else { return false };
    response.status == StatusCode::UNAUTHORIZED && convert::is_access_denied(response)
}
