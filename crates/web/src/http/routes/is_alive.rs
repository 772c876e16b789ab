//! `GET /healthz`: whether the process runs.

use crate::http::{
    openapi::{
        content::BodySchema, messages::ResponseSpec, open_to::OpenTo, operation::OperationSpec,
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
        parameters: &[],
        body: None,
        responses: &[ResponseSpec::with_content(
            "200",
            "The process runs.",
            "text/plain",
            BodySchema::Inline(|| closed_enum(["ok\n"]).into()),
            || vec![("alive", json!("ok\n"))],
        )],
        errors: &[&[InternalError]],
    },
};

/// The process is alive.
async fn is_alive() -> &'static str {
    "ok\n"
}
