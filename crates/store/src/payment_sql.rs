//! What the code of each engine does with payments, for the queries that both run.

use jiff::Timestamp;
use tua_domain::{
    Event, KeyId, LinkId, Transaction, TransactionOrder, approval::Circumstances, webhook::Delivery,
};
use tua_sql::sql::Sql;

/// A connection, inside a transaction that changes payments or sessions.
pub(crate) trait PaymentSql: Sql {
    /// Applies an event, stores both, and writes the webhook deliveries.
    fn apply_event(
        &self,
        transaction: &mut Transaction,
        event: &Event,
        now: Timestamp,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Inserts webhook deliveries. The caller has locked their endpoints.
    fn insert_deliveries(
        &self,
        deliveries: &[Delivery],
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Stores what an approval chose, and that the payout may be sent.
    fn store_approved(
        &self,
        approved: &Transaction,
        now: Timestamp,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// What the approval of a payout depends on. The sum of the day leaves out the payout itself.
    fn approval_circumstances(
        &self,
        order: &TransactionOrder,
        now: Timestamp,
    ) -> impl Future<Output = Result<Circumstances, Self::Error>> + Send;

    /// Closes the open sessions of a payment link. The caller has locked the link.
    fn close_sessions_of_link(
        &self,
        link: &LinkId,
        now: Timestamp,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Closes the open sessions that a key created, and returns how many they are.
    fn close_checkouts_of(
        &self,
        key: &KeyId,
        now: Timestamp,
    ) -> impl Future<Output = Result<usize, Self::Error>> + Send;
}
