//! The documentation of an operation, which is one method of one path, as data; and its conversion
//! to OpenAPI.

use super::{
    errors::{self, SERVICE},
    messages::{RequestBodySpec, ResponseSpec},
    open_to::OpenTo,
    parameters::request_id,
};
use serde_json::json;
use tua_contract::ErrorCode;
use utoipa::openapi::{
    PathItem, RefOr, ResponsesBuilder, Schema, Server,
    extensions::ExtensionsBuilder,
    path::{HttpMethod, OperationBuilder, Parameter},
};

/// The root of the API, with its version, below the service's public URL.
pub(super) const API_ROOT: &str = "/v1";

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
    /// The error codes of its responses, in groups that operations share. The codes of credentials
    /// ([`OpenTo`]) are added, and with them those of the store.
    pub(crate) errors: &'static [&'static [ErrorCode]],
}

impl OperationSpec {
    /// The path below the server of the document, which has the version of the API; `None` for a
    /// path that has no version.
    pub(super) fn path_in_version(&self) -> Option<&'static str> {
        self.path.strip_prefix(API_ROOT)
    }

    /// The path item with this one operation.
    pub(super) fn path_item(&self, public_url: &str) -> PathItem {
        let mut responses = ResponsesBuilder::new()
            .responses_from_iter(errors::responses(self.error_codes(), public_url));
        for response in self.responses {
            responses = responses.response(response.status, response.build(self.open_to));
        }
        let parameters = self.parameters.iter().map(|parameter| parameter());
        let scopes = self.open_to.scopes();
        let operation = OperationBuilder::new()
            .operation_id(Some(self.id))
            .tag(self.tag)
            .summary(Some(self.summary))
            .description(Some(format!("{}\n\n{}", self.description, self.open_to.sentence())))
            .extensions(scopes.map(|scopes| {
                let names: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
                ExtensionsBuilder::new().add("x-scopes", json!(names)).build()
            }))
            .parameters(Some(parameters.chain([request_id()])))
            .request_body(self.body.as_ref().map(RequestBodySpec::build))
            .responses(responses.build())
            .securities(Some(self.open_to.requirements()))
            .build();
        let mut item = PathItem::new(self.method.clone(), operation);
        if self.path_in_version().is_none() {
            item.servers = Some(vec![Server::new(public_url)]);
        }
        item
    }

    /// The error codes of its responses.
    pub(crate) fn error_codes(&self) -> impl Iterator<Item = ErrorCode> {
        let service = if self.open_to == OpenTo::Anybody { &[] } else { SERVICE };
        let own = self.errors.iter().copied().flatten();
        self.open_to.error_codes().chain(own.chain(service).copied())
    }

    /// The schemas that its bodies refer to, by their names.
    pub(super) fn components(&self) -> impl Iterator<Item = (String, RefOr<Schema>)> {
        let request = self.body.iter().flat_map(RequestBodySpec::components);
        request.chain(self.responses.iter().flat_map(ResponseSpec::components))
    }
}
