//! `GET /v1/checkouts` (docs/reference/endpoints.md): a merchant's sessions, newest first.

use crate::http::{
    auth::Authenticated,
    json_response::no_store,
    openapi::{
        content::reference,
        examples::{self, Examples},
        messages::ResponseSpec,
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::{cursor, limit, query},
    },
    paging::{UNKNOWN_CURSOR, UNKNOWN_PARAMETER, apply_page_parameter, parameters, parse_each},
    problem::ApiError,
    query_values::{ParameterFault, invalid, parse_line, parse_time},
    route::Route,
};
use axum::{
    extract::{Query, State, rejection::QueryRejection},
    response::Response,
    routing::on,
};
use serde::Serialize;
use std::sync::Arc;
use tua_api::{resources::CheckoutView, values};
use tua_contract::ErrorCode::*;
use tua_domain::{
    CheckoutSummary, KeyScope,
    checkout::CheckoutStatus,
    checkout_listing::{CheckoutCursor, CheckoutFilter, CheckoutPageRequest},
    sandbox_times::SandboxTimes,
};
use tua_use_cases::{Checkouts, ListedCheckouts, MerchantsCheckout};
use utoipa::{
    ToSchema,
    openapi::{HttpMethod, path::Parameter},
};

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Collect, KeyScope::Read];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, list_checkouts),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/checkouts",
        id: "listCheckouts",
        tag: "Checkouts",
        summary: "List checkout sessions, newest first",
        description: "Lists the sessions of the key's account and mode, each with its latest \
            charge. With `status`, a page may have fewer sessions than `limit`, or none, although \
            there are more: continue until `nextCursor` is null.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: CHECKOUT_FILTERS,
        body: None,
        responses: &[ResponseSpec::json::<CheckoutListing<'static>>(
            "200",
            "One page of sessions.",
            response_examples,
        )],
        errors: &[&[ValidationFailed, UnknownField, InvalidParameter, InvalidText]],
    },
};

/// The filters of the list of sessions, and its next page.
const CHECKOUT_FILTERS: &[fn() -> Parameter] = &[
    || query("status", "Only sessions with this status.", reference::<values::CheckoutStatus>()),
    || {
        query(
            "reference",
            "Only sessions with exactly this reference.",
            values::string_schema().pattern(Some(values::LINE_PATTERN)),
        )
    },
    || {
        let about = "Only sessions created after this time.";
        query("createdAfter", about, reference::<values::Time>())
    },
    || {
        let about = "Only sessions created before this time.";
        query("createdBefore", about, reference::<values::Time>())
    },
    limit,
    cursor,
];

/// One page of checkout sessions.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CheckoutListing<'a> {
    /// The sessions of this page, newest first.
    data: Vec<CheckoutView<'a>>,
    /// The cursor of the next page. Null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Lists sessions, newest first, page by page.
async fn list_checkouts(
    State(checkouts): State<Arc<Checkouts>>,
    State(sandbox_times): State<SandboxTimes>,
    caller: Authenticated,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let (filter, page) = parse(parameters(query)?)?;
    let ListedCheckouts { sessions, next } = checkouts.page(&holder.scope, filter, page).await?;
    let seen = |session: MerchantsCheckout| MerchantsCheckout {
        checkout: sandbox_times.with_sandbox_expiry(session.checkout),
        ..session
    };
    let sessions: Vec<_> = sessions.into_iter().map(seen).collect();
    let data = sessions.iter().map(session_view).collect();
    Ok(no_store(&CheckoutListing { data, next_cursor: next.map(|next| next.write()) }))
}

fn session_view(session: &MerchantsCheckout) -> CheckoutView<'_> {
    CheckoutView::new(&session.checkout, &session.summary, session.status)
}

/// Reads the filter and the page of a list of sessions.
fn parse(
    parameters: Vec<(String, String)>,
) -> Result<(CheckoutFilter, CheckoutPageRequest), ApiError> {
    let mut filter = CheckoutFilter::default();
    let mut after = None;
    let page = parse_each(parameters, |page, name, value| match name {
        "cursor" => {
            after = Some(CheckoutCursor::read(value).ok_or(invalid(UNKNOWN_CURSOR))?);
            Ok(())
        }
        "limit" => apply_page_parameter(page, name, value),
        _ => apply_filter(&mut filter, name, value),
    })?;
    Ok((filter, CheckoutPageRequest { limit: page.limit, after }))
}

/// Reads one parameter into the filter.
fn apply_filter(
    filter: &mut CheckoutFilter,
    name: &str,
    value: &str,
) -> Result<(), ParameterFault> {
    let stored = &mut filter.stored;
    match name {
        "status" => {
            let detail = "This must be OPEN, PENDING, PAID, EXPIRED or CLOSED.";
            filter.status = Some(CheckoutStatus::parse(value).ok_or(invalid(detail))?);
        }
        "reference" => stored.reference = Some(parse_line(value)?.to_owned()),
        "createdAfter" => stored.created_after = Some(parse_time(value)?),
        "createdBefore" => stored.created_before = Some(parse_time(value)?),
        _ => return Err(UNKNOWN_PARAMETER),
    }
    Ok(())
}

fn response_examples() -> Examples {
    let checkout = examples::checkout();
    let fresh = CheckoutSummary::of(Vec::new());
    let data = vec![CheckoutView::new(&checkout, &fresh, CheckoutStatus::Open)];
    let next_cursor = Some(CheckoutCursor::after(&checkout).write());
    vec![("page", examples::json(&CheckoutListing { data, next_cursor }))]
}
