//! `GET /healthz`: whether the process runs.

use crate::http::{
    openapi::{
        content::BodySchema,
        operation::{OpenTo, OperationSpec, ResponseBodySpec, ResponseSpec},
        parameters::request_id,
    },
    route::Route,
};
use axum::routing::on;
use serde_json::json;
use tua_api::values::closed_enum;
use tua_contract::ErrorCode::*;
use utoipa::openapi::HttpMethod;

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, is_alive),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/healthz",
        id: "isAlive",
        tag: "Service",
        summary: "Check that the process runs",
        description: "A liveness probe. It does not check the database.",
        open_to: OpenTo::Anybody,
        parameters: &[request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "The process runs.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "text/plain",
                schema: BodySchema::Inline(|| closed_enum(["ok\n"]).into()),
                examples: || vec![("alive", json!("ok\n"))],
            }),
            links: &[],
        }],
        errors: &[&[InternalError]],
    },
};

/// The process is alive.
async fn is_alive() -> &'static str {
    "ok\n"
}
