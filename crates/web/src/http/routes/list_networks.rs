//! `GET /v1/networks`: which networks are served now (docs/reference/operators.md#networks).

use crate::http::{
    auth::Authenticated,
    json_response::no_store,
    openapi::{
        examples::Examples, messages::ResponseSpec, open_to::OpenTo, operation::OperationSpec,
    },
    problem::ApiError,
    route::Route,
};
use axum::{extract::State, response::Response, routing::on};
use serde_json::{Value, json};
use tua_api::resources::NetworksView;
use tua_domain::{Caller, KeyScope};
use tua_use_cases::Networks;
use utoipa::openapi::HttpMethod;

/// Every key may call this route.
const SCOPES: &[KeyScope] = KeyScope::ALL;

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, list_networks),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/networks",
        id: "listNetworks",
        tag: "Reading",
        summary: "Show how the networks are served",
        description: "Shows for each network whether charges and payouts are possible now, and for \
            which amounts. For the account and mode of the key or token.",
        open_to: OpenTo::AnyKeyOrToken(SCOPES),
        parameters: &[],
        body: None,
        responses: &[ResponseSpec::json::<NetworksView>(
            "200",
            "The networks, always in the same order.",
            response_examples,
        )],
        errors: &[],
    },
};

/// Shows how the networks are served for the caller's account and mode.
async fn list_networks(
    State(networks): State<Networks>,
    caller: Authenticated,
) -> Result<Response, ApiError> {
    let caller = caller.any_key_or_token(SCOPES)?;
    let services = networks.services(caller.scope(), matches!(caller, Caller::Token(_)));
    Ok(no_store(&NetworksView::new(services)))
}

/// Networks of which one is DEGRADED for charges, and one is not served.
fn response_examples() -> Examples {
    let service = |status: &str| json!({ "status": status, "min": 0.5, "max": 5000 });
    let down = json!({ "status": "DOWN", "min": null, "max": null });
    let network = |name: &str, charge: Value, payout: Value| {
        json!({
            "network": name,
            "charge": charge,
            "payout": payout,
        })
    };
    let data = [
        network("MTN", service("OPERATIONAL"), service("OPERATIONAL")),
        network("TELECEL", service("DEGRADED"), service("OPERATIONAL")),
        network("AIRTELTIGO", down.clone(), down),
    ];
    vec![("networks", json!({ "data": data }))]
}
