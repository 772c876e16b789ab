//! The charges of the day, for people who ask payers for money and read nothing else. A charge does
//! not vanish at midnight while somebody follows it.

use super::{reading, reports::list_page};
use jiff::{SignedDuration, Timestamp, ToSpan};
use std::sync::Arc;
use tua_contract::Status;
use tua_domain::{
    Kind, Scope, Transaction, TransactionId, Transfer,
    calendar::day_of,
    ports::{Clock, Reports, StoreError, Transactions},
    refund::TransactionType,
    reporting::{Position, ReportFilter, ReportPageRequest, Search},
};

/// How long a charge of the day before is shown after it began.
const SHOWN_AFTER_MIDNIGHT: SignedDuration = SignedDuration::from_hours(1);

/// With how many pending charges of a number a new one is compared.
const COMPARED: u32 = 20;

/// Reads the charges of an account and mode that began on the current day in Ghana's zone (UTC), or
/// within the last hour, and those of the day before that are not final.
#[derive(Clone, Debug)]
pub struct DayCharges {
    /// Lists the charges of an account and mode.
    pub reports: Arc<dyn Reports>,
    /// Reads a charge by its id.
    pub transactions: Arc<dyn Transactions>,
    /// Decides which day it is.
    pub clock: Arc<dyn Clock>,
}

impl DayCharges {
    /// The newest charges of the day, at most so many.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn newest(&self, scope: &Scope, limit: u32) -> Result<Vec<Transaction>, StoreError> {
        let now = self.clock.now();
        let filter = ReportFilter {
            types: Some(vec![TransactionType::Charge]),
            from: Some(day_of(now).saturating_sub(1.day())),
            ..ReportFilter::default()
        };
        let page = ReportPageRequest { limit, position: Position::First };
        let mut newest =
            list_page(self.reports.as_ref(), scope, &filter, &page).await?.transactions;
        newest.retain(|charge| is_of_day(charge, now));
        Ok(newest)
    }

    /// A charge of the day with the number and the amount of this transfer whose payer has not
    /// answered yet.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn pending_like(
        &self,
        scope: &Scope,
        transfer: &Transfer,
    ) -> Result<Option<Transaction>, StoreError> {
        let now = self.clock.now();
        let filter = ReportFilter {
            search: Some(Search::of_phone(transfer.phone.clone())),
            types: Some(vec![TransactionType::Charge]),
            status: Some(Status::Pending),
            from: Some(day_of(now).saturating_sub(1.day())),
            ..ReportFilter::default()
        };
        let page = ReportPageRequest { limit: COMPARED, position: Position::First };
        let pending = list_page(self.reports.as_ref(), scope, &filter, &page).await?.transactions;
        let is_like = |one: &Transaction| one.order.transfer.amount == transfer.amount;
        Ok(pending.into_iter().find(|one| is_like(one) && is_of_day(one, now)))
    }

    /// The charge with this id, if it is of this account and mode, and of the day.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        scope: &Scope,
        id: &TransactionId,
    ) -> Result<Option<Transaction>, StoreError> {
        let now = self.clock.now();
        let found = reading::find_in(self.transactions.as_ref(), scope, id).await?;
        Ok(found.filter(|one| one.order.transfer.kind == Kind::Charge && is_of_day(one, now)))
    }
}

fn is_of_day(charge: &Transaction, now: Timestamp) -> bool {
    let began = day_of(charge.created_at);
    let today = day_of(now);
    let is_followed =
        !charge.state.is_final() || now.duration_since(charge.created_at) < SHOWN_AFTER_MIDNIGHT;
    began == today || (began.saturating_add(1.day()) == today && is_followed)
}
