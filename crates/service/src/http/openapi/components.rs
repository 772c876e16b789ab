//! What the rest of the document refers to: schemas, examples of errors, ways to send a credential.

use super::{errors, schemas};
use crate::http::{
    charge::{ChargeRequest, CheckoutChargeRequest},
    checkout::{CheckoutRequest, OpenedCheckout},
    payout::PayoutRequest,
    problem::Document,
    submit_otp::CodeRequest,
    transactions::Listing,
    view::{CheckoutView, Outcome, SessionView},
};
use std::collections::BTreeMap;
use utoipa::{
    ToSchema,
    openapi::{
        Components, ComponentsBuilder, RefOr, Schema,
        schema::AdditionalProperties,
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

/// Everything by its name.
pub(super) fn all(public_url: &str) -> Components {
    let mut found = Schemas::default();
    found.request::<ChargeRequest>();
    found.request::<CheckoutChargeRequest>();
    found.request::<PayoutRequest>();
    found.request::<CheckoutRequest>();
    found.request::<CodeRequest>();
    found.answer::<Outcome<'static>>();
    found.answer::<OpenedCheckout<'static>>();
    found.answer::<CheckoutView<'static>>();
    found.answer::<Listing<'static>>();
    found.answer::<Document<'static>>();
    found.answer::<SessionView<'static>>();
    // Of parameters alone.
    found.answer::<schemas::TransactionType>();

    let api_key = ApiKeyValue::with_description("x-api-key", "Any credential: a secret key or a checkout token.");
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("Any credential: a secret key or a checkout token."));
    let components = ComponentsBuilder::new()
        .schemas_from_iter(found.0)
        .security_scheme("apiKey", SecurityScheme::ApiKey(ApiKey::Header(api_key)))
        .security_scheme("bearer", SecurityScheme::Http(bearer.build()));
    errors::examples(public_url)
        .fold(components, |components, (name, example)| components.example(name, example))
        .build()
}

#[derive(Default)]
struct Schemas(BTreeMap<String, RefOr<Schema>>);

impl Schemas {
    /// A type, and every type that it refers to.
    fn answer<T: ToSchema>(&mut self) {
        let mut referred = Vec::new();
        T::schemas(&mut referred);
        self.0.extend(referred);
        self.0.insert(T::name().into_owned(), T::schema());
    }

    /// The same, where a field that is not named is refused.
    fn request<T: ToSchema>(&mut self) {
        self.answer::<T>();
        if let Some(RefOr::T(Schema::Object(object))) = self.0.get_mut(T::name().as_ref()) {
            object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
        }
    }
}
