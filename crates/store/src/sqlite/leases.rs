//! Leases of orders to send and of due status queries.

use crate::lease_sql::LeaseSql;
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::{
    poll_schedule::{MAX_QUERY_DELAY, MAX_SCHEDULE_DELAY},
    ports::DueTransaction,
    queue::Queue,
};
use tua_sql::{rows, sqlite::record::Record};

const IS_DUE: &str = "SELECT EXISTS (SELECT 1 FROM transactions WHERE mode = ?1 AND kind = ?2 AND \
     operator_fingerprint = ?3 AND ask_at <= ?4)
             OR EXISTS (SELECT 1 FROM transactions WHERE mode = ?1 AND kind = ?2 AND \
     operator_fingerprint = ?3 AND send_at <= ?4)";

impl LeaseSql for Connection {
    async fn due_queues(&self, queues: &[Queue], now: Timestamp) -> Result<Vec<Queue>> {
        let mut is_due_sql = self.prepare_cached(IS_DUE)?;
        let mut due = Vec::new();
        for queue in queues {
            let parameters = (
                queue.mode.as_str(),
                queue.kind.as_str(),
                queue.operator_column(),
                now.as_millisecond(),
            );
            if is_due_sql.query_row(parameters, |row| row.get(0))? {
                due.push(queue.clone());
            }
        }
        Ok(due)
    }

    async fn lease_due(
        &self,
        limits: &[(Queue, u32)],
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<DueTransaction>> {
        let mut due = Vec::new();
        for (queue, limit) in limits {
            let unsent = lease(
                self,
                "UPDATE transactions SET send_at = ?5
                 WHERE id IN (SELECT id FROM transactions WHERE mode = ?1 AND kind = ?2 AND \
                 operator_fingerprint = ?3 AND send_at <= ?4
                              ORDER BY send_at LIMIT ?6) RETURNING *",
                queue,
                (now, until, *limit),
            )?;
            let left = limit.saturating_sub(u32::try_from(unsent.len()).unwrap_or(u32::MAX));
            due.extend(unsent);
            due.extend(lease(
                self,
                "UPDATE transactions SET ask_at = ?5
                 WHERE id IN (SELECT id FROM transactions WHERE mode = ?1 AND kind = ?2 AND \
                 operator_fingerprint = ?3 AND ask_at <= ?4
                              ORDER BY ask_at LIMIT ?6) RETURNING *",
                queue,
                (now, until, left),
            )?);
        }
        Ok(due)
    }

    /// One process serves the file.
    async fn is_alone(&self) -> Result<bool> {
        Ok(true)
    }

    async fn correct_schedules(&self, now: Timestamp) -> Result<()> {
        let latest_query = now + MAX_QUERY_DELAY;
        let latest_schedule = now + MAX_SCHEDULE_DELAY;
        for (sql, latest) in [
            ("UPDATE transactions SET send_at = ?1 WHERE send_at > ?2", latest_query),
            (
                "UPDATE transactions SET ask_at = ?1 WHERE ask_at > ?2 AND review_at IS NULL AND \
                 status = 'PENDING'",
                latest_query,
            ),
            ("UPDATE transactions SET ask_at = ?1 WHERE ask_at > ?2", latest_schedule),
            ("UPDATE webhook_deliveries SET due_at = ?1 WHERE due_at > ?2", latest_schedule),
            ("UPDATE mail_messages SET due_at = ?1 WHERE due_at > ?2", latest_schedule),
        ] {
            self.prepare_cached(sql)?.execute((now.as_millisecond(), latest.as_millisecond()))?;
        }
        Ok(())
    }
}

fn lease(
    db: &Connection,
    sql: &str,
    queue: &Queue,
    (now, until, limit): (Timestamp, Timestamp, u32),
) -> Result<Vec<DueTransaction>> {
    let now = now.as_millisecond();
    let leased_until = until.as_millisecond();
    let Queue { mode, kind, .. } = queue;
    db.prepare_cached(sql)?
        .query_map(
            (mode.as_str(), kind.as_str(), queue.operator_column(), now, leased_until, limit),
            |row| rows::due(&Record::new(row), until),
        )?
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{connection::connect, migrations::migrate};
    use rusqlite::{OpenFlags, StatementStatus};
    use tua_domain::{Kind, Mode};
    use tua_sql::sqlite::sql::ready;

    /// How often a look for due work was prepared again, after two looks.
    fn prepared_again(mut db: Connection) -> i32 {
        migrate(&mut db).unwrap();
        for now in [Timestamp::UNIX_EPOCH, Timestamp::MAX] {
            let queues = Kind::ALL.iter().map(|kind| Queue {
                mode: Mode::Live,
                kind: *kind,
                operator: None,
            });
            ready(db.due_queues(&queues.collect::<Vec<_>>(), now)).unwrap();
        }
        let looked = db.prepare_cached(IS_DUE).unwrap();
        assert_eq!(looked.get_status(StatementStatus::Run), 4);
        looked.get_status(StatementStatus::RePrepare)
    }

    /// It runs each second.
    #[test]
    fn a_look_for_due_work_is_prepared_once() {
        assert!(prepared_again(Connection::open_in_memory().unwrap()) > 0, "as SQLite does it");
        let folder = tempfile::tempdir().unwrap();
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let path = folder.path().canonicalize().unwrap().join("tua.db");
        assert_eq!(prepared_again(connect(&path, flags).unwrap()), 0);
    }
}
