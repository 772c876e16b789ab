//! The documentation of an operation, which is one method of one path, as data; and its conversion
//! to OpenAPI.

use super::{
    content::BodySchema,
    errors,
    examples::Examples,
    headers::{self, HeaderSpec},
};
use serde_json::json;
use tua_contract::ErrorCode;
use tua_domain::KeyScope;
use utoipa::openapi::{
    PathItem, RefOr, Required, Response, ResponseBuilder, ResponsesBuilder, Schema, Server,
    extensions::ExtensionsBuilder,
    link::LinkBuilder,
    path::{HttpMethod, OperationBuilder, Parameter},
    request_body::RequestBodyBuilder,
    security::SecurityRequirement,
};

/// The root of the API, with its version, below the service's public URL.
pub(super) const API_ROOT: &str = "/v1";

/// Who may call an operation (docs/reference/credentials.md). A secret key needs one of the scopes
/// beside it, and may have others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OpenTo {
    /// Everybody: no credential is needed.
    Anybody,
    /// Secret keys of both generations.
    AnyKey(&'static [KeyScope]),
    /// Secret keys of both generations, and checkout tokens.
    AnyKeyOrToken(&'static [KeyScope]),
    /// Secret keys of the second generation.
    V2Key(&'static [KeyScope]),
    /// Secret keys of the second generation, and checkout tokens.
    V2KeyOrToken(&'static [KeyScope]),
    /// Checkout tokens; secret keys are refused.
    Token,
}

/// The documentation of an operation.
pub(crate) struct OperationSpec {
    pub(crate) method: HttpMethod,
    /// The path, with its parameters in braces: `/v1/status/{transactionId}`.
    pub(crate) path: &'static str,
    /// The unique operation id, from which generated clients take the names of their functions.
    pub(crate) id: &'static str,
    pub(crate) tag: &'static str,
    pub(crate) summary: &'static str,
    /// With units, and with the document that specifies the operation.
    pub(crate) description: &'static str,
    pub(crate) open_to: OpenTo,
    pub(crate) parameters: &'static [fn() -> Parameter],
    pub(crate) body: Option<RequestBodySpec>,
    pub(crate) responses: &'static [ResponseSpec],
    /// Every error code of its responses, in groups that operations share.
    pub(crate) errors: &'static [&'static [ErrorCode]],
}

/// The documentation of a request's JSON body.
pub(crate) struct RequestBodySpec {
    /// Whether a request without a body is refused.
    pub(crate) required: Required,
    pub(crate) description: &'static str,
    pub(crate) schema: BodySchema,
    pub(crate) examples: fn() -> Examples,
}

/// The documentation of a response that is not an error.
pub(crate) struct ResponseSpec {
    pub(crate) status: &'static str,
    pub(crate) description: &'static str,
    /// The headers of this response alone; [`headers::COMMON`] are added.
    pub(crate) headers: &'static [HeaderSpec],
    /// `None` where the response has no body.
    pub(crate) content: Option<ResponseBodySpec>,
    pub(crate) links: &'static [LinkSpec],
}

/// The documentation of a response's body.
pub(crate) struct ResponseBodySpec {
    /// The media type, such as `application/json`.
    pub(crate) media_type: &'static str,
    pub(crate) schema: BodySchema,
    pub(crate) examples: fn() -> Examples,
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

impl OpenTo {
    const fn sentence(self) -> &'static str {
        match self {
            Self::Anybody => "No credential is needed.",
            Self::AnyKey(_) => "Open to secret keys of either generation (`sk_…`, `tua_…_v2_…`).",
            Self::AnyKeyOrToken(_) => {
                "Open to secret keys of either generation (`sk_…`, `tua_…_v2_…`) and to checkout \
                 tokens (`tua_checkout_…`)."
            }
            Self::V2Key(_) => "Open to v2 secret keys (`tua_test_v2_…`, `tua_live_v2_…`).",
            Self::V2KeyOrToken(_) => {
                "Open to v2 secret keys (`tua_test_v2_…`, `tua_live_v2_…`) and to checkout tokens \
                 (`tua_checkout_…`)."
            }
            Self::Token => "Open to checkout tokens (`tua_checkout_…`) alone.",
        }
    }

    /// The scopes of which a secret key needs one; `None` where no secret key is accepted.
    pub(crate) const fn scopes(self) -> Option<&'static [KeyScope]> {
        match self {
            Self::AnyKey(scopes)
            | Self::AnyKeyOrToken(scopes)
            | Self::V2Key(scopes)
            | Self::V2KeyOrToken(scopes) => Some(scopes),
            Self::Anybody | Self::Token => None,
        }
    }

    /// Either header may have any credential.
    fn requirements(self) -> Vec<SecurityRequirement> {
        let schemes: &[&str] = if self == Self::Anybody { &[] } else { &["apiKey", "bearer"] };
        schemes
            .iter()
            .map(|name| SecurityRequirement::new::<_, [&str; 0], &str>(*name, []))
            .collect()
    }
}

impl OperationSpec {
    /// The path below the server of the document, which has the version of the API; `None` for a
    /// path that has no version.
    pub(super) fn path_in_version(&self) -> Option<&'static str> {
        self.path.strip_prefix(API_ROOT)
    }

    /// The path item with this one operation.
    pub(super) fn path_item(&self, public_url: &str) -> PathItem {
        let mut responses =
            ResponsesBuilder::new().responses_from_iter(errors::responses(self.errors, public_url));
        for response in self.responses {
            responses = responses.response(response.status, response.response(self.open_to));
        }
        let scopes = self.open_to.scopes();
        let operation = OperationBuilder::new()
            .operation_id(Some(self.id))
            .tag(self.tag)
            .summary(Some(self.summary))
            .description(Some(format!(
                "{}\n\n{}{}",
                self.description,
                self.open_to.sentence(),
                scopes.map_or_else(String::new, scope_sentence)
            )))
            .extensions(scopes.map(|scopes| {
                let names: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
                ExtensionsBuilder::new().add("x-scopes", json!(names)).build()
            }))
            .parameters(Some(self.parameters.iter().map(|parameter| parameter())))
            .request_body(self.body.as_ref().map(RequestBodySpec::request_body))
            .responses(responses.build())
            .securities(Some(self.open_to.requirements()))
            .build();
        let mut item = PathItem::new(self.method.clone(), operation);
        if self.path_in_version().is_none() {
            item.servers = Some(vec![Server::new(public_url)]);
        }
        item
    }

    /// The schemas that its bodies refer to, by their names.
    pub(super) fn components(&self) -> impl Iterator<Item = (String, RefOr<Schema>)> {
        let request = self.body.iter().map(|body| &body.schema);
        let responses = self.responses.iter().filter_map(|response| response.content.as_ref());
        let schemas = request.chain(responses.map(|body| &body.schema));
        schemas.flat_map(BodySchema::components)
    }
}

/// What a secret key needs for an operation (docs/reference/credentials.md#scopes).
fn scope_sentence(scopes: &[KeyScope]) -> String {
    if scopes == KeyScope::ALL {
        return " A key sees only what its scopes let it read.".to_owned();
    }
    let names: Vec<String> = scopes.iter().map(|scope| format!("`{}`", scope.as_str())).collect();
    format!(" A key needs the scope {}.", names.join(" or "))
}

impl RequestBodySpec {
    fn request_body(&self) -> utoipa::openapi::request_body::RequestBody {
        RequestBodyBuilder::new()
            .description(Some(self.description))
            .required(Some(self.required.clone()))
            .content("application/json", self.schema.content((self.examples)()))
            .build()
    }
}

impl ResponseSpec {
    fn response(&self, open_to: OpenTo) -> Response {
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
}

impl LinkSpec {
    fn build(&self) -> RefOr<utoipa::openapi::link::Link> {
        let mut link = LinkBuilder::new().operation_id(self.to).description(self.description);
        for (name, expression) in self.parameters {
            link = link.parameter(*name, *expression);
        }
        RefOr::T(link.request_body(self.body).build())
    }
}
