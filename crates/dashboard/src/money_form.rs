//! The fields that the forms about money have in common, and what is wrong with them.

use super::{
    error::DashboardError, fields::Fields, language::Language, money::Cedis, state::DashboardState,
    views, visitor::Visitor,
};
use minijinja::{Value, context};
use std::{collections::BTreeMap, fmt::Display};
use tua_contract::{Amount, Network, Phone};
use tua_domain::{
    Kind, Transfer, capabilities::Availability, idempotency::RepeatError,
    payout_batch::BatchLimitExceeded, payout_controls::LimitExceeded, ports::BeginError,
    rate_limit::Exceeded, routing::RouteError, transfer::is_note,
};

/// The text about a fault of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FieldFault {
    key: &'static str,
    from: Value,
    to: Value,
}

impl FieldFault {
    pub(super) fn key(key: &'static str) -> Self {
        Self { key, from: Value::from(""), to: Value::from("") }
    }

    /// A text with a number in it.
    pub(super) fn with(key: &'static str, from: impl Display) -> Self {
        Self { from: Value::from(from.to_string()), ..Self::key(key) }
    }

    /// A text that says how long a person has to wait.
    pub(super) fn limited(key: &'static str, exceeded: Exceeded) -> Self {
        Self::with(key, exceeded.0.reset.div_ceil(60))
    }

    pub(super) fn value(&self) -> Value {
        context! { key => self.key, from => &self.from, to => &self.to }
    }
}

/// What is wrong with a form: by the name of the field; with an empty name for the form itself.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Faults(BTreeMap<&'static str, FieldFault>);

impl Faults {
    pub(super) fn of(field: &'static str, fault: FieldFault) -> Self {
        Self(BTreeMap::from([(field, fault)]))
    }

    pub(super) fn add(&mut self, field: &'static str, key: &'static str) {
        self.0.insert(field, FieldFault::key(key));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fault of the form itself.
    pub(super) fn of_form(&self) -> Option<Value> {
        self.0.get("").map(FieldFault::value)
    }

    /// The fields as the page shows them.
    pub(super) fn fields<'a>(
        &self,
        typed: impl IntoIterator<Item = (&'static str, &'a str)>,
    ) -> BTreeMap<&'static str, Value> {
        let field = |(name, value): (&'static str, &str)| {
            let fault = self.0.get(name).map(FieldFault::value);
            (name, context! { value, fault })
        };
        typed.into_iter().map(field).collect()
    }

    /// Why a charge or payout was not begun.
    ///
    /// # Errors
    /// The store failed.
    pub(super) fn of_begin(error: BeginError) -> Result<Self, DashboardError> {
        Ok(match error {
            BeginError::Unroutable(error) => Self::of_route(&error),
            BeginError::Exceeded(exceeded) => {
                Self::of("phoneNumber", FieldFault::limited("money-fault-prompts", exceeded))
            }
            BeginError::AccountSuspended => Self::of("", FieldFault::key("money-fault-suspended")),
            BeginError::LimitExceeded(LimitExceeded::Single(_)) => {
                Self::of("amount", FieldFault::key("money-fault-limit"))
            }
            BeginError::LimitExceeded(LimitExceeded::Daily { .. }) => {
                Self::of("amount", FieldFault::key("money-fault-day-limit"))
            }
            BeginError::Repeat(RepeatError::KeyReused) => {
                Self::of("", FieldFault::key("money-fault-sent"))
            }
            BeginError::Store(error) => return Err(error.into()),
            _ => Self::of("", FieldFault::key("money-fault-later")),
        })
    }

    /// Why no operator takes a payment.
    pub(super) fn of_route(error: &RouteError) -> Self {
        match error {
            RouteError::AmountOutOfRange(range) => {
                let cedis = |amount: &Amount| views::cedis(amount.pesewas());
                let from = cedis(range.start());
                let to = cedis(range.end());
                Self::of("amount", FieldFault { key: "money-fault-amount-range", from, to })
            }
            RouteError::NetworkEnded(_) => {
                Self::of("network", FieldFault::key("money-fault-network-ended"))
            }
            RouteError::NetworkUnavailable => {
                Self::of("network", FieldFault::key("money-fault-network"))
            }
            RouteError::NoOperator(_) => {
                Self::of("network", FieldFault::key("money-fault-no-operator"))
            }
        }
    }

    /// The limit that a payout exceeds.
    pub(super) fn of_limit(exceeded: &BatchLimitExceeded) -> Self {
        let key = match exceeded {
            BatchLimitExceeded::Lines(_) => "money-fault-limit",
            BatchLimitExceeded::Daily(_) => "money-fault-day-limit",
        };
        Self::of("amount", FieldFault::key(key))
    }
}

