//! Controls the service over HTTP: `POST /advance?seconds=N`, `/expire-proofs`, `/stop`, `/start`,
//! `/invite?email=E&role=R`, `/enrol?email=E&role=R&password=P`, `/code?invitation=LINK`,
//! `/require-approvals`. The response of an invitation, an enrolment and a code is a line of text.

use crate::TestService;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::post;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tower_http::cors::CorsLayer;
use tua_domain::people::Role;

type Shared = Arc<Mutex<TestService>>;
type Response<T> = Result<T, (StatusCode, String)>;

#[derive(Deserialize)]
struct Advance {
    seconds: u64,
}

#[derive(Deserialize)]
struct Invitation {
    email: String,
    role: String,
}

#[derive(Deserialize)]
struct Enrolment {
    email: String,
    role: String,
    password: String,
}

#[derive(Deserialize)]
struct Invited {
    invitation: String,
}

/// The routes. Any page may call them, because the service is only for tests.
pub fn router(service: TestService) -> Router {
    Router::new()
        .route("/advance", post(advance))
        .route("/expire-proofs", post(expire_proofs))
        .route("/stop", post(stop))
        .route("/start", post(start))
        .route("/invite", post(invite))
        .route("/enrol", post(enrol))
        .route("/code", post(code))
        .route("/require-approvals", post(require_approvals))
        .layer(CorsLayer::permissive())
        .with_state(Arc::new(Mutex::new(service)))
}

async fn advance(State(service): State<Shared>, Query(advance): Query<Advance>) -> StatusCode {
    service.lock().await.advance(Duration::from_secs(advance.seconds));
    StatusCode::NO_CONTENT
}

async fn expire_proofs(State(service): State<Shared>) -> StatusCode {
    service.lock().await.expire_proofs();
    StatusCode::NO_CONTENT
}

async fn stop(State(service): State<Shared>) -> Response<StatusCode> {
    done(service.lock().await.stop().await)
}

async fn start(State(service): State<Shared>) -> Response<StatusCode> {
    done(service.lock().await.start_again().await)
}

async fn invite(
    State(service): State<Shared>,
    Query(Invitation { email, role }): Query<Invitation>,
) -> Response<String> {
    let role = parse(&role)?;
    service.lock().await.invite(&email, role).await.map_err(failed)
}

async fn enrol(
    State(service): State<Shared>,
    Query(Enrolment { email, role, password }): Query<Enrolment>,
) -> Response<String> {
    let role = parse(&role)?;
    service.lock().await.enrol(&email, role, &password).await.map_err(failed)
}

async fn code(State(service): State<Shared>, Query(invited): Query<Invited>) -> Response<String> {
    service.lock().await.code(&invited.invitation).map_err(failed)
}

async fn require_approvals(State(service): State<Shared>) -> Response<StatusCode> {
    done(service.lock().await.require_approvals().await)
}

fn parse(role: &str) -> Response<Role> {
    Role::parse(role).ok_or_else(|| (StatusCode::BAD_REQUEST, format!("{role} is no role")))
}

fn done(outcome: anyhow::Result<()>) -> Response<StatusCode> {
    outcome.map(|()| StatusCode::NO_CONTENT).map_err(failed)
}

fn failed(error: anyhow::Error) -> (StatusCode, String) {
    (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}"))
}
