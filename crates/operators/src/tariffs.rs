//! Reads what an operator charges: `[[operators.NAME.tariffs]]` and `[[sandbox.tariffs]]`
//! (docs/reference/quotes.md).

use super::{minor_units::minor_units, settings::SettingsReader};
use jiff::civil::Date;
use toml::Table;
use tua_contract::{Amount, Network};
use tua_domain::{
    Kind,
    tariff::{Bearer, Percentage, Tariff, Tariffs},
};

/// Reads the list `tariffs` of an operator.
pub fn read_tariffs(reader: &mut SettingsReader) -> Tariffs {
    let mut tariffs = Vec::new();
    let mut positions = Vec::new();
    for (position, mut table) in reader.tables("tariffs").into_iter().enumerate() {
        if let Some(tariff) = read_tariff(&mut table) {
            tariffs.push(tariff);
            positions.push(position);
        }
        reader.close(table);
    }
    match Tariffs::new(tariffs) {
        Ok(tariffs) => tariffs,
        Err(index) => {
            let fault = "two tariffs begin on the same day for the same direction and network";
            let position = positions.get(index).copied().unwrap_or(index);
            reader.fault(&format!("tariffs[{position}]"), fault);
            Tariffs::default()
        }
    }
}

/// Reads the table `sandbox` of the settings file.
///
/// # Errors
/// Every fault, each as a sentence that names the setting.
pub fn read_sandbox(table: Option<Table>) -> Result<Tariffs, Vec<String>> {
    let mut reader = SettingsReader::new("sandbox".to_owned(), table.unwrap_or_default());
    let tariffs = read_tariffs(&mut reader);
    let faults = reader.finish();
    if faults.is_empty() { Ok(tariffs) } else { Err(faults) }
}

/// A tariff; `None` where something is wrong, which the reader has then.
fn read_tariff(reader: &mut SettingsReader) -> Option<Tariff> {
    let kind = reader.choice("direction", &[("charge", Kind::Charge), ("payout", Kind::Payout)]);
    let networks = read_networks(reader);
    let has_fee = reader.has("percent") || reader.has("fixed");
    let percent = read_value(reader, "percent", str::parse::<Percentage>);
    let [fixed, min, cap] = ["fixed", "min", "cap"].map(|key| read_value(reader, key, read_sum));
    let bearers = Bearer::ALL.iter().map(|bearer| (bearer.as_str(), *bearer)).collect::<Vec<_>>();
    let bearer = reader.optional_choice("bearer", &bearers, Bearer::Merchant);
    let from = read_value(reader, "from", read_date);
    if !has_fee {
        reader.fault("percent", "is required, or fixed");
    }
    if let (Ok(Some(min)), Ok(Some(cap))) = (min, cap)
        && min > cap
    {
        reader.fault("cap", "is below min");
    }
    if (kind, bearer) == (Some(Kind::Payout), Some(Bearer::Payer)) {
        reader.fault("bearer", "the merchant bears the fee of a payout");
    }
    has_fee.then_some(())?;
    Some(Tariff {
        kind: kind?,
        networks: networks?,
        percent: percent.ok()?.unwrap_or_default(),
        fixed_pesewas: fixed.ok()?.unwrap_or_default(),
        min_pesewas: min.ok()?,
        cap_pesewas: cap.ok()?,
        bearer: bearer?,
        from: from.ok()?.unwrap_or(Date::MIN),
    })
}

fn read_networks(reader: &mut SettingsReader) -> Option<Vec<Network>> {
    if !reader.has("networks") {
        return Some(Network::ALL.to_vec());
    }
    let names = reader.list("networks")?;
    let networks: Option<Vec<_>> = names.iter().map(|name| Network::parse(name)).collect();
    let networks = networks.filter(|networks| !networks.is_empty());
    if networks.is_none() {
        reader.fault("networks", "must be a list of MTN, TELECEL and AIRTELTIGO");
    }
    networks
}

/// A value is wrong. The reader has the fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WrongValue;

