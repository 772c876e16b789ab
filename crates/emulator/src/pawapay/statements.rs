//! Statements as CSV, made in the background and downloaded by an address that expires.

use super::{
    access::Authorized,
    provider::PLATFORM,
    responses::failure,
    state::{Pawapay, Statement},
    statement_file::{csv, gzip},
};
use crate::{
    delivery,
    event::Event,
    extract::{Body, Path, Query},
    operator::Operator,
    protocol::{Context, Shared},
    wire::{Refusal, header_text, is_loopback, respond, rfc3339, text},
};
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::{SignedDuration, Timestamp, civil, tz::TimeZone};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;
use url::Url;
use uuid::Uuid;

/// The longest period of a statement.
const MAX_PERIOD: SignedDuration = SignedDuration::from_hours(31 * 24);
/// How long it takes to make a statement.
const STATEMENT_DELAY: Duration = Duration::from_secs(2);
/// How long a download address is valid.
const DOWNLOAD_LIFETIME: SignedDuration = SignedDuration::from_hours(1);

/// Reads a date and time, in UTC where it names no offset.
fn parse_time(text: &str) -> Option<Timestamp> {
    let local = || text.parse::<civil::DateTime>().ok()?.to_zoned(TimeZone::UTC).ok();
    text.parse::<Timestamp>().ok().or_else(|| local().map(|zoned| zoned.timestamp()))
}

/// `POST /v2/statements`: requests a statement of a period, up to 31 days.
pub(super) async fn create(
    State(context): State<Context<Pawapay>>,
    _: Authorized,
    headers: HeaderMap,
    Body(request): Body,
) -> Result<Response, Refusal> {
    let bad = |code: &str, message: &str| failure(StatusCode::BAD_REQUEST, code, message);
    for name in ["wallet", "callbackUrl", "startDate", "endDate"] {
        if request.get(name).is_none() {
            return Err(bad("MISSING_PARAMETER", &format!("Missing parameter: {name}")));
        }
    }
    let wallet = &request["wallet"];
    if wallet["country"] != "GHA" || wallet["currency"] != "GHS" {
        return Err(bad("WALLET_NOT_FOUND", "There is no such wallet."));
    }
    let callback_url = text(&request, "callbackUrl");
    let is_https = Url::parse(callback_url).is_ok_and(|url| url.scheme() == "https");
    if !is_https && !is_loopback(callback_url) {
        return Err(bad("INVALID_CALLBACK_URL", "The callback URL is not https."));
    }
    let times = parse_time(text(&request, "startDate")).zip(parse_time(text(&request, "endDate")));
    let (start, end) =
        times.ok_or_else(|| bad("INVALID_PARAMETER", "Invalid parameter: startDate or endDate"))?;
    if end <= start || end.duration_since(start) > MAX_PERIOD {
        return Err(bad("INVALID_DATE_RANGE", "The period is empty or longer than 31 days."));
    }
    let id = Uuid::new_v4().to_string();
    let shared = &context.shared;
    let created = shared.clock.now();
    let host = header_text(&headers, "host").unwrap_or("127.0.0.1").to_owned();
    let statement = Statement {
        id: id.clone(),
        request,
        start,
        end,
        created,
        completed: None,
        file: Vec::new(),
        host,
    };
    context.protocol.statements().push(statement);
    let event = Event::RunTask { operator: Operator::PAWAPAY, task: id.clone() };
    shared.clock.schedule(shared.clock.after(STATEMENT_DELAY), event);
    Ok(respond(
        StatusCode::OK,
        json!({"statementId": id, "status": "ACCEPTED", "created": rfc3339(created)}),
    ))
}

/// Makes the file of a statement, and reports it once.
pub(super) fn complete(shared: &Shared, pawapay: &Pawapay, id: &str) {
    let Some(statement) = find(pawapay, id) else { return };
    let csv = csv(shared, statement.start..statement.end).unwrap_or_default();
    let is_compressed = statement.request.get("compressed") == Some(&Value::Bool(true));
    let file = if is_compressed { gzip(&csv).unwrap_or_default() } else { csv };
    let now = shared.clock.now();
    if let Some(statement) = pawapay.statements().iter_mut().find(|statement| statement.id == id) {
        statement.completed = Some(now);
        statement.file = file;
    }
    let Some(statement) = find(pawapay, id) else { return };
    let url = text(&statement.request, "callbackUrl").to_owned();
    delivery::post_once(shared, url, data(shared, &statement));
}

fn find(pawapay: &Pawapay, id: &str) -> Option<Statement> {
    pawapay.statements().iter().find(|statement| statement.id == id).cloned()
}

/// `GET /v2/statements/{id}`. Each answer has a new download address.
pub(super) async fn read(
    State(context): State<Context<Pawapay>>,
    _: Authorized,
    Path(id): Path<String>,
) -> Response {
    let body = match find(&context.protocol, &id) {
        Some(statement) => json!({"status": "FOUND", "data": data(&context.shared, &statement)}),
        None => json!({"status": "NOT_FOUND"}),
    };
    respond(StatusCode::OK, body)
}

fn data(shared: &Shared, statement: &Statement) -> Value {
    let mut data = json!({
        "statementId": statement.id,
        "wallet": statement.request["wallet"],
        "created": rfc3339(statement.created),
        "startDate": statement.request["startDate"],
        "endDate": statement.request["endDate"],
        "status": if statement.completed.is_some() { "COMPLETED" } else { "PROCESSING" },
    });
    if let Some(completed) = statement.completed {
        let expires =
            shared.clock.now().saturating_add(DOWNLOAD_LIFETIME).unwrap_or(Timestamp::MAX);
        let name = if statement.request["compressed"] == true { "csv.gz" } else { "csv" };
        let path = format!(
            "/{PLATFORM}/downloads/{}.{name}?expires={}",
            statement.id,
            expires.as_second()
        );
        data["fileSize"] = statement.file.len().into();
        data["downloadUrl"] = format!("http://{}{path}", statement.host).into();
        data["downloadUrlExpiresAt"] = rfc3339(expires).into();
        data["completedAt"] = rfc3339(completed).into();
    }
    data
}

/// The parameters of a download address.
#[derive(Debug, Deserialize)]
pub(super) struct Download {
    /// When it expires, in seconds since 1970.
    expires: i64,
}

/// `GET /downloads/{file}`, without credentials.
pub(super) async fn download(
    State(context): State<Context<Pawapay>>,
    Path(file): Path<String>,
    Query(download): Query<Download>,
) -> Result<Response, Refusal> {
    if download.expires < context.shared.clock.now().as_second() {
        return Err(failure(
            StatusCode::FORBIDDEN,
            "AUTHORISATION_ERROR",
            "The address has expired.",
        ));
    }
    let id = file.split_once('.').map_or(file.as_str(), |(id, _)| id);
    let statement = find(&context.protocol, id).filter(|statement| statement.completed.is_some());
    let unknown = || failure(StatusCode::NOT_FOUND, "NOT_FOUND", "There is no such file.");
    let statement = statement.ok_or_else(unknown)?;
    let media_type = if file.ends_with(".gz") { "application/gzip" } else { "text/csv" };
    Ok(([(header::CONTENT_TYPE, media_type)], statement.file).into_response())
}
