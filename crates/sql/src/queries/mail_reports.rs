//! Reports by e-mail: who has chosen which, and the messages of those that are due.

use super::{audit, mail};
use crate::{
    audit_values,
    column_values::day_number,
    columns::{maybe_text, text},
    sql::Sql,
};
use jiff::Timestamp;
use tua_domain::{
    UserId,
    audit::{Action, AuditContext},
    mail::ReportInterval,
    people::User,
};

/// Which reports a person has chosen.
pub async fn chosen<S: Sql>(db: &S, user: &UserId) -> Result<Option<ReportInterval>, S::Error> {
    let sql = "SELECT report_interval FROM users WHERE id = $1";
    let row = db.query_opt(sql, &[&user.as_str()]).await?;
    let found = row.map(|row| maybe_text(&row, "report_interval")).transpose()?.flatten();
    Ok(found.as_deref().and_then(ReportInterval::parse))
}

/// Stores a choice. The first report is that of the day or week in which it is made.
pub async fn choose<S: Sql>(
    db: &S,
    user: &User,
    interval: Option<ReportInterval>,
    by: &AuditContext,
) -> Result<(), S::Error> {
    let day = interval.map(|interval| day_number(interval.last_ended(by.at)));
    // The same choice again must not skip a report that is due at six.
    let update = "UPDATE users
         SET report_day = CASE WHEN report_interval = $2 THEN report_day ELSE $3 END,
             report_interval = $2
         WHERE id = $1";
    db.execute(update, &[&user.id.as_str(), &interval.map(ReportInterval::as_str), &day]).await?;
    audit::append(db, by, &audit_values::people::user_changed(Action::ReportsChosen, user)).await
}

/// Whether a report is due.
pub async fn is_any_due<S: Sql>(db: &S, now: Timestamp) -> Result<bool, S::Error> {
    let sql = "SELECT 1 FROM users WHERE report_interval = $1 AND report_day < $2 LIMIT 1";
    for interval in ReportInterval::ALL {
        let last = day_number(interval.last_day(now));
        if db.query_opt(sql, &[&interval.as_str(), &last]).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Inserts the messages of the newest periods. Earlier periods that were missed are left out. Of
/// two nodes, one updates a person's row, and the other then finds nothing due.
pub async fn dispatch<S: Sql>(db: &S, now: Timestamp) -> Result<(), S::Error> {
    let update = "UPDATE users SET report_day = $2 WHERE report_interval = $1 AND report_day < $2 \
        RETURNING id";
    for interval in ReportInterval::ALL {
        let last = interval.last_day(now);
        for row in db.query(update, &[&interval.as_str(), &day_number(last)]).await? {
            mail::insert(db, &interval.mail(UserId::new(text(&row, "id")?), last, now)).await?;
        }
    }
    Ok(())
}
