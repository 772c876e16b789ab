//! The documentation of `docs/`, at `/docs`: the pages of the book with a search, and a page for
//! each part of the API. Nothing of them needs script. `GET /` is the page that a visitor of the
//! service's address sees.
//!
//! `cargo xtask docs` renders the same files with mdBook, for reading without a service; its output
//! is not served here. Its search is a script, its table of contents is one too or, without script,
//! a frame, and its pages have scripts inline: the policy of these pages forbids all three. The
//! search of this module, the links to `/openapi.json` and to pages of the service, and the tabs of
//! requests would have to be put into mdBook's HTML afterwards, and a build of the program would
//! need mdBook. pulldown-cmark, which mdBook uses too, parses the Markdown here as well.

mod api_reference;
mod book;
mod markdown;
mod pages;
mod requests;
mod search;

use crate::http::count_page;
use axum::{Router, middleware::from_fn_with_state, routing::get};
use std::sync::Arc;
use tua_net::limits::Limiter;

/// The routes of the documentation. `dashboard` is where the people of a shop sign in, if anywhere.
/// All pages are counted: nobody needs a credential for them.
pub fn router(public_url: &str, dashboard: Option<String>, limiter: Arc<Limiter>) -> Router {
    let state = pages::PagesState {
        public_url: public_url.into(),
        dashboard: dashboard.map(Arc::from),
        drawn: Arc::default(),
    };
    Router::new()
        .route("/", get(pages::home))
        .route("/docs", get(pages::introduction))
        .route("/docs/", get(pages::introduction))
        .route("/docs/api", get(pages::api))
        .route("/docs/search", get(pages::find))
        .route("/docs/{*path}", get(pages::chapter))
        .layer(from_fn_with_state(limiter, count_page))
        .with_state(state)
}
