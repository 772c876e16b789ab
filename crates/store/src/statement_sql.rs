//! The queries of statements that both engines share. Parameters are `?1`, `?2` and so on;
//! PostgreSQL writes `$1`. `{columns}` are those of a transaction.

use crate::column_values::{MILLISECONDS_PER_DAY, day_number};
use tua_domain::{listing::Cursor, statement::StatementFilter};

/// Inserts a statement: id, operator, fingerprint, digest, time, first and last day that it covers.
pub(super) const BEGIN: &str =
    "INSERT INTO statements (id, operator, operator_fingerprint, digest, created_at,
         covers_from, covers_to)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING";

/// Begins an abandoned import again, because its file was found: fingerprint, digest. From now on
/// it prevents the closing of days, as every import does that is cut off, and can be abandoned
/// again.
pub(super) const RESUME: &str = "UPDATE statements SET abandoned_at = NULL
     WHERE operator_fingerprint = ?1 AND digest = ?2 AND completed_at IS NULL AND abandoned_at IS \
    NOT NULL";

/// The statement of a file: fingerprint, digest.
pub(super) const BY_DIGEST: &str =
    "SELECT * FROM statements WHERE operator_fingerprint = ?1 AND digest = ?2";

/// Changes the days that a statement covers: id, first and last day.
pub(super) const CHANGE_DAYS: &str =
    "UPDATE statements SET covers_from = ?2, covers_to = ?3 WHERE id = ?1";

/// Statements with how many lines they have, and of which days.
macro_rules! summaries {
    ($which:literal) => {
        concat!(
            "SELECT page.*, count(statement_lines.number) AS lines, min(statement_lines.day) AS \
             first_day,
                 max(statement_lines.day) AS last_day,
                 count(CASE WHEN statement_lines.day > statement_lines.at / 86400000 THEN 1 END) \
             AS late
             FROM (SELECT * FROM statements WHERE ",
            $which,
            ") AS page LEFT JOIN statement_lines ON statement_lines.statement_id = page.id
             GROUP BY page.id, page.operator, page.operator_fingerprint, page.digest, \
             page.created_at, page.completed_at,
                 page.abandoned_at, page.covers_from, page.covers_to
             ORDER BY page.id DESC"
        )
    };
}

pub(super) const BY_ID: &str = summaries!("id = ?1");

/// Newest first: fingerprint or NULL, the last one of the page before or an empty text, how many.
pub(super) const LIST: &str = summaries!(
    "(CAST(?1 AS TEXT) IS NULL OR operator_fingerprint = ?1) AND (?2 = '' OR id < ?2) ORDER BY id \
     DESC LIMIT ?3"
);

pub(super) const COUNT_LINES: &str = "SELECT count(*) FROM statement_lines WHERE statement_id = ?1";

/// The transactions that lines are about: by the operator's id and the network, then by our
/// reference. A line and its transaction are of one kind, because operators number charges,
/// transfers and refunds separately, and of one network, because an aggregator's ids are those of
/// its networks: the network that the line names, else that of the transaction with its reference,
/// else the only one whose transactions have the id. A refund may have the reference of its charge
/// instead (Hubtel); then it must be the only one.
macro_rules! found_transaction {
    () => {
        "coalesce(
             (SELECT min(id) FROM transactions
              WHERE operator_transaction_id = statement_lines.operator_transaction_id
                AND operator_fingerprint = statement_lines.operator_fingerprint
                AND CASE WHEN kind = 'CHARGE' THEN 'CHARGE' WHEN refund_method = 'NATIVE' THEN \
         'REFUND' ELSE 'PAYOUT' END
                    = statement_lines.kind
                AND transactions.network = coalesce(
                    statement_lines.network,
                    (SELECT referenced.network FROM transactions AS referenced
                     WHERE referenced.id = statement_lines.referenced_id
                       AND referenced.operator_fingerprint = statement_lines.operator_fingerprint),
                    transactions.network)
              GROUP BY operator_transaction_id HAVING count(DISTINCT transactions.network) = 1),
             (SELECT id FROM transactions
              WHERE id = statement_lines.referenced_id
                AND operator_fingerprint = statement_lines.operator_fingerprint
                AND CASE WHEN kind = 'CHARGE' THEN 'CHARGE' WHEN refund_method = 'NATIVE' THEN \
         'REFUND' ELSE 'PAYOUT' END
                    = statement_lines.kind),
             (SELECT min(id) FROM transactions
              WHERE refund_of = statement_lines.referenced_id AND refund_method = 'NATIVE'
                AND operator_fingerprint = statement_lines.operator_fingerprint AND \
         statement_lines.kind = 'REFUND'
              GROUP BY refund_of HAVING count(*) = 1))"
    };
}

/// Lines for which no transaction is found are not written.
macro_rules! match_lines {
    ($which:literal) => {
        concat!(
            "UPDATE statement_lines SET transaction_id = ",
            found_transaction!(),
            " WHERE transaction_id IS NULL AND ",
            $which,
            " AND ",
            found_transaction!(),
            " IS NOT NULL"
        )
    };
}

/// Matches lines of a statement: id, first and last number.
pub(super) const MATCH_INSERTED: &str =
    match_lines!("statement_id = ?1 AND number BETWEEN ?2 AND ?3");

