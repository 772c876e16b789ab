//! The page at `/`: every order with what a person may decide, the faults, what each operator alone
//! offers. It works without script, and reloads itself.

mod forms;
mod order_view;
mod render;
mod rule_form;
mod selection;
mod view;

use selection::Selection;

use crate::protocol::Shared;
use axum::{
    Router,
    extract::{Query, State},
    http::{HeaderValue, StatusCode, header},
    middleware::map_response,
    response::{IntoResponse, Response},
    routing::{get, post},
};

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
        .route("/controls/{operator}", post(forms::apply_control))
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

async fn index(State(shared): State<Shared>, Query(selection): Query<Selection>) -> Response {
    render::show(StatusCode::OK, &view::Page::new(&shared, selection))
}

async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("page.css")).into_response()
}
