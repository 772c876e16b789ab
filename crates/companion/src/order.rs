//! A page's cart, read strictly: all faults are reported at once.

use crate::{
    catalogue::{Catalogue, DONATION_SKU, Donation},
    problem::Problem,
};
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use serde_json::value::RawValue;
use std::{borrow::Cow, collections::BTreeMap, ops::RangeInclusive};
use tua_contract::ErrorCode;
use tua_http_json::{
    Fault, JsonObject, JsonText, Refusal,
    values::{Amount, Email, serialize_amount},
};

/// How many lines an order may have. 30 lines with the longest names fit into the 8 KiB of a
/// session's metadata, if the page sends little metadata of its own.
const MAX_LINES: usize = 30;
const QUANTITIES: RangeInclusive<u16> = 1..=999;

/// A cart with the shop's own names and prices.
#[derive(Clone, Debug)]
pub struct Order {
    /// The payer's e-mail address.
    pub email: String,
    /// The page's own reference, if it has sent one. The payment service checks it.
    pub reference: Option<String>,
    /// The page's own metadata. The payment service checks it.
    pub metadata: Metadata,
    /// The sum of the lines.
    pub total: tua_contract::Amount,
    /// What is bought, in the order of the cart.
    pub lines: Vec<Line>,
}

/// One item of an order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// The key in the catalogue.
    pub sku: String,
    /// The name in the catalogue.
    pub name: String,
    /// The number of pieces, from 1 to 999; 1 for a donation.
    pub quantity: u16,
    /// The price of one.
    #[serde(serialize_with = "serialize_amount")]
    pub price: tua_contract::Amount,
}

/// The request of a page.
#[derive(Deserialize)]
struct Cart<'a> {
    #[serde(borrow)]
    items: Vec<JsonText<'a>>,
    email: Email,
    reference: Option<String>,
    metadata: Option<Metadata>,
}

/// A JSON object. Its values stay as they were written, so that numbers stay exact.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Metadata(BTreeMap<String, Box<RawValue>>);

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members =
            serde_json::from_str(JsonText::deserialize(deserializer)?.with_empty_object().as_str());
        members.map(Self).map_err(|_| D::Error::custom("The metadata must be a JSON object."))
    }
}

impl Metadata {
    fn reject_items(&self) -> Result<(), Refusal> {
        let detail = "The metadata may not have the member items: the companion writes what was \
            bought there.";
        if self.0.contains_key("items") {
            Err(Refusal::new(ErrorCode::FieldNotAllowed, detail))
        } else {
            Ok(())
        }
    }
}

/// A cart item that the catalogue has.
#[derive(Deserialize)]
struct PurchaseItem<'a> {
    sku: String,
    #[serde(borrow)]
    quantity: JsonText<'a>,
}

/// A cart item for the donation, with the amount of the payer's choice.
#[derive(Deserialize)]
struct DonationItem {
    sku: String,
    amount: Amount,
}

impl Order {
    /// Reads `{"items": [{"sku", "quantity"}], "email", "reference"?, "metadata"?}`. A donation has
    /// `amount` in place of `quantity`.
    ///
    /// # Errors
    /// 400 where the body is not JSON, nests too deeply or has a duplicate name; 422 with every
    /// other fault.
    pub fn read(body: &[u8], catalogue: &Catalogue) -> Result<Self, Problem> {
        let object = JsonObject::parse(body)?.require("metadata", Metadata::reject_items);
        let cart: Result<Cart<'_>, _> = object.read();
        // The items are checked even where the rest of the cart has faults.
        let items =
            cart.as_ref().map_or_else(|_| object.get("items"), |cart| Some(cart.items.clone()));
        let (lines, mut faults) =
            items.map(|items| read_lines(items, catalogue)).unwrap_or_default();
        let total = total(&lines);
        if total.is_none() && faults.is_empty() && cart.is_ok() {
            let detail = "The cart's total is above the largest amount.";
            faults.push(fault("/items", ErrorCode::InvalidAmount.as_str(), detail));
        }
        match (cart, total) {
            (Ok(Cart { email, reference, metadata, .. }), Some(total)) if faults.is_empty() => {
                let metadata = metadata.unwrap_or_default();
                Ok(Self { email: email.into_string(), reference, metadata, total, lines })
            }
            (cart, _) => {
                faults.extend(cart.err().unwrap_or_default());
                Err(faults.into())
            }
        }
    }
}

