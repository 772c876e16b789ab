//! Hubtel: receiving and sending money on three networks, refunds, names of wallets.
//!
//! Hubtel's services have hosts of their own. Here each is a first segment below `/hubtel`, so that
//! one base URL is enough.

mod names;
mod outcomes;
mod receive;
mod refund;
mod send;

use crate::{
    callback::Callback,
    guard::guard,
    operator::{Call, Operator},
    order::Order,
    phase::Kind,
    state::Shared,
    wire::{Refusal, basic, pesewas_number, refuse, respond},
};
use axum::{
    Router,
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
    response::Response,
    routing::{get, post},
};
use serde_json::{Value, json};
use tua_contract::{Amount, Network};

/// The first segment of the paths.
const PLATFORM: &str = Operator::Hubtel.as_str();

/// The routes of Hubtel. The first segment stands for the host: `rmp.hubtel.com`,
/// `api-txnstatus.hubtel.com`, `smp.hubtel.com`, `smrsc.hubtel.com`, `rnv.hubtel.com`,
/// `refund-api.hubtel.com`.
pub(crate) fn routes(shared: &Shared) -> Router<Shared> {
    let guard = |call, routes| guard(shared, Operator::Hubtel, call, routes);
    let receive = Router::new().route(
        "/rmp/merchantaccount/merchants/{pos_sales_id}/receive/mobilemoney",
        post(receive::create),
    );
    let send = Router::new()
        .route("/smp/api/merchants/{prepaid_deposit_id}/send/mobilemoney", post(send::create));
    let status = Router::new()
        .route("/txnstatus/transactions/{pos_sales_id}/status", get(receive::status))
        .route("/smrsc/api/merchants/{prepaid_deposit_id}/transactions/status", get(send::status))
        // The documentation writes this path in both ways.
        .route("/smrsc/api/merchants/{prepaid_deposit_id}/status", get(send::status));
    let refund = Router::new()
        .route("/refund-api/refund/{pos_sales_id}/order/{order_id}", post(refund::create));
    let names = Router::new()
        .route(
            "/rnv/v2/merchantaccount/merchants/{pos_sales_id}/mobilemoney/verify",
            get(names::verify),
        )
        .route(
            "/rnv/v1/merchantaccount/merchants/{pos_sales_id}/mobilemoney/verify",
            get(names::verify_v1),
        );
    let routes = Router::new()
        .merge(guard(Call::Send, receive))
        .merge(guard(Call::Payout, send))
        .merge(guard(Call::Status, status))
        .merge(guard(Call::Refund, refund))
        .merge(guard(Call::Other, names))
        .fallback(unknown_path);
    Router::new().nest(&format!("/{PLATFORM}"), routes)
}

async fn unknown_path() -> StatusCode {
    StatusCode::NOT_FOUND
}

/// A refusal of the services that write `ResponseCode`.
fn error(status: StatusCode, code: &str, message: &str) -> Refusal {
    refuse(status, json!({"ResponseCode": code, "Message": message, "Data": null}))
}

/// A refusal of the services that write `responseCode`.
fn camel_error(status: StatusCode, code: &str, message: &str) -> Refusal {
    refuse(status, json!({"responseCode": code, "message": message, "data": null}))
}

/// A request with the right credentials, for the merchant's own account.
#[derive(Clone, Copy, Debug)]
struct Authorized;

impl FromRequestParts<Shared> for Authorized {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Refusal> {
        let unauthorized = || error(StatusCode::UNAUTHORIZED, "4101", "Unauthorized");
        let credentials = shared.credentials(Operator::Hubtel).ok_or_else(unauthorized)?;
        let (id, key) = basic(&parts.headers).ok_or_else(unauthorized)?;
        if id != credentials.hubtel_api_id || key != credentials.hubtel_api_key {
            return Err(unauthorized());
        }
        // Both account numbers appear in the path as a segment of their own.
        let accounts = [credentials.hubtel_pos_sales_id, credentials.hubtel_prepaid_deposit_id];
        if parts
            .uri
            .path()
            .split('/')
            .any(|segment| accounts.iter().any(|account| account == segment))
        {
            Ok(Self)
        } else {
            let message = "The Business is not fully set up to transact, or the keys are not of \
                this business.";
            Err(error(StatusCode::FORBIDDEN, "4101", message))
        }
    }
}

/// A member of an object, whatever the case of its name. Hubtel's own examples differ in it.
fn member<'a>(body: &'a Value, name: &str) -> &'a Value {
    let members = body.as_object();
    let found =
        members.and_then(|members| members.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)));
    found.map_or(&Value::Null, |(_, value)| value)
}

/// The text of a member, whatever the case of its name.
fn member_text<'a>(body: &'a Value, name: &str) -> &'a str {
    member(body, name).as_str().unwrap_or_default()
}

