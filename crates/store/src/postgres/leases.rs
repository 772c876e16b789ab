//! Leases of orders to send and of due status queries.

use super::{batch_ops::column, nodes, record::at};
use crate::lease_sql::LeaseSql;
use jiff::Timestamp;
use tua_domain::{
    poll_schedule::{MAX_QUERY_DELAY, MAX_SCHEDULE_DELAY},
    ports::DueTransaction,
    queue::Queue,
};
use tua_sql::{
    postgres::{
        db::{Db, Parameters},
        error::Result,
    },
    rows::{self, transaction_columns},
};

impl LeaseSql for Db {
    async fn due_queues(&self, queues: &[Queue], now: Timestamp) -> Result<Vec<Queue>> {
        let sql = "SELECT n FROM unnest($1::text[], $2::text[], $3::text[])
                       WITH ORDINALITY AS queues (mode, kind, operator, n)
                   WHERE EXISTS (SELECT 1 FROM transactions
                                 WHERE mode = queues.mode AND kind = queues.kind
                                   AND operator_fingerprint = queues.operator AND ask_at <= $4)
                      OR EXISTS (SELECT 1 FROM transactions
                                 WHERE mode = queues.mode AND kind = queues.kind
                                   AND operator_fingerprint = queues.operator AND send_at <= $4)";
        let due = self
            .query(
                sql,
                &[
                    &column(queues, |queue| queue.mode.as_str()),
                    &column(queues, |queue| queue.kind.as_str()),
                    &column(queues, Queue::operator_column),
                    &at(now),
                ],
            )
            .await?;
        let numbers: Vec<i64> = due.iter().map(|row| Ok(row.try_get(0)?)).collect::<Result<_>>()?;
        let is_due = |(_, number): &(&Queue, i64)| numbers.contains(number);
        Ok(queues.iter().zip(1..).filter(is_due).map(|(queue, _)| queue.clone()).collect())
    }

    /// Skips rows that another node is leasing. If all are locked, it waits for one: the lock may
    /// be held for another reason, and the transaction is due.
    async fn lease_due(
        &self,
        limits: &[(Queue, u32)],
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<DueTransaction>> {
        let leased = lease_unlocked(self, limits, now, until).await?;
        if !leased.is_empty() {
            return Ok(leased);
        }
        let first = "SELECT 1 FROM transactions
                     WHERE mode = $1 AND kind = $2 AND operator_fingerprint = $3 AND ask_at <= $4
                     ORDER BY ask_at LIMIT 1 FOR NO KEY UPDATE";
        for (queue, _) in limits {
            let parameters: Parameters<'_> =
                &[&queue.mode.as_str(), &queue.kind.as_str(), &queue.operator_column(), &at(now)];
            if self.query_opt(first, parameters).await?.is_some() {
                return lease_unlocked(self, limits, now, until).await;
            }
        }
        Ok(Vec::new())
    }

    async fn is_alone(&self) -> Result<bool> {
        Ok(!nodes::are_others_alive(self).await?)
    }

    /// Skips rows that are locked: another node is changing them, or corrects them too.
    async fn correct_schedules(&self, now: Timestamp) -> Result<()> {
        macro_rules! make_due {
            ($table:literal, $column:literal, $condition:literal) => {
                concat!(
                    "UPDATE ",
                    $table,
                    " SET ",
                    $column,
                    " = $1 WHERE id IN (SELECT id FROM ",
                    $table,
                    " WHERE ",
                    $column,
                    " > $2",
                    $condition,
                    " FOR NO KEY UPDATE SKIP LOCKED)"
                )
            };
        }
        let latest_query = now + MAX_QUERY_DELAY;
        let latest_schedule = now + MAX_SCHEDULE_DELAY;
        for (sql, latest) in [
            (make_due!("transactions", "send_at", ""), latest_query),
            (
                make_due!(
                    "transactions",
                    "ask_at",
                    " AND review_at IS NULL AND status = 'PENDING'"
                ),
                latest_query,
            ),
            (make_due!("transactions", "ask_at", ""), latest_schedule),
            (make_due!("webhook_deliveries", "due_at", ""), latest_schedule),
            (make_due!("mail_messages", "due_at", ""), latest_schedule),
        ] {
            self.execute(sql, &[&at(now), &at(latest)]).await?;
        }
        Ok(())
    }
}

macro_rules! lease_sql {
    ($column:literal) => {
        concat!(
            "WITH due AS (SELECT id FROM transactions
                          WHERE mode = $1 AND kind = $2 AND operator_fingerprint = $3 AND ",
            $column,
            " <= $4 ORDER BY ",
            $column,
            " LIMIT $6 FOR NO KEY UPDATE SKIP LOCKED)
             UPDATE transactions SET ",
            $column,
            " = $5 FROM due WHERE transactions.id = due.id RETURNING ",
            transaction_columns!(),
            ", asks, send_deadline, acknowledged_at, review_at, clock_advanced_ms"
        )
    };
}

async fn lease_unlocked(
    db: &Db,
    limits: &[(Queue, u32)],
    now: Timestamp,
    until: Timestamp,
) -> Result<Vec<DueTransaction>> {
    let mut leased = Vec::new();
    for (queue, limit) in limits {
        let mode = queue.mode.as_str();
        let kind = queue.kind.as_str();
        let operator = queue.operator_column();
        let mut limit = i64::from(*limit);
        for sql in [lease_sql!("send_at"), lease_sql!("ask_at")] {
            let parameters: Parameters<'_> =
                &[&mode, &kind, &operator, &at(now), &at(until), &limit];
            let found = db.query(sql, parameters).await?;
            limit -= i64::try_from(found.len()).unwrap_or(i64::MAX);
            for row in &found {
                leased.push(rows::due(row, until)?);
            }
        }
    }
    Ok(leased)
}
