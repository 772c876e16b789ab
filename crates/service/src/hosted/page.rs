//! The hosted page's HTML, from templates that escape whatever is put into them.

use super::policy;
use axum::{
    http::StatusCode,
    response::{Html, IntoResponse, Response},
};
use minijinja::{Environment, Value, context};
use std::sync::LazyLock;

/// What the hosted page can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Page {
    /// The session is open: the component takes it from here.
    Checkout {
        /// The token, which the payer's browser already has in its address bar.
        token: String,
        /// Who is paid.
        merchant: String,
        /// Whether this binary has the component to serve.
        built: bool,
    },
    /// The token has reached its 30 minutes.
    Expired {
        /// `OPEN`, `PENDING` or `PAID`.
        standing: &'static str,
        /// Who is, or was to be, paid.
        merchant: String,
        /// The merchant's own name for the session.
        reference: String,
    },
    /// No session has this token.
    Unknown,
}

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    for (name, source) in [
        ("index.html", include_str!("../../../../index.html")),
        ("error.html", include_str!("../../../../www/hosted/error.html")),
    ] {
        if let Err(error) = templates.add_template(name, source) {
            tracing::error!(name, %error, "a page's template is broken");
        }
    }
    templates
});

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        let (status, values) = match &self {
            Self::Checkout { token, merchant, built } => {
                (StatusCode::OK, context! { page => "checkout", token, merchant, component_built => built })
            }
            Self::Expired { standing, merchant, reference } => {
                let page = match *standing {
                    "PAID" => "expired_paid",
                    "PENDING" => "expired_pending",
                    _ => "expired_open",
                };
                (StatusCode::UNAUTHORIZED, context! { page, merchant, reference })
            }
            Self::Unknown => (StatusCode::NOT_FOUND, context! { page => "unknown" }),
        };
        render(status, "index.html", context! { lang => "en", ..values })
    }
}

/// The page that explains an error code to a developer.
#[derive(Clone, Copy, Debug)]
pub struct ErrorCodePage {
    /// As a problem document names it.
    pub code: &'static str,
    /// The document's title.
    pub title: &'static str,
    /// When it is answered.
    pub explanation: &'static str,
    /// Whether money moved.
    pub money: &'static str,
    /// What to do.
    pub remedy: &'static str,
    /// The HTTP status that it is answered with.
    pub status: u16,
}

impl IntoResponse for ErrorCodePage {
    fn into_response(self) -> Response {
        let Self { code, title, explanation, money, remedy, status } = self;
        render(StatusCode::OK, "error.html", context! { code, title, explanation, money, remedy, status })
    }
}

fn render(status: StatusCode, template: &str, values: Value) -> Response {
    let rendered = TEMPLATES.get_template(template).and_then(|template| template.render(values));
    let mut response = match rendered {
        Ok(html) => (status, Html(html)).into_response(),
        Err(error) => {
            tracing::error!(template, %error, "a page could not be rendered");
            (StatusCode::INTERNAL_SERVER_ERROR, "This page could not be shown. Nothing was charged.\n").into_response()
        }
    };
    policy::hosted(response.headers_mut());
    response
}
