//! Renders the page by its template.

use super::view::Page;
use axum::{
    http::StatusCode,
    response::{Html, IntoResponse, Response},
};
use minijinja::{Environment, value::Serde};

/// The page as a response; HTTP 500 if the template fails.
pub(super) fn show(status: StatusCode, page: &Page) -> Response {
    match render(page) {
        Ok(page) => (status, Html(page)).into_response(),
        Err(error) => {
            tracing::error!(%error, "the page cannot be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn render(page: &Page) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    // minijinja escapes HTML in templates with this name.
    environment.add_template("page.html", include_str!("page.html"))?;
    environment.get_template("page.html")?.render(Serde(page))
}