/// Number, network and amount as a person types them.
#[derive(Clone, Default, Debug)]
pub(super) struct MoneyForm {
    pub(super) phone: String,
    /// Empty for the network to which the number belongs.
    pub(super) network: String,
    pub(super) amount: String,
}

impl MoneyForm {
    pub(super) fn with_amount(self, amount: String) -> Self {
        Self { amount, ..self }
    }

    pub(super) fn of(fields: &Fields) -> Self {
        let get = |name| fields.get(name).trim().to_owned();
        Self { phone: get("phoneNumber"), network: get("network"), amount: get("amount") }
    }

    /// The form about another transfer like this one, as the language of the page writes sums.
    pub(super) fn like(
        language: Language,
        network: Network,
        phone: &Phone,
        amount: Amount,
    ) -> Self {
        Self {
            phone: grouped(phone),
            network: network.as_str().to_owned(),
            amount: Cedis::of(amount).text(language),
        }
    }

    /// The transfer; `None` after a fault was added.
    pub(super) fn read(&self, kind: Kind, faults: &mut Faults) -> Option<Transfer> {
        let phone = Phone::parse_typed(&self.phone).ok();
        if phone.is_none() {
            let is_missing = self.phone.is_empty();
            let key = if is_missing { "money-fault-missing" } else { "money-fault-phone" };
            faults.add("phoneNumber", key);
        }
        let amount = read_amount(&self.amount);
        if amount.is_none() {
            let is_missing = self.amount.is_empty();
            let key = if is_missing { "money-fault-missing" } else { "money-fault-amount" };
            faults.add("amount", key);
        }
        let network = match self.network.as_str() {
            "" => phone.as_ref().and_then(Network::hinted_by),
            chosen => Network::parse(chosen),
        };
        // Without a number, its network is not missing.
        if network.is_none() && (phone.is_some() || !self.network.is_empty()) {
            faults.add("network", "money-fault-network-unknown");
        }
        Some(Transfer { kind, amount: amount?, network: network?, phone: phone? })
    }
}

/// An amount as people type it. A comma before three digits divides thousands, as on every page: an
/// amount has two decimals at most.
fn read_amount(typed: &str) -> Option<Amount> {
    let read = Amount::parse_typed(typed);
    let end = typed.rfind(|one: char| one.is_ascii_digit()).map_or(0, |last| last + 1);
    let (number, rest) = typed.split_at(end);
    let has_thousands = number.contains(',') && !number.contains('.');
    match read {
        Err(_) if has_thousands => Amount::parse_typed(&format!("{number}.00{rest}")).ok(),
        read => read.ok(),
    }
}

