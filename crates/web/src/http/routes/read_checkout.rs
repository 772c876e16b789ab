//! `GET /v1/checkout` (docs/reference/endpoints.md).

use crate::http::{
    auth::Authenticated,
    json_response::no_store,
    openapi::{
        examples::{self, EXAMPLE_URL, Examples},
        messages::{LinkSpec, ResponseSpec},
        open_to::OpenTo,
        operation::OperationSpec,
    },
    problem::ApiError,
    route::Route,
};
use axum::{extract::State, response::Response, routing::on};
use std::sync::Arc;
use tua_api::resources::PayersCheckoutView;
use tua_contract::{Amount, Network, State as PaymentState, Step};
use tua_domain::{
    CheckoutSummary, Kind, capabilities::Availability, prompt_instructions::PromptInstructions,
    public_url::PublicUrl, quote::NetworkForPayers, sandbox_times::SandboxTimes, tariff::Price,
};
use tua_use_cases::Checkouts;
use utoipa::openapi::HttpMethod;

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, read_checkout),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/checkout",
        id: "readCheckout",
        tag: "Checkouts",
        summary: "Read a checkout session",
        description: "Returns all that the payer's page needs, also after a reload. The page \
            counts the remaining time from the response's `Date` header.",
        open_to: OpenTo::Token,
        parameters: &[],
        body: None,
        responses: &[ResponseSpec::json::<PayersCheckoutView<'static>>(
            "200",
            "The session with its latest charge.",
            response_examples,
        )
        .with_links(&[LinkSpec {
            name: "charge",
            to: "createCharge",
            description: "Pay the session. Add the payer's number and network.",
            parameters: &[],
            body: Some(r#"{"amount":{$response.body#/amount}}"#),
        }])],
        errors: &[],
    },
};

/// All that a payer's component needs, after a reload too.
async fn read_checkout(
    State(checkouts): State<Arc<Checkouts>>,
    State(public_url): State<PublicUrl>,
    State(sandbox_times): State<SandboxTimes>,
    caller: Authenticated,
) -> Result<Response, ApiError> {
    let checkout = caller.token()?;
    let summary = checkouts.summary(&checkout.id).await?;
    let networks = checkouts.networks.for_payers(&checkout, summary.latest.as_ref());
    let checkout = sandbox_times.with_sandbox_expiry(checkout);
    let view = PayersCheckoutView::new(&checkout, &summary, networks, &public_url);
    Ok(no_store(&view))
}

fn response_examples() -> Examples {
    let waits = examples::transaction(
        Kind::Charge,
        Network::Mtn,
        PaymentState::Pending(Step::ApproveOnPhone),
    );
    let fresh = CheckoutSummary::of(Vec::new());
    let pending = CheckoutSummary::of(vec![waits]);
    let checkout = examples::checkout();
    let served = |network, availability, price| {
        let steps = |steps: &str| [("en".to_owned(), steps.to_owned())].into_iter().collect();
        let prompt_instructions = match network {
            Network::Mtn => steps("Dial *170# on your phone. Choose My Wallet, then My Approvals."),
            Network::Telecel | Network::AirtelTigo => PromptInstructions::default(),
        };
        NetworkForPayers { network, end: None, availability, price, prompt_instructions }
    };
    let with_fee =
        Amount::parse("10.71").ok().map(|payer_pays| Price { payer_pays, fee_pesewas: Some(21) });
    let networks = [
        served(Network::Mtn, Availability::Operational, with_fee),
        served(Network::Telecel, Availability::Down, None),
        served(
            Network::AirtelTigo,
            Availability::Degraded,
            Some(Price::without_tariff(examples::amount())),
        ),
    ];
    vec![
        (
            "fresh",
            examples::json(&PayersCheckoutView::new(
                &checkout,
                &fresh,
                networks.clone(),
                EXAMPLE_URL,
            )),
        ),
        (
            "pending",
            examples::json(&PayersCheckoutView::new(&checkout, &pending, networks, EXAMPLE_URL)),
        ),
    ]
}