/// An optional value.
///
/// # Errors
/// [`WrongValue`].
pub(super) fn read_value<T>(
    reader: &mut SettingsReader,
    key: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<T>, WrongValue> {
    if !reader.has(key) {
        return Ok(None);
    }
    let text = reader.literal(key).ok_or(WrongValue)?;
    parse(&text).map(Some).map_err(|fault| {
        reader.fault(key, &fault);
        WrongValue
    })
}

/// A sum in pesewas.
pub(super) fn read_sum(text: &str) -> Result<i64, String> {
    let pesewas = minor_units(text).filter(|pesewas| (0..=Amount::MAX_PESEWAS).contains(pesewas));
    pesewas.ok_or_else(|| {
        format!("{text:?} is not a sum of GHS with at most 2 decimals, such as 0.50")
    })
}

fn read_date(text: &str) -> Result<Date, String> {
    text.parse().map_err(|_| format!("{text:?} is not a day such as 2026-01-31"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Tariffs, Vec<String>> {
        read_sandbox(Some(text.parse().unwrap()))
    }

    #[test]
    fn a_tariff_is_read_exactly() {
        let tariffs = read(
            "[[tariffs]]\ndirection = \"charge\"\nnetworks = [\"MTN\"]\npercent = \"1.95\"\n\
             fixed = \"0.10\"\nmin = 1\n\
             cap = \"10\"\nbearer = \"payer\"\nfrom = 2026-01-31\n[[tariffs]]\n\
             direction = \"payout\"\nfixed = 1",
        )
        .unwrap();
        let charge = Tariff {
            kind: Kind::Charge,
            networks: vec![Network::Mtn],
            percent: "1.95".parse().unwrap(),
            fixed_pesewas: 10,
            min_pesewas: Some(100),
            cap_pesewas: Some(1_000),
            bearer: Bearer::Payer,
            from: jiff::civil::date(2026, 1, 31),
        };
        let payout = Tariff {
            kind: Kind::Payout,
            networks: Network::ALL.to_vec(),
            percent: Percentage::default(),
            fixed_pesewas: 100,
            min_pesewas: None,
            cap_pesewas: None,
            bearer: Bearer::Merchant,
            from: Date::MIN,
        };
        assert_eq!(tariffs.all(), [charge, payout]);
        assert_eq!(read(""), Ok(Tariffs::default()));
    }

    #[test]
    fn every_fault_is_reported_with_its_setting() {
        let faults = read(
            "speed = 1\n[[tariffs]]\ndirection = \"in\"\nnetworks = [\"VODAFONE\"]\n\
             percent = 1.95\nfixed = \"0.001\"\n\
             min = -1\ncap = true\nbearer = \"nobody\"\nfrom = 2026-01-31T10:00:00Z\nlevy = 1\n\
             [[tariffs]]\ndirection = \"payout\"\nmin = 2\ncap = 1\nbearer = \"payer\"",
        )
        .unwrap_err();
        let named: Vec<_> = faults.iter().map(|fault| fault.split(':').next().unwrap()).collect();
        let first =
            ["direction", "networks", "percent", "fixed", "min", "cap", "bearer", "from", "levy"];
        let expected = first.map(|key| format!("sandbox.tariffs[0].{key}"));
        let second = ["percent", "cap", "bearer"].map(|key| format!("sandbox.tariffs[1].{key}"));
        let expected: Vec<_> =
            expected.into_iter().chain(second).chain(["sandbox.speed".to_owned()]).collect();
        assert_eq!(named, expected, "{faults:#?}");
        assert!(faults[2].contains("\"1.95\""), "a float is not exact: {}", faults[2]);
    }

    #[test]
    fn two_tariffs_of_one_day_are_a_fault() {
        let tariff = "[[tariffs]]\ndirection = \"charge\"\npercent = 1\n";
        let faults = read(&format!("{tariff}{tariff}networks = [\"MTN\"]")).unwrap_err();
        assert_eq!(faults.len(), 1);
        assert!(faults[0].starts_with("sandbox.tariffs[1]: two tariffs"), "{faults:?}");
        let faulty = "[[tariffs]]\ndirection = \"charge\"\n";
        let faults = read(&format!("{faulty}{tariff}{tariff}")).unwrap_err();
        assert!(
            faults.iter().any(|fault| fault.starts_with("sandbox.tariffs[2]: two tariffs")),
            "{faults:?}"
        );
        assert_eq!(read("tariffs = 1").unwrap_err().len(), 1);
    }
}