/// A note; `None` where it is left empty. A fault is added where the text cannot be a note.
pub(super) fn read_note(field: &'static str, text: &str, faults: &mut Faults) -> Option<String> {
    if !is_note(text) {
        faults.add(field, "money-fault-text");
    }
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

/// The networks on which the account can charge or pay now, in this mode. Empty without an
/// operator.
pub(super) fn networks(state: &DashboardState, visitor: &Visitor, kind: Kind) -> Vec<Value> {
    let services = state.networks.services(&visitor.scope, false).into_iter();
    let served = services.filter_map(|(network, charges, payouts)| {
        let service = if kind == Kind::Charge { charges } else { payouts };
        service.permitted_range.as_ref()?;
        let is_down = service.availability == Availability::Down;
        Some(context! { code => network.as_str(), is_down })
    });
    served.collect()
}

/// The network of each prefix of a number, in JSON, for the page's script.
pub(super) fn prefixes() -> String {
    let prefixes = (0..100).filter_map(|digits| {
        let prefix = format!("0{digits:02}");
        let network = Network::hinted_by_prefix(&prefix)?;
        Some(format!("\"{prefix}\":\"{}\"", network.as_str()))
    });
    format!("{{{}}}", prefixes.collect::<Vec<_>>().join(","))
}

/// A number as people in Ghana write it: `024 123 4567`.
pub(super) fn grouped(phone: &Phone) -> String {
    let digits = phone.as_str();
    format!("{} {} {}", &digits[..3], &digits[3..6], &digits[6..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::LANGUAGES;

    fn form(phone: &str, network: &str, amount: &str) -> MoneyForm {
        MoneyForm { phone: phone.into(), network: network.into(), amount: amount.into() }
    }

    #[test]
    fn the_network_is_that_of_the_number_unless_another_is_chosen() {
        for (phone, network, expected) in [
            ("024 123 4567", "", Network::Mtn),
            ("+233 20 123 4567", "", Network::Telecel),
            ("0271234567", "", Network::AirtelTigo),
            ("0241234567", "TELECEL", Network::Telecel),
        ] {
            let mut faults = Faults::default();
            let read = form(phone, network, "20").read(Kind::Charge, &mut faults).unwrap();
            assert_eq!(read.network, expected, "{phone} {network}");
            assert!(faults.is_empty());
        }
    }

    #[test]
    fn what_a_page_shows_can_be_typed() {
        for typed in
            ["1,200.00", "1,200", "GH₵ 1,200", "1,200 cedis", "1200", "1 200,00", "1200.00 GH₵"]
        {
            let mut faults = Faults::default();
            let read = form("0241234567", "", typed).read(Kind::Charge, &mut faults);
            assert_eq!(read.map(|one| one.amount.pesewas()), Some(120_000), "{typed}");
        }
        for typed in ["1,20,000", "0,500", "1,2345", "1.200", "10 50", ",", ""] {
            assert_eq!(read_amount(typed), None, "{typed}");
        }
        let phone = Phone::parse("0241234567").unwrap();
        let amount = Amount::from_pesewas(120_050).unwrap();
        for language in LANGUAGES {
            let shown = MoneyForm::like(language, Network::Telecel, &phone, amount);
            let read = shown.read(Kind::Payout, &mut Faults::default()).unwrap();
            assert_eq!(
                (read.amount, &read.phone, read.network),
                (amount, &phone, Network::Telecel)
            );
        }
    }

    #[test]
    fn every_fault_is_found_at_once() {
        let mut faults = Faults::default();
        assert_eq!(form("12", "VODAFONE", "-3").read(Kind::Charge, &mut faults), None);
        assert_eq!(read_note("message", "two\nlines", &mut faults).as_deref(), Some("two\nlines"));
        let names: Vec<&str> = faults.0.keys().copied().collect();
        assert_eq!(names, ["amount", "message", "network", "phoneNumber"]);
    }

    #[test]
    fn a_fault_of_the_route_is_shown_at_its_field() {
        let cedis = |pesewas| Amount::from_pesewas(pesewas).unwrap();
        let range = RouteError::AmountOutOfRange(cedis(100)..=cedis(500_000));
        for (error, field, expected) in [
            (range, "amount", ("money-fault-amount-range", "1.00", "5,000.00")),
            (RouteError::NetworkUnavailable, "network", ("money-fault-network", "", "")),
            (
                RouteError::NoOperator(tua_domain::Mode::Live),
                "network",
                ("money-fault-no-operator", "", ""),
            ),
            (
                RouteError::NetworkEnded(Network::AirtelTigo),
                "network",
                ("money-fault-network-ended", "", ""),
            ),
        ] {
            let faults = Faults::of_route(&error);
            let fault = &faults.0[field];
            let text = |value: &Value| match value.downcast_object_ref::<Cedis>() {
                Some(cedis) => cedis.text(Language::English),
                None => value.to_string(),
            };
            assert_eq!((fault.key, &*text(&fault.from), &*text(&fault.to)), expected);
        }
    }

    #[test]
    fn the_script_gets_the_prefixes_of_the_contract() {
        let prefixes = prefixes();
        assert!(prefixes.contains(r#""024":"MTN""#) && prefixes.contains(r#""057":"AIRTELTIGO""#));
        assert!(!prefixes.contains("\"030\""), "a fixed line: {prefixes}");
    }
}
