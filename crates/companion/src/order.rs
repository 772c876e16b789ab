//! A page's request, read strictly, all faults at once.

use std::{fmt, str::FromStr};

use email_address::EmailAddress;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, Visitor},
};
use serde_json::value::RawValue;
use tua_contract::{Amount, ErrorCode};

use crate::{
    catalogue::{Catalogue, DONATION, explain},
    problem::{Fault, Problem},
};

/// 30 lines of the longest names fit into a session's 8 KiB of metadata.
const MAX_LINES: usize = 30;
const MAX_QUANTITY: u16 = 999;

/// A cart with the shop's own names and prices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// The payer's.
    pub email: String,
    /// The sum of the lines.
    pub total: Amount,
    /// What is bought.
    pub lines: Vec<Line>,
}

/// One entry of the cart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// The catalogue's key.
    pub sku: String,
    /// The catalogue's name.
    pub name: String,
    /// How many.
    pub quantity: u16,
    /// For one.
    #[serde(serialize_with = "exact")]
    pub price: Amount,
}

/// Writes an amount as a JSON number by its own decimal text, never through a float.
pub(crate) fn exact<S: Serializer>(amount: &Amount, serializer: S) -> Result<S::Ok, S::Error> {
    RawValue::from_string(amount.to_string()).map_err(serde::ser::Error::custom)?.serialize(serializer)
}

impl Order {
    /// Reads `{"items": [{"sku", "quantity"}], "email"}`; a donation has `amount` for `quantity`.
    ///
    /// # Errors
    /// 400 for what is not JSON, or names a field twice; else 422 with every fault.
    pub fn read(body: &[u8], catalogue: &Catalogue) -> Result<Self, Problem> {
        let body: &RawValue = serde_json::from_slice(body).map_err(|error| Problem::malformed(error.to_string()))?;
        let mut reader = Reader { catalogue, faults: Vec::new() };
        let order = reader.order(body).map_err(|error| Problem::malformed(error.to_string()))?;
        order.filter(|_| reader.faults.is_empty()).ok_or_else(|| Problem::invalid(reader.faults))
    }
}

/// Goes on after a fault, so that one answer shows them all. An `Err` of its methods is a
/// body that no JSON reader should accept, and ends the reading.
struct Reader<'a> {
    catalogue: &'a Catalogue,
    faults: Vec<Fault>,
}

