//! The handlers of the documentation's pages.

use super::{
    api_reference::{Group, groups},
    book::{self, BOOK},
    search,
};
use crate::http::{
    ApiError, CompressedOnce, NO_DEVICES, PAGE, PERMISSIONS_POLICY, POLICY_WITHOUT_SCRIPT, Segment,
    html_environment, openapi_document,
};
use axum::{
    extract::{Query, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use minijinja::{Environment, Value, context, value::Serde};
use serde::Deserialize;
use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};
use tua_contract::ErrorCode;

const PICTURE: &str = "image/png";
const HTML: &str = "text/html; charset=utf-8";

/// [`POLICY_WITHOUT_SCRIPT`] with script files of this origin: for pages with a request in several
/// languages, which remember the language that was chosen.
const POLICY_WITH_SCRIPT: &str = "default-src 'none'; style-src 'self'; img-src 'self'; \
    script-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

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
    /// The pages that were drawn, by path: they never change, and there are only those of the book.
    pub(super) drawn: Arc<Mutex<HashMap<String, Arc<CompressedOnce>>>>,
}

impl PagesState {
    /// A page as HTML, drawn and compressed at its first request.
    async fn page(
        &self,
        path: &str,
        headers: &HeaderMap,
        policy: &'static str,
        draw: impl FnOnce() -> Option<String>,
    ) -> Response {
        let known = self.drawn.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        let page = match known {
            Some(page) => page,
            None => match draw() {
                Some(html) => {
                    let page = Arc::new(CompressedOnce::new(html.into()));
                    let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
                    drawn.insert(path.to_owned(), page.clone());
                    page
                }
                None => return not_drawn(),
            },
        };
        with_headers(page.response(headers, HTML).await, policy)
    }
}

/// What was searched for.
#[derive(Debug, Deserialize)]
pub(super) struct Search {
    #[serde(default)]
    q: String,
}

/// `GET /`: what this address is.
pub(super) async fn home(State(state): State<PagesState>, headers: HeaderMap) -> Response {
    let values =
        || context! { public_url => &*state.public_url, dashboard => state.dashboard.as_deref() };
    state.page("/", &headers, POLICY_WITHOUT_SCRIPT, || draw("home.html", values())).await
}

/// `GET /docs`: the introduction, `docs/README.md`.
pub(super) async fn introduction(
    State(state): State<PagesState>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    show(&state, &headers, "/docs").await
}

/// `GET /docs/{path}`: a page of the book, or one of its pictures.
pub(super) async fn chapter(
    State(state): State<PagesState>,
    Segment(path): Segment,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    match book::picture(&path) {
        Some(picture) => {
            let headers =
                [(header::CONTENT_TYPE, PICTURE), (header::CACHE_CONTROL, "public, max-age=600")];
            Ok((headers, picture).into_response())
        }
        None => show(&state, &headers, &format!("/docs/{path}")).await,
    }
}

async fn show(state: &PagesState, headers: &HeaderMap, path: &str) -> Result<Response, ApiError> {
    let path = path.trim_end_matches('/');
    let Some((index, chapter)) = book::chapter(path) else {
        return Err(ApiError::new(
            ErrorCode::NotFound,
            "This page does not exist. /docs lists all pages.",
        ));
    };
    let neighbour = |index: Option<usize>| {
        let chapter = BOOK.get(index?)?;
        Some(context! { title => &chapter.title, path => &chapter.path })
    };
    let has_requests = chapter.page.has_requests;
    let values = || {
        context! {
            title => &chapter.title,
            has_requests,
            parts => contents(path),
            body => Value::from_safe_string(chapter.page.html.clone()),
            before => neighbour(index.checked_sub(1)),
            after => neighbour(Some(index + 1)),
        }
    };
    let policy = if has_requests { POLICY_WITH_SCRIPT } else { POLICY_WITHOUT_SCRIPT };
    Ok(state.page(path, headers, policy, || draw("chapter.html", values())).await)
}

/// The chapters by part. The one at `path` is marked.
fn contents(path: &str) -> Vec<Value> {
    let parts = BOOK.chunk_by(|one, other| one.part == other.part);
    let entry = |one: &book::Chapter| {
        context! {
            title => &one.title,
            path => &one.path,
            is_open => one.path == path,
        }
    };
    parts
        .map(|part| {
            let name = part.first().map(|one| one.part.as_str());
            context! { name, chapters => part.iter().map(entry).collect::<Vec<_>>() }
        })
        .collect()
}

/// `GET /docs/search?q=…`. Each page is another one, so it is not compressed.
pub(super) async fn find(
    query: Result<Query<Search>, axum::extract::rejection::QueryRejection>,
) -> Response {
    let wanted = query.map(|Query(Search { q })| q).unwrap_or_default();
    let found = search::search(&BOOK, &wanted);
    let values = context! {
        title => "Search",
        parts => contents("/docs/search"),
        wanted,
        found => Serde(found),
    };
    draw("search.html", values).map_or_else(not_drawn, |html| {
        with_headers(Html(html).into_response(), POLICY_WITHOUT_SCRIPT)
    })
}

/// `GET /docs/api`: the OpenAPI document for people.
pub(super) async fn api(State(state): State<PagesState>, headers: HeaderMap) -> Response {
    let values = || {
        context! {
            title => "API",
            has_requests => true,
            parts => contents("/docs/api"),
            groups => Serde(&*GROUPS),
        }
    };
    state.page("/docs/api", &headers, POLICY_WITH_SCRIPT, || draw("api.html", values())).await
}

/// The page as HTML; `None`, and an error in the log, if it could not be drawn.
fn draw(template: &str, values: Value) -> Option<String> {
    let drawn = TEMPLATES.get_template(template).and_then(|template| template.render(values));
    drawn
        .inspect_err(|error| {
            tracing::error!(
                template,
                error = %format!("{error:#}"),
                "a page could not be drawn"
            )
        })
        .ok()
}

fn not_drawn() -> Response {
    let response =
        (StatusCode::INTERNAL_SERVER_ERROR, "This page could not be shown.\n").into_response();
    let mut response = with_headers(response, POLICY_WITHOUT_SCRIPT);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn with_headers(mut response: Response, policy: &'static str) -> Response {
    let add = |(name, value): (HeaderName, &'static str)| (name, HeaderValue::from_static(value));
    response.headers_mut().extend(
        [
            (header::CONTENT_SECURITY_POLICY, policy),
            (header::X_FRAME_OPTIONS, "DENY"),
            (header::CACHE_CONTROL, "public, max-age=600"),
            (header::REFERRER_POLICY, "no-referrer"),
            (PERMISSIONS_POLICY, NO_DEVICES),
        ]
        .map(add),
    );
    response
}
