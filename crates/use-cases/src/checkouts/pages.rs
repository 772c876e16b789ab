//! Lists sessions page by page, for the merchant's server.

use super::{Checkouts, for_merchants::MerchantsCheckout};
use jiff::Timestamp;
use tua_domain::{
    Scope,
    checkout::{CheckoutStatus, LIFETIME},
    checkout_listing::{CheckoutCursor, CheckoutFilter, CheckoutPageRequest, ListedCheckout},
    ports::StoreError,
};

/// How many sessions a filter by status reads at once.
const READ_SIZE: u32 = 100;

/// How many sessions a filter by status reads for one page at most.
const MAX_READ: u32 = 1_000;

/// A page of sessions, newest first.
#[derive(Debug)]
pub struct ListedCheckouts {
    /// At most as many as the page's limit.
    pub sessions: Vec<MerchantsCheckout>,
    /// Where the next page begins; `None` on the last one.
    pub next: Option<CheckoutCursor>,
}

/// A page that is read, session by session.
struct UnfinishedPage {
    limit: usize,
    sessions: Vec<MerchantsCheckout>,
    /// The last session that was read, whether it matches or not.
    position: Option<CheckoutCursor>,
}

impl Checkouts {
    /// A page of the sessions of an account and mode that match, newest first. The status of a
    /// session depends on its charges and on the time, so no index has it: with a filter by status
    /// at most 1,000 sessions are read, and the page may have fewer sessions than its limit,
    /// or none, although there is a next page.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn page(
        &self,
        scope: &Scope,
        filter: CheckoutFilter,
        page: CheckoutPageRequest,
    ) -> Result<ListedCheckouts, StoreError> {
        let now = self.idempotency.clock.now();
        let CheckoutFilter { status, mut stored } = filter;
        if status == Some(CheckoutStatus::Open) {
            stored.created_after = stored.created_after.max(Some(now - LIFETIME));
        }
        // One session more than the page has shows whether there is a next page.
        let size = status.map_or(page.limit + 1, |_| READ_SIZE);
        let limit = usize::try_from(page.limit).map_err(StoreError::failed)?;
        let mut read = UnfinishedPage { limit, sessions: Vec::new(), position: page.after };
        for _ in 0..MAX_READ / READ_SIZE {
            let chunk = CheckoutPageRequest { limit: size, after: read.position.clone() };
            let found = self.reports.checkouts(scope, stored.clone(), chunk).await?;
            let is_last = u32::try_from(found.len()).is_ok_and(|found| found < size);
            if read.add(found, status, now) {
                break;
            }
            if is_last {
                read.position = None;
                break;
            }
        }
        Ok(ListedCheckouts { sessions: read.sessions, next: read.position })
    }
}

impl UnfinishedPage {
    /// Adds the sessions that match. Returns `true` if a session was left for the next page.
    fn add(
        &mut self,
        found: Vec<ListedCheckout>,
        wanted: Option<CheckoutStatus>,
        now: Timestamp,
    ) -> bool {
        for ListedCheckout { checkout, summary } in found {
            let position = CheckoutCursor::after(&checkout);
            let status = checkout.status(&summary, now);
            if wanted.is_none_or(|wanted| wanted == status) {
                if self.sessions.len() == self.limit {
                    return true;
                }
                self.sessions.push(MerchantsCheckout { checkout, summary, status });
            }
            self.position = Some(position);
        }
        false
    }
}
