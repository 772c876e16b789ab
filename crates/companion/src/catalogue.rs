//! What the shop sells: the only source of names and prices.
//!
//! ```toml
//! [items.shea-butter]
//! name = "Shea butter, 250 g"
//! price = "45.50"                # cedis, in quotes: a TOML number would be a float
//!
//! [donation]                     # optional: an amount of the payer's choice
//! name = "School library fund"
//! min = "1"
//! max = "5000"
//! ```

use std::collections::BTreeMap;

use toml::{Table, Value};
use tua_contract::{Amount, amount::AmountError};

/// The sku of the donation.
pub const DONATION: &str = "donation";

/// What the shop sells.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Catalogue {
    /// The items by their sku.
    pub items: BTreeMap<String, Item>,
    /// The donation, where the shop accepts one.
    pub donation: Option<Donation>,
}

/// An item with a price.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The name in the order's metadata.
    pub name: String,
    /// The price of one.
    pub price: Amount,
}

/// An amount of the payer's choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Donation {
    /// The name in the order's metadata.
    pub name: String,
    /// The smallest amount.
    pub min: Amount,
    /// The largest amount.
    pub max: Amount,
}

impl Catalogue {
    /// Reads a catalogue file's text.
    ///
    /// # Errors
    /// Every fault of the file, each with its place.
    pub fn parse(text: &str) -> Result<Self, Vec<String>> {
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            let line = text[..error.span().map_or(0, |span| span.start.min(text.len()))].lines().count().max(1);
            vec![format!("line {line}: {}", error.message().replace('\n', ", "))]
        })?;
        let mut reader = Reader::default();
        let catalogue = reader.catalogue(&table);
        if reader.faults.is_empty() { Ok(catalogue) } else { Err(reader.faults) }
    }
}

/// Collects the faults, so that one run reports them all.
#[derive(Default)]
struct Reader {
    faults: Vec<String>,
}

impl Reader {
    fn fault(&mut self, place: &str, what: &str) {
        self.faults.push(format!("{place}: {what}"));
    }

    fn catalogue(&mut self, table: &Table) -> Catalogue {
        self.known_keys("", table, &["items", "donation"]);
        let mut catalogue = Catalogue::default();
        if let Some(items) = table.get("items").and_then(|items| self.table("items", items)) {
            for (sku, entry) in items {
                let place = format!("items.{sku}");
                let simple = sku.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
                if !simple || sku.is_empty() || sku.len() > 32 {
                    self.fault(&place, "a sku is 1-32 letters, digits, '-' or '_'");
                } else if sku == DONATION {
                    self.fault(&place, "this sku is kept for the [donation] entry");
                }
                let Some(entry) = self.table(&place, entry) else { continue };
                self.known_keys(&place, entry, &["name", "price"]);
                if let (Some(name), Some(price)) = (self.name(&place, entry), self.amount(&place, entry, "price")) {
                    catalogue.items.insert(sku.clone(), Item { name, price });
                }
            }
        }
        if let Some(entry) = table.get(DONATION).and_then(|entry| self.table(DONATION, entry)) {
            self.known_keys(DONATION, entry, &["name", "min", "max"]);
            let (min, max) = (self.amount(DONATION, entry, "min"), self.amount(DONATION, entry, "max"));
            if let (Some(name), Some(min), Some(max)) = (self.name(DONATION, entry), min, max) {
                if min > max {
                    self.fault(DONATION, "min is more than max");
                }
                catalogue.donation = Some(Donation { name, min, max });
            }
        }
        if table.get("items").is_none() && table.get(DONATION).is_none() {
            self.fault("nothing is for sale", "add an [items.<sku>] entry with name and price");
        }
        catalogue
    }

    fn known_keys(&mut self, place: &str, table: &Table, known: &[&str]) {
        for key in table.keys().filter(|key| !known.contains(&key.as_str())) {
            let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
            self.fault(&place, &format!("unknown; known here: {}", known.join(", ")));
        }
    }

    fn table<'a>(&mut self, place: &str, value: &'a Value) -> Option<&'a Table> {
        if value.as_table().is_none() {
            self.fault(place, "must be a table");
        }
        value.as_table()
    }

    /// Names are short because 30 of them must fit into a session's metadata.
    fn name(&mut self, place: &str, entry: &Table) -> Option<String> {
        let name = entry.get("name").and_then(Value::as_str).map(str::trim);
        let good = name.filter(|name| (1..=60).contains(&name.len()) && !name.contains(char::is_control));
        if good.is_none() {
            self.fault(&format!("{place}.name"), "must be a text of 1-60 bytes on one line");
        }
        good.map(str::to_owned)
    }

    fn amount(&mut self, place: &str, entry: &Table, key: &str) -> Option<Amount> {
        let read = match entry.get(key) {
            Some(Value::String(text)) => Amount::parse(text).map_err(explain),
            Some(Value::Integer(_) | Value::Float(_)) => Err("put the amount into quotes, so that it stays exact"),
            Some(_) => Err("must be an amount in quotes, such as \"45.50\""),
            None => Err("is missing; write an amount in quotes, such as \"45.50\""),
        };
        read.map_err(|what| self.fault(&format!("{place}.{key}"), what)).ok()
    }
}

/// Why a text is not an amount, for the operator of the shop.
fn explain(error: AmountError) -> &'static str {
    match error {
        AmountError::NotANumber => "must be a number of cedis, such as 45.50",
        AmountError::NotPositive => "must be more than 0",
        AmountError::TooPrecise => "cedis have two decimals",
        AmountError::TooLarge => "must not be more than 1000000000",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_to_the_pesewa() {
        let text = "[items.a]\nname = 'A'\nprice = '0.29'\n[donation]\nname = 'D'\nmin = '1'\nmax = '1e2'";
        let catalogue = Catalogue::parse(text).unwrap();
        assert_eq!(catalogue.items["a"].price.pesewas(), 29);
        assert_eq!(catalogue.donation.unwrap().max.pesewas(), 10_000);
    }

    #[test]
    fn every_fault_is_reported_with_its_place() {
        let text = "stuff = 1\n[items.a]\nname = ''\nprice = 0.1\nprize = 1\n[items.'b c']\nname = 'B'\nprice = '1.005'\n\
                    [items.donation]\nname = 'x'\n[donation]\nname = 'D'\nmin = '5'\nmax = '1'";
        let faults = Catalogue::parse(text).unwrap_err();
        let places: Vec<_> = faults.iter().filter_map(|fault| fault.split(": ").next()).collect();
        let expected = [
            "stuff",
            "items.a.prize",
            "items.a.name",
            "items.a.price",
            "items.b c",
            "items.b c.price",
            "items.donation",
            "items.donation.price",
            "donation",
        ];
        assert_eq!(places, expected, "{faults:#?}");
    }

    #[test]
    fn a_syntax_error_is_reported_with_its_line() {
        assert!(Catalogue::parse("[items.a]\nname = 'A'\nprice = \n").unwrap_err()[0].starts_with("line 3: "));
        assert_eq!(Catalogue::parse("").unwrap_err().len(), 1);
        for text in ["items = 3", "donation = []", "[items]\na = 'x'", "\u{feff}[[items]]"] {
            assert!(Catalogue::parse(text).is_err(), "{text}");
        }
    }
}
