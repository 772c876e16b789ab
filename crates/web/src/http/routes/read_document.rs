//! `GET /openapi.json`: the OpenAPI document of this API.

use crate::http::{
    compressed::CompressedOnce,
    openapi::{
        content::BodySchema, messages::ResponseSpec, open_to::OpenTo, operation::OperationSpec,
    },
    problem::ApiError,
    route::Route,
};
use axum::{Extension, extract::State, http::HeaderMap, response::Response, routing::on};
use std::sync::Arc;
use tua_contract::ErrorCode::*;
use tua_net::{Client, limits::Limiter};
use utoipa::openapi::{HttpMethod, ObjectBuilder, Type};

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, read_document),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/openapi.json",
        id: "readDocument",
        tag: "Service",
        summary: "This document",
        description: "The OpenAPI 3.1 document, generated from the service's types.",
        open_to: OpenTo::Anybody,
        parameters: &[],
        body: None,
        responses: &[ResponseSpec::with_content(
            "200",
            "This document.",
            "application/json",
            BodySchema::Inline(|| ObjectBuilder::new().schema_type(Type::Object).into()),
            Vec::new,
        )],
        errors: &[&[RateLimited, InternalError]],
    },
};

/// Responds with the document in the form that the client prefers. Requests count against the limit
/// of their address, as all do that have no valid credential.
async fn read_document(
    State(limiter): State<Arc<Limiter>>,
    Extension(served): Extension<Arc<CompressedOnce>>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    limiter.count_bad_credential(client.limited_address())?;
    Ok(served.response(&headers, "application/json").await)
}
