//! The content of a request or response: its schema and its examples.

use super::examples::Examples;
use utoipa::{
    ToSchema,
    openapi::{Content, Ref, RefOr, Schema, example::ExampleBuilder, schema::AnyOfBuilder},
};

/// The schema of a body.
pub(crate) enum BodySchema {
    /// The schema of one type.
    Type(TypeSchema),
    /// The schemas of several types, of which a body has one.
    AnyOf(&'static [TypeSchema]),
    /// A schema that no type has, and that is written out in the document.
    Inline(fn() -> RefOr<Schema>),
}

/// The schema of a type. It is a component of the document, and bodies refer to it.
pub(crate) struct TypeSchema {
    reference: fn() -> RefOr<Schema>,
    /// Adds the schema of the type, and of every type that it refers to, by their names.
    add_to: fn(&mut Vec<(String, RefOr<Schema>)>),
}

impl TypeSchema {
    /// The schema of `T`.
    pub(crate) const fn of<T: ToSchema>() -> Self {
        Self { reference: reference::<T>, add_to: add_type::<T> }
    }
}

impl BodySchema {
    /// The schema of `T`.
    pub(crate) const fn of<T: ToSchema>() -> Self {
        Self::Type(TypeSchema::of::<T>())
    }

    /// The schema as a body has it: references to components, or a schema of its own.
    pub(super) fn schema(&self) -> RefOr<Schema> {
        match self {
            Self::Type(one) => (one.reference)(),
            Self::AnyOf(forms) => forms
                .iter()
                .fold(AnyOfBuilder::new(), |any_of, form| any_of.item((form.reference)()))
                .into(),
            Self::Inline(schema) => schema(),
        }
    }

    /// The components that the schema refers to, directly or not, by their names.
    pub(super) fn components(&self) -> Vec<(String, RefOr<Schema>)> {
        let types = match self {
            Self::Type(one) => std::slice::from_ref(one),
            Self::AnyOf(forms) => forms,
            Self::Inline(_) => &[],
        };
        let mut components = Vec::new();
        for one in types {
            (one.add_to)(&mut components);
        }
        components
    }
}

/// A body's schema, with examples.
pub(super) fn content(schema: RefOr<Schema>, examples: Examples) -> Content {
    let examples =
        examples.into_iter().map(|(name, value)| (name, ExampleBuilder::new().value(Some(value))));
    Content::builder().schema(Some(schema)).examples_from_iter(examples).build()
}

/// A reference to a type's schema, which `components` contains.
pub(crate) fn reference<T: ToSchema>() -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name(T::name()))
}

fn add_type<T: ToSchema>(components: &mut Vec<(String, RefOr<Schema>)>) {
    T::schemas(components);
    components.push((T::name().into_owned(), T::schema()));
}
