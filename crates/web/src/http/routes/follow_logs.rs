//! `GET /v1/logs` (docs/reference/endpoints.md#follow-requests-and-deliveries): what happens in
//! test mode, for `tua logs tail`.

use crate::http::{
    auth::Authenticated,
    credential_facts::LOGS_PATH,
    json_response::no_store,
    openapi::{
        examples::{self, Examples, created_at},
        messages::ResponseSpec,
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::{limit, query},
    },
    paging::{apply_page_parameter, parameters, parse_each, refuse_parameter},
    poll::MAX_WAIT_SECONDS,
    problem::ApiError,
    query_values::{invalid, parse_wait},
    response_layer::{MAX_ID_BYTES, is_request_id},
    route::Route,
};
use axum::{
    Extension,
    extract::{Query, State, rejection::QueryRejection},
    response::Response,
    routing::on,
};
use std::{sync::Arc, time::Duration};
use tua_api::{resources::LogPageView, values::string_schema};
use tua_contract::ErrorCode::*;
use tua_domain::{
    KeyId, KeyScope,
    test_log::{LogEntry, LogEntryKind, LogPage, LoggedRequest, TestLog},
};
use tua_net::{Client, limits::AddressConcurrency};
use tua_use_cases::TestKey;
use utoipa::openapi::{HttpMethod, ObjectBuilder, Type, path::Parameter};

/// A key needs this scope: requests and deliveries may be about anything.
const SCOPES: &[KeyScope] = &[KeyScope::Read];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, follow_logs),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: LOGS_PATH,
        id: "followLogs",
        tag: "Sandbox",
        summary: "Follow requests and deliveries of test mode",
        description: "Without `after`, begins: the response has no entries. With it, lists the \
            requests and the webhook deliveries after that entry, oldest first, and waits for one \
            for `wait` seconds. If the log of that entry does not exist any more, the response is \
            422 `invalid_parameter`. With `requestId`, lists the requests with this id and the \
            deliveries about what they created. For test keys only. Nothing is stored: each \
            process of the service keeps the newest entries of its own, 1,000 of an account at \
            most.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: PARAMETERS,
        body: None,
        responses: &[ResponseSpec::json::<LogPageView<'static>>(
            "200",
            "What happened.",
            response_examples,
        )],
        errors: &[&[ValidationFailed, UnknownField, InvalidParameter]],
    },
};

/// The largest number that every JSON parser reads exactly.
const MAX_NUMBER: u64 = (1 << 53) - 1;

const PARAMETERS: &[fn() -> Parameter] = &[
    || {
        let number = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(0))
            .maximum(Some(MAX_NUMBER));
        query("after", "`last` of the response before: only entries after it. 0 for all.", number)
    },
    || {
        let seconds = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(0))
            .maximum(Some(MAX_WAIT_SECONDS));
        query("wait", "With `after`: how many seconds to wait for an entry.", seconds)
    },
    || {
        let id = string_schema()
            .min_length(Some(1))
            .max_length(Some(MAX_ID_BYTES))
            .pattern(Some("^[A-Za-z0-9_.:-]+$"));
        query("requestId", "Only requests with this `x-request-id`. Not with `after`.", id)
    },
    limit,
];

const ANOTHER_LOG: &str = "after is of another log: the service was restarted since, or another \
    node wrote it, or other accounts needed its place. Continue with after=0, which lists all \
    entries that there are; others may be missing.";

const ONE_REQUEST: &str =
    "requestId finds one request. after and wait follow all of them. Send one or the other.";

/// Lists what happened after an entry, or begins.
async fn follow_logs(
    State(test_log): State<Arc<TestLog>>,
    State(polls): State<Arc<AddressConcurrency>>,
    Extension(client): Extension<Client>,
    caller: Authenticated,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let account = holder.scope.account.clone();
    if TestKey::new(holder).is_none() {
        let detail = "This route takes a test key (tua_test_v2_…): requests with live keys are not \
            followed.";
        return Err(ApiError::new(CredentialNotAllowed, detail));
    }
    let mut after = None;
    let mut wait = 0;
    let mut request = None;
    let page = parse_each(parameters(query)?, |page, name, value| match name {
        "after" => {
            let number = value.parse().ok().filter(|number: &u64| *number <= MAX_NUMBER);
            after = Some(number.ok_or(invalid("This must be `last` of an earlier response."))?);
            Ok(())
        }
        "wait" => {
            wait = parse_wait(value)?;
            Ok(())
        }
        "requestId" => {
            let id = Some(value).filter(|id| is_request_id(id));
            request = Some(id.ok_or(invalid("This must be an x-request-id."))?.to_owned());
            Ok(())
        }
        "cursor" => Err((UnknownField, "This query parameter does not exist.")),
        _ => apply_page_parameter(page, name, value),
    })?;
    let limit = page.limit.try_into().unwrap_or(usize::MAX);
    if let Some(id) = request {
        if after.is_some() || wait > 0 {
            return Err(refuse_parameter("requestId", ONE_REQUEST));
        }
        return Ok(no_store(&LogPageView::new(&test_log.of_request(&account, &id, limit))));
    }
    // An address that has its share of waiting polls gets the response at once.
    let share = (wait > 0).then(|| polls.acquire(client.address)).flatten();
    let wait = Duration::from_secs(if share.is_some() { wait.into() } else { 0 });
    let found = test_log.follow(&account, after, limit, wait).await;
    drop(share);
    let found = found.ok_or_else(|| refuse_parameter("after", ANOTHER_LOG))?;
    Ok(no_store(&LogPageView::new(&found)))
}

fn response_examples() -> Examples {
    let request = LoggedRequest {
        id: "req_019aa5f0c2007d3e8a1b4c5d6e7f8099".to_owned(),
        method: "POST".to_owned(),
        route: "/v1/charge".to_owned(),
        status: 422,
        code: Some(ValidationFailed),
        key: Some(KeyId::new("key_019aa5f0c2007d3e8a1b4c5d6e7f8097")),
        duration: Duration::from_millis(1),
        resource: None,
    };
    let last = 1_795_773_600_000_001;
    let entry = LogEntry { number: last, at: created_at(), kind: LogEntryKind::Request(request) };
    let page = LogPage { entries: vec![entry], last, missed: 0 };
    let begun = LogPage { last: last - 1, ..LogPage::default() };
    vec![
        ("request", examples::json(&LogPageView::new(&page))),
        ("begun", examples::json(&LogPageView::new(&begun))),
    ]
}
