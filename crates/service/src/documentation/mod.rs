//! The documentation of `docs/`, at `/docs`: the pages of the book with a search, and a page for each part of the API. Without
//! script. `GET /` is the page that a visitor of the service's address sees.

mod api_reference;
mod book;
mod markdown;
mod pages;
mod search;

use axum::{Router, routing::get};
use std::sync::Arc;
use tower_http::compression::CompressionLayer;

/// The routes of the documentation. `dashboard` is where the people of a shop sign in, if anywhere.
pub fn router(public_url: &str, dashboard: Option<String>) -> Router {
    let state = pages::PagesState { public_url: public_url.into(), dashboard: dashboard.map(Arc::from) };
    Router::new()
        .route("/", get(pages::home))
        .route("/docs", get(pages::introduction))
        .route("/docs/api", get(pages::api))
        .route("/docs/search", get(pages::find))
        .route("/docs/{*path}", get(pages::chapter))
        .layer(CompressionLayer::new())
        .with_state(state)
}
