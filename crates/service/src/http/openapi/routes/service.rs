//! `GET /healthz`, `/readyz`, `/openapi.json`.

use crate::api::values::one_of;
use crate::http::openapi::{
    errors::SERVICE,
    examples,
    parameters::request_id,
    route::{Answer, OpenTo, Route, Shown},
};
use serde_json::json;
use tua_contract::ErrorCode::{InternalError, RateLimited};
use utoipa::openapi::{HttpMethod, ObjectBuilder, Type};

pub(super) const ROUTES: &[Route] = &[
    Route {
        method: HttpMethod::Get,
        path: "/healthz",
        id: "isAlive",
        tag: "Service",
        summary: "Whether the process answers",
        description: "For whoever restarts it. It says nothing about the database.",
        open_to: OpenTo::Anybody,
        parameters: &[request_id],
        body: None,
        answers: &[Answer {
            status: "200",
            description: "It answers.",
            headers: &[],
            content: Some(Shown {
                kind: "text/plain",
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
        summary: "Whether the service can serve",
        description: "For a load balancer: the database can be written to.",
        open_to: OpenTo::Anybody,
        parameters: &[request_id],
        body: None,
        answers: &[Answer {
            status: "200",
            description: "It can.",
            headers: &[],
            content: Some(Shown {
                kind: "text/plain",
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
        description: "OpenAPI 3.1, generated from the types that serve.",
        open_to: OpenTo::Anybody,
        parameters: &[request_id],
        body: None,
        answers: &[Answer {
            status: "200",
            description: "This document.",
            headers: &[],
            content: Some(Shown {
                kind: "application/json",
                schema: || ObjectBuilder::new().schema_type(Type::Object).into(),
                examples: examples::none,
            }),
            links: &[],
        }],
        errors: &[&[RateLimited, InternalError]],
    },
];