/// Matches lines of a period: first and last day, statement, fingerprint.
pub(super) const MATCH_PERIOD: &str = match_lines!(
    "day BETWEEN ?1 AND ?2 AND (CAST(?3 AS TEXT) IS NULL OR statement_id = ?3)
         AND (CAST(?4 AS TEXT) IS NULL OR operator_fingerprint = ?4)"
);

/// Ends an import: id, time.
pub(super) const COMPLETE: &str =
    "UPDATE statements SET completed_at = ?2 WHERE id = ?1 AND completed_at IS NULL";

/// Gives up an import that was cut off: id, time.
pub(super) const ABANDON: &str = "UPDATE statements SET abandoned_at = ?2
     WHERE id = ?1 AND completed_at IS NULL AND abandoned_at IS NULL";

/// Makes pending transactions of a statement due to be asked about: id, time. It ends the lease of
/// one that is just being asked about, which then is asked about once more.
pub(super) const ASK: &str = "UPDATE transactions SET ask_at = ?2
     WHERE status = 'PENDING' AND handed_over_at IS NOT NULL AND (ask_at IS NULL OR ask_at > ?2)
       AND id IN (SELECT transaction_id FROM statement_lines WHERE statement_id = ?1)";

/// Makes failed transactions due to be asked about once, if a statement shows them as paid and the
/// operator has not: id, time.
pub(super) const ASK_FAILED: &str = "UPDATE transactions SET ask_at = ?2, asks = 0
     WHERE status = 'FAILED' AND conflict_observed IS NULL AND handed_over_at IS NOT NULL AND \
    ask_at IS NULL
       AND id IN (SELECT transaction_id FROM statement_lines WHERE statement_id = ?1 AND \
    is_reversal = 0)";

/// Plans the next question about a failed transaction that a statement shows as paid, or none: id,
/// number of questions, time.
pub(super) const PLAN_ASK_OF_FAILED: &str = "UPDATE transactions SET asks = ?2, ask_at = ?3
     WHERE id = ?1 AND status = 'FAILED' AND ask_at IS NOT NULL";

/// Lines with their transactions: after statement and number, first and last day, statement,
/// fingerprint, how many.
pub(super) const LINES: &str =
    "SELECT statement_lines.statement_id AS line_statement, statement_lines.number AS line_number,
         statement_lines.line_key AS line_key, statement_lines.at AS line_at, statement_lines.kind \
     AS line_kind,
         statement_lines.is_reversal AS line_is_reversal, statement_lines.operator_transaction_id \
     AS line_operator_id,
         statement_lines.referenced_id AS line_referenced, statement_lines.amount AS line_amount,
         statement_lines.fee AS line_fee, statement_lines.network AS line_network,
         CAST(CASE WHEN EXISTS (SELECT 1 FROM statement_lines AS other
                                WHERE other.transaction_id = statement_lines.transaction_id
                                  AND other.is_reversal = statement_lines.is_reversal
                                  AND (other.statement_id, other.number)
                                      < (statement_lines.statement_id, statement_lines.number))
              THEN 1 ELSE 0 END AS BIGINT) AS line_is_repeated,
         CAST(CASE WHEN EXISTS (SELECT 1 FROM statement_lines AS other
                                WHERE other.transaction_id = statement_lines.transaction_id AND \
     other.is_reversal = 1)
              THEN 1 ELSE 0 END AS BIGINT) AS line_is_returned,
         found.*
     FROM statement_lines
     LEFT JOIN (SELECT {columns} FROM transactions) AS found ON found.id = \
     statement_lines.transaction_id
     WHERE (statement_lines.statement_id, statement_lines.number) > (?1, ?2) AND day BETWEEN ?3 \
     AND ?4
       AND (CAST(?5 AS TEXT) IS NULL OR statement_lines.statement_id = ?5)
       AND (CAST(?6 AS TEXT) IS NULL OR statement_lines.operator_fingerprint = ?6)
     ORDER BY statement_lines.statement_id, statement_lines.number LIMIT ?7";

/// Successful transactions without a line: account, mode, after time and id, created before,
/// fingerprint, how many.
pub(super) const WITHOUT_LINE: &str = "SELECT {columns} FROM transactions
     WHERE account_id = ?1 AND mode = ?2 AND (created_at, id) > (?3, ?4) AND created_at < ?5
       AND operator_fingerprint <> ''
       AND (status = 'SUCCESSFUL' OR conflict_observed = 'SUCCESSFUL')
       AND (CAST(?6 AS TEXT) IS NULL OR operator_fingerprint = ?6)
       AND NOT EXISTS (SELECT 1 FROM statement_lines WHERE statement_lines.transaction_id = \
    transactions.id)
     ORDER BY created_at, id LIMIT ?7";

/// The first and the last day of a filter, as lines have them.
pub(super) fn days(filter: &StatementFilter) -> (i64, i64) {
    filter.days.map_or((i64::MIN, i64::MAX), |(from, to)| (day_number(from), day_number(to)))
}

/// Where the transactions of a filter begin, or go on after one: time and id; and the first moment
/// after its days.
pub(super) fn transactions_range<'a>(
    filter: &StatementFilter,
    after: Option<&'a Cursor>,
) -> (i64, &'a str, i64) {
    let (from, to) = days(filter);
    // No id sorts before the empty one.
    let first = (from.saturating_mul(MILLISECONDS_PER_DAY), "");
    let (at, id) =
        after.map_or(first, |after| (after.created_at.as_millisecond(), after.id.as_str()));
    (at, id, to.saturating_add(1).saturating_mul(MILLISECONDS_PER_DAY))
}