impl Reader<'_> {
    fn fault(&mut self, pointer: &str, code: &'static str, detail: impl Into<String>) {
        self.faults.push(Fault { pointer: pointer.to_owned(), code, detail: detail.into() });
    }

    fn order(&mut self, body: &RawValue) -> serde_json::Result<Option<Order>> {
        let Some(fields) = self.object("", body, &["items", "email"])? else { return Ok(None) };
        let lines = match self.required("", &fields, "items") {
            Some(items) => self.lines(items)?,
            None => Vec::new(),
        };
        let email = match self.required("", &fields, "email") {
            Some(email) => self.email(email)?,
            None => None,
        };
        let total = lines
            .iter()
            .try_fold(0_i64, |sum, line| sum.checked_add(line.price.pesewas().checked_mul(i64::from(line.quantity))?));
        let total = total.and_then(|sum| Amount::from_pesewas(sum).ok());
        if total.is_none() && self.faults.is_empty() {
            self.fault("/items", ErrorCode::InvalidAmount.as_str(), "The cart's total is above the largest amount.");
        }
        Ok(email.zip(total).map(|(email, total)| Order { email, total, lines }))
    }

    fn email(&mut self, value: &RawValue) -> serde_json::Result<Option<String>> {
        let Some(email) = self.text("/email", value)? else { return Ok(None) };
        if EmailAddress::from_str(&email).is_err() {
            self.fault("/email", ErrorCode::InvalidEmail.as_str(), "This is not an e-mail address.");
        }
        Ok(Some(email))
    }

    fn lines(&mut self, value: &RawValue) -> serde_json::Result<Vec<Line>> {
        if !value.get().starts_with('[') {
            self.fault("/items", ErrorCode::InvalidType.as_str(), "items must be a list.");
            return Ok(Vec::new());
        }
        let items: Vec<&RawValue> = serde_json::from_str(value.get())?;
        if items.is_empty() {
            self.fault("/items", "empty_cart", "The cart is empty.");
        } else if items.len() > MAX_LINES {
            self.fault("/items", "too_many_items", format!("A cart holds at most {MAX_LINES} different items."));
            return Ok(Vec::new());
        }
        let mut lines: Vec<Line> = Vec::new();
        for (index, item) in items.into_iter().enumerate() {
            let Some(line) = self.line(&format!("/items/{index}"), item)? else { continue };
            if lines.iter().any(|earlier| earlier.sku == line.sku) {
                let detail = format!("{} stands in the cart twice; send one entry with the whole quantity.", line.sku);
                self.fault(&format!("/items/{index}/sku"), "duplicate_sku", detail);
            }
            lines.push(line);
        }
        Ok(lines)
    }

    fn line(&mut self, place: &str, item: &RawValue) -> serde_json::Result<Option<Line>> {
        let Some(fields) = self.object(place, item, &["sku", "quantity", "amount"])? else { return Ok(None) };
        let Some(sku) = self.required(place, &fields, "sku") else { return Ok(None) };
        let Some(sku) = self.text(&format!("{place}/sku"), sku)? else { return Ok(None) };
        let catalogue = self.catalogue;
        if let Some(donation) = catalogue.donation.as_ref().filter(|_| sku == DONATION) {
            self.refuse(place, &fields, "quantity", "A donation has an amount and no quantity.");
            let amount = self.required(place, &fields, "amount").and_then(|value| self.amount(place, value));
            let Some(price) = amount else { return Ok(None) };
            if price < donation.min || price > donation.max {
                let detail = format!("The donation must be between {} and {} GHS.", donation.min, donation.max);
                self.fault(&format!("{place}/amount"), "amount_out_of_range", detail);
            }
            return Ok(Some(Line { sku, name: donation.name.clone(), quantity: 1, price }));
        }
        let Some(known) = catalogue.items.get(&sku) else {
            self.fault(&format!("{place}/sku"), "unknown_sku", "The shop does not sell this.");
            return Ok(None);
        };
        self.refuse(place, &fields, "amount", "The shop sets this price.");
        let quantity = self.required(place, &fields, "quantity").and_then(|value| self.quantity(place, value));
        Ok(quantity.map(|quantity| Line { sku, name: known.name.clone(), quantity, price: known.price }))
    }

    fn amount(&mut self, place: &str, value: &RawValue) -> Option<Amount> {
        let place = format!("{place}/amount");
        if !is_number(value) {
            self.fault(&place, ErrorCode::InvalidType.as_str(), "amount must be a number.");
            return None;
        }
        let refused =
            |error| self.fault(&place, ErrorCode::InvalidAmount.as_str(), format!("amount {}.", explain(error)));
        Amount::parse(value.get()).map_err(refused).ok()
    }

    fn quantity(&mut self, place: &str, value: &RawValue) -> Option<u16> {
        let place = format!("{place}/quantity");
        if !is_number(value) {
            self.fault(&place, ErrorCode::InvalidType.as_str(), "quantity must be a number.");
            return None;
        }
        let quantity = value.get().parse().ok().filter(|quantity| (1..=MAX_QUANTITY).contains(quantity));
        if quantity.is_none() {
            self.fault(&place, "invalid_quantity", format!("quantity is a whole number from 1 to {MAX_QUANTITY}."));
        }
        quantity
    }

    fn text(&mut self, place: &str, value: &RawValue) -> serde_json::Result<Option<String>> {
        if value.get().starts_with('"') {
            return serde_json::from_str(value.get()).map(Some);
        }
        self.fault(place, ErrorCode::InvalidType.as_str(), "This must be a string.");
        Ok(None)
    }

    fn object<'v>(
        &mut self,
        place: &str,
        value: &'v RawValue,
        known: &[&str],
    ) -> serde_json::Result<Option<Fields<'v>>> {
        if !value.get().starts_with('{') {
            self.fault(place, ErrorCode::InvalidType.as_str(), "This must be an object.");
            return Ok(None);
        }
        let fields: Fields<'v> = serde_json::from_str(value.get())?;
        for (name, _) in fields.0.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
            let pointer = format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"));
            self.fault(&pointer, ErrorCode::UnknownField.as_str(), format!("Known here: {}.", known.join(", ")));
        }
        Ok(Some(fields))
    }

    fn required<'v>(&mut self, place: &str, fields: &Fields<'v>, name: &str) -> Option<&'v RawValue> {
        let value = fields.get(name);
        if value.is_none() {
            self.fault(&format!("{place}/{name}"), ErrorCode::FieldRequired.as_str(), format!("{name} is required."));
        }
        value
    }

    fn refuse(&mut self, place: &str, fields: &Fields<'_>, name: &str, why: &str) {
        if fields.get(name).is_some() {
            self.fault(&format!("{place}/{name}"), ErrorCode::FieldNotAllowed.as_str(), why);
        }
    }
}

