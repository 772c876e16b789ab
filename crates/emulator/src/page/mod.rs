//! The page at `/`: every order with what a person may decide, the faults, the providers of
//! pawaPay. It works without script, and reloads itself.

mod forms;
mod view;

use crate::state::Shared;
use axum::{
    Router,
    extract::{Query, State},
    http::{HeaderValue, StatusCode, header},
    middleware::map_response,
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use minijinja::{Environment, value::Serde};
use serde::{Deserialize, Serialize};

/// How many orders one page shows.
const PAGE_SIZE: usize = 50;

/// No script, no style but the page's own file, no other origin.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'";

/// The routes of the page.
pub(crate) fn routes() -> Router<Shared> {
    Router::new()
        .route("/", get(index))
        .route("/page.css", get(style))
        .route("/orders/{id}/decide", post(forms::decide))
        .route("/chaos", post(forms::add_rule))
        .route("/chaos/{id}/remove", post(forms::remove_rule))
        .route("/chaos/clear", post(forms::clear_rules))
        .route("/providers", post(forms::set_provider_status))
        .layer(map_response(add_headers))
}

async fn add_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

/// What the page shows, from its address.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct Selection {
    /// The name of one operator; empty for all.
    operator: String,
    /// One state; empty for all.
    state: String,
    /// From 1, newest orders first.
    page: usize,
    /// `off` stops the reloading.
    refresh: String,
}

async fn index(State(shared): State<Shared>, Query(selection): Query<Selection>) -> Response {
    show(StatusCode::OK, &view::Page::new(&shared, selection))
}

fn show(status: StatusCode, page: &view::Page) -> Response {
    match render(page) {
        Ok(page) => (status, Html(page)).into_response(),
        Err(error) => {
            tracing::error!(%error, "the page cannot be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn render(page: &view::Page) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    // minijinja escapes HTML in templates with this name.
    environment.add_template("page.html", include_str!("page.html"))?;
    environment.get_template("page.html")?.render(Serde(page))
}

async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("page.css")).into_response()
}
