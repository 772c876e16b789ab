//! The content of a request or response: its schema and its examples.

use super::examples::Examples;
use serde_json::json;
use utoipa::{
    ToSchema,
    openapi::{
        Content, Ref, RefOr, Schema,
        example::ExampleBuilder,
        extensions::{Extensions, ExtensionsBuilder},
    },
};

/// The member of a body's media type with the schema that applies with a checkout token.
const WITH_TOKEN: &str = "x-checkout-token-schema";

/// The schema of a body.
pub(crate) enum BodySchema {
    /// The schema of one type.
    Type(TypeSchema),
    /// The schemas of the bodies with a secret key and with a checkout token.
    ByCredential {
        /// The schema that the document gives to the body. A generated client has a secret key. A
        /// choice of both forms would let it leave out what a secret key must send.
        secret_key: TypeSchema,
        /// The schema in the extension [`WITH_TOKEN`].
        checkout_token: TypeSchema,
    },
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
    const fn of<T: ToSchema>() -> Self {
        Self { reference: reference::<T>, add_to: add_type::<T> }
    }
}

impl BodySchema {
    /// The schema of `T`.
    pub(crate) const fn of<T: ToSchema>() -> Self {
        Self::Type(TypeSchema::of::<T>())
    }

    /// The schema `K` with a secret key, and `T` with a checkout token.
    pub(crate) const fn by_credential<K: ToSchema, T: ToSchema>() -> Self {
        Self::ByCredential {
            secret_key: TypeSchema::of::<K>(),
            checkout_token: TypeSchema::of::<T>(),
        }
    }

    /// The body with this schema and these examples.
    pub(super) fn content(&self, examples: Examples) -> Content {
        let mut content = content(self.schema(), examples);
        if let Self::ByCredential { checkout_token, .. } = self {
            content.extensions = Some(with_token(checkout_token));
        }
        content
    }

    /// The schema as a body has it: references to components, or a schema of its own.
    fn schema(&self) -> RefOr<Schema> {
        match self {
            Self::Type(one) => (one.reference)(),
            Self::ByCredential { secret_key, .. } => (secret_key.reference)(),
            Self::Inline(schema) => schema(),
        }
    }

    /// The components that the schema refers to, directly or not, by their names.
    pub(super) fn components(&self) -> Vec<(String, RefOr<Schema>)> {
        let types = match self {
            Self::Type(one) => vec![one],
            Self::ByCredential { secret_key, checkout_token } => vec![secret_key, checkout_token],
            Self::Inline(_) => vec![],
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

/// The extension of a body with the schema that it has with a checkout token.
fn with_token(schema: &TypeSchema) -> Extensions {
    ExtensionsBuilder::new().add(WITH_TOKEN, json!((schema.reference)())).build()
}

/// A reference to a type's schema, which `components` contains.
pub(crate) fn reference<T: ToSchema>() -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name(T::name()))
}

fn add_type<T: ToSchema>(components: &mut Vec<(String, RefOr<Schema>)>) {
    T::schemas(components);
    components.push((T::name().into_owned(), T::schema()));
}
