//! `GET /openapi.json`: the document of this API (OpenAPI 3.1), from the types that serve it.
//!
//! | file | holds |
//! |---|---|
//! | `routes/` | the operation of each route, as data |
//! | `route` | the type of this data, and its conversion to an OpenAPI operation |
//! | `errors` | the error responses of a route |
//! | `parameters`, `headers` | the parameters of requests, the headers of responses |
//! | `content`, `components`, `examples` | bodies: their schemas and examples |
//! | `webhooks` | the requests to a merchant's endpoint |
//! | `served` | the document as it is served: compressed once, rate-limited |

mod batch_examples;
mod components;
mod content;
mod errors;
mod examples;
mod headers;
mod link_examples;
mod parameters;
mod refund_examples;
mod route;
mod routes;
mod served;
#[cfg(test)]
mod tests;
mod webhooks;

pub(super) use served::{read_document, served_document};
use utoipa::openapi::{
    Info, License, OpenApi, OpenApiBuilder, Paths, PathsBuilder, Server, tag::TagBuilder,
};

/// The public URL in examples that are the same for every service.
const EXAMPLE_URL: &str = "https://pay.example";

const ABOUT: &str = "Mobile-money payments for Ghana: charges, payouts and hosted checkouts.\n\n\
    Amounts are JSON numbers in Ghana \
    cedis (GHS), exact to the pesewa. Charges and payouts are asynchronous: the transaction is on \
    disk before the 202 is sent, and `status` shows its outcome. An unknown outcome is PENDING, \
    never FAILED.\n\nEvery response carries `x-request-id`. A refused request gets a problem \
    document (RFC 9457). Its `type` is a page that explains the `code`, and says whether money \
    moved and what to do. A payer's refusal is not an HTTP error: it is `status: FAILED` with \
    `failure`. An unsupported method gets 405 `method_not_allowed` with `Allow`, and an unknown \
    path 404 `not_found`.\n\nSend the credential as `x-api-key` or as `Authorization: Bearer`. Two \
    different credentials get 401. A live secret key from a browser is refused: pages use checkout \
    tokens.";

/// Whether a route would be at this path if `/v1` stood before it.
pub(super) fn is_path_below_v1(path: &str) -> bool {
    let first =
        |path: &'static str| path.strip_prefix("/v1/").and_then(|rest| rest.split('/').next());
    let wanted = path.trim_start_matches('/').split('/').next();
    routes::all().any(|route| first(route.path) == wanted)
}

/// The paths of all routes, as the router has them.
pub(super) fn paths_of_routes() -> impl Iterator<Item = &'static str> {
    routes::all().map(|route| route.path)
}

/// The whole document as JSON, as a service at `EXAMPLE_URL` serves it.
pub fn openapi_document() -> serde_json::Value {
    serde_json::to_value(document(EXAMPLE_URL)).unwrap_or_default()
}

/// Builds the document of a service at this URL.
fn document(public_url: &str) -> OpenApi {
    let info = Info::builder()
        .title("Tua")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(ABOUT))
        .license(Some(
            License::builder()
                .name("MIT OR Apache-2.0")
                .identifier(Some("MIT OR Apache-2.0"))
                .build(),
        ))
        .build();
    OpenApiBuilder::new()
        .info(info)
        .servers(Some([Server::new(public_url)]))
        .paths(paths(public_url))
        .webhooks(Some(webhooks::all()))
        .components(Some(components::all(public_url)))
        .tags(Some(
            routes::TAGS
                .map(|(name, about)| TagBuilder::new().name(name).description(Some(about)).build()),
        ))
        .build()
}

fn paths(public_url: &str) -> Paths {
    let add = |paths: PathsBuilder, route: &route::Route| {
        paths.path(route.path, route.path_item(public_url))
    };
    routes::all().fold(PathsBuilder::new(), add).build()
}
