//! The port for the ledger. Postings are written with the events that cause them ([`super::Store`]); here they are read.

use super::StoreError;
use crate::domain::{
    TransactionId,
    ledger::{LedgerBalance, verification::PostedTransaction},
};
use async_trait::async_trait;
use jiff::Timestamp;

/// What people and verifications read of the ledger. Nothing here is on the path of a payment.
#[async_trait]
pub trait Ledger {
    /// The sums of all postings until a time, by account, mode and operator.
    async fn ledger_balances(&self, until: Timestamp) -> Result<Vec<LedgerBalance>, StoreError>;
    /// The next transactions by id, at most so many, each with the sums of its postings at the same moment.
    async fn posted_transactions(
        &self,
        after: Option<&TransactionId>,
        most: u32,
    ) -> Result<Vec<PostedTransaction>, StoreError>;
    /// How many entries name a transaction that does not exist.
    async fn orphaned_entries(&self) -> Result<u64, StoreError>;
}
