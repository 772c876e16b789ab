//! Accepts charges, payouts and refunds.

use super::{
    access::{Authorized, host},
    outcomes,
    platform::Operation,
    responses::{FORMAT, error},
    settings::MtnSettings,
    state::MtnMomo,
};
use crate::{
    extract::Body,
    lifecycle,
    operator::Operator,
    order::{NewOrder, Order},
    phase::{Failure, Kind, Phase},
    protocol::{Context, Shared},
    script::Script,
    wire::{Refusal, header_text, text},
};
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde_json::Value;
use tua_contract::{Amount, Network};
use uuid::Uuid;

/// `POST /collection/v1_0/requesttopay`: begins a charge, which the payer approves.
pub(super) async fn request_to_pay(
    State(context): State<Context<MtnMomo>>,
    authorized: Authorized,
    headers: HeaderMap,
    Body(request): Body,
) -> Result<Response, Refusal> {
    accept(&context, &authorized, &headers, request, Operation::RequestToPay)
}

/// `POST /disbursement/v1_0/transfer`: begins a payout.
pub(super) async fn transfer(
    State(context): State<Context<MtnMomo>>,
    authorized: Authorized,
    headers: HeaderMap,
    Body(request): Body,
) -> Result<Response, Refusal> {
    accept(&context, &authorized, &headers, request, Operation::Transfer)
}

/// `POST /disbursement/v1_0/deposit`: begins a payout too.
pub(super) async fn deposit(
    State(context): State<Context<MtnMomo>>,
    authorized: Authorized,
    headers: HeaderMap,
    Body(request): Body,
) -> Result<Response, Refusal> {
    accept(&context, &authorized, &headers, request, Operation::Deposit)
}

/// `POST /disbursement/v1_0/refund`: begins a refund of a charge.
pub(super) async fn refund(
    State(context): State<Context<MtnMomo>>,
    authorized: Authorized,
    headers: HeaderMap,
    Body(request): Body,
) -> Result<Response, Refusal> {
    accept(&context, &authorized, &headers, request, Operation::Refund)
}

fn bad_request(message: &str) -> Refusal {
    error(StatusCode::BAD_REQUEST, "BAD_REQUEST", message)
}

/// Checks a request and stores its order. `Err` is the refusal.
fn accept(
    context: &Context<MtnMomo>,
    authorized: &Authorized,
    headers: &HeaderMap,
    request: Value,
    operation: Operation,
) -> Result<Response, Refusal> {
    let shared = &context.shared;
    let is_uuid_v4 = |text: &&str| {
        Uuid::parse_str(text).is_ok_and(|id| id.get_version_num() == 4) && text.len() == 36
    };
    let reference = header_text(headers, "x-reference-id")
        .filter(is_uuid_v4)
        .ok_or_else(|| bad_request("X-Reference-Id must be a UUID version 4."))?;
    let callback_url = registered_callback_url(authorized, headers)?;
    let amount = Amount::parse(text(&request, "amount"))
        .map_err(|_| bad_request("amount is not a positive sum."))?;
    if text(&request, "currency") != authorized.environment.currency() {
        return Err(error(
            StatusCode::INTERNAL_SERVER_ERROR,
            "INVALID_CURRENCY",
            "Currency not supported.",
        ));
    }
    if text(&request, "externalId").contains(char::is_whitespace) {
        return Err(bad_request("externalId must not contain spaces."));
    }
    let (charge, phone) = match operation {
        Operation::RequestToPay => (None, party(&request, "payer")?),
        Operation::Transfer => (None, party(&request, "payee")?),
        // A published client names the wallet `payer` here too.
        Operation::Deposit => {
            (None, party(&request, "payee").or_else(|_| party(&request, "payer"))?)
        }
        Operation::Refund => refunded_charge(shared, authorized, &request)?,
    };
    let script = script(shared, authorized, operation, &phone, amount, charge.as_ref());
    let new = NewOrder {
        operator: Operator::MTN_MOMO,
        api_platform: authorized.platform.0,
        kind: operation.kind(),
        reference: reference.to_owned(),
        amount,
        currency: authorized.environment.currency().to_owned(),
        phone,
        network: Some(Network::Mtn),
        script,
        first_phase: Phase::Accepted,
        callback_url,
        refund_of: charge.map(|charge| charge.id),
        request,
    };
    let order = lifecycle::accept(shared, new).map_err(|_| {
        let message = "Duplicated reference id. Creation of resource failed.";
        error(StatusCode::CONFLICT, "RESOURCE_ALREADY_EXIST", message)
    })?;
    if operation == Operation::Deposit {
        context.protocol.deposits().insert(order.id);
    }
    if script.hides_acceptance {
        return Ok(FORMAT.error(StatusCode::SERVICE_UNAVAILABLE));
    }
    Ok(StatusCode::ACCEPTED.into_response())
}

/// The address for the callback, whose host must be the registered one.
fn registered_callback_url(
    authorized: &Authorized,
    headers: &HeaderMap,
) -> Result<Option<String>, Refusal> {
    let Some(url) = header_text(headers, "x-callback-url") else { return Ok(None) };
    let is_accepted = match (host(url), &authorized.callback_host) {
        (Some(host), Some(registered)) => host.eq_ignore_ascii_case(registered),
        (Some(_), None) => true,
        (None, _) => false,
    };
    if is_accepted {
        Ok(Some(url.to_owned()))
    } else {
        Err(error(
            StatusCode::INTERNAL_SERVER_ERROR,
            "INVALID_CALLBACK_URL_HOST",
            "Callback URL with different host name then configured for API User",
        ))
    }
}

/// The number of the wallet that pays or receives.
fn party(request: &Value, member: &str) -> Result<String, Refusal> {
    let party = request.get(member).unwrap_or(&Value::Null);
    let number = text(party, "partyId");
    let is_number =
        (8..=15).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && text(party, "partyIdType").eq_ignore_ascii_case("msisdn") {
        Ok(number.to_owned())
    } else {
        Err(bad_request("The party must be an MSISDN without a plus sign."))
    }
}

/// The charge that a refund names, with its payer's number.
fn refunded_charge(
    shared: &Shared,
    authorized: &Authorized,
    request: &Value,
) -> Result<(Option<Order>, String), Refusal> {
    let reference = text(request, "referenceIdToRefund");
    let charge = shared.orders().find(authorized.platform.0, Kind::Charge, reference).cloned();
    let charge = charge.ok_or_else(|| {
        error(StatusCode::NOT_FOUND, "RESOURCE_NOT_FOUND", "Requested resource was not found.")
    })?;
    let phone = charge.new.phone.clone();
    Ok((Some(charge), phone))
}

fn script(
    shared: &Shared,
    authorized: &Authorized,
    operation: Operation,
    phone: &str,
    amount: Amount,
    charge: Option<&Order>,
) -> Script {
    let orders = shared.orders();
    let kind = operation.kind();
    if kind != Kind::Charge && orders.float_pesewas(authorized.platform.0) < amount.pesewas() {
        return Script::failing(Failure::FloatTooLow);
    }
    match charge {
        None => outcomes::script(
            shared.settings.operators.get::<MtnSettings>().profile,
            phone,
            operation,
        ),
        Some(charge)
            if charge.phase != Phase::Successful
                || orders.refundable_pesewas(charge) < amount.pesewas() =>
        {
            Script::failing(Failure::Refused)
        }
        Some(_) => Script::by_last_four(phone, kind),
    }
}
