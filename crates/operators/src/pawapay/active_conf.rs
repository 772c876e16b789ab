//! What pawaPay reports about the merchant's account: providers, limits, status, instructions.
//! Cached, and read again by [`tua_domain::ports::Operator::refresh`].

use super::{
    convert::CURRENCY,
    wire::{ActiveConfBody, OperationBody, ProviderBody, SignatureConfiguration},
};
use crate::exact::ExactText;
use serde_json::Value;
use std::collections::HashMap;
use tua_contract::{Amount, Network};
use tua_domain::{
    Kind,
    capabilities::{Availability, Service},
    prompt_instructions::PromptInstructions,
};

/// The account as pawaPay last reported it.
#[derive(Clone, Debug)]
pub(super) struct ActiveConf {
    /// Which messages are signed.
    pub signatures: SignatureConfiguration,
    /// Where callbacks go: each address that is set in pawaPay's dashboard, without repeats.
    pub callback_urls: Vec<String>,
    offers: HashMap<(Network, Kind), Offer>,
}

/// What one provider offers in one direction.
#[derive(Clone, Debug)]
struct Offer {
    provider: String,
    service: Service,
    availability: Availability,
    instructions: PromptInstructions,
}

impl ActiveConf {
    /// Reads the providers of Ghana.
    pub(super) fn from_body(body: ActiveConfBody) -> Self {
        let mut conf = Self {
            signatures: body.signature_configuration,
            callback_urls: Vec::new(),
            offers: HashMap::new(),
        };
        let ghana = body.countries.into_iter().filter(|country| country.country == "GHA");
        for provider in ghana.flat_map(|country| country.providers) {
            conf.add(provider);
        }
        conf
    }

    fn add(&mut self, body: ProviderBody) {
        let Some(network) = network(&body) else { return };
        let cedis = body.currencies.into_iter().filter(|currency| currency.currency == CURRENCY);
        for (name, operation) in cedis.flat_map(|currency| currency.operation_types) {
            if let Some(url) =
                operation.callback_url.as_ref().filter(|url| !self.callback_urls.contains(url))
            {
                self.callback_urls.push(url.clone());
            }
            let kind = match name.as_str() {
                "DEPOSIT" => Kind::Charge,
                "PAYOUT" => Kind::Payout,
                _ => continue,
            };
            let Some(offer) = offer(&body.provider, network, kind, &operation) else { continue };
            // A network that was renamed may have two providers for a time.
            let is_better = |other: &Offer| offer.availability < other.availability;
            if self.offers.get(&(network, kind)).is_none_or(is_better) {
                self.offers.insert((network, kind), offer);
            }
        }
    }

    /// What is served, with limits.
    pub(super) fn services(&self) -> Vec<Service> {
        self.offers.values().map(|offer| offer.service.clone()).collect()
    }

    /// Whether a network and direction are served now.
    pub(super) fn availability(&self, network: Network, kind: Kind) -> Availability {
        self.offers.get(&(network, kind)).map_or(Availability::Down, |offer| offer.availability)
    }

    /// The provider's name in orders.
    pub(super) fn provider(&self, network: Network, kind: Kind) -> Option<&str> {
        self.offers.get(&(network, kind)).map(|offer| offer.provider.as_str())
    }

    /// How a payer finds a prompt that did not appear.
    pub(super) fn instructions(&self, network: Network) -> PromptInstructions {
        self.offers
            .get(&(network, Kind::Charge))
            .map(|offer| offer.instructions.clone())
            .unwrap_or_default()
    }
}

/// The name of a network's provider, before pawaPay has reported it.
pub(super) const fn usual_provider(network: Network) -> &'static str {
    match network {
        Network::Mtn => "MTN_MOMO_GHA",
        Network::Telecel => "VODAFONE_GHA",
        Network::AirtelTigo => "AIRTELTIGO_GHA",
    }
}

/// The network of a provider: by the name in orders, where two networks have been renamed, or by
/// the displayed one.
fn network(body: &ProviderBody) -> Option<Network> {
    let shown = body.display_name.as_deref().unwrap_or_default().to_uppercase();
    let begins = |names: &[&str]| {
        names.iter().any(|name| body.provider.starts_with(name) || shown.starts_with(name))
    };
    [
        (Network::Mtn, ["MTN"].as_slice()),
        (Network::Telecel, &["TELECEL", "VODAFONE"]),
        (Network::AirtelTigo, &["AIRTELTIGO", "AT_", "AT MONEY", "TIGO"]),
    ]
    .into_iter()
    .find_map(|(network, names)| begins(names).then_some(network))
}

/// `None` where the limits are missing or are none.
fn offer(provider: &str, network: Network, kind: Kind, body: &OperationBody) -> Option<Offer> {
    let limit = |limit: Option<&ExactText>| Amount::parse(limit?.as_str()).ok();
    let amounts = limit(body.min_amount.as_ref())?..=limit(body.max_amount.as_ref())?;
    let availability = match (body.status.as_deref(), kind) {
        (Some("CLOSED"), _) => Availability::Down,
        // pawaPay rejects deposits meanwhile, and holds payouts back until the provider works
        // again.
        (Some("DELAYED"), Kind::Charge) => Availability::Down,
        (Some("DELAYED"), Kind::Payout) => Availability::Degraded,
        // OPERATIONAL, or a word that is not documented.
        (_, _) => Availability::Operational,
    };
    Some(Offer {
        provider: provider.to_owned(),
        service: Service { network, kind, amounts },
        availability,
        instructions: body.pin_prompt_instructions.as_ref().map(instructions).unwrap_or_default(),
    })
}

