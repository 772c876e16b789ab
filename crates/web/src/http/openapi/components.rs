//! The components of the document, which the rest refers to: schemas, examples of errors, security
//! schemes.

use super::errors;
use crate::http::{
    charge::{ChargeRequest, CheckoutChargeRequest},
    checkout::{CheckoutRequest, OpenedCheckout},
    link::LinkRequest,
    links::LinkListing,
    payout::PayoutRequest,
    payout_batches::BatchBody,
    problem::ApiProblem,
    quote::{CheckoutQuoteRequest, QuoteRequest},
    refund::RefundBody,
    refunds::RefundListing,
    submit_otp::CodeRequest,
    transactions::Listing,
};
use std::collections::BTreeMap;
use tua_api::{
    resources::{
        CheckoutView, LinkView, NetworksView, Outcome, PayoutBatchView, QuoteView, RefundView,
        SessionView,
    },
    values::TransactionType,
};
use utoipa::{
    ToSchema,
    openapi::{
        Components, ComponentsBuilder, RefOr, Schema,
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

/// All schemas, security schemes and examples of errors, whose problem types are at this URL.
pub(super) fn all(public_url: &str) -> Components {
    let mut found = Schemas::default();
    found.add::<ChargeRequest>();
    found.add::<CheckoutChargeRequest>();
    found.add::<PayoutRequest>();
    found.add::<BatchBody<'static>>();
    found.add::<PayoutBatchView<'static>>();
    found.add::<RefundBody>();
    found.add::<RefundView<'static>>();
    found.add::<RefundListing<'static>>();
    found.add::<LinkRequest>();
    found.add::<LinkView<'static>>();
    found.add::<LinkListing<'static>>();
    found.add::<CheckoutRequest>();
    found.add::<CodeRequest>();
    found.add::<Outcome<'static>>();
    found.add::<OpenedCheckout<'static>>();
    found.add::<CheckoutView<'static>>();
    found.add::<Listing<'static>>();
    found.add::<ApiProblem<'static>>();
    found.add::<SessionView<'static>>();
    found.add::<NetworksView>();
    found.add::<QuoteRequest>();
    found.add::<CheckoutQuoteRequest>();
    found.add::<QuoteView<'static>>();
    // Only parameters refer to it.
    found.add::<TransactionType>();

    let api_key = ApiKeyValue::with_description(
        "x-api-key",
        "Any credential: a secret key or a checkout token.",
    );
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
    /// Adds a type and every type that it refers to.
    fn add<T: ToSchema>(&mut self) {
        let mut referred = Vec::new();
        T::schemas(&mut referred);
        self.0.extend(referred);
        self.0.insert(T::name().into_owned(), T::schema());
    }
}
