//! The documentation of an operation's request and responses, as data; and its conversion to
//! OpenAPI.

use super::{
    content::BodySchema,
    examples::Examples,
    headers::{self, HeaderSpec},
    open_to::OpenTo,
};
use utoipa::{
    ToSchema,
    openapi::{
        RefOr, Required, Response, ResponseBuilder, Schema,
        link::{Link, LinkBuilder},
        request_body::{RequestBody, RequestBodyBuilder},
    },
};

/// The documentation of a request's JSON body.
pub(crate) struct RequestBodySpec {
    /// Whether a request without a body is refused.
    required: Required,
    description: &'static str,
    schema: BodySchema,
    examples: fn() -> Examples,
}

/// The documentation of a response that is not an error.
pub(crate) struct ResponseSpec {
    pub(super) status: &'static str,
    description: &'static str,
    /// The headers of this response alone; [`headers::COMMON`] are added.
    headers: &'static [HeaderSpec],
    /// `None` where the response has no body.
    content: Option<ContentSpec>,
    pub(crate) links: &'static [LinkSpec],
}

/// The documentation of a response's body.
struct ContentSpec {
    /// The media type, such as `application/json`.
    media_type: &'static str,
    schema: BodySchema,
    examples: fn() -> Examples,
}

/// An OpenAPI link: an operation that can follow a response.
pub(crate) struct LinkSpec {
    pub(crate) name: &'static str,
    /// The operation id of the target.
    pub(crate) to: &'static str,
    pub(crate) description: &'static str,
    /// The values of its parameters, as runtime expressions.
    pub(crate) parameters: &'static [(&'static str, &'static str)],
    /// Its body: JSON with runtime expressions in braces.
    pub(crate) body: Option<&'static str>,
}

/// The link from a new or changed transaction to its status.
pub(crate) const FOLLOW: LinkSpec = LinkSpec {
    name: "follow",
    to: "readStatus",
    description: "Read the transaction's status.",
    parameters: &[("transactionId", "$response.body#/transactionId")],
    body: None,
};

impl RequestBodySpec {
    /// A body that a request must have, of the type `T`.
    pub(crate) const fn of<T: ToSchema>(
        description: &'static str,
        examples: fn() -> Examples,
    ) -> Self {
        Self { required: Required::True, description, schema: BodySchema::of::<T>(), examples }
    }

    /// A body that a request must have: of the type `K` with a secret key, of the type `T` with a
    /// checkout token.
    pub(crate) const fn by_credential<K: ToSchema, T: ToSchema>(
        description: &'static str,
        examples: fn() -> Examples,
    ) -> Self {
        let schema = BodySchema::by_credential::<K, T>();
        Self { required: Required::True, description, schema, examples }
    }

    /// A request may leave this body out.
    pub(crate) const fn optional(mut self) -> Self {
        self.required = Required::False;
        self
    }

    pub(super) fn build(&self) -> RequestBody {
        RequestBodyBuilder::new()
            .description(Some(self.description))
            .required(Some(self.required.clone()))
            .content("application/json", self.schema.content((self.examples)()))
            .build()
    }

    /// The schemas that the body refers to, by their names.
    pub(super) fn components(&self) -> Vec<(String, RefOr<Schema>)> {
        self.schema.components()
    }
}

impl ResponseSpec {
    /// A response with a JSON body of the type `T`.
    pub(crate) const fn json<T: ToSchema>(
        status: &'static str,
        description: &'static str,
        examples: fn() -> Examples,
    ) -> Self {
        Self::with_content(status, description, "application/json", BodySchema::of::<T>(), examples)
    }

    /// A response with a JSON body: of the type `K` to a secret key, of the type `T` to a checkout
    /// token.
    pub(crate) const fn json_by_credential<K: ToSchema, T: ToSchema>(
        status: &'static str,
        description: &'static str,
        examples: fn() -> Examples,
    ) -> Self {
        let schema = BodySchema::by_credential::<K, T>();
        Self::with_content(status, description, "application/json", schema, examples)
    }

    /// A response with a body of any media type.
    pub(crate) const fn with_content(
        status: &'static str,
        description: &'static str,
        media_type: &'static str,
        schema: BodySchema,
        examples: fn() -> Examples,
    ) -> Self {
        let content = Some(ContentSpec { media_type, schema, examples });
        Self { status, description, headers: &[], content, links: &[] }
    }

    /// A response without a body.
    pub(crate) const fn empty(status: &'static str, description: &'static str) -> Self {
        Self { status, description, headers: &[], content: None, links: &[] }
    }

    /// With these headers, which other responses do not have.
    pub(crate) const fn with_headers(mut self, headers: &'static [HeaderSpec]) -> Self {
        self.headers = headers;
        self
    }

    /// With these operations that can follow it.
    pub(crate) const fn with_links(mut self, links: &'static [LinkSpec]) -> Self {
        self.links = links;
        self
    }

    pub(super) fn build(&self, open_to: OpenTo) -> Response {
        let mut response = ResponseBuilder::new().description(self.description);
        let rate_limited = if open_to == OpenTo::Anybody { &[] } else { headers::RATE_LIMITED };
        for header in headers::COMMON.iter().chain(rate_limited).chain(self.headers) {
            response = response.header(header.name, header.build());
        }
        if let Some(body) = &self.content {
            response = response.content(body.media_type, body.schema.content((body.examples)()));
        }
        for link in self.links {
            response = response.link(link.name, link.build());
        }
        response.build()
    }

    /// The schemas that the body refers to, by their names.
    pub(super) fn components(&self) -> impl Iterator<Item = (String, RefOr<Schema>)> {
        self.content.iter().flat_map(|content| content.schema.components())
    }
}

impl LinkSpec {
    fn build(&self) -> RefOr<Link> {
        let mut link = LinkBuilder::new().operation_id(self.to).description(self.description);
        for (name, expression) in self.parameters {
            link = link.parameter(*name, *expression);
        }
        RefOr::T(link.request_body(self.body).build())
    }
}
