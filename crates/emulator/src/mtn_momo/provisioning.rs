//! API users and keys of the sandbox.

use super::{
    access::subscribed_product,
    responses::error,
    state::{ApiUser, MtnMomo},
};
use crate::{
    extract::{Body, Path},
    protocol::Context,
    wire::{Refusal, header_text, respond, text},
};
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde_json::json;
use uuid::Uuid;

/// `POST /v1_0/apiuser`: creates an API user with the id of the header.
pub(super) async fn create_user(
    State(context): State<Context<MtnMomo>>,
    headers: HeaderMap,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let product = subscribed_product(&context.shared, &headers)?;
    let Some(id) = header_text(&headers, "x-reference-id").filter(|id| Uuid::parse_str(id).is_ok())
    else {
        return Err(error(
            StatusCode::BAD_REQUEST,
            "BAD_REQUEST",
            "X-Reference-Id must be a UUID.",
        ));
    };
    let callback_host = text(&body, "providerCallbackHost").to_owned();
    let mut users = context.protocol.users();
    if users.contains_key(id) {
        let message = "Duplicated reference id. Creation of resource failed.";
        return Err(error(StatusCode::CONFLICT, "RESOURCE_ALREADY_EXIST", message));
    }
    users.insert(id.to_owned(), ApiUser { product, callback_host, key: None });
    Ok(StatusCode::CREATED.into_response())
}

/// `POST /v1_0/apiuser/{user}/apikey`: creates a key, which replaces the former one.
pub(super) async fn create_key(
    State(context): State<Context<MtnMomo>>,
    Path(user): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    subscribed_product(&context.shared, &headers)?;
    let key = Uuid::new_v4().simple().to_string();
    match context.protocol.users().get_mut(&user) {
        Some(user) => user.key = Some(key.clone()),
        None => return Err(unknown_user()),
    }
    Ok(respond(StatusCode::CREATED, json!({"apiKey": key})))
}

/// `GET /v1_0/apiuser/{user}`: the registered host of an API user.
pub(super) async fn read_user(
    State(context): State<Context<MtnMomo>>,
    Path(user): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    subscribed_product(&context.shared, &headers)?;
    match context.protocol.users().get(&user) {
        Some(user) => {
            let body =
                json!({"providerCallbackHost": user.callback_host, "targetEnvironment": "sandbox"});
            Ok(respond(StatusCode::OK, body))
        }
        None => Err(unknown_user()),
    }
}

fn unknown_user() -> Refusal {
    error(StatusCode::NOT_FOUND, "RESOURCE_NOT_FOUND", "Requested resource was not found.")
}
