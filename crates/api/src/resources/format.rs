//! How values of resources are written as JSON.

use jiff::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use tua_contract::Amount;

/// A merchant's JSON object. It is stored as JSON text, which was checked when the request was
/// read.
pub(super) fn metadata(text: Option<&str>) -> Option<&RawValue> {
    text.and_then(|text| serde_json::from_str(text).ok())
}

/// Masks an e-mail address: `ama@example.com` becomes `a***@example.com`.
pub(super) fn masked_email(email: &str) -> String {
    let (name, domain) = email.rsplit_once('@').unwrap_or((email, ""));
    let first: String = name.chars().take(1).collect();
    format!("{first}***@{domain}")
}

/// An amount as a JSON number in its shortest decimal form, not through `f64`.
pub fn json_number<S: Serializer>(amount: &Amount, serializer: S) -> Result<S::Ok, S::Error> {
    RawValue::from_string(amount.to_string())
        .map_err(serde::ser::Error::custom)?
        .serialize(serializer)
}

pub(super) fn optional_json_number<S: Serializer>(
    amount: &Option<Amount>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match amount {
        Some(amount) => json_number(amount, serializer),
        None => serializer.serialize_none(),
    }
}

/// A number of pesewas as a JSON number in cedis, in its shortest decimal form. It may be zero or
/// negative, and larger than `Amount::MAX_PESEWAS`.
pub(super) fn pesewas_as_cedis<S: Serializer>(
    pesewas: &i64,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let sign = if *pesewas < 0 { "-" } else { "" };
    let pesewas = pesewas.unsigned_abs();
    let text = match (pesewas / 100, pesewas % 100) {
        (cedis, 0) => format!("{sign}{cedis}"),
        (cedis, rest) if rest % 10 == 0 => format!("{sign}{cedis}.{}", rest / 10),
        (cedis, rest) => format!("{sign}{cedis}.{rest:02}"),
    };
    RawValue::from_string(text).map_err(serde::ser::Error::custom)?.serialize(serializer)
}

/// An optional sum in pesewas as GHS, as [`pesewas_as_cedis`] writes it.
pub(super) fn optional_pesewas_as_cedis<S: Serializer>(
    pesewas: &Option<i64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match pesewas {
        Some(pesewas) => pesewas_as_cedis(pesewas, serializer),
        None => serializer.serialize_none(),
    }
}

/// A time as ISO 8601 in UTC, to the millisecond.
pub fn rfc3339<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{at:.3}"))
}

pub(super) fn optional_rfc3339<S: Serializer>(
    at: &Option<Timestamp>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match at {
        Some(at) => rfc3339(at, serializer),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Serialize)]
    struct Priced {
        #[serde(serialize_with = "json_number")]
        amount: Amount,
    }

    proptest! {
        #[test]
        fn every_amount_is_written_digit_for_digit(pesewas in 1..=Amount::MAX_PESEWAS) {
            let amount = Amount::from_pesewas(pesewas).unwrap();
            let json = serde_json::to_string(&Priced { amount }).unwrap();
            prop_assert_eq!(json, format!("{{\"amount\":{amount}}}"));
        }
    }

    #[test]
    fn a_sum_has_no_zeros_at_its_end() {
        #[derive(Serialize)]
        struct Fee(#[serde(serialize_with = "optional_pesewas_as_cedis")] Option<i64>);
        let fees = [Some(120), Some(5), Some(0), Some(-50), Some(300), Some(250_000_000_000), None]
            .map(Fee);
        assert_eq!(serde_json::to_string(&fees).unwrap(), "[1.2,0.05,0,-0.5,3,2500000000,null]");
    }

    #[test]
    fn an_address_keeps_its_first_letter_and_its_domain() {
        assert_eq!(masked_email("ama@example.com"), "a***@example.com");
    }
}
