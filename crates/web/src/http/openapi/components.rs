//! The components of the document, which the rest refers to: schemas, examples of errors, security
//! schemes.

use super::{content::BodySchema, errors, operation::OperationSpec};
use crate::http::problem::ApiProblem;
use std::collections::BTreeMap;
use tua_api::values::TransactionType;
use utoipa::openapi::{
    Components, ComponentsBuilder, RefOr, Schema,
    security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
};

/// The schemas of these operations, the security schemes, and the examples of errors, whose problem
/// types are at this URL.
pub(super) fn all(operations: &[&OperationSpec], public_url: &str) -> Components {
    let mut schemas: BTreeMap<String, RefOr<Schema>> = BTreeMap::new();
    // Responses to errors refer to the first, and only parameters to the second.
    for shared in [BodySchema::of::<ApiProblem<'static>>(), BodySchema::of::<TransactionType>()] {
        schemas.extend(shared.components());
    }
    schemas.extend(operations.iter().flat_map(|operation| operation.components()));

    let api_key = ApiKeyValue::with_description(
        "x-api-key",
        "Any credential: a secret key or a checkout token.",
    );
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("Any credential: a secret key or a checkout token."));
    let components = ComponentsBuilder::new()
        .schemas_from_iter(schemas)
        .security_scheme("apiKey", SecurityScheme::ApiKey(ApiKey::Header(api_key)))
        .security_scheme("bearer", SecurityScheme::Http(bearer.build()));
    errors::examples(public_url)
        .fold(components, |components, (name, example)| components.example(name, example))
        .build()
}