/// The steps of the first channel, as one text for each language.
fn instructions(body: &Value) -> PromptInstructions {
    let languages =
        body.pointer("/channels/0/instructions").and_then(Value::as_object).into_iter().flatten();
    languages
        .filter_map(|(language, steps)| Some((language.clone(), one_text(steps.as_array()?)?)))
        .collect()
}

fn one_text(steps: &[Value]) -> Option<String> {
    let steps = steps.iter().filter_map(|step| step.get("text")?.as_str());
    let steps = steps.map(|step| step.trim().trim_end_matches('.')).filter(|step| !step.is_empty());
    let text = steps.collect::<Vec<_>>().join(". ");
    (!text.is_empty()).then(|| format!("{text}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape of pawaPay's reference (2026-11), with the provider names of the sandbox and the
    /// newer ones.
    const BODY: &str = r#"{"companyName":"Adom","signatureConfiguration":{"signedRequestsOnly":true,"signedCallbacks":true},
        "countries":[{"country":"GHA","providers":[
        {"provider":"MTN_MOMO_GHA","displayName":"MTN","currencies":[{"currency":"GHS","operationTypes":{
            "DEPOSIT":{"minAmount":"1","maxAmount":"15000.00","status":"OPERATIONAL","callbackUrl":"https://a.example",
                "pinPromptInstructions":{"channels":[{"type":"USSD","instructions":{"en":[
                    {"text":"Dial *170# on your phone"},{"text":"Choose My Wallet."}],"fr":[{"text":"Composez"}]}}]}},
            "PAYOUT":{"minAmount":"2","maxAmount":"10000","status":"DELAYED","callbackUrl":"https://a.example"},
            "NEW":{"status":"OPERATIONAL"}}}]},
        {"provider":"VODAFONE_GHA","currencies":[{"currency":"GHS","operationTypes":{
            "DEPOSIT":{"minAmount":"1","maxAmount":"100","status":"CLOSED"}}}]},
        {"provider":"TELECEL_GHA","currencies":[{"currency":"GHS","operationTypes":{
            "DEPOSIT":{"minAmount":"1","maxAmount":"200","status":"OPERATIONAL"}}},
            {"currency":"USD","operationTypes":{"PAYOUT":{"minAmount":"1","maxAmount":"2"}}}]},
        {"provider":"AT_GHA","currencies":[{"currency":"GHS","operationTypes":{
            "DEPOSIT":{"minAmount":"1","maxAmount":"200","status":"DELAYED"},"PAYOUT":{"minAmount":"1"}}}]}
        ]},{"country":"ZMB","providers":[{"provider":"MTN_MOMO_ZMB","currencies":[{"currency":"GHS",
            "operationTypes":{"DEPOSIT":{"minAmount":"1","maxAmount":"2"}}}]}]}]}"#;

    #[test]
    fn providers_limits_and_status_are_read() {
        let conf = ActiveConf::from_body(serde_json::from_str(BODY).unwrap());
        assert!(conf.signatures.signed_requests_only && conf.signatures.signed_callbacks);
        assert_eq!(conf.callback_urls, ["https://a.example"]);
        let limits = |network, kind| {
            let services = conf.services();
            let service =
                services.iter().find(|service| service.network == network && service.kind == kind);
            service
                .map(|service| (service.amounts.start().pesewas(), service.amounts.end().pesewas()))
        };
        assert_eq!(limits(Network::Mtn, Kind::Charge), Some((100, 1_500_000)));
        assert_eq!(limits(Network::Mtn, Kind::Payout), Some((200, 1_000_000)));
        assert_eq!(limits(Network::Telecel, Kind::Charge), Some((100, 20_000)));
        assert_eq!(limits(Network::Telecel, Kind::Payout), None);
        assert_eq!(limits(Network::AirtelTigo, Kind::Payout), None);
        assert_eq!(conf.provider(Network::Telecel, Kind::Charge), Some("TELECEL_GHA"));
        assert_eq!(conf.availability(Network::Mtn, Kind::Charge), Availability::Operational);
        assert_eq!(conf.availability(Network::Mtn, Kind::Payout), Availability::Degraded);
        assert_eq!(conf.availability(Network::AirtelTigo, Kind::Charge), Availability::Down);
        assert_eq!(conf.availability(Network::Telecel, Kind::Payout), Availability::Down);
        let instructions = conf.instructions(Network::Mtn);
        assert_eq!(instructions.text("en"), Some("Dial *170# on your phone. Choose My Wallet."));
        assert_eq!(instructions.text("fr"), Some("Composez."));
        assert!(conf.instructions(Network::Telecel).is_empty());
    }
}
