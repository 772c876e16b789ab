//! Statements as CSV, made in the background and downloaded by an address that expires.

use super::{
    access::Authorized,
    provider::{PLATFORM, provider},
    responses::failure,
    state::{Pawapay, Statement},
    status::provider_transaction_id,
};
use crate::{
    delivery,
    event::Event,
    operator::Operator,
    order::Order,
    phase::{Kind, Phase},
    protocol::{Context, Shared},
    wire::{Refusal, header_text, is_loopback, pesewas_text, respond, rfc3339, text},
};
use axum::{
    Json,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use flate2::{Compression, write::GzEncoder};
use jiff::{SignedDuration, Timestamp, civil, tz::TimeZone};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{io::Write, ops::Range, time::Duration};
use url::Url;
use uuid::Uuid;

/// The longest period of a statement.
const MAX_PERIOD: SignedDuration = SignedDuration::from_hours(31 * 24);
/// How long it takes to make a statement.
const DELAY: Duration = Duration::from_secs(2);
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
    Json(request): Json<Value>,
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
    shared.clock.schedule(shared.clock.after(DELAY), event);
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

/// The columns of a statement.
const COLUMNS: [&str; 13] = [
    "Transaction ID",
    "Transaction Type",
    "Status",
    "Currency",
    "Amount",
    "Fee",
    "Net Amount",
    "Customer Phone Number",
    "Provider",
    "Client Reference",
    "Created At",
    "Completed At",
    "Provider Transaction ID",
];

/// All final orders, as a statement of the whole time.
pub(super) fn statement_of_all(shared: &Shared) -> Option<Vec<u8>> {
    csv(shared, Timestamp::MIN..Timestamp::MAX)
}

fn csv(shared: &Shared, period: Range<Timestamp>) -> Option<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).ok()?;
    let orders = shared.orders();
    let is_listed = |order: &&Order| {
        order.new.platform == PLATFORM && order.phase.is_final() && period.contains(&order.created)
    };
    for order in orders.iter().filter(is_listed) {
        writer.write_record(row(order)).ok()?;
        // The line of the money that came back.
        if order.phase == Phase::Reversed {
            let mut reversal = row(order);
            "REVERSED".clone_into(&mut reversal[2]);
            writer.write_record(reversal).ok()?;
        }
    }
    drop(orders);
    writer.into_inner().ok()
}

fn row(order: &Order) -> [String; 13] {
    let is_completed = matches!(order.phase, Phase::Successful | Phase::Reversed);
    let pesewas = order.new.amount.pesewas();
    // 2 % of deposits and 1 % of payouts; refunds are free.
    let (operation, fee, sign) = match order.new.kind {
        Kind::Charge => ("DEPOSIT", pesewas / 50, 1),
        Kind::Payout => ("PAYOUT", pesewas / 100, -1),
        Kind::Refund => ("REFUND", 0, -1),
    };
    let fee = if is_completed { fee } else { 0 };
    let net = if is_completed { sign * pesewas - fee } else { 0 };
    [
        order.new.reference.clone(),
        operation.to_owned(),
        if is_completed { "COMPLETED" } else { "FAILED" }.to_owned(),
        order.new.currency.clone(),
        pesewas_text(pesewas),
        pesewas_text(fee),
        pesewas_text(net),
        order.new.phone.clone(),
        order.new.network.map(provider).unwrap_or_default().to_owned(),
        text(&order.new.request, "clientReferenceId").to_owned(),
        rfc3339(order.created),
        rfc3339(order.updated),
        provider_transaction_id(order).unwrap_or_default(),
    ]
}

fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}