/// The lines that could be read, and all faults. A duplicate is among both.
fn read_lines(items: Vec<JsonText<'_>>, catalogue: &Catalogue) -> (Vec<Line>, Vec<Fault>) {
    let mut lines = Vec::<Line>::new();
    let mut faults = Vec::new();
    if items.is_empty() {
        faults.push(fault("/items", "empty_cart", "The cart is empty."));
    } else if items.len() > MAX_LINES {
        let detail = format!("A cart may have at most {MAX_LINES} different items.");
        faults.push(fault("/items", "too_many_items", detail));
        return (lines, faults);
    }
    for (index, item) in items.into_iter().enumerate() {
        match read_line(format!("/items/{index}"), item, catalogue) {
            Ok(line) => {
                if lines.iter().any(|earlier| earlier.sku == line.sku) {
                    let detail = format!(
                        "The cart has {} more than once. Send one item with the whole quantity.",
                        line.sku
                    );
                    faults.push(fault(&format!("/items/{index}/sku"), "duplicate_sku", detail));
                }
                lines.push(line);
            }
            Err(more) => faults.extend(more),
        }
    }
    (lines, faults)
}

fn read_line(
    pointer: String,
    item: JsonText<'_>,
    catalogue: &Catalogue,
) -> Result<Line, Vec<Fault>> {
    let item = JsonObject::at(pointer, item).map_err(|fault| vec![fault])?;
    match &catalogue.donation {
        Some(donation) if item.get::<String>("sku").is_some_and(|sku| sku == DONATION_SKU) => {
            let item = item.forbid(&["quantity"], "A donation has an amount and no quantity.");
            let DonationItem { sku, amount } =
                item.require("amount", |amount| check_range(donation, amount)).read()?;
            Ok(Line { sku, name: donation.name.clone(), quantity: 1, price: amount.0 })
        }
        _ => {
            let item = item.forbid(&["amount"], "The shop sets this price.");
            let unknown = || refusal("unknown_sku", "The shop does not sell this.");
            let check_is_sold =
                |sku: &String| catalogue.items.get(sku).map(drop).ok_or_else(unknown);
            let rule = |text: &JsonText<'_>| quantity(*text).map(drop);
            let item: PurchaseItem<'_> =
                item.require("sku", check_is_sold).require("quantity", rule).read()?;
            let (Some(sold), Ok(quantity)) =
                (catalogue.items.get(&item.sku), quantity(item.quantity))
            else {
                return Err(Vec::new());
            };
            let sku = item.sku;
            let name = sold.name.clone();
            Ok(Line { sku, name, quantity, price: sold.price })
        }
    }
}

fn quantity(text: JsonText<'_>) -> Result<u16, Refusal> {
    if !text.is_number() {
        return Err(Refusal::new(ErrorCode::InvalidType, "The quantity must be a JSON number."));
    }
    text.as_str().parse().ok().filter(|number| QUANTITIES.contains(number)).ok_or_else(|| {
        let min = QUANTITIES.start();
        let max = QUANTITIES.end();
        refusal(
            "invalid_quantity",
            format!("The quantity must be a whole number from {min} to {max}."),
        )
    })
}

fn check_range(donation: &Donation, amount: &Amount) -> Result<(), Refusal> {
    let Donation { min, max, .. } = donation;
    if (min..=max).contains(&&amount.0) {
        Ok(())
    } else {
        Err(refusal(
            "donation_out_of_range",
            format!("The donation must be between {min} and {max} GHS."),
        ))
    }
}

fn total(lines: &[Line]) -> Option<tua_contract::Amount> {
    let sum = lines.iter().try_fold(0_i64, |sum, line| {
        sum.checked_add(line.price.pesewas().checked_mul(i64::from(line.quantity))?)
    });
    sum.and_then(|sum| tua_contract::Amount::from_pesewas(sum).ok())
}

fn refusal(code: &'static str, detail: impl Into<Cow<'static, str>>) -> Refusal {
    Refusal { code, detail: detail.into() }
}

fn fault(pointer: &str, code: &'static str, detail: impl Into<Cow<'static, str>>) -> Fault {
    Fault { pointer: pointer.to_owned(), code, detail: detail.into() }
}
