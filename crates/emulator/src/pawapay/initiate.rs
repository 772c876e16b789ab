//! Begins deposits and payouts.

use super::{
    access::Authorized,
    outcomes,
    provider::{self, Operation, PLATFORM, ProviderStatus, id_field},
    request::{check_form, parse_amount},
    responses::{FORMAT, failure},
    state::Pawapay,
    verify::SignedBody,
};
use crate::{
    lifecycle,
    operator::Operator,
    order::{NewOrder, Order},
    phase::{Kind, Phase},
    protocol::{Context, Shared},
    wire::{Refusal, respond, rfc3339, text},
};
use axum::{extract::State, http::StatusCode, response::Response};
use serde_json::{Value, json};
use tua_contract::{Amount, Network};

/// `POST /v2/deposits`: begins a charge.
pub(super) async fn deposit(
    State(context): State<Context<Pawapay>>,
    _: Authorized,
    body: SignedBody,
) -> Result<Response, Refusal> {
    let request = body.json()?;
    begin(&context, Kind::Charge, &request)
}

/// `POST /v2/payouts`: begins one payout.
pub(super) async fn payout(
    State(context): State<Context<Pawapay>>,
    _: Authorized,
    body: SignedBody,
) -> Result<Response, Refusal> {
    let request = body.json()?;
    begin(&context, Kind::Payout, &request)
}

fn begin(context: &Context<Pawapay>, kind: Kind, request: &Value) -> Result<Response, Refusal> {
    let result = initiate(context, kind, request)?;
    match result {
        Initiated::Accepted(order) if order.new.script.hides_acceptance => {
            Ok(FORMAT.error(StatusCode::SERVICE_UNAVAILABLE))
        }
        result => Ok(respond(StatusCode::OK, result.body(kind, text(request, id_field(kind))))),
    }
}

/// `POST /v2/payouts/bulk`: each item on its own.
pub(super) async fn bulk_payouts(
    State(context): State<Context<Pawapay>>,
    _: Authorized,
    body: SignedBody,
) -> Result<Response, Refusal> {
    let request = body.json()?;
    let items = request.as_array().ok_or_else(|| {
        failure(StatusCode::BAD_REQUEST, "INVALID_INPUT", "The body is not an array.")
    })?;
    // A mistake in one item refuses all of them before the first is begun.
    for item in items {
        check_form(Kind::Payout, item)?;
    }
    let mut answers = Vec::new();
    for item in items {
        answers.push(
            initiate(&context, Kind::Payout, item)?.body(Kind::Payout, text(item, "payoutId")),
        );
    }
    Ok(respond(StatusCode::OK, answers.into()))
}

/// What became of a well-formed request.
pub(super) enum Initiated {
    Accepted(Box<Order>),
    Duplicate(Box<Order>),
    Rejected(&'static str, &'static str),
}

impl Initiated {
    pub(super) fn body(&self, kind: Kind, id: &str) -> Value {
        match self {
            Self::Accepted(order) => {
                let mut body = json!({
                    id_field(kind): id,
                    "status": "ACCEPTED",
                    "created": rfc3339(order.created),
                });
                if kind == Kind::Charge {
                    body["nextStep"] = "FINAL_STATUS".into();
                }
                body
            }
            Self::Duplicate(order) => {
                json!({
                    id_field(kind): id,
                    "status": "DUPLICATE_IGNORED",
                    "created": rfc3339(order.created),
                })
            }
            Self::Rejected(code, message) => json!({
                id_field(kind): id, "status": "REJECTED",
                "failureReason": {"failureCode": code, "failureMessage": message},
            }),
        }
    }
}

fn initiate(context: &Context<Pawapay>, kind: Kind, request: &Value) -> Result<Initiated, Refusal> {
    let shared = &context.shared;
    let id = check_form(kind, request)?;
    let existing = shared.orders().find(PLATFORM, kind, &id).cloned();
    // Otherwise the balance is checked below, and a repeat is recognised where the order is stored.
    if let Some(order) = existing.filter(|_| !shared.settings.balance_checked_first) {
        return Ok(Initiated::Duplicate(Box::new(order)));
    }
    let account =
        &request[if kind == Kind::Charge { "payer" } else { "recipient" }]["accountDetails"];
    let rejected = |code, message| Ok(Initiated::Rejected(code, message));
    let Some(network) = provider::network_of_provider(text(account, "provider")) else {
        return rejected("INVALID_PROVIDER", "The provider is not enabled.");
    };
    let phone = text(account, "phoneNumber");
    let is_number = phone.len() == 12
        && phone.starts_with("233")
        && phone.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return rejected(
            "INVALID_PHONE_NUMBER",
            "The phone number does not match the provider's format.",
        );
    }
    if text(request, "currency") != "GHS" {
        return rejected("INVALID_CURRENCY", "The provider does not support the currency.");
    }
    let Some(amount) = parse_amount(text(request, "amount")) else {
        return rejected("INVALID_AMOUNT", "The amount has the wrong number of decimals.");
    };
    let checked = check_provider(context, kind, network, amount);
    let first_phase = match checked {
        Ok(phase) => phase,
        Err((code, message)) => return rejected(code, message),
    };
    let new = NewOrder {
        operator: Operator::PAWAPAY,
        api_platform: PLATFORM,
        kind,
        reference: id,
        amount,
        currency: "GHS".to_owned(),
        phone: phone.to_owned(),
        network: Some(network),
        script: outcomes::script(phone, kind),
        first_phase,
        callback_url: None,
        refund_of: None,
        request: request.clone(),
    };
    Ok(store(shared, new))
}

/// Stores an order. Another request with the same id may have been first.
pub(super) fn store(shared: &Shared, new: NewOrder) -> Initiated {
    match lifecycle::accept(shared, new) {
        Ok(order) => Initiated::Accepted(Box::new(order)),
        Err(existing) => match shared.order(existing) {
            Some(order) => Initiated::Duplicate(Box::new(order)),
            None => Initiated::Rejected("UNKNOWN_ERROR", "The payment could not be stored."),
        },
    }
}

/// Whether the provider takes an order now, and in which phase it begins.
pub(super) fn check_provider(
    context: &Context<Pawapay>,
    kind: Kind,
    network: Network,
    amount: Amount,
) -> Result<Phase, (&'static str, &'static str)> {
    let Context { shared, protocol: pawapay } = context;
    if !provider::is_within_limits(amount) {
        return Err(("AMOUNT_OUT_OF_BOUNDS", "The amount is outside the provider's limits."));
    }
    let status = pawapay.provider_status(network, Operation::of(kind));
    if status == ProviderStatus::Closed
        || (status == ProviderStatus::Delayed && kind == Kind::Charge)
    {
        return Err((
            "PROVIDER_TEMPORARILY_UNAVAILABLE",
            "The provider is temporarily unavailable.",
        ));
    }
    if kind != Kind::Charge && shared.orders().float_pesewas(PLATFORM) < amount.pesewas() {
        return Err(("PAWAPAY_WALLET_OUT_OF_FUNDS", "The balance of the wallet is not enough."));
    }
    Ok(if status == ProviderStatus::Delayed { Phase::Enqueued } else { Phase::Accepted })
}
