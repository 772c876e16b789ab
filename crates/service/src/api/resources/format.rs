//! How values of resources are written as JSON.

use jiff::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use tua_contract::Amount;

/// A merchant's JSON object. It is stored as JSON text, which was checked when the request was read.
pub(super) fn metadata(text: Option<&str>) -> Option<&RawValue> {
    text.and_then(|text| serde_json::from_str(text).ok())
}

/// `ama@example.com` as `a***@example.com`.
pub(super) fn masked_email(email: &str) -> String {
    let (name, domain) = email.rsplit_once('@').unwrap_or((email, ""));
    let first: String = name.chars().take(1).collect();
    format!("{first}***@{domain}")
}

/// An amount as a JSON number, digit for digit.
pub(crate) fn exact<S: Serializer>(amount: &Amount, serializer: S) -> Result<S::Ok, S::Error> {
    RawValue::from_string(amount.to_string()).map_err(serde::ser::Error::custom)?.serialize(serializer)
}

pub(super) fn maybe_exact<S: Serializer>(amount: &Option<Amount>, serializer: S) -> Result<S::Ok, S::Error> {
    match amount {
        Some(amount) => exact(amount, serializer),
        None => serializer.serialize_none(),
    }
}

/// A sum in pesewas as GHS, digit for digit as an amount. It may be zero.
pub(super) fn maybe_sum<S: Serializer>(pesewas: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
    match pesewas.map(Amount::from_pesewas) {
        Some(Ok(amount)) => exact(&amount, serializer),
        Some(Err(_)) => serializer.serialize_i64(0),
        None => serializer.serialize_none(),
    }
}

/// A sum in pesewas as GHS, digit for digit as an amount. It may be larger than one amount.
pub(super) fn sum<S: Serializer>(pesewas: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    let text = match (pesewas / 100, pesewas % 100) {
        (cedis, 0) => cedis.to_string(),
        (cedis, rest) if rest % 10 == 0 => format!("{cedis}.{}", rest / 10),
        (cedis, rest) => format!("{cedis}.{rest:02}"),
    };
    RawValue::from_string(text).map_err(serde::ser::Error::custom)?.serialize(serializer)
}

/// A fee in pesewas as GHS, which may be zero.
pub(super) fn maybe_fee<S: Serializer>(pesewas: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
    match pesewas {
        Some(pesewas) => {
            let (sign, pesewas) = (if *pesewas < 0 { "-" } else { "" }, pesewas.unsigned_abs());
            let text = format!("{sign}{}.{:02}", pesewas / 100, pesewas % 100);
            RawValue::from_string(text).map_err(serde::ser::Error::custom)?.serialize(serializer)
        }
        None => serializer.serialize_none(),
    }
}

/// A time as ISO 8601 in UTC, to the millisecond.
pub(crate) fn iso<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{at:.3}"))
}

pub(super) fn maybe_iso<S: Serializer>(at: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    match at {
        Some(at) => iso(at, serializer),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Serialize)]
    struct Priced {
        #[serde(serialize_with = "exact")]
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
    fn an_address_keeps_its_first_letter_and_its_domain() {
        assert_eq!(masked_email("ama@example.com"), "a***@example.com");
    }
}
