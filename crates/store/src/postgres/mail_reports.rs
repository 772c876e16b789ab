//! Reports by e-mail: who has chosen which, and the messages of those that are due.

use super::{audit, db::Db, error::Result, mail};
use crate::{audit_values, column_values};
use jiff::Timestamp;
use tua_domain::{
    UserId,
    audit::{Action, AuditContext},
    mail::{QueuedMail, ReportInterval},
    people::User,
};

pub(super) async fn chosen(db: &Db, user: &UserId) -> Result<Option<ReportInterval>> {
    let row =
        db.query_opt("SELECT report_interval FROM users WHERE id = $1", &[&user.as_str()]).await?;
    let found: Option<String> = row.map(|row| row.try_get(0)).transpose()?.flatten();
    Ok(found.as_deref().and_then(ReportInterval::parse))
}

/// Stores a choice. The first report is that of the day or week in which it is made.
pub(super) async fn choose(
    db: &Db,
    user: &User,
    interval: Option<ReportInterval>,
    by: &AuditContext,
) -> Result<()> {
    let day = interval.map(|interval| column_values::day_number(interval.last_ended(by.at)));
    // The same choice again must not skip a report that is due at six.
    let update =
        "UPDATE users SET report_day = CASE WHEN report_interval = $2 THEN report_day ELSE $3 END,
                                   report_interval = $2 WHERE id = $1";
    db.execute(update, &[&user.id.as_str(), &interval.map(ReportInterval::as_str), &day]).await?;
    audit::append(db, by, &audit_values::people::user_changed(Action::ReportsChosen, user)).await
}

pub(super) async fn is_any_due(db: &Db, now: Timestamp) -> Result<bool> {
    let sql = "SELECT 1 FROM users WHERE report_interval = $1 AND report_day < $2 LIMIT 1";
    for interval in ReportInterval::ALL {
        let last = column_values::day_number(interval.last_day(now));
        if db.query_opt(sql, &[&interval.as_str(), &last]).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Inserts the messages of the newest periods. Earlier periods that were missed are left out. Of
/// two nodes, one updates a person's row, and the other then finds nothing due.
pub(super) async fn dispatch(db: &Db, now: Timestamp) -> Result<()> {
    let update = "UPDATE users SET report_day = $2 WHERE report_interval = $1 AND report_day < $2 \
        RETURNING id";
    for interval in ReportInterval::ALL {
        let last = interval.last_day(now);
        let due = db.query(update, &[&interval.as_str(), &column_values::day_number(last)]).await?;
        let mails = due
            .iter()
            .map(|row| Ok(interval.mail(UserId::new(row.try_get::<_, String>(0)?), last, now)));
        mail::insert(db, &mails.collect::<Result<Vec<QueuedMail>>>()?).await?;
    }
    Ok(())
}
