//! The people whom an account has paid before. Nothing is stored for them: they are read from the
//! payouts, so an erasure of a person's data removes the person here too.

use super::{reading, reports::list_page};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use tua_contract::{Amount, Network, Phone, Status, phone::PhoneError};
use tua_domain::{
    Kind, Scope, Transaction, TransactionId, TransactionOrder,
    ports::{Reports, StoreError, Transactions},
    privacy::erased_phone,
    refund::TransactionType,
    reporting::{Position, ReportFilter, ReportPageRequest},
};

/// The longest name of a recipient that is stored, in characters.
pub const NAME_MAX_CHARS: usize = 100;

/// The member of a payout's metadata with the name that a person typed.
const NAME: &str = "recipientName";

/// The member of a payout's metadata with its line in the file.
const FILE_LINE: &str = "fileLine";

/// How many of the newest payouts are read for a short list of payees.
const READ_PAYOUTS: u32 = 200;

/// How many of the newest payouts are searched for payees.
const SEARCHED_PAYOUTS: u32 = 1000;

/// The longest part of a payee's name or number that is searched for, in characters.
const SEARCH_MAX_CHARS: usize = 100;

/// Reads whom an account has paid.
#[derive(Clone, Debug)]
pub struct Payees {
    /// Lists the payouts of an account and mode.
    pub reports: Arc<dyn Reports>,
    /// Reads a payout by its id.
    pub transactions: Arc<dyn Transactions>,
}

/// Somebody who was paid, by the newest payout to the same wallet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Payee {
    /// The id of the newest payout to the wallet.
    pub payout: TransactionId,
    /// The network of the wallet.
    pub network: Network,
    /// The number of the wallet.
    pub phone: Phone,
    /// The name that a person typed at the newest payout with one.
    pub name: Option<String>,
    /// What the newest payout paid.
    pub amount: Amount,
    /// When the newest payout began.
    pub paid_at: Timestamp,
}

impl Payees {
    /// The wallets of the newest successful payouts, each once, at most so many.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn recent(&self, scope: &Scope, limit: usize) -> Result<Vec<Payee>, StoreError> {
        let mut payees = self.of_newest(scope, READ_PAYOUTS).await?;
        payees.truncate(limit);
        Ok(payees)
    }

    /// The wallets of the newest 1,000 successful payouts that match, each once.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn search(
        &self,
        scope: &Scope,
        search: &PayeeSearch,
    ) -> Result<Vec<Payee>, StoreError> {
        let mut payees = self.of_newest(scope, SEARCHED_PAYOUTS).await?;
        payees.retain(|payee| search.matches(payee));
        Ok(payees)
    }

    async fn of_newest(&self, scope: &Scope, payouts: u32) -> Result<Vec<Payee>, StoreError> {
        let filter = ReportFilter {
            types: Some(vec![TransactionType::Payout]),
            status: Some(Status::Successful),
            ..ReportFilter::default()
        };
        let page = ReportPageRequest { limit: payouts, position: Position::First };
        let found = list_page(self.reports.as_ref(), scope, &filter, &page).await?.transactions;
        Ok(wallets(&found))
    }

    /// The payee of a payout of this account and mode.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        scope: &Scope,
        payout: &TransactionId,
    ) -> Result<Option<Payee>, StoreError> {
        let found = reading::find_in(self.transactions.as_ref(), scope, payout).await?;
        Ok(found.as_ref().and_then(Payee::of))
    }
}

impl Payee {
    /// `None` for a charge, a refund, and a payout whose recipient was erased.
    fn of(payout: &Transaction) -> Option<Self> {
        let order = &payout.order;
        let transfer = &order.transfer;
        let is_payout = transfer.kind == Kind::Payout && order.refund.is_none();
        (is_payout && transfer.phone != erased_phone()).then(|| Self {
            payout: order.id.clone(),
            network: transfer.network,
            phone: transfer.phone.clone(),
            name: typed_name(order),
            amount: transfer.amount,
            paid_at: payout.created_at,
        })
    }
}

/// A part of a payee's name, or of the number as people type it.
#[derive(Clone, Debug)]
pub struct PayeeSearch {
    name: String,
    /// Empty if the text is no part of a number.
    digits: String,
}

impl PayeeSearch {
    /// A search for what a person typed. Every payee matches an empty text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let text: String = text.trim().chars().take(SEARCH_MAX_CHARS).collect();
        let digits = match Phone::parse_typed(&text) {
            Ok(phone) => phone.as_str().to_owned(),
            Err(PhoneError::NotDigits) => String::new(),
            Err(_) => national(text.chars().filter(char::is_ascii_digit).collect()),
        };
        Self { name: text.to_lowercase(), digits }
    }

    fn matches(&self, payee: &Payee) -> bool {
        let has_name =
            payee.name.as_ref().is_some_and(|name| name.to_lowercase().contains(&self.name));
        let has_digits = !self.digits.is_empty() && payee.phone.as_str().contains(&self.digits);
        self.name.is_empty() || has_name || has_digits
    }
}

/// A part of a number that may begin with the code of Ghana, as stored numbers begin.
fn national(digits: String) -> String {
    let rest = digits.strip_prefix("00").unwrap_or(&digits).strip_prefix("233");
    rest.map(|rest| format!("0{rest}")).unwrap_or(digits)
}

/// The metadata of a payout to somebody of this name.
#[must_use]
pub fn metadata_with_name(name: &str) -> String {
    json!({ NAME: name }).to_string()
}

/// The metadata of a payout of a file: its line there, from 1, and the name that the line has.
#[must_use]
pub fn metadata_of_line(line: u64, name: Option<&str>) -> String {
    match name {
        Some(name) => json!({ NAME: name, FILE_LINE: line }),
        None => json!({ FILE_LINE: line }),
    }
    .to_string()
}

/// The line of the file that a payout was read from; `None` where it is of no file.
#[must_use]
pub fn file_line(order: &TransactionOrder) -> Option<u64> {
    metadata(order)?.get(FILE_LINE)?.as_u64()
}

/// The metadata that the shop itself sent, unchanged. `None` where a page or a file made it: then it
/// has the members of [`metadata_of_line`] or [`metadata_with_name`] and no other.
#[must_use]
pub fn metadata_of_shop(order: &TransactionOrder) -> Option<String> {
    let text = order.details.metadata.as_deref()?;
    let is_ours = |members: &Map<String, Value>| {
        !members.is_empty() && members.keys().all(|name| name == NAME || name == FILE_LINE)
    };
    let members = serde_json::from_str(text).ok();
    members.is_none_or(|members| !is_ours(&members)).then(|| text.to_owned())
}

fn metadata(order: &TransactionOrder) -> Option<Value> {
    serde_json::from_str(order.details.metadata.as_deref()?).ok()
}

/// The name that a person typed for the recipient of a payout, or that the line of a file has.
#[must_use]
pub fn typed_name(order: &TransactionOrder) -> Option<String> {
    Some(metadata(order)?.get(NAME)?.as_str()?.to_owned())
}

/// The payees of these payouts, which are sorted from the newest to the oldest.
fn wallets(payouts: &[Transaction]) -> Vec<Payee> {
    let mut payees: Vec<Payee> = Vec::new();
    for payee in payouts.iter().filter_map(Payee::of) {
        let is_wallet =
            |known: &&mut Payee| known.phone == payee.phone && known.network == payee.network;
        match payees.iter_mut().find(is_wallet) {
            Some(known) => known.name = known.name.take().or(payee.name),
            None => payees.push(payee),
        }
    }
    payees
}
