//! `POST /v1/sandbox/clock/advance` (docs/reference/test-mode.md#the-sandbox-clock).

use crate::http::{
    auth::Authenticated,
    body::JsonBody,
    json_response::no_store,
    openapi::{
        errors::BODY,
        examples::{self, Examples},
        messages::{RequestBodySpec, ResponseSpec},
        open_to::OpenTo,
        operation::OperationSpec,
    },
    problem::ApiError,
    route::Route,
    state::BodyTimeout,
};
use axum::{
    extract::{FromRequest, Request, State},
    response::Response,
    routing::on,
};
use serde::Deserialize;
use serde_json::json;
use tua_api::{resources::AdvancedClockView, values::ClockSeconds};
use tua_contract::ErrorCode::*;
use tua_domain::{
    KeyScope,
    sandbox_clock::{BecameDue, ClockAdvance},
};
use tua_use_cases::{KeySandboxClock, TestKey};
use utoipa::{ToSchema, openapi::HttpMethod};

/// A key needs one of these scopes: it may begin payments.
const SCOPES: &[KeyScope] = &[KeyScope::Collect, KeyScope::Payout, KeyScope::Refund];

/// Half an hour, after which a session has ended.
const EXAMPLE_SECONDS: i64 = 31 * 60;

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, advance_sandbox_clock),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/sandbox/clock/advance",
        id: "advanceSandboxClock",
        tag: "Sandbox",
        summary: "Advance the sandbox clock",
        description: "Makes everything that is scheduled in test mode of the account earlier by \
            this time: the ends of sessions and links, the outcomes of the sandbox, approvals \
            that nobody gives, events about delays, and the next attempts of webhooks. For test \
            keys only. A repeated request advances the clock again.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[],
        body: Some(RequestBodySpec::of::<AdvanceRequest>("By how much.", request_examples)),
        responses: &[ResponseSpec::json::<AdvancedClockView>(
            "200",
            "What has become due.",
            response_examples,
        )],
        errors: &[BODY, &[InvalidParameter]],
    },
};

/// By how much the sandbox clock is advanced.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = AdvanceSandboxClockRequest)]
struct AdvanceRequest {
    seconds: ClockSeconds,
}

/// Advances the sandbox clock of the account of a test key.
async fn advance_sandbox_clock(
    State(sandbox_clock): State<KeySandboxClock>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    request: Request,
) -> Result<Response, ApiError> {
    let key = caller.v2_key(SCOPES)?;
    let holder = TestKey::new(key).ok_or_else(live_key)?;
    let body = JsonBody::from_request(request, &timeout).await?;
    let AdvanceRequest { seconds: ClockSeconds(by) } = body.object()?.read()?;
    let due = sandbox_clock.advance(&holder, by).await?;
    Ok(no_store(&AdvancedClockView::new(by, due)))
}

fn live_key() -> ApiError {
    let detail = "This route takes a test key (tua_test_v2_…): the time of real payments cannot be \
        changed. Nothing was changed.";
    ApiError::new(CredentialNotAllowed, detail)
}

fn request_examples() -> Examples {
    vec![("half-an-hour", json!({ "seconds": EXAMPLE_SECONDS }))]
}

fn response_examples() -> Examples {
    let due = BecameDue { checkouts: 2, payments: 1, deliveries: 1, ..BecameDue::default() };
    let view = ClockAdvance::from_seconds(EXAMPLE_SECONDS)
        .map(|by| examples::json(&AdvancedClockView::new(by, due)));
    view.map(|view| ("advanced", view)).into_iter().collect()
}
