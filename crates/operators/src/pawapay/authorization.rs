//! The credentials of every call.

use crate::connection::Call;
use reqwest::header::AUTHORIZATION;
use secrecy::{ExposeSecret, SecretString};

/// A call with the API token as its bearer token.
pub(super) fn authorized<'a>(call: Call<'a>, api_token: &SecretString) -> Call<'a> {
    call.secret_header(AUTHORIZATION, &format!("Bearer {}", api_token.expose_secret()))
}
