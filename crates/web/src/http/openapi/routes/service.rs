//! `GET /healthz`, `/readyz`, `/openapi.json`.

use crate::http::openapi::{
    errors::SERVICE,
    examples,
    parameters::request_id,
    route::{OpenTo, ResponseBodySpec, ResponseSpec, Route},
};
use serde_json::json;
use tua_api::values::one_of;
use tua_contract::ErrorCode::{InternalError, RateLimited};
use utoipa::openapi::{HttpMethod, ObjectBuilder, Type};

pub(super) const ROUTES: &[Route] = &[
    Route {
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
                schema: || one_of(["ok\n"]).into(),
                examples: || vec![("alive", json!("ok\n"))],
            }),
            links: &[],
        }],
        errors: &[&[InternalError]],
    },
    Route {
        method: HttpMethod::Get,
        path: "/readyz",
        id: "isReady",
        tag: "Service",
        summary: "Check that the service can work",
        description: "A readiness probe for a load balancer: the database commits writes, the \
            workers run, and the service is not stopping.",
        open_to: OpenTo::Anybody,
        parameters: &[request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "The service can work.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "text/plain",
                schema: || one_of(["ready\n"]).into(),
                examples: || vec![("ready", json!("ready\n"))],
            }),
            links: &[],
        }],
        errors: &[SERVICE],
    },
    Route {
        method: HttpMethod::Get,
        path: "/openapi.json",
        id: "readDocument",
        tag: "Service",
        summary: "This document",
        description: "The OpenAPI 3.1 document, generated from the service's types.",
        open_to: OpenTo::Anybody,
        parameters: &[request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "This document.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: || ObjectBuilder::new().schema_type(Type::Object).into(),
                examples: examples::none,
            }),
            links: &[],
        }],
        errors: &[&[RateLimited, InternalError]],
    },
];
