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

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error},
};
use tua_contract::Amount;
use tua_http_json::{Fault, JsonObject, JsonText, values};

/// The SKU of the donation, which is also the name of its table in the file.
pub const DONATION_SKU: &str = "donation";

/// What the shop sells.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Catalogue {
    /// The items by their SKU.
    pub items: BTreeMap<String, Item>,
    /// The donation, where the shop accepts one.
    pub donation: Option<Donation>,
}

/// An item with a price.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Item {
    /// The name in the order's metadata.
    #[serde(deserialize_with = "deserialize_name")]
    pub name: String,
    /// The price of one.
    #[serde(deserialize_with = "deserialize_amount")]
    pub price: Amount,
}

/// An amount of the payer's choice.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Donation {
    /// The name in the order's metadata.
    #[serde(deserialize_with = "deserialize_name")]
    pub name: String,
    /// The smallest amount of a donation, in cedis; not above `max`.
    #[serde(deserialize_with = "deserialize_amount")]
    pub min: Amount,
    /// The largest amount of a donation, in cedis.
    #[serde(deserialize_with = "deserialize_amount")]
    pub max: Amount,
}

impl Catalogue {
    /// Reads a catalogue file's text.
    ///
    /// # Errors
    /// Every fault, with its place.
    pub fn parse(text: &str) -> Result<Self, Vec<String>> {
        let file: serde_json::Value = toml::from_str(text).map_err(|error: toml::de::Error| {
            let start = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = text[..start].matches('\n').count() + 1;
            vec![format!("line {line}: {}", error.message().replace('\n', ", "))]
        })?;
        // Converted to JSON, because the parser of JSON objects reports every fault, not only the
        // first one.
        let json = file.to_string();
        let file = JsonObject::parse(json.as_bytes())
            .map_err(|_| vec!["the tables nest too deeply".to_owned()])?;
        let unknown = file.members().filter(|(name, _)| !["items", DONATION_SKU].contains(name));
        let mut faults: Vec<_> = unknown
            .map(|(name, _)| format!("{name}: unknown entry; expected items or donation"))
            .collect();
        let items = file.get::<JsonText<'_>>("items");
        let donation = file.get::<JsonText<'_>>(DONATION_SKU);
        let mut catalogue = Self::default();
        let items = items.and_then(|items| parse_table("/items".to_owned(), items, &mut faults));
        for (sku, entry) in items.iter().flat_map(JsonObject::members) {
            let has_valid_characters =
                sku.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
            if !has_valid_characters || sku.is_empty() || sku.len() > 32 {
                faults.push(format!("items.{sku}: a sku is 1-32 letters, digits, '-' or '_'"));
            } else if sku == DONATION_SKU {
                faults.push(format!("items.{sku}: this sku is reserved for the [donation] entry"));
            }
            let item = read_entry(format!("/items/{sku}"), entry, &mut faults);
            catalogue.items.extend(item.map(|item| (sku.to_owned(), item)));
        }
        catalogue.donation = donation
            .and_then(|entry| read_entry::<Donation>("/donation".to_owned(), entry, &mut faults));
        if catalogue.donation.as_ref().is_some_and(|donation| donation.min > donation.max) {
            faults.push(format!("{DONATION_SKU}: min is more than max"));
        }
        if faults.is_empty() && catalogue == Self::default() {
            faults.push(
                "nothing is for sale: add an [items.<sku>] entry with name and price".to_owned(),
            );
        }
        if faults.is_empty() { Ok(catalogue) } else { Err(faults) }
    }
}

fn read_entry<T: DeserializeOwned>(
    pointer: String,
    entry: JsonText<'_>,
    faults: &mut Vec<String>,
) -> Option<T> {
    parse_table(pointer, entry, faults)?
        .read()
        .map_err(|more| faults.extend(fault_messages(more)))
        .ok()
}

fn parse_table<'a>(
    pointer: String,
    value: JsonText<'a>,
    faults: &mut Vec<String>,
) -> Option<JsonObject<'a>> {
    let push_fault =
        |fault: Fault| faults.push(format!("{}: this must be a table", toml_path(&fault.pointer)));
    JsonObject::at(pointer, value).map_err(push_fault).ok()
}

fn fault_messages(faults: Vec<Fault>) -> Vec<String> {
    faults.iter().map(|fault| format!("{}: {}", toml_path(&fault.pointer), fault.detail)).collect()
}

/// A JSON pointer as a path of TOML: `items.a.price`.
fn toml_path(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".")
}

/// Names are short because 30 of them must fit into a session's metadata.
fn deserialize_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?.trim().to_owned();
    if (1..=60).contains(&name.len()) && !name.contains(char::is_control) {
        Ok(name)
    } else {
        Err(D::Error::custom("must be a text of 1-60 bytes on one line"))
    }
}

fn deserialize_amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
    let text = serde_json::from_str::<String>(JsonText::deserialize(deserializer)?.as_str());
    let text = text.map_err(|_| {
        D::Error::custom("put the amount into quotes, such as \"45.50\", so that it stays exact")
    })?;
    values::Amount::parse(&text).map(|amount| amount.0).map_err(D::Error::custom)
}
