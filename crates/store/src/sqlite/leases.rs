//! Leases of orders to send and of due status queries.

use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::{
    TransactionId,
    poll_schedule::{MAX_QUERY_DELAY, MAX_SCHEDULE_DELAY},
    ports::{DueTransaction, NextStatusQuery},
    queue::Queue,
};
use tua_sql::{rows, sqlite::record::Record};

const IS_DUE: &str = "SELECT EXISTS (SELECT 1 FROM transactions WHERE mode = ?1 AND kind = ?2 AND \
     operator_fingerprint = ?3 AND ask_at <= ?4)
             OR EXISTS (SELECT 1 FROM transactions WHERE mode = ?1 AND kind = ?2 AND \
     operator_fingerprint = ?3 AND send_at <= ?4)";

/// The queues among these with an order to send or a status query that is due.
pub(super) fn due_queues(
    db: &Connection,
    queues: Vec<Queue>,
    now: Timestamp,
) -> Result<Vec<Queue>> {
    let mut is_due_sql = db.prepare_cached(IS_DUE)?;
    let mut due = Vec::new();
    for queue in queues {
        let parameters = (
            queue.mode.as_str(),
            queue.kind.as_str(),
            queue.operator_column(),
            now.as_millisecond(),
        );
        if is_due_sql.query_row(parameters, |row| row.get(0))? {
            due.push(queue);
        }
    }
    Ok(due)
}

/// Leases orders to send and due status queries, of each queue at most its limit.
pub(super) fn lease_due(
    db: &Connection,
    limits: &[(Queue, u32)],
    now: Timestamp,
    until: Timestamp,
) -> Result<Vec<DueTransaction>> {
    let mut due = Vec::new();
    for (queue, limit) in limits {
        let unsent = lease(
            db,
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
            db,
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

/// Ends the leases that expire at `latest` or earlier.
pub(super) fn end_leases(db: &Connection, now: Timestamp, latest: Timestamp) -> Result<()> {
    for sql in [
        "UPDATE transactions SET send_at = ?1 WHERE send_at > ?1 AND send_at <= ?2",
        "UPDATE transactions SET ask_at = ?1 WHERE ask_at > ?1 AND ask_at <= ?2",
    ] {
        db.prepare_cached(sql)?.execute((now.as_millisecond(), latest.as_millisecond()))?;
    }
    Ok(())
}

/// Makes due now what is scheduled later than the longest delay from now.
pub(super) fn correct_schedules(db: &Connection, now: Timestamp) -> Result<()> {
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
        db.prepare_cached(sql)?.execute((now.as_millisecond(), latest.as_millisecond()))?;
    }
    Ok(())
}

/// Schedules the next status query; returns `false` if the transaction has become final.
pub(super) fn schedule_status_query(
    db: &Connection,
    id: &TransactionId,
    query_count: u32,
    next: NextStatusQuery,
    now: Timestamp,
) -> Result<bool> {
    let flagged_at = next.is_flagged.then_some(now.as_millisecond());
    db.prepare_cached(
        "UPDATE transactions SET asks = ?2, ask_at = ?3, review_at = coalesce(review_at, ?4)
         WHERE id = ?1 AND status = 'PENDING' AND handed_over_at IS NOT NULL",
    )?
    .execute((id.as_str(), query_count, next.at.map(Timestamp::as_millisecond), flagged_at))
    .map(|planned| planned > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{connection::connect, migrations::MIGRATIONS};
    use rusqlite::{OpenFlags, StatementStatus};
    use rusqlite_migration::Migrations;
    use tua_domain::{Kind, Mode};

    /// How often a look for due work was prepared again, after two looks.
    fn prepared_again(mut db: Connection) -> i32 {
        Migrations::from_slice(MIGRATIONS).to_latest(&mut db).unwrap();
        for now in [Timestamp::UNIX_EPOCH, Timestamp::MAX] {
            let queues = Kind::ALL.iter().map(|kind| Queue {
                mode: Mode::Live,
                kind: *kind,
                operator: None,
            });
            due_queues(&db, queues.collect(), now).unwrap();
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
