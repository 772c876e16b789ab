//! The documentation of a route as data, and its conversion to an OpenAPI operation.

use super::{
    content::content,
    errors,
    headers::{self, HeaderSpec},
};
use crate::http::access;
use serde_json::{Value, json};
use tua_contract::ErrorCode;
use tua_domain::KeyScope;
use utoipa::openapi::{
    PathItem, RefOr, Required, Response, ResponseBuilder, ResponsesBuilder, Schema,
    extensions::ExtensionsBuilder,
    link::LinkBuilder,
    path::{HttpMethod, OperationBuilder, Parameter},
    request_body::RequestBodyBuilder,
    security::SecurityRequirement,
};

/// Who may call a route (docs/reference/credentials.md).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OpenTo {
    /// Everybody: the route takes no credential.
    Anybody,
    /// Secret keys of both generations.
    AnyKey,
    /// Secret keys and checkout tokens.
    AnyKeyOrToken,
    /// Secret keys of the second generation.
    V2Key,
    /// Secret keys of the second generation, and checkout tokens.
    V2KeyOrToken,
    /// Checkout tokens; secret keys are refused.
    Token,
}

/// One method of one route.
pub(super) struct Route {
    pub(super) method: HttpMethod,
    /// The path in the router.
    pub(super) path: &'static str,
    /// The unique operation id, from which generated clients take the names of their functions.
    pub(super) id: &'static str,
    pub(super) tag: &'static str,
    pub(super) summary: &'static str,
    /// With units, and with the document that specifies the route.
    pub(super) description: &'static str,
    pub(super) open_to: OpenTo,
    pub(super) parameters: &'static [fn() -> Parameter],
    pub(super) body: Option<RequestBodySpec>,
    pub(super) responses: &'static [ResponseSpec],
    /// Every code that the route can respond with, in groups that routes share.
    pub(super) errors: &'static [&'static [ErrorCode]],
}

/// The documentation of a request's JSON body.
pub(super) struct RequestBodySpec {
    pub(super) description: &'static str,
    pub(super) schema: fn() -> RefOr<Schema>,
    pub(super) examples: fn() -> Vec<(&'static str, Value)>,
}

/// The documentation of a response that is not an error.
pub(super) struct ResponseSpec {
    pub(super) status: &'static str,
    pub(super) description: &'static str,
    /// The headers of this response alone; [`headers::COMMON`] are added.
    pub(super) headers: &'static [HeaderSpec],
    /// `None` where the response has no body.
    pub(super) content: Option<ResponseBodySpec>,
    pub(super) links: &'static [LinkSpec],
}

/// The documentation of a response's body.
pub(super) struct ResponseBodySpec {
    /// The media type, such as `application/json`.
    pub(super) media_type: &'static str,
    pub(super) schema: fn() -> RefOr<Schema>,
    pub(super) examples: fn() -> Vec<(&'static str, Value)>,
}

/// An OpenAPI link: an operation that can follow a response.
pub(super) struct LinkSpec {
    pub(super) name: &'static str,
    /// The operation id of the target.
    pub(super) to: &'static str,
    pub(super) description: &'static str,
    /// The values of its parameters, as runtime expressions.
    pub(super) parameters: &'static [(&'static str, &'static str)],
    /// The values of the fields of its body, as runtime expressions.
    pub(super) body: &'static [(&'static str, &'static str)],
}

impl OpenTo {
    const fn sentence(self) -> &'static str {
        match self {
            Self::Anybody => "No credential is needed.",
            Self::AnyKey => "Open to secret keys of either generation (`sk_…`, `tua_…_v2_…`).",
            Self::AnyKeyOrToken => {
                "Open to secret keys of either generation (`sk_…`, `tua_…_v2_…`) and to checkout \
                 tokens (`tua_checkout_…`)."
            }
            Self::V2Key => "Open to v2 secret keys (`tua_test_v2_…`, `tua_live_v2_…`).",
            Self::V2KeyOrToken => {
                "Open to v2 secret keys (`tua_test_v2_…`, `tua_live_v2_…`) and to checkout tokens \
                 (`tua_checkout_…`)."
            }
            Self::Token => "Open to checkout tokens (`tua_checkout_…`) alone.",
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

impl Route {
    /// The path item with this one operation.
    pub(super) fn path_item(&self, public_url: &str) -> PathItem {
        let mut responses =
            ResponsesBuilder::new().responses_from_iter(errors::responses(self.errors, public_url));
        for response in self.responses {
            responses = responses.response(response.status, response.response(self.open_to));
        }
        let scopes = access::scopes_of(self.method_name(), self.path);
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
        PathItem::new(self.method.clone(), operation)
    }

    const fn method_name(&self) -> &'static str {
        match self.method {
            HttpMethod::Post => "POST",
            _ => "GET",
        }
    }
}

/// What a secret key needs for a route (docs/reference/credentials.md#scopes).
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
            .required(Some(Required::True))
            .content("application/json", content((self.schema)(), (self.examples)()))
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
            response =
                response.content(body.media_type, content((body.schema)(), (body.examples)()));
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
        let body: serde_json::Map<String, Value> =
            self.body.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
        RefOr::T(link.request_body((!body.is_empty()).then_some(Value::Object(body))).build())
    }
}
