//! Reports by e-mail: who has chosen which, and the messages of those that are due.

use super::{audit, mail};
use crate::{audit_values, column_values};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result};
use tua_domain::{
    UserId,
    audit::{Action, AuditContext},
    mail::ReportInterval,
    people::User,
};

pub(super) fn chosen(db: &Connection, user: &UserId) -> Result<Option<ReportInterval>> {
    let found: Option<Option<String>> = db
        .prepare_cached("SELECT report_interval FROM users WHERE id = ?1")?
        .query_row([user.as_str()], |row| row.get(0))
        .optional()?;
    Ok(found.flatten().as_deref().and_then(ReportInterval::parse))
}

/// Stores a choice. The first report is that of the day or week in which it is made.
pub(super) fn choose(
    db: &Connection,
    user: &User,
    interval: Option<ReportInterval>,
    by: &AuditContext,
) -> Result<()> {
    let day = interval.map(|interval| column_values::day_number(interval.last_ended(by.at)));
    db.prepare_cached(
        "UPDATE users SET report_day = CASE WHEN report_interval = ?2 THEN report_day ELSE ?3 END, \
         report_interval = ?2
         WHERE id = ?1",
    )?
    .execute((user.id.as_str(), interval.map(ReportInterval::as_str), day))?;
    audit::append(db, by, &audit_values::people::user_changed(Action::ReportsChosen, user))
}

pub(super) fn is_any_due(db: &Connection, now: Timestamp) -> Result<bool> {
    let mut due = db.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM users WHERE report_interval = ?1 AND report_day < ?2)",
    )?;
    for interval in ReportInterval::ALL {
        if due.query_row(
            (interval.as_str(), column_values::day_number(interval.last_day(now))),
            |row| row.get(0),
        )? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Inserts the messages of the newest periods. Earlier periods that were missed are left out.
pub(super) fn dispatch(db: &Connection, now: Timestamp) -> Result<()> {
    for interval in ReportInterval::ALL {
        let last = interval.last_day(now);
        let due: Vec<String> = db
            .prepare_cached(
                "UPDATE users SET report_day = ?2 WHERE report_interval = ?1 AND report_day < ?2 \
                 RETURNING id",
            )?
            .query_map((interval.as_str(), column_values::day_number(last)), |row| row.get(0))?
            .collect::<Result<_>>()?;
        for user in due {
            mail::insert(db, &interval.mail(UserId::new(user), last, now))?;
        }
    }
    Ok(())
}
