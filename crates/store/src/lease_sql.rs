//! What the code of each engine does with due work, for the port that both implement.

use jiff::Timestamp;
use tua_domain::{ports::DueTransaction, queue::Queue};
use tua_sql::sql::Sql;

/// A connection, inside a transaction where something is leased.
pub(crate) trait LeaseSql: Sql {
    /// The queues among these with an order to send or a status query that is due.
    async fn due_queues(&self, queues: &[Queue], now: Timestamp)
    -> Result<Vec<Queue>, Self::Error>;

    /// Leases orders to send and due status queries, of each queue at most its limit.
    async fn lease_due(
        &self,
        limits: &[(Queue, u32)],
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<DueTransaction>, Self::Error>;

    /// Whether no other node is connected.
    async fn is_alone(&self) -> Result<bool, Self::Error>;

    /// Makes due now what is scheduled later than the longest delay from now.
    async fn correct_schedules(&self, now: Timestamp) -> Result<(), Self::Error>;
}
