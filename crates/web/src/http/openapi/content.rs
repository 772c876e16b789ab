//! The content of a request or response: its schema and its examples.

use serde_json::Value;
use utoipa::openapi::{Content, Ref, RefOr, Schema, example::ExampleBuilder};

/// A body's schema, with examples.
pub(super) fn content(schema: RefOr<Schema>, examples: Vec<(&'static str, Value)>) -> Content {
    let examples =
        examples.into_iter().map(|(name, value)| (name, ExampleBuilder::new().value(Some(value))));
    Content::builder().schema(Some(schema)).examples_from_iter(examples).build()
}

/// A reference to a type's schema, which `components` holds.
pub(super) fn reference<T: utoipa::ToSchema>() -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name(T::name()))
}
