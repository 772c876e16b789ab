//! Parameters: in the path, the query and the headers.

use crate::http::paging::{DEFAULT_LIMIT, MAX_LIMIT};
use serde_json::json;
use tua_api::values::string_schema;
use utoipa::openapi::{
    ObjectBuilder, RefOr, Required, Schema, Type,
    path::{Parameter, ParameterBuilder, ParameterIn},
};

/// `x-request-id`, on every route.
pub(crate) fn request_id() -> Parameter {
    header(
        "x-request-id",
        "Identifies the request in the logs. A value of 1 to 128 letters, digits or `-_.:` is \
         returned in the response. Any other value is replaced.",
    )
    .schema(Some(string_schema()))
    .build()
}

/// `Idempotency-Key`: 1 to 255 printable characters. HTTP itself removes the spaces around them.
pub(crate) fn idempotency_key() -> Parameter {
    let about = "Makes the request safe to repeat until 7 days after the payment's end: a second \
        request with the same key and body is not executed, and gets the first response. Use a new \
        key for each new payment.";
    header("Idempotency-Key", about)
        .schema(Some(
            string_schema()
                .min_length(Some(1))
                .max_length(Some(255))
                .pattern(Some("^[!-~]([ -~]*[!-~])?$")),
        ))
        .example(Some(json!("order-17-1")))
        .build()
}

/// `Idempotency-Key`, where the route requires it.
pub(crate) fn required_idempotency_key() -> Parameter {
    let mut key = idempotency_key();
    key.required = Required::True;
    key
}

/// The header `Prefer` (RFC 7240), of which `wait=N` counts.
pub(crate) fn prefer() -> Parameter {
    let about = "`wait=N` (RFC 7240): respond when the transaction changes, or after N seconds, at \
        most 30. Other preferences are ignored.";
    header("Prefer", about).schema(Some(string_schema())).example(Some(json!("wait=5"))).build()
}

/// `If-None-Match` (RFC 9110 section 13.1.2).
pub(crate) fn if_none_match() -> Parameter {
    let about = "The ETag of the last response. The response is 304 if it still matches. With \
        `Prefer`, the service waits only while it matches, so no change between two requests is \
        missed.";
    header("If-None-Match", about)
        .schema(Some(string_schema()))
        .example(Some(json!("\"3\"")))
        .build()
}

/// The transaction in the path.
pub(crate) fn transaction_id() -> Parameter {
    ParameterBuilder::new()
        .name("transactionId")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some("The identifier from the 202 of the charge or payout."))
        .schema(Some(
            string_schema()
                .min_length(Some(1))
                .examples([json!("txn_019aa5f0c2007d3e8a1b4c5d6e7f8091")]),
        ))
        .build()
}

/// The refund in the path.
pub(crate) fn refund_id() -> Parameter {
    ParameterBuilder::new()
        .name("refundId")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some("The identifier from the 202 of the refund."))
        .schema(Some(
            string_schema()
                .min_length(Some(1))
                .examples([json!("txn_019aa5f0c2007d3e8a1b4c5d6e7f8095")]),
        ))
        .build()
}

/// The batch of payouts in the path.
pub(crate) fn batch_id() -> Parameter {
    ParameterBuilder::new()
        .name("batchId")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some("The identifier from the 202 of the batch."))
        .schema(Some(
            string_schema()
                .min_length(Some(1))
                .examples([json!("bat_019aa5f0c2007d3e8a1b4c5d6e7f8096")]),
        ))
        .build()
}

/// The payment link in the path.
pub(crate) fn link_id() -> Parameter {
    ParameterBuilder::new()
        .name("linkId")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some("The identifier from the 201 of the link."))
        .schema(Some(
            string_schema()
                .min_length(Some(1))
                .examples([json!("lnk_019aa5f0c2007d3e8a1b4c5d6e7f8096")]),
        ))
        .build()
}

/// The event in the path.
pub(crate) fn event_id() -> Parameter {
    ParameterBuilder::new()
        .name("eventId")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some("The `webhook-id` of the event's webhooks."))
        .schema(Some(
            string_schema()
                .min_length(Some(1))
                .examples([json!("msg_019aa5f0c2007d3e8a1b4c5d6e7f8097")]),
        ))
        .build()
}

/// The webhook endpoint in the path.
pub(crate) fn endpoint_id() -> Parameter {
    ParameterBuilder::new()
        .name("endpointId")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some("The identifier from the 201 of the endpoint."))
        .schema(Some(
            string_schema()
                .min_length(Some(1))
                .examples([json!("whe_019aa5f0c2007d3e8a1b4c5d6e7f8098")]),
        ))
        .build()
}

/// The checkout session in the path.
pub(crate) fn checkout_id() -> Parameter {
    ParameterBuilder::new()
        .name("checkoutId")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some("The identifier from the 201 of the session."))
        .schema(Some(
            string_schema()
                .min_length(Some(1))
                .examples([json!("chk_019aa5f0c2007d3e8a1b4c5d6e7f8092")]),
        ))
        .build()
}

/// `limit`: how many entries a page of a list has at most.
pub(crate) fn limit() -> Parameter {
    let limit =
        ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(MAX_LIMIT));
    query(
        "limit",
        "The largest number of entries in the response.",
        limit.default(Some(json!(DEFAULT_LIMIT))),
    )
}

/// `cursor`: which page of a list is read.
pub(crate) fn cursor() -> Parameter {
    query("cursor", "The `nextCursor` of the previous page, unchanged.", string_schema())
}

/// An optional parameter of the query.
pub(crate) fn query(name: &str, description: &str, schema: impl Into<RefOr<Schema>>) -> Parameter {
    let parameter = ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False);
    parameter.description(Some(description)).schema(Some(schema)).build()
}

fn header(name: &str, description: &str) -> ParameterBuilder {
    let parameter = ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(Required::False);
    parameter.description(Some(description))
}
