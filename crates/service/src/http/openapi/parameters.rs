//! What a request carries beside its body.

use super::content::reference;
use crate::{
    api::values::{Network, Status, Time, TransactionType, text},
    http::transactions::{MOST, USUAL},
};
use serde_json::json;
use utoipa::openapi::{
    ObjectBuilder, RefOr, Required, Schema, Type,
    path::{Parameter, ParameterBuilder, ParameterIn},
};

/// What every route takes.
pub(super) fn request_id() -> Parameter {
    header(
        "x-request-id",
        "Names the request in the logs; echoed where it is 1-128 letters, digits or `-_.:`, else replaced.",
    )
    .schema(Some(text()))
    .build()
}

/// 1-255 printable characters; HTTP itself takes the blanks around them off.
pub(super) fn idempotency_key() -> Parameter {
    let about = "Makes the request safe to repeat for 7 days (docs/reference/idempotency.md): the same key with the same body is answered \
        again and done once. A new key for each new payment.";
    header("Idempotency-Key", about)
        .schema(Some(text().min_length(Some(1)).max_length(Some(255)).pattern(Some("^[!-~]([ -~]*[!-~])?$"))))
        .example(Some(json!("order-17-1")))
        .build()
}

/// RFC 7240.
pub(super) fn prefer() -> Parameter {
    let about = "`wait=N`: answer when the transaction changes, or after N seconds, at most 30 (RFC 7240). Anything else is ignored.";
    header("Prefer", about).schema(Some(text())).example(Some(json!("wait=5"))).build()
}

/// RFC 9110.
pub(super) fn if_none_match() -> Parameter {
    let about = "The ETag of the last answer. Nothing new: 304. With `Prefer` it waits only while this still matches, so \
        that no change falls between two polls.";
    header("If-None-Match", about).schema(Some(text())).example(Some(json!("\"3\""))).build()
}

/// The path's own.
pub(super) fn transaction_id() -> Parameter {
    ParameterBuilder::new()
        .name("transactionId")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some("As the 202 of the charge or payout gave it."))
        .schema(Some(text().min_length(Some(1)).examples([json!("txn_019aa5f0c2007d3e8a1b4c5d6e7f8091")])))
        .build()
}

/// What a list is narrowed by, and where it goes on (docs/reference/endpoints.md).
pub(super) const FILTERS: &[fn() -> Parameter] = &[
    || query("status", "Where it stands.", reference::<Status>()),
    || query("type", "Which way the money goes.", reference::<TransactionType>()),
    || query("network", "Over which network.", reference::<Network>()),
    || query("reference", "The merchant's own name for it, exactly.", text()),
    || query("checkoutId", "The session that it pays.", text()),
    || query("createdAfter", "Begun after this moment.", reference::<Time>()),
    || query("createdBefore", "Begun before this moment.", reference::<Time>()),
    || {
        let limit = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(MOST));
        query("limit", "How many at the most.", limit.default(Some(json!(USUAL))))
    },
    || query("cursor", "The `nextCursor` of the page before, as it is; anything else is refused.", text()),
    request_id,
];

fn query(name: &str, description: &str, schema: impl Into<RefOr<Schema>>) -> Parameter {
    let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Query).required(Required::False);
    parameter.description(Some(description)).schema(Some(schema)).build()
}

fn header(name: &str, description: &str) -> ParameterBuilder {
    let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Header).required(Required::False);
    parameter.description(Some(description))
}
