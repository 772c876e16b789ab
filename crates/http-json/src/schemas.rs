//! Descriptions of the shared types, for an OpenAPI document (JSON Schema 2020-12).

use crate::values::{Amount, EMAIL_MAX_BYTES, Email};
use tua_contract::ErrorCode;
use utoipa::{
    Number, PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, SchemaFormat, Type, extensions::ExtensionsBuilder},
};

/// The member of a schema with the known values of a string to which a later version may add others.
/// `enum` would make clients refuse those. API guidelines and their tools have this name for it.
pub const KNOWN_VALUES: &str = "x-extensible-enum";

/// A decimal number. Its schema has no `multipleOf`: validators compute it with binary fractions,
/// and then refuse 0.29.
#[must_use]
pub fn decimal() -> ObjectBuilder {
    let format = SchemaFormat::Custom("decimal".to_owned());
    ObjectBuilder::new().schema_type(Type::Number).format(Some(format))
}

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

impl PartialSchema for Amount {
    fn schema() -> RefOr<Schema> {
        let description = "An amount in cedis with at most 2 decimals. It is never rounded.";
        decimal()
            .minimum(Some(Number::Float(0.01)))
            .maximum(Some(Number::Int(max_cedis())))
            .examples([10.5])
            .description(Some(description))
            .into()
    }
}

impl PartialSchema for Email {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .max_length(Some(EMAIL_MAX_BYTES))
            .format(Some(SchemaFormat::Custom("email".to_owned())))
            .examples(["ama@example.com"])
            .description(Some("An e-mail address."))
            .into()
    }
}

impl ToSchema for ProblemCode {}
impl ToSchema for Amount {}
impl ToSchema for Email {}

fn max_cedis() -> isize {
    isize::try_from(tua_contract::Amount::MAX_PESEWAS / 100).unwrap_or(isize::MAX)
}
