//! Reads the JSON body of a request.

use super::{problem::ApiError, state::BodyTimeout};
use axum::{
    body::Bytes,
    extract::{FromRef, FromRequest, Request},
};
use serde::Deserialize;
use tua_contract::ErrorCode;
use tua_http_json::{
    JsonObject,
    body::{self, BodyError},
    object::ObjectError,
};

/// A body that was sent as `application/json`, within the size limit and in time. A route that not
/// every credential may call reads the body after it has checked the credential.
#[derive(Debug)]
pub(super) struct JsonBody(Bytes);

impl<S: Send + Sync> FromRequest<S> for JsonBody
where
    BodyTimeout: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        Ok(Self(body::read_json(request, BodyTimeout::from_ref(state).0).await?))
    }
}

/// Reads a body of any media type, within the size limit and in time.
pub async fn read_body(
    request: Request,
    BodyTimeout(timeout): BodyTimeout,
) -> Result<Bytes, ApiError> {
    Ok(body::read(request, timeout).await?)
}

/// Reads a body whose members are all optional: an object, or nothing, which is as `{}`.
pub(super) async fn read_optional(
    request: Request,
    timeout: BodyTimeout,
) -> Result<JsonBody, ApiError> {
    let (parts, body) = request.into_parts();
    let bytes = read_body(Request::from_parts(parts.clone(), body), timeout).await?;
    if bytes.is_empty() {
        return Ok(JsonBody(Bytes::from_static(b"{}")));
    }
    JsonBody::from_request(Request::from_parts(parts, bytes.into()), &timeout).await
}

/// Reads a body that has nothing to tell: an empty one, or `{}`.
pub(super) async fn read_no_members(
    request: Request,
    timeout: BodyTimeout,
) -> Result<(), ApiError> {
    let NoMembers {} = read_optional(request, timeout).await?.object()?.read()?;
    Ok(())
}

/// An object without members.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoMembers {}

impl JsonBody {
    /// The members of the body's object.
    pub(super) fn object(&self) -> Result<JsonObject<'_>, ApiError> {
        Ok(JsonObject::parse(&self.0)?)
    }
}

impl From<BodyError> for ApiError {
    fn from(error: BodyError) -> Self {
        Self {
            has_unread_coding: error.accepted_codings().is_some(),
            ..Self::new(error.code(), error.to_string())
        }
    }
}

impl From<ObjectError> for ApiError {
    fn from(error: ObjectError) -> Self {
        match error {
            ObjectError::Malformed(detail) => Self::new(ErrorCode::MalformedJson, detail),
            ObjectError::NotAnObject(fault) => Self::faults(vec![fault]),
        }
    }
}
