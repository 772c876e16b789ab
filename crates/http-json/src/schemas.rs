//! Descriptions of the kinds of values, for an OpenAPI document (JSON Schema 2020-12).

use crate::values::{Amount, EMAIL_MAX_BYTES, Email};
use utoipa::{
    Number, PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, SchemaFormat, Type},
};

/// A decimal number. Its schema has no `multipleOf`: validators compute it with binary fractions,
/// and then refuse 0.29.
#[must_use]
pub fn decimal() -> ObjectBuilder {
    let format = SchemaFormat::Custom("decimal".to_owned());
    ObjectBuilder::new().schema_type(Type::Number).format(Some(format))
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

impl ToSchema for Amount {}
impl ToSchema for Email {}

fn max_cedis() -> isize {
    isize::try_from(tua_contract::Amount::MAX_PESEWAS / 100).unwrap_or(isize::MAX)
}
