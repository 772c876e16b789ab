//! Paystack's question whether to execute a transfer.
//!
//! Paystack publishes no sample of the question, but those of transfers and recipients. Integrators
//! have published bodies with one transfer in `data.transfers`, and the request that made it in
//! `data.details.body`. So a transfer is read in every place where one may stand, and the body is
//! no clear question where anything in it is, or may be, about something else than one transfer in
//! cedis that has not ended.

use super::{
    members::{is_compound, plain},
    named_recipient::{NamedRecipient, given, is_about_recipient},
    wire::CURRENCY,
};
use serde_json::{Map, Value};
use tua_contract::Amount;

type Members = Map<String, Value>;

/// The question whether to execute one transfer, as far as the body alone shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Question {
    /// Our reference of the transfer, which the body names.
    pub(super) reference: String,
    /// The amount; `None` where it is missing, or no whole number of pesewas.
    pub(super) amount: Option<Amount>,
    /// Whom each description of the transfer names.
    pub(super) recipients: Vec<NamedRecipient>,
}

/// Members that describe a transfer.
const DESCRIBING: [&str; 3] = ["reference", "amount", "recipient"];

/// Members with a meaning. Under another spelling of its name, such a member may mean the same.
const MEANINGFUL: [&str; 11] = [
    "event",
    "data",
    "details",
    "transfers",
    "reference",
    "amount",
    "currency",
    "recipient",
    "domain",
    "status",
    "count",
];

/// Documented members of transfers that are objects or lists, and contain nothing about who gets
/// how much.
const DOCUMENTED: [&str; 4] = ["integration", "session", "source_details", "fees_breakdown"];

/// Statuses of transfers that have ended.
const ENDED: [&str; 16] = [
    "abandoned",
    "blocked",
    "canceled",
    "cancelled",
    "completed",
    "declined",
    "expired",
    "failed",
    "failure",
    "paid",
    "refunded",
    "rejected",
    "reversed",
    "succeeded",
    "success",
    "successful",
];

impl Question {
    /// Reads a body. `domain` is Paystack's word for the mode of the secret key. `None` where the
    /// body is not clearly about exactly one transfer.
    pub(super) fn read(body: &Members, domain: &str) -> Option<Self> {
        let mut found = DescribedTransfers { domain, transfers: Vec::new(), copies: Vec::new() };
        found.collect(body, &["data", "transfers"])?;
        let [transfer] = found.transfers[..] else { return None };
        let reference = transfer.get("reference")?.as_str()?.to_owned();
        let amount = amount(transfer);
        let is_equal = |copy: &&Members| {
            copy.get("reference") == transfer.get("reference") && self::amount(copy) == amount
        };
        if !found.copies.iter().all(is_equal) {
            return None;
        }
        let described = [transfer].into_iter().chain(found.copies);
        let recipient = |one: &Members| {
            NamedRecipient::read(one.get("recipient").unwrap_or(&Value::Null), domain)
        };
        Some(Self { reference, amount, recipients: described.map(recipient).collect() })
    }
}

/// What a body describes: transfers, and the requests that made them.
struct DescribedTransfers<'a> {
    domain: &'a str,
    transfers: Vec<&'a Members>,
    /// Requests that made a transfer, which describe it again.
    copies: Vec<&'a Members>,
}

impl<'a> DescribedTransfers<'a> {
    /// Collects the transfers of an object, and of what it contains under these names. `None` where
    /// it is unclear.
    fn collect(&mut self, members: &'a Members, inner: &[&str]) -> Option<()> {
        self.check(members, inner)?;
        if is_described(members) {
            self.transfers.push(members);
        }
        if let Some(data) = given(members, "data") {
            self.collect(data.as_object()?, &["transfers", "details"])?;
        }
        if let Some(transfers) = given(members, "transfers") {
            let [transfer] = &transfers.as_array()?[..] else { return None };
            self.collect(transfer.as_object()?, &[])?;
        }
        if let Some(details) = given(members, "details") {
            self.copy(details.as_object()?)?;
        }
        Some(())
    }

    /// Takes the request that made the transfer from the details of a question.
    fn copy(&mut self, details: &'a Members) -> Option<()> {
        self.check(details, &["body"])?;
        if is_described(details) {
            return None;
        }
        if let Some(request) = given(details, "body") {
            let request = request.as_object()?;
            self.check(request, &[])?;
            self.copies.push(request);
        }
        Some(())
    }

    fn check(&self, members: &Members, inner: &[&str]) -> Option<()> {
        let is_clear = |(name, value): (&String, &Value)| is_clear(name, value, inner, self.domain);
        members.iter().all(is_clear).then_some(())
    }
}

fn is_described(members: &Members) -> bool {
    DESCRIBING.iter().any(|name| given(members, name).is_some())
}

/// Whether a member contains nothing that contradicts a question about one transfer of ours.
/// `inner` has the names of members whose contents are read.
fn is_clear(name: &str, value: &Value, inner: &[&str], domain: &str) -> bool {
    if value.is_null() {
        return true;
    }
    let plain = plain(name);
    match name {
        "currency" => *value == CURRENCY,
        "domain" => *value == domain,
        "count" => *value == 1 || *value == "1",
        "status" => is_ongoing(value),
        "event" | "reference" | "amount" => !is_compound(value),
        "recipient" => true,
        _ if inner.contains(&name) => true,
        _ if MEANINGFUL.contains(&plain.as_str()) || is_about_recipient(&plain) => false,
        _ => !is_compound(value) || is_empty(value) || DOCUMENTED.contains(&name),
    }
}

/// Whether a status is not that of a transfer that has ended. In frames it means whether a request
/// was fulfilled.
fn is_ongoing(status: &Value) -> bool {
    match status {
        Value::Bool(is_fulfilled) => *is_fulfilled,
        Value::String(word) => !ENDED.contains(&plain(word).as_str()),
        _ => false,
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(Map::is_empty)
}

/// Amounts of Paystack are whole numbers of pesewas, so `Value` keeps them exactly.
fn amount(transfer: &Members) -> Option<Amount> {
    let amount = transfer.get("amount")?;
    let pesewas = amount.as_i64().or_else(|| amount.as_str()?.parse().ok())?;
    Amount::from_pesewas(pesewas).ok()
}

#[cfg(test)]
mod tests;
