//! What the merchant may do: providers, limits, their status, balances.

use super::{Authorized, PLATFORM, failure, signatures::OperatorKey, statements::Statement};
use crate::{
    lifecycle,
    operator::Operator,
    phase::{Kind, Phase},
    state::Shared,
    wire::{Refusal, pesewas_text, respond, text},
};
use axum::{
    Json,
    extract::{Query, State},
    http::StatusCode,
    response::Response,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};
use tua_contract::{Amount, Network, Phone};

/// An operation that a provider offers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// Money from a customer.
    Deposit,
    /// Money to a customer.
    Payout,
    /// A deposit's money back to its payer.
    Refund,
}

impl Operation {
    /// All operations, in the order of the answers.
    pub const ALL: [Self; 3] = [Self::Deposit, Self::Payout, Self::Refund];

    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deposit => "DEPOSIT",
            Self::Payout => "PAYOUT",
            Self::Refund => "REFUND",
        }
    }

    pub(super) const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Charge => Self::Deposit,
            Kind::Payout => Self::Payout,
            Kind::Refund => Self::Refund,
        }
    }
}

/// How a provider works at present.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProviderStatus {
    /// As usual.
    Operational,
    /// Deposits are rejected; payouts and refunds wait until it is operational.
    Delayed,
    /// Everything is rejected.
    Closed,
}

impl ProviderStatus {
    /// All statuses.
    pub const ALL: [Self; 3] = [Self::Operational, Self::Delayed, Self::Closed];

    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Operational => "OPERATIONAL",
            Self::Delayed => "DELAYED",
            Self::Closed => "CLOSED",
        }
    }
}

/// What pawaPay remembers besides orders.
#[derive(Debug)]
pub(crate) struct PawapayState {
    statuses: Mutex<HashMap<(Network, Operation), ProviderStatus>>,
    pub(super) statements: Mutex<Vec<Statement>>,
    /// The key that signs callbacks; `None` if it cannot be read.
    pub(super) key: Option<OperatorKey>,
}

impl PawapayState {
    pub(crate) fn new() -> Self {
        Self { statuses: Mutex::default(), statements: Mutex::default(), key: OperatorKey::load() }
    }

    pub(crate) fn provider_status(&self, network: Network, operation: Operation) -> ProviderStatus {
        let statuses = self.statuses.lock().unwrap_or_else(PoisonError::into_inner);
        statuses.get(&(network, operation)).copied().unwrap_or(ProviderStatus::Operational)
    }
}

/// Changes a provider's status. Orders that wait go on when it is operational.
pub(crate) fn set_provider_status(
    shared: &Shared,
    network: Network,
    operation: Operation,
    status: ProviderStatus,
) {
    let mut statuses = shared.pawapay.statuses.lock().unwrap_or_else(PoisonError::into_inner);
    statuses.insert((network, operation), status);
    drop(statuses);
    if status != ProviderStatus::Operational {
        return;
    }
    let waiting = {
        let orders = shared.orders();
        let of_provider = orders.iter().filter(|order| {
            order.new.platform == PLATFORM
                && order.new.network == Some(network)
                && Operation::of(order.new.kind) == operation
                && order.phase == Phase::Enqueued
        });
        of_provider.map(|order| (order.id, order.new.script.after)).collect::<Vec<_>>()
    };
    for (id, after) in waiting {
        lifecycle::set_phase(shared, id, Phase::Processing);
        lifecycle::plan_outcome(shared, id, after);
    }
}

/// pawaPay's code of a network in Ghana.
pub(super) const fn provider(network: Network) -> &'static str {
    match network {
        Network::Mtn => "MTN_MOMO_GHA",
        Network::Telecel => "VODAFONE_GHA",
        Network::AirtelTigo => "AIRTELTIGO_GHA",
    }
}

/// The network of pawaPay's code.
pub(super) fn network(code: &str) -> Option<Network> {
    Network::ALL.into_iter().find(|network| provider(*network) == code)
}

/// The smallest and the largest amount of an operation, in cedis.
const LIMITS: (&str, &str) = ("1", "15000");

/// Whether an amount is within the provider's limits.
pub(super) fn is_within_limits(amount: Amount) -> bool {
    let limit = |text| Amount::parse(text).map_or(0, Amount::pesewas);
    (limit(LIMITS.0)..=limit(LIMITS.1)).contains(&amount.pesewas())
}

/// The filters of what is listed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Filter {
    country: Option<String>,
    operation_type: Option<String>,
}

impl Filter {
    fn has_ghana(&self) -> bool {
        self.country.as_ref().is_none_or(|country| country == "GHA")
    }

    fn operations(&self) -> impl Iterator<Item = Operation> {
        let wanted = self.operation_type.as_deref();
        Operation::ALL
            .into_iter()
            .filter(move |operation| wanted.is_none_or(|wanted| wanted == operation.as_str()))
    }
}

