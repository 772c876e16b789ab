//! `GET /readyz`: whether the service can work.

use crate::http::{
    openapi::{
        content::BodySchema, errors::SERVICE, messages::ResponseSpec, open_to::OpenTo,
        operation::OperationSpec,
    },
    problem::ApiError,
    route::Route,
};
use axum::{extract::State, routing::on};
use serde_json::json;
use std::sync::Arc;
use tua_api::values::closed_enum;
use tua_contract::ErrorCode;
use tua_use_cases::Readiness;
use utoipa::openapi::HttpMethod;

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, is_ready),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/readyz",
        id: "isReady",
        tag: "Service",
        summary: "Check that the service can work",
        description: "A readiness probe for a load balancer: the database commits writes, the \
            workers run, and the service is not stopping.",
        open_to: OpenTo::Anybody,
        parameters: &[],
        body: None,
        responses: &[ResponseSpec::with_content(
            "200",
            "The service can work.",
            "text/plain",
            BodySchema::Inline(|| closed_enum(["ready\n"]).into()),
            || vec![("ready", json!("ready\n"))],
        )],
        errors: &[SERVICE],
    },
};

/// The store accepts writes, the workers run, and the service is not stopping.
async fn is_ready(State(readiness): State<Arc<Readiness>>) -> Result<&'static str, ApiError> {
    readiness.check().await.map_err(|why| {
        tracing::warn!(%why, "not ready");
        ApiError::new(ErrorCode::ServiceUnavailable, why.to_string())
    })?;
    Ok("ready\n")
}
