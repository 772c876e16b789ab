//! The error codes, as an OpenAPI document (JSON Schema 2020-12) describes them.

use tua_contract::ErrorCode;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type, extensions::ExtensionsBuilder},
};

/// The member of a schema with the known values of a string to which a later version may add
/// others. `enum` would make clients refuse those. API guidelines and their tools have this name
/// for it.
pub const KNOWN_VALUES: &str = "x-extensible-enum";

/// The codes that a problem document can have.
#[derive(Debug)]
pub enum ProblemCode {}

impl PartialSchema for ProblemCode {
    fn schema() -> RefOr<Schema> {
        let codes = ErrorCode::ALL.iter().map(|code| code.as_str());
        let description = "The error code, for programs. New codes may be added.";
        let codes: Vec<&str> = codes.collect();
        ObjectBuilder::new()
            .schema_type(Type::String)
            .extensions(Some(ExtensionsBuilder::new().add(KNOWN_VALUES, codes).build()))
            .description(Some(description))
            .into()
    }
}

impl ToSchema for ProblemCode {}
