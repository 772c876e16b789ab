//! The OpenAPI document of this API (OpenAPI 3.1), from the types that serve it and from the
//! documentation beside each route.
//!
//! | file | contains |
//! |---|---|
//! | `operation`, `open_to`, `messages` | an operation: its callers, request and responses |
//! | `errors` | the error responses of an operation |
//! | `parameters`, `headers` | the parameters of requests, the headers of responses |
//! | `content`, `components` | bodies: their schemas and examples |
//! | `examples` and `…_examples` | the resources that examples are made of |
//! | `webhooks` | the requests to a merchant's endpoint |

pub(super) mod batch_examples;
mod components;
pub(super) mod content;
pub(super) mod endpoint_examples;
pub(super) mod errors;
pub(super) mod event_examples;
pub(super) mod examples;
pub(super) mod headers;
pub(super) mod link_examples;
pub(super) mod messages;
pub(super) mod open_to;
pub(super) mod operation;
pub(super) mod parameters;
pub(super) mod refund_examples;
mod webhooks;

use operation::{API_ROOT, OperationSpec};
use utoipa::openapi::{
    Info, License, OpenApi, OpenApiBuilder, Paths, PathsBuilder, Server, tag::TagBuilder,
};

/// The description of the API.
pub(super) const ABOUT: &str = "Mobile-money payments for Ghana: charges, payouts and hosted \
    checkouts.\n\nAmounts are JSON numbers in Ghana \
    cedis (GHS), exact to the pesewa. Charges and payouts are asynchronous: the transaction is on \
    disk before the 202 is sent, and `status` shows its outcome. An unknown outcome is PENDING, \
    never FAILED.\n\nEvery response carries `x-request-id`. A refused request gets a problem \
    document (RFC 9457). Its `type` is a page that explains the `code`, and says whether money \
    moved and what to do. A payer's refusal is not an HTTP error: it is `status: FAILED` with \
    `failure`. An unsupported method gets 405 `method_not_allowed` with `Allow`, an unknown path \
    404 `not_found`, and more than one `Host` header 400 `invalid_request`.\n\nSend the credential as `x-api-key` or as `Authorization: Bearer`. Two \
    different credentials get 401. A live secret key from a browser is refused: pages use checkout \
    tokens. Where a body differs with a checkout token, the document describes the one with a \
    secret key, and `x-checkout-token-schema` the other.\n\nNew members, events and values may be \
    added. A string with `x-extensible-enum` has one of these values or a new one; a string with \
    `enum` never gets another value. The service's page /docs/reference/compatibility says what \
    else may change, and /docs/reference/changes what did.";

/// The groups of operations and webhooks, in the order of the document.
const TAGS: [(&str, &str); 9] = [
    ("Payments", "Charges, payouts, passcodes and vouchers, and what they cost."),
    ("Refunds", "Money of charges, back to their payers."),
    ("Checkouts", "Sessions that a payer pays in a page with a token."),
    ("Links", "Pages with a short address, on which anybody who has it can pay."),
    ("Reading", "Transactions."),
    ("Endpoints", "Addresses of the merchant's server, to which webhooks are sent."),
    ("Sandbox", "Test mode, without waiting."),
    ("Service", "The service itself."),
    ("Webhooks", "Requests to the merchant's endpoint."),
];

/// The document of a service at this URL with these operations.
pub(super) fn document(
    operations: impl IntoIterator<Item = &'static OperationSpec>,
    public_url: &str,
) -> OpenApi {
    let operations: Vec<&OperationSpec> = operations.into_iter().collect();
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
        .servers(Some([Server::new(format!("{public_url}{API_ROOT}"))]))
        .paths(paths(&operations, public_url))
        .webhooks(Some(webhooks::all()))
        .components(Some(components::all(&operations, public_url)))
        .tags(Some(
            TAGS.map(|(name, about)| TagBuilder::new().name(name).description(Some(about)).build()),
        ))
        .build()
}

fn paths(operations: &[&OperationSpec], public_url: &str) -> Paths {
    let add = |paths: PathsBuilder, operation: &&OperationSpec| {
        let path = operation.path_in_version().unwrap_or(operation.path);
        paths.path(path, operation.path_item(public_url))
    };
    operations.iter().fold(PathsBuilder::new(), add).build()
}
