//! The handlers of the documentation's pages.

use super::{
    api_reference::{Group, groups},
    book::{self, BOOK},
    search,
};
use crate::http::{ApiError, PAGE, POLICY_WITHOUT_SCRIPT, Segment, html_environment, openapi_document};
use axum::{
    extract::{Query, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use minijinja::{Environment, Value, context, value::Serde};
use serde::Deserialize;
use std::sync::{Arc, LazyLock};
use tua_contract::ErrorCode;

const PICTURE: &str = "image/png";

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut templates = html_environment();
    templates.add_global("assets", PAGE);
    templates.add_global("version", env!("CARGO_PKG_VERSION"));
    for (name, source) in [
        ("base.html", include_str!("../../../../www/docs/base.html")),
        ("home.html", include_str!("../../../../www/docs/home.html")),
        ("chapter.html", include_str!("../../../../www/docs/chapter.html")),
        ("search.html", include_str!("../../../../www/docs/search.html")),
        ("api.html", include_str!("../../../../www/docs/api.html")),
    ] {
        if let Err(error) = templates.add_template(name, source) {
            tracing::error!(name, %error, "a page's template is broken");
        }
    }
    templates
});

static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| groups(&openapi_document()));

/// What the pages say about this service.
#[derive(Clone, Debug)]
pub(super) struct PagesState {
    /// The service's own address.
    pub(super) public_url: Arc<str>,
    /// Where people sign in; `None` where there is no dashboard.
    pub(super) dashboard: Option<Arc<str>>,
}

/// What was searched for.
#[derive(Debug, Deserialize)]
pub(super) struct Search {
    #[serde(default)]
    q: String,
}

/// `GET /`: what this address is.
pub(super) async fn home(State(state): State<PagesState>) -> Response {
    page("home.html", context! { public_url => &*state.public_url, dashboard => state.dashboard.as_deref() })
}

/// `GET /docs`.
pub(super) async fn introduction() -> Result<Response, ApiError> {
    show("/docs")
}

/// `GET /docs/{path}`: a page of the book, or one of its pictures.
pub(super) async fn chapter(Segment(path): Segment) -> Result<Response, ApiError> {
    match book::picture(&path) {
        Some(picture) => {
            let headers = [(header::CONTENT_TYPE, PICTURE), (header::CACHE_CONTROL, "public, max-age=600")];
            Ok((headers, picture).into_response())
        }
        None => show(&format!("/docs/{path}")),
    }
}

fn show(path: &str) -> Result<Response, ApiError> {
    let path = path.trim_end_matches('/');
    let Some((index, chapter)) = book::chapter(path) else {
        return Err(ApiError::new(ErrorCode::NotFound, "This page does not exist. /docs lists all pages."));
    };
    let neighbour = |index: Option<usize>| {
        let chapter = BOOK.get(index?)?;
        Some(context! { title => &chapter.title, path => &chapter.path })
    };
    let values = context! {
        title => &chapter.title,
        parts => contents(path),
        body => Value::from_safe_string(chapter.page.html.clone()),
        before => neighbour(index.checked_sub(1)),
        after => neighbour(Some(index + 1)),
    };
    Ok(page("chapter.html", values))
}

/// The chapters by part. The one at `path` is marked.
fn contents(path: &str) -> Vec<Value> {
    let parts = BOOK.chunk_by(|one, other| one.part == other.part);
    let entry = |one: &book::Chapter| context! { title => &one.title, path => &one.path, is_open => one.path == path };
    parts
        .map(|part| {
            let name = part.first().map(|one| one.part.as_str());
            context! { name, chapters => part.iter().map(entry).collect::<Vec<_>>() }
        })
        .collect()
}

/// `GET /docs/search?q=…`.
pub(super) async fn find(query: Result<Query<Search>, axum::extract::rejection::QueryRejection>) -> Response {
    let wanted = query.map(|Query(Search { q })| q).unwrap_or_default();
    let found = search::search(&BOOK, &wanted);
    page(
        "search.html",
        context! { title => "Search", parts => contents("/docs/search"), wanted, found => Serde(found) },
    )
}

/// `GET /docs/api`: the OpenAPI document for people.
pub(super) async fn api() -> Response {
    let groups = Serde(&*GROUPS);
    page("api.html", context! { title => "API", parts => contents("/docs/api"), groups })
}

fn page(template: &str, values: Value) -> Response {
    let drawn = TEMPLATES.get_template(template).and_then(|template| template.render(values));
    let mut response = match drawn {
        Ok(html) => Html(html).into_response(),
        Err(error) => {
            tracing::error!(template, error = %format!("{error:#}"), "a page could not be drawn");
            (StatusCode::INTERNAL_SERVER_ERROR, "This page could not be shown.\n").into_response()
        }
    };
    add_headers(response.headers_mut());
    if response.status().is_server_error() {
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

fn add_headers(headers: &mut HeaderMap) {
    let add = |(name, value): (HeaderName, &'static str)| (name, HeaderValue::from_static(value));
    headers.extend(
        [
            (header::CONTENT_SECURITY_POLICY, POLICY_WITHOUT_SCRIPT),
            (header::X_FRAME_OPTIONS, "DENY"),
            (header::CACHE_CONTROL, "public, max-age=600"),
            (header::REFERRER_POLICY, "no-referrer"),
        ]
        .map(add),
    );
}