/// `GET /v2/active-conf`.
pub(super) async fn active_conf(
    State(shared): State<Shared>,
    _: Authorized,
    Query(filter): Query<Filter>,
) -> Response {
    let providers = Network::ALL.map(|network| {
        let operations = filter.operations().map(|operation| {
            (operation.as_str().to_owned(), operation_conf(&shared, network, operation))
        });
        json!({
            "provider": provider(network),
            "displayName": display_name(network),
            "logo": format!("https://static-content.pawapay.io/company_logos/{}.png", display_name(network).to_lowercase()),
            "nameDisplayedToCustomer": "EMULATED MERCHANT",
            "currencies": [
                {
                    "currency": "GHS",
                    "displayName": "GH₵",
                    "operationTypes": operations.collect::<Map<_, _>>(),
                },
            ],
        })
    });
    let ghana = json!({
        "country": "GHA", "displayName": {"en": "Ghana", "fr": "Ghana"}, "prefix": "233",
        "flag": "https://static-content.pawapay.io/country_flags/gha.svg", "providers": providers,
    });
    let countries = if filter.has_ghana() { vec![ghana] } else { Vec::new() };
    let body = json!({
        "companyName": "Emulated merchant",
        "signatureConfiguration": {
            "signedRequestsOnly": shared.settings.pawapay_signed_requests_only,
            "signedCallbacks": shared.settings.pawapay_signed_callbacks,
        },
        "countries": countries,
    });
    respond(StatusCode::OK, body)
}

const fn display_name(network: Network) -> &'static str {
    match network {
        Network::Mtn => "MTN",
        Network::Telecel => "Telecel",
        Network::AirtelTigo => "AT",
    }
}

fn operation_conf(shared: &Shared, network: Network, operation: Operation) -> Value {
    let mut conf = json!({
        "minAmount": LIMITS.0, "maxAmount": LIMITS.1, "decimalsInAmount": "TWO_PLACES",
        "status": shared.pawapay.provider_status(network, operation).as_str(),
        "callbackUrl": shared.callback_url(Operator::Pawapay),
    });
    if operation == Operation::Deposit {
        conf["authType"] = "PROVIDER_AUTH".into();
        conf["pinPrompt"] = "AUTOMATIC".into();
        conf["pinPromptRevivable"] = true.into();
        conf["pinPromptInstructions"] = json!({"channels": [instructions(network)]});
    }
    conf
}

/// How a payer finds a prompt that did not appear.
fn instructions(network: Network) -> Value {
    let (short_code, menu) = match network {
        Network::Mtn => ("*170#", "Choose My Wallet, then My Approvals"),
        Network::Telecel => ("*110#", "Choose My Account, then Approvals"),
        Network::AirtelTigo => ("*110#", "Choose My Wallet, then Approvals"),
    };
    let (dial_en, dial_fr) =
        ("Dial {{shortCode}} on your phone", "Composez {{shortCode}} sur votre téléphone");
    let step = |template: &str| {
        json!({
            "text": template.replace("{{shortCode}}", short_code),
            "template": template,
        })
    };
    json!({
        "type": "USSD",
        "displayName": {"en": "Did not get the PIN prompt?", "fr": "Pas de demande de code PIN ?"},
        "quickLink": format!("tel:{}", short_code.replace('#', "%23")),
        "variables": {"shortCode": short_code},
        "instructions": {
            "en": [step(dial_en), step(menu), step("Enter PIN")],
            "fr": [step(dial_fr), step("Choisissez les approbations"), step("Entrez le code PIN")],
        },
    })
}

/// `GET /v2/availability`.
pub(super) async fn availability(
    State(shared): State<Shared>,
    _: Authorized,
    Query(filter): Query<Filter>,
) -> Response {
    let providers = Network::ALL.map(|network| {
        let operations = filter.operations().map(|operation| {
            json!({"operationType": operation.as_str(),
                "status": shared.pawapay.provider_status(network, operation).as_str()})
        });
        json!({"provider": provider(network), "operationTypes": operations.collect::<Vec<_>>()})
    });
    let ghana = json!({"country": "GHA", "providers": providers});
    respond(StatusCode::OK, if filter.has_ghana() { json!([ghana]) } else { json!([]) })
}

/// `POST /v2/predict-provider`.
pub(super) async fn predict_provider(
    _: Authorized,
    Json(request): Json<Value>,
) -> Result<Response, Refusal> {
    let phone = Phone::parse_typed(text(&request, "phoneNumber")).ok();
    let predicted = phone.and_then(|phone| Some((Network::hinted_by(&phone)?, phone)));
    let (network, phone) = predicted.ok_or_else(|| {
        let message = "Phone number does not match any provider's format";
        failure(StatusCode::BAD_REQUEST, "INVALID_PARAMETER", message)
    })?;
    let number = crate::wire::international(phone.as_str());
    let body = json!({"country": "GHA", "provider": provider(network), "phoneNumber": number});
    Ok(respond(StatusCode::OK, body))
}

/// `GET /v2/wallet-balances`.
pub(super) async fn wallet_balances(
    State(shared): State<Shared>,
    _: Authorized,
    Query(filter): Query<Filter>,
) -> Response {
    let balance = pesewas_text(shared.orders().float_pesewas(PLATFORM));
    let ghana = json!({"country": "GHA", "balance": balance, "currency": "GHS", "provider": ""});
    let balances = if filter.has_ghana() { vec![ghana] } else { Vec::new() };
    respond(StatusCode::OK, json!({"balances": balances}))
}
