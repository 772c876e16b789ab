//! What the merchant may do: providers, limits, their status, balances.

use super::{
    access::Authorized,
    provider::{MAX_AMOUNT, MIN_AMOUNT, Operation, PLATFORM, provider_code},
    responses::failure,
    settings::PawapaySettings,
    state::Pawapay,
};
use crate::{
    extract::{Body, Query},
    operator::Operator,
    protocol::{Context, Shared},
    wire::{Refusal, pesewas_text, respond, text},
};
use axum::{extract::State, http::StatusCode, response::Response};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use tua_contract::{Network, Phone};

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

/// `GET /v2/active-conf`: what the merchant may do with each provider.
pub(super) async fn active_conf(
    State(context): State<Context<Pawapay>>,
    _: Authorized,
    Query(filter): Query<Filter>,
) -> Response {
    let providers = Network::ALL.map(|network| {
        let operations = filter.operations().map(|operation| {
            (operation.as_str().to_owned(), operation_conf(&context, network, operation))
        });
        json!({
            "provider": provider_code(network),
            "displayName": display_name(network),
            "logo": logo(network),
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
    let settings = context.shared.settings.operators.get::<PawapaySettings>();
    let body = json!({
        "companyName": "Emulated merchant",
        "signatureConfiguration": {
            "signedRequestsOnly": settings.signed_requests_only,
            "signedCallbacks": settings.signed_callbacks,
        },
        "countries": countries,
    });
    respond(StatusCode::OK, body)
}

fn logo(network: Network) -> String {
    let name = display_name(network).to_lowercase();
    format!("https://static-content.pawapay.io/company_logos/{name}.png")
}

const fn display_name(network: Network) -> &'static str {
    match network {
        Network::Mtn => "MTN",
        Network::Telecel => "Telecel",
        Network::AirtelTigo => "AT",
    }
}

fn operation_conf(context: &Context<Pawapay>, network: Network, operation: Operation) -> Value {
    let mut conf = json!({
        "minAmount": MIN_AMOUNT, "maxAmount": MAX_AMOUNT, "decimalsInAmount": "TWO_PLACES",
        "status": context.protocol.provider_status(network, operation).as_str(),
        "callbackUrl": context.shared.callback_url(Operator::PAWAPAY),
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
    let dial_en = "Dial {{shortCode}} on your phone";
    let dial_fr = "Composez {{shortCode}} sur votre téléphone";
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

/// `GET /v2/availability`: how each provider works at present.
pub(super) async fn availability(
    State(pawapay): State<Arc<Pawapay>>,
    _: Authorized,
    Query(filter): Query<Filter>,
) -> Response {
    let providers = Network::ALL.map(|network| {
        let operations = filter.operations().map(|operation| {
            json!({"operationType": operation.as_str(),
                "status": pawapay.provider_status(network, operation).as_str()})
        });
        let operations: Vec<_> = operations.collect();
        json!({"provider": provider_code(network), "operationTypes": operations})
    });
    let ghana = json!({"country": "GHA", "providers": providers});
    respond(StatusCode::OK, if filter.has_ghana() { json!([ghana]) } else { json!([]) })
}

/// `POST /v2/predict-provider`: the provider of a number, by its prefix.
pub(super) async fn predict_provider(
    _: Authorized,
    Body(request): Body,
) -> Result<Response, Refusal> {
    let phone = Phone::parse_typed(text(&request, "phoneNumber")).ok();
    let predicted = phone.and_then(|phone| Some((Network::hinted_by(&phone)?, phone)));
    let (network, phone) = predicted.ok_or_else(|| {
        let message = "Phone number does not match any provider's format";
        failure(StatusCode::BAD_REQUEST, "INVALID_PARAMETER", message)
    })?;
    let number = crate::wire::international(phone.as_str());
    let body = json!({"country": "GHA", "provider": provider_code(network), "phoneNumber": number});
    Ok(respond(StatusCode::OK, body))
}

/// `GET /v2/wallet-balances`: the merchant's balance.
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
