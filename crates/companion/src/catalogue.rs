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

use serde::{Deserialize, Deserializer, de::DeserializeOwned, de::Error};
use toml::Value;
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
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// The name in the order's metadata.
    #[serde(deserialize_with = "name")]
    pub name: String,
    /// The price of one.
    #[serde(deserialize_with = "amount")]
    pub price: Amount,
}

/// An amount of the payer's choice.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Donation {
    /// The name in the order's metadata.
    #[serde(deserialize_with = "name")]
    pub name: String,
    /// The smallest amount.
    #[serde(deserialize_with = "amount")]
    pub min: Amount,
    /// The largest amount.
    #[serde(deserialize_with = "amount")]
    pub max: Amount,
}

/// The file. Its entries are read one by one, so that the faults of all entries are reported.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    items: BTreeMap<String, Value>,
    donation: Option<Value>,
}

impl Catalogue {
    /// Reads a catalogue file's text.
    ///
    /// # Errors
    /// The first fault of every entry, with its place.
    pub fn parse(text: &str) -> Result<Self, Vec<String>> {
        let File { items, donation } = toml::from_str(text).map_err(|error: toml::de::Error| {
            let line = text[..error.span().map_or(0, |span| span.start.min(text.len()))].lines().count().max(1);
            vec![format!("line {line}: {}", error.message().replace('\n', ", "))]
        })?;
        let (mut catalogue, mut faults) = (Self::default(), Vec::new());
        if items.is_empty() && donation.is_none() {
            faults.push("nothing is for sale: add an [items.<sku>] entry with name and price".to_owned());
        }
        for (sku, entry) in items {
            let place = format!("items.{sku}");
            let simple = sku.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
            if !simple || sku.is_empty() || sku.len() > 32 {
                faults.push(format!("{place}: a sku is 1-32 letters, digits, '-' or '_'"));
            } else if sku == DONATION {
                faults.push(format!("{place}: this sku is kept for the [donation] entry"));
            } else if let Some(item) = read(&place, entry, &mut faults) {
                catalogue.items.insert(sku, item);
            }
        }
        catalogue.donation = donation.and_then(|entry| read(DONATION, entry, &mut faults));
        if catalogue.donation.as_ref().is_some_and(|donation| donation.min > donation.max) {
            faults.push(format!("{DONATION}: min is more than max"));
        }
        if faults.is_empty() { Ok(catalogue) } else { Err(faults) }
    }
}

fn read<T: DeserializeOwned>(place: &str, entry: Value, faults: &mut Vec<String>) -> Option<T> {
    let read = serde_path_to_error::deserialize(entry);
    read.map_err(|error| {
        let place = format!("{place}.{}", error.path());
        faults.push(format!("{}: {}", place.trim_end_matches('.'), error.inner().message()));
    })
    .ok()
}

/// Names are short because 30 of them must fit into a session's metadata.
fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?.trim().to_owned();
    match (1..=60).contains(&name.len()) && !name.contains(char::is_control) {
        true => Ok(name),
        false => Err(D::Error::custom("must be a text of 1-60 bytes on one line")),
    }
}

fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
    let read = match Value::deserialize(deserializer)? {
        Value::String(text) => Amount::parse(&text).map_err(explain),
        _ => Err("put the amount into quotes, such as \"45.50\", so that it stays exact"),
    };
    read.map_err(D::Error::custom)
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
