//! Statements of operators.

use super::audit;
use crate::{
    audit_values,
    column_values::day_number,
    columns::number,
    rows,
    sql::{MissingRow, Sql},
};
use jiff::civil::Date;
use tua_domain::{
    StatementId,
    audit::AuditContext,
    ports::StatementImport,
    routing::OperatorFingerprint,
    statement::{Statement, StatementPageRequest, StatementSummary},
};

macro_rules! columns {
    () => {
        "id, operator, operator_fingerprint, digest, created_at, completed_at, abandoned_at, \
         covers_from, covers_to"
    };
}

/// Statements with how many lines they have, and of which days.
macro_rules! summaries {
    ($which:literal) => {
        concat!(
            "SELECT page.*, count(statement_lines.number) AS lines, min(statement_lines.day) AS \
             first_day,
                 max(statement_lines.day) AS last_day,
                 count(CASE WHEN statement_lines.day > statement_lines.at / 86400000 THEN 1 END) \
             AS late
             FROM (SELECT ",
            columns!(),
            " FROM statements WHERE ",
            $which,
            ") AS page LEFT JOIN statement_lines ON statement_lines.statement_id = page.id
             GROUP BY page.id, page.operator, page.operator_fingerprint, page.digest, \
             page.created_at, page.completed_at,
                 page.abandoned_at, page.covers_from, page.covers_to
             ORDER BY page.id DESC"
        )
    };
}

/// Inserts a statement, unless the operator has one of the same file.
pub async fn begin<S: Sql>(db: &S, new: &Statement) -> Result<StatementImport, S::Error> {
    let fingerprint = new.operator.fingerprint.as_str();
    let insert = "INSERT INTO statements (id, operator, operator_fingerprint, digest, created_at,
             covers_from, covers_to)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
    db.execute(
        insert,
        &[
            &new.id.as_str(),
            &new.operator.name.as_str(),
            &fingerprint,
            &new.digest,
            &new.created_at,
            &new.covers.map(|(from, _)| day_number(from)),
            &new.covers.map(|(_, to)| day_number(to)),
        ],
    )
    .await?;
    // An abandoned import begins again, because its file was found. From now on it prevents the
    // closing of days, as every import does that is cut off, and can be abandoned again.
    let resume = "UPDATE statements SET abandoned_at = NULL
         WHERE operator_fingerprint = $1 AND digest = $2 AND completed_at IS NULL
           AND abandoned_at IS NOT NULL";
    db.execute(resume, &[&fingerprint, &new.digest]).await?;
    let by_digest = concat!(
        "SELECT ",
        columns!(),
        " FROM statements WHERE operator_fingerprint = $1 AND digest = $2"
    );
    let found = db.query_opt(by_digest, &[&fingerprint, &new.digest]).await?.ok_or(MissingRow)?;
    let found = rows::statement(&found)?;
    Ok(match found.completed_at {
        None => StatementImport::Open(found),
        Some(_) => StatementImport::AlreadyImported(found),
    })
}

/// Changes the days that a statement covers.
pub async fn change_days<S: Sql>(
    db: &S,
    statement: &Statement,
    days: (Date, Date),
    by: &AuditContext,
) -> Result<(), S::Error> {
    let sql = "UPDATE statements SET covers_from = $2, covers_to = $3 WHERE id = $1";
    db.execute(sql, &[&statement.id.as_str(), &day_number(days.0), &day_number(days.1)]).await?;
    audit::append(db, by, &audit_values::statements::statement_days_changed(statement, days)).await
}

/// Ends an import, and makes transactions of its lines due to be asked about. Returns how many.
pub async fn complete<S: Sql>(
    db: &S,
    statement: &Statement,
    by: &AuditContext,
) -> Result<u64, S::Error> {
    let id = statement.id.as_str();
    let complete = "UPDATE statements SET completed_at = $2 WHERE id = $1 AND completed_at IS NULL";
    if db.execute(complete, &[&id, &by.at]).await? == 0 {
        return Ok(0);
    }
    // It ends the lease of one that is just being asked about, which then is asked about once
    // more.
    let ask_pending = "UPDATE transactions SET ask_at = $2
         WHERE status = 'PENDING' AND handed_over_at IS NOT NULL
           AND (ask_at IS NULL OR ask_at > $2)
           AND id IN (SELECT transaction_id FROM statement_lines WHERE statement_id = $1)";
    // Once each, if the statement shows them as paid and the operator has not.
    let ask_failed = "UPDATE transactions SET ask_at = $2, asks = 0
         WHERE status = 'FAILED' AND conflict_observed IS NULL AND handed_over_at IS NOT NULL
           AND ask_at IS NULL
           AND id IN (SELECT transaction_id FROM statement_lines
                      WHERE statement_id = $1 AND is_reversal = 0)";
    let due = db.execute(ask_pending, &[&id, &by.at]).await?
        + db.execute(ask_failed, &[&id, &by.at]).await?;
    let count = "SELECT count(*) AS lines FROM statement_lines WHERE statement_id = $1";
    let lines = number(&db.query_opt(count, &[&id]).await?.ok_or(MissingRow)?, "lines")?;
    audit::append(db, by, &audit_values::statements::statement_imported(statement, lines)).await?;
    Ok(due)
}

/// Gives up an import that was cut off. Returns `false` if it has ended, or was given up before.
pub async fn abandon<S: Sql>(
    db: &S,
    statement: &Statement,
    by: &AuditContext,
) -> Result<bool, S::Error> {
    let sql = "UPDATE statements SET abandoned_at = $2
         WHERE id = $1 AND completed_at IS NULL AND abandoned_at IS NULL";
    let is_open = db.execute(sql, &[&statement.id.as_str(), &by.at]).await? == 1;
    if is_open {
        audit::append(db, by, &audit_values::statements::statement_abandoned(statement)).await?;
    }
    Ok(is_open)
}

/// The newest statements first.
pub async fn list<S: Sql>(
    db: &S,
    page: &StatementPageRequest,
) -> Result<Vec<StatementSummary>, S::Error> {
    let sql = summaries!(
        "(CAST($1 AS TEXT) IS NULL OR operator_fingerprint = $1) AND ($2 = '' OR id < $2)
         ORDER BY id DESC LIMIT $3"
    );
    let operator = page.operator.as_ref().map(OperatorFingerprint::as_str);
    let after = page.after.as_ref().map_or("", StatementId::as_str);
    db.query(sql, &[&operator, &after, &page.limit])
        .await?
        .iter()
        .map(rows::statement_summary)
        .collect()
}

/// The statement with this id, without its lines.
pub async fn by_id<S: Sql>(db: &S, id: &StatementId) -> Result<Option<StatementSummary>, S::Error> {
    let sql = summaries!("id = $1");
    db.query_opt(sql, &[&id.as_str()]).await?.as_ref().map(rows::statement_summary).transpose()
}
