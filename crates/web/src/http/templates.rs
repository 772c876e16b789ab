//! The HTML of our own pages, from templates that escape whatever is put into them.

use super::{assets::PAGE, security_headers};
use axum::{
    http::StatusCode,
    response::{Html, IntoResponse, Response},
};
use minijinja::{AutoEscape, Environment, Error, Output, State, Value, context, escape_formatter};
use std::sync::LazyLock;

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut templates = environment();
    for (name, source) in [
        ("index.html", include_str!("../../../../index.html")),
        ("link.html", include_str!("../../../../www/hosted/link.html")),
        ("error.html", include_str!("../../../../www/hosted/error.html")),
    ] {
        if let Err(error) = templates.add_template(name, source) {
            tracing::error!(name, %error, "a page's template is broken");
        }
    }
    templates
});

/// An environment for HTML that escapes values, and writes nothing for an absent one: minijinja
/// writes `none` for it.
pub fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_formatter(write_value);
    environment
}

/// Writes a value into HTML: nothing for an absent one, and a text with the characters escaped that
/// end a text or an attribute in quotation marks. minijinja escapes slashes too, which makes every
/// address on a page unreadable.
///
/// # Errors
/// Those of minijinja.
pub fn write_value(
    output: &mut Output<'_>,
    state: &mut State<'_, '_>,
    value: &Value,
) -> Result<(), Error> {
    if value.is_none() {
        return Ok(());
    }
    match value.as_str().filter(|_| !value.is_safe()) {
        Some(text) if matches!(state.auto_escape(), AutoEscape::Html) => {
            write_escaped(output, text)
        }
        _ => escape_formatter(output, state, value),
    }
}

fn write_escaped(output: &mut Output<'_>, text: &str) -> Result<(), Error> {
    let mut rest = text;
    while let Some(at) = rest.find(['<', '>', '&', '"', '\'']) {
        let (before, after) = rest.split_at(at);
        output.write_str(before)?;
        output.write_str(match after.as_bytes()[0] {
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'&' => "&amp;",
            b'"' => "&quot;",
            _ => "&#x27;",
        })?;
        rest = &after[1..];
    }
    output.write_str(rest)?;
    Ok(())
}

/// The page that explains an error code to a developer.
#[derive(Clone, Copy, Debug)]
pub struct ErrorCodePage {
    /// As a problem document names it.
    pub code: &'static str,
    /// The title of its problem documents.
    pub title: &'static str,
    /// When it is answered.
    pub explanation: &'static str,
    /// Whether the request moved money, or still may, as a paragraph.
    pub money: &'static str,
    /// What the caller should do next, as a paragraph.
    pub remedy: &'static str,
    /// The HTTP status that it is answered with.
    pub status: u16,
    /// Whether its problem documents have the member `requestId`.
    pub has_request_id: bool,
}

impl IntoResponse for ErrorCodePage {
    fn into_response(self) -> Response {
        let Self { code, title, explanation, money, remedy, status, has_request_id } = self;
        render(
            StatusCode::OK,
            "error.html",
            context! {
                code,
                title,
                explanation,
                money,
                remedy,
                status,
                has_request_id,
                assets => PAGE,
            },
        )
    }
}

/// A page from a template, with the headers of the hosted page.
pub fn render(status: StatusCode, template: &str, values: Value) -> Response {
    let rendered = TEMPLATES.get_template(template).and_then(|template| template.render(values));
    let mut response = match rendered {
        Ok(html) => (status, Html(html)).into_response(),
        Err(error) => {
            tracing::error!(template, %error, "a page could not be rendered");
            return not_shown();
        }
    };
    security_headers::add_hosted(response.headers_mut());
    response
}

/// The response where a page could not be rendered.
pub fn not_shown() -> Response {
    let text = "This page could not be shown. Load it again to see how the payment stands.\n";
    let mut response = (StatusCode::INTERNAL_SERVER_ERROR, text).into_response();
    security_headers::add_hosted(response.headers_mut());
    response
}
