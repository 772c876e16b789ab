//! The server of the demo shop: its pages, and the companion on the same origin.

use axum::{
    Router,
    body::Body,
    extract::{Path, State},
    http::{HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::get,
};
use minijinja::{Environment, context};
use rust_embed::RustEmbed;

/// The shop's catalogue in the companion's format.
pub(super) const CATALOGUE: &str = include_str!("../../../../../www/shop/shop.toml");

#[derive(RustEmbed)]
#[folder = "../../www/shop"]
#[exclude = "*.toml"]
struct Files;

#[derive(Clone, Debug)]
struct Shop {
    api: String,
}

pub(super) fn router(companion: Router, api: &str) -> Router {
    let shop = Router::new()
        .route("/", get(front))
        .route("/{file}", get(file))
        .with_state(Shop { api: api.to_owned() });
    shop.merge(companion)
}

async fn front(State(shop): State<Shop>) -> Response {
    let source =
        Files::get("index.html").map(|found| String::from_utf8_lossy(&found.data).into_owned());
    let mut templates = Environment::new();
    // minijinja escapes HTML in templates with this name.
    let rendered =
        templates.add_template_owned("index.html", source.unwrap_or_default()).and_then(|()| {
            templates.get_template("index.html")?.render(context! { api_origin => &shop.api })
        });
    match rendered {
        Ok(html) => {
            ([(header::CONTENT_SECURITY_POLICY, policy(&shop.api))], Html(html)).into_response()
        }
        Err(error) => {
            (StatusCode::INTERNAL_SERVER_ERROR, format!("The shop's page is broken: {error}\n"))
                .into_response()
        }
    }
}

async fn file(Path(name): Path<String>) -> Response {
    let kind = tua_web::http::content_type(&name)
        .filter(|_| !name.ends_with(".html"))
        .map(HeaderValue::from_static);
    let Some((found, kind)) = Files::get(&name).zip(kind) else {
        return (StatusCode::NOT_FOUND, "There is no such page in this shop.\n").into_response();
    };
    ([(header::CONTENT_TYPE, kind)], Body::from(found.data)).into_response()
}

/// The strictest Content-Security-Policy of a shop that embeds the component: nothing inline, and
/// no origin except the API.
fn policy(api: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self' {api} 'wasm-unsafe-eval'; style-src 'self'; \
         connect-src 'self' {api}; frame-src {api}; img-src 'self'; form-action 'self'; base-uri \
         'none'; frame-ancestors 'none'"
    )
}