fn is_number(value: &RawValue) -> bool {
    value.get().starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

/// An object's fields, each value as it was written. A name that comes twice is an error.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Fields<'a> {
    fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(known, _)| known == name).map(|&(_, value)| value)
    }
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AsWritten;
        impl<'de> Visitor<'de> for AsWritten {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut fields = Fields(Vec::new());
                while let Some((name, value)) = map.next_entry::<String, &'de RawValue>()? {
                    if fields.get(&name).is_some() {
                        return Err(M::Error::custom(format_args!("the field {name:?} comes twice")));
                    }
                    fields.0.push((name, value));
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(AsWritten)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalogue() -> Catalogue {
        Catalogue::parse(
            "[items.cocoa]\nname = 'Cocoa'\nprice = '0.29'\n[items.house]\nname = 'House'\nprice = '900000000'\n\
             [donation]\nname = 'Fund'\nmin = '1'\nmax = '100'",
        )
        .unwrap()
    }

    fn read(body: &str) -> Result<Order, Problem> {
        Order::read(body.as_bytes(), &catalogue())
    }

    fn faults(body: &str) -> Vec<(String, &'static str)> {
        read(body).unwrap_err().errors().iter().map(|fault| (fault.pointer.clone(), fault.code)).collect()
    }

    #[test]
    fn prices_come_from_the_catalogue_and_the_sum_is_exact() {
        let order =
            read(r#"{"items":[{"sku":"cocoa","quantity":3},{"sku":"donation","amount":10.10}],"email":"a@b.gh"}"#);
        let order = order.unwrap();
        assert_eq!(order.total.pesewas(), 87 + 1010);
        assert_eq!(
            serde_json::to_string(&order.lines).unwrap(),
            r#"[{"sku":"cocoa","name":"Cocoa","quantity":3,"price":0.29},{"sku":"donation","name":"Fund","quantity":1,"price":10.1}]"#
        );
    }

    #[test]
    fn all_faults_come_at_once() {
        let body = r#"{"items":[{"sku":"cocoa","quantity":0},{"sku":"nothing","quantity":1},{"sku":"cocoa","price":1},
            {"sku":"donation","amount":0.5,"quantity":1},{"quantity":2},7,{"sku":"cocoa","quantity":"1","amount":2},
            {"sku":"donation","amount":1e400}],"email":"nobody","amount":1,"a/b":2}"#;
        let expected = [
            ("/amount", "unknown_field"),
            ("/a~1b", "unknown_field"),
            ("/items/0/quantity", "invalid_quantity"),
            ("/items/1/sku", "unknown_sku"),
            ("/items/2/price", "unknown_field"),
            ("/items/2/quantity", "field_required"),
            ("/items/3/quantity", "field_not_allowed"),
            ("/items/3/amount", "amount_out_of_range"),
            ("/items/4/sku", "field_required"),
            ("/items/5", "invalid_type"),
            ("/items/6/amount", "field_not_allowed"),
            ("/items/6/quantity", "invalid_type"),
            ("/items/7/amount", "invalid_amount"),
            ("/email", "invalid_email"),
        ];
        let expected: Vec<_> = expected.into_iter().map(|(pointer, code)| (pointer.to_owned(), code)).collect();
        assert_eq!(faults(body), expected);
        assert_eq!(read(body).unwrap_err().code(), "validation_failed");
    }

    #[test]
    fn a_single_fault_lends_its_code() {
        for (body, code) in [
            ("[]", "invalid_type"),
            (r#"{"items":[],"email":"a@b.gh"}"#, "empty_cart"),
            (r#"{"items":{},"email":"a@b.gh"}"#, "invalid_type"),
            (r#"{"email":"a@b.gh"}"#, "field_required"),
            (r#"{"items":[{"sku":"cocoa","quantity":1}],"email":null}"#, "invalid_type"),
            (
                r#"{"items":[{"sku":"cocoa","quantity":1},{"sku":"cocoa","quantity":1}],"email":"a@b.gh"}"#,
                "duplicate_sku",
            ),
            (r#"{"items":[{"sku":"house","quantity":2}],"email":"a@b.gh"}"#, "invalid_amount"),
        ] {
            assert_eq!(read(body).unwrap_err().code(), code, "{body}");
        }
        for quantity in ["0", "-1", "1.0", "1e1", "1000", "99999999999999999999"] {
            let body = format!(r#"{{"items":[{{"sku":"cocoa","quantity":{quantity}}}],"email":"a@b.gh"}}"#);
            assert_eq!(read(&body).unwrap_err().code(), "invalid_quantity", "{quantity}");
        }
        let many = vec![r#"{"sku":"cocoa","quantity":1}"#; MAX_LINES + 1].join(",");
        assert_eq!(read(&format!(r#"{{"items":[{many}],"email":"a@b.gh"}}"#)).unwrap_err().code(), "too_many_items");
    }

    #[test]
    fn what_is_not_json_is_malformed() {
        for body in [
            "",
            "{",
            "{} {}",
            "{'items':1}",
            r#"{"items":1,"items":2}"#,
            r#"{"items":[{"sku":"cocoa","sku":"cocoa"}],"email":"a@b.gh"}"#,
            r#"{"items":[],"email":"\ud800"}"#,
            r#"{"items":[{"sku":"donation","amount":01}],"email":"a@b.gh"}"#,
        ] {
            assert_eq!(read(body).unwrap_err().code(), "malformed_json", "{body}");
        }
        assert_eq!(Order::read(b"\"\xff\"", &catalogue()).unwrap_err().code(), "malformed_json");
        let deep = "[".repeat(30_000);
        assert_eq!(read(&deep).unwrap_err().code(), "malformed_json");
    }

    #[test]
    fn the_longest_cart_fits_into_the_metadata() {
        let line = |index: usize| Line {
            sku: format!("{index:0>32}"),
            name: "\"".repeat(60),
            quantity: MAX_QUANTITY,
            price: Amount::from_pesewas(Amount::MAX_PESEWAS - 1).unwrap(),
        };
        let lines: Vec<_> = (0..MAX_LINES).map(line).collect();
        assert!(serde_json::to_vec(&lines).unwrap().len() < 8 * 1024 - 100);
    }
}