/// The network of a channel.
fn network(channel: &str) -> Option<Network> {
    match channel {
        "mtn-gh" => Some(Network::Mtn),
        "vodafone-gh" => Some(Network::Telecel),
        "tigo-gh" => Some(Network::AirtelTigo),
        _ => None,
    }
}

/// The channel of a network.
const fn channel(network: Network) -> &'static str {
    match network {
        Network::Mtn => "mtn-gh",
        Network::Telecel => "vodafone-gh",
        Network::AirtelTigo => "tigo-gh",
    }
}

/// What receiving and sending have in common.
struct Transfer {
    phone: String,
    network: Network,
    amount: Amount,
    reference: String,
    callback_url: String,
}

/// Checks a request to receive or send money. `msisdn` is the name of the member with the wallet's
/// number.
fn check(request: &Value, msisdn: &str) -> Result<Transfer, Refusal> {
    let invalid = |field: &str| {
        let fault =
            json!([{"Field": field, "ErrorMessage": format!("The field {field} is invalid.")}]);
        let body = json!({"ResponseCode": "4000", "Message": "Validation Errors", "Data": fault});
        refuse(StatusCode::BAD_REQUEST, body)
    };
    let phone = member_text(request, msisdn);
    let is_number = phone.len() == 12
        && phone.starts_with("233")
        && phone.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return Err(invalid(msisdn));
    }
    let network = network(member_text(request, "Channel")).ok_or_else(|| invalid("Channel"))?;
    let amount = member(request, "Amount")
        .as_number()
        .and_then(|number| Amount::parse(&number.to_string()).ok());
    let amount = amount.ok_or_else(|| invalid("Amount"))?;
    let reference = member_text(request, "ClientReference");
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if !(1..=36).contains(&reference.len()) || !reference.bytes().all(is_allowed) {
        return Err(invalid("ClientReference"));
    }
    let description = member_text(request, "Description");
    if description.is_empty() || description.contains(['&', '%', '^']) {
        return Err(invalid("Description"));
    }
    let callback_url = member_text(request, "PrimaryCallbackUrl");
    if !callback_url.starts_with("http") {
        return Err(invalid("PrimaryCallbackUrl"));
    }
    let is_too_small = amount.pesewas() < MIN_PESEWAS;
    let refusal =
        is_too_small.then_some(outcomes::FEES_NOT_SET).or_else(|| outcomes::refusal(phone));
    if let Some((status, code, message)) = refusal {
        return Err(error(status, code, message));
    }
    Ok(Transfer {
        phone: phone.to_owned(),
        network,
        amount,
        reference: reference.to_owned(),
        callback_url: callback_url.to_owned(),
    })
}

/// The smallest amount that has a fee.
const MIN_PESEWAS: i64 = 10;

/// The refusal of a reference that was used before.
fn duplicate() -> Refusal {
    error(
        StatusCode::BAD_REQUEST,
        "4000",
        "Duplicate ClientReference: the transaction exists already.",
    )
}

/// The answer to an order that is accepted, which does not say so.
fn unknown_outcome() -> Response {
    let (code, message) = outcomes::UNKNOWN;
    respond(StatusCode::OK, json!({"ResponseCode": code, "Message": message, "Data": null}))
}

/// Hubtel's fee, rounded up to whole pesewas. The payer pays it in addition to the amount.
fn fee_pesewas(amount: Amount) -> i64 {
    (amount.pesewas() * FEE_PER_TEN_THOUSAND + 9_999) / 10_000
}

/// Hubtel's fee of 1.95 %.
const FEE_PER_TEN_THOUSAND: i64 = 195;

/// A fee as a JSON number in cedis.
fn fee(order: &Order) -> Value {
    pesewas_number(fee_pesewas(order.new.amount))
}

/// Amount and fee as a JSON number in cedis.
fn with_fee(order: &Order) -> Value {
    pesewas_number(order.new.amount.pesewas() + fee_pesewas(order.new.amount))
}

/// Hubtel's id of a transaction, which is also its order id.
fn transaction_id(order: &Order) -> String {
    format!("{:032x}", order.serial)
}

/// Finds an order by Hubtel's id.
fn find_by_id(shared: &Shared, kind: Kind, id: &str) -> Option<Order> {
    let serial = i64::from_str_radix(id, 16).ok().filter(|_| id.len() == 32)?;
    shared.orders().find_serial(PLATFORM, kind, serial).cloned()
}

/// The callback about an outcome; none is signed.
pub(crate) fn callback(order: &Order) -> Option<Callback> {
    let url = order.new.callback_url.clone().filter(|_| order.phase.is_final())?;
    let body = match order.new.kind {
        Kind::Charge => receive::callback_body(order),
        Kind::Payout => send::callback_body(order),
        Kind::Refund => refund::callback_body(order),
    };
    Some(Callback::new(order, axum::http::Method::POST, url, body))
}
