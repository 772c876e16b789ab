//! Response headers in the OpenAPI document.

use serde_json::json;
use tua_api::values::{closed_enum, string_schema};
use utoipa::openapi::{Header, ObjectBuilder, RefOr, Schema, Type};

/// The documentation of a response header.
pub(crate) struct HeaderSpec {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    schema: fn() -> RefOr<Schema>,
}

/// Headers of every response, errors included.
pub(super) const COMMON: &[HeaderSpec] = &[HeaderSpec {
    name: "x-request-id",
    description: "Identifies this request in the logs: the caller's value if it is 1 to 128 \
        letters, digits or `-_.:`, otherwise a generated one.",
    schema: || string_schema().min_length(Some(1)).max_length(Some(128)).into(),
}];

/// Headers of every response to a caller with a rate limit.
pub(super) const RATE_LIMITED: &[HeaderSpec] = &[
    HeaderSpec {
        name: "RateLimit",
        description: "The number of requests left (r), and the seconds until more are allowed (t).",
        schema: || {
            string_schema()
                .pattern(Some(r#"^"[a-z]+";r=[0-9]+;t=[0-9]+$"#))
                .examples([json!("\"credential\";r=99;t=1")])
                .into()
        },
    },
    HeaderSpec {
        name: "RateLimit-Policy",
        description: "The limit that applies: the number of requests (q) in a number of seconds \
            (w).",
        schema: || string_schema().pattern(Some(r#"^"[a-z]+";q=[0-9]+;w=[0-9]+$"#)).into(),
    },
];

pub(crate) const IDEMPOTENCY_REPLAYED: HeaderSpec = HeaderSpec {
    name: "Idempotency-Replayed",
    description: "`true` if this is the stored response to an earlier request with the same \
        Idempotency-Key.",
    schema: || closed_enum(["true"]).into(),
};

pub(crate) const ETAG: HeaderSpec = HeaderSpec {
    name: "ETag",
    description: "The version of the transaction. Send it as If-None-Match.",
    schema: || string_schema().pattern(Some("^\"[0-9]+\"$")).into(),
};

pub(crate) const PREFERENCE_APPLIED: HeaderSpec = HeaderSpec {
    name: "Preference-Applied",
    description: "The applied wait in seconds, if one was requested.",
    schema: || string_schema().pattern(Some("^wait=([0-9]|[12][0-9]|30)$")).into(),
};

pub(super) const RETRY_AFTER: HeaderSpec = HeaderSpec {
    name: "Retry-After",
    description: "The number of seconds to wait before another request.",
    schema: || ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).into(),
};

pub(super) const WWW_AUTHENTICATE: HeaderSpec = HeaderSpec {
    name: "WWW-Authenticate",
    description: "The scheme for the credential.",
    schema: || closed_enum(["Bearer"]).into(),
};

impl HeaderSpec {
    pub(super) fn build(&self) -> Header {
        Header::builder().schema(Some((self.schema)())).description(Some(self.description)).build()
    }
}
