//! The lines of statements, and the transactions that they are about.

use super::closed_days;
use crate::{
    column_values::{MILLISECONDS_PER_DAY, day_number},
    rows::{self, transaction_columns},
    sql::Sql,
};
use futures_util::future::try_join_all;
use tua_contract::Network;
use tua_domain::{
    Scope, StatementId, Transaction, TransactionId,
    calendar::day_of,
    listing::Cursor,
    routing::OperatorFingerprint,
    statement::{
        LinePosition, MatchedLine, Statement, StatementFilter, StatementLine, closing::posted_day,
    },
};

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

/// So many statements are sent to PostgreSQL before the first result is awaited: few enough that
/// tokio starts them in their order, in which every import locks the keys of its lines.
const PIPELINED: usize = 64;

/// Of these transactions, the first one that exists and is another operator's.
pub async fn transaction_of_another_operator<S: Sql>(
    db: &S,
    operator: &OperatorFingerprint,
    transactions: &[TransactionId],
) -> Result<Option<Transaction>, S::Error> {
    for some in transactions.chunks(PIPELINED) {
        let found = some.iter().map(|id| of_another_operator(db, operator, id));
        let first = try_join_all(found).await?.into_iter().flatten().next();
        if first.is_some() {
            return Ok(first);
        }
    }
    Ok(None)
}

async fn of_another_operator<S: Sql>(
    db: &S,
    operator: &OperatorFingerprint,
    id: &TransactionId,
) -> Result<Option<Transaction>, S::Error> {
    let sql = concat!(
        "SELECT ",
        transaction_columns!(),
        " FROM transactions WHERE id = $1 AND operator_fingerprint <> $2"
    );
    let found = db.query_opt(sql, &[&id.as_str(), &operator.as_str()]).await?;
    found.as_ref().map(rows::transaction).transpose()
}

/// Inserts those lines that the operator does not have yet, and matches them. Returns how many were
/// inserted.
pub async fn insert<S: Sql>(
    db: &S,
    statement: &Statement,
    lines: &[StatementLine],
) -> Result<u64, S::Error> {
    // A line of a closed day is posted to the day after the last closed one.
    let closed = closed_days::keep_open(db, &statement.operator.fingerprint).await?;
    let mut inserted = 0;
    for some in lines.chunks(PIPELINED) {
        let sent = some.iter().map(|line| {
            let day = day_number(posted_day(closed, day_of(line.at)));
            insert_line(db, statement, line, day)
        });
        inserted += try_join_all(sent).await?.into_iter().sum::<u64>();
    }
    if let (Some(first), Some(last)) = (lines.first(), lines.last()) {
        let sql = match_lines!("statement_id = $1 AND number BETWEEN $2 AND $3");
        db.execute(sql, &[&statement.id.as_str(), &first.number, &last.number]).await?;
    }
    Ok(inserted)
}

async fn insert_line<S: Sql>(
    db: &S,
    statement: &Statement,
    line: &StatementLine,
    day: i64,
) -> Result<u64, S::Error> {
    let sql = "INSERT INTO statement_lines (statement_id, number, operator_fingerprint, line_key, \
         at, day, kind, is_reversal,
             operator_transaction_id, referenced_id, amount, fee, network)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING";
    db.execute(
        sql,
        &[
            &statement.id.as_str(),
            &line.number,
            &statement.operator.fingerprint.as_str(),
            &line.key,
            &line.at,
            &day,
            &line.kind.as_str(),
            &i64::from(line.is_reversal),
            &line.operator_transaction_id,
            &line.referenced.as_ref().map(TransactionId::as_str),
            &line.pesewas,
            &line.fee_pesewas,
            &line.network.map(Network::as_str),
        ],
    )
    .await
}

/// Matches lines that had no transaction when they were inserted.
pub async fn match_unmatched_lines<S: Sql>(
    db: &S,
    filter: &StatementFilter,
) -> Result<(), S::Error> {
    db.allow_long_statements().await?;
    let sql = match_lines!(
        "day BETWEEN $1 AND $2 AND (CAST($3 AS TEXT) IS NULL OR statement_id = $3)
             AND (CAST($4 AS TEXT) IS NULL OR operator_fingerprint = $4)"
    );
    let (from, to) = days(filter);
    let statement = statement(filter);
    let operator = fingerprint(filter);
    db.execute(sql, &[&from, &to, &statement, &operator]).await.map(drop)
}

/// The next lines, with their transactions.
pub async fn list<S: Sql>(
    db: &S,
    filter: &StatementFilter,
    after: Option<&LinePosition>,
    limit: u32,
) -> Result<Vec<MatchedLine>, S::Error> {
    let sql = concat!(
        "SELECT statement_lines.statement_id AS line_statement,
             statement_lines.number AS line_number, statement_lines.line_key AS line_key,
             statement_lines.at AS line_at, statement_lines.kind AS line_kind,
             statement_lines.is_reversal AS line_is_reversal,
             statement_lines.operator_transaction_id AS line_operator_id,
             statement_lines.referenced_id AS line_referenced,
             statement_lines.amount AS line_amount, statement_lines.fee AS line_fee,
             statement_lines.network AS line_network,
             CAST(CASE WHEN EXISTS (SELECT 1 FROM statement_lines AS other
                                    WHERE other.transaction_id = statement_lines.transaction_id
                                      AND other.is_reversal = statement_lines.is_reversal
                                      AND (other.statement_id, other.number)
                                       < (statement_lines.statement_id, statement_lines.number))
                  THEN 1 ELSE 0 END AS BIGINT) AS line_is_repeated,
             CAST(CASE WHEN EXISTS (SELECT 1 FROM statement_lines AS other
                                    WHERE other.transaction_id = statement_lines.transaction_id
                                      AND other.is_reversal = 1)
                  THEN 1 ELSE 0 END AS BIGINT) AS line_is_returned,
             found.*
         FROM statement_lines LEFT JOIN (SELECT ",
        transaction_columns!(),
        " FROM transactions) AS found ON found.id = statement_lines.transaction_id
         WHERE (statement_lines.statement_id, statement_lines.number) > ($1, $2)
           AND day BETWEEN $3 AND $4
           AND (CAST($5 AS TEXT) IS NULL OR statement_lines.statement_id = $5)
           AND (CAST($6 AS TEXT) IS NULL OR statement_lines.operator_fingerprint = $6)
         ORDER BY statement_lines.statement_id, statement_lines.number LIMIT $7"
    );
    let (from, to) = days(filter);
    let (after, number) = after.map_or(("", 0), |after| (after.statement.as_str(), after.number));
    let only = statement(filter);
    let operator = fingerprint(filter);
    db.query(sql, &[&after, &number, &from, &to, &only, &operator, &limit])
        .await?
        .iter()
        .map(rows::matched_line)
        .collect()
}

/// The next successful transactions without a line.
pub async fn transactions_without_line<S: Sql>(
    db: &S,
    filter: &StatementFilter,
    scope: &Scope,
    after: Option<&Cursor>,
    limit: u32,
) -> Result<Vec<Transaction>, S::Error> {
    let sql = concat!(
        "SELECT ",
        transaction_columns!(),
        " FROM transactions
         WHERE account_id = $1 AND mode = $2 AND (created_at, id) > ($3, $4) AND created_at < $5
           AND operator_fingerprint <> ''
           AND (status = 'SUCCESSFUL' OR conflict_observed = 'SUCCESSFUL')
           AND (CAST($6 AS TEXT) IS NULL OR operator_fingerprint = $6)
           AND NOT EXISTS (SELECT 1 FROM statement_lines
                           WHERE statement_lines.transaction_id = transactions.id)
         ORDER BY created_at, id LIMIT $7"
    );
    let (at, id, before) = transactions_range(filter, after);
    let account = scope.account.as_str();
    let mode = scope.mode.as_str();
    db.query(sql, &[&account, &mode, &at, &id, &before, &fingerprint(filter), &limit])
        .await?
        .iter()
        .map(rows::transaction)
        .collect()
}

fn statement(filter: &StatementFilter) -> Option<&str> {
    filter.statement.as_ref().map(StatementId::as_str)
}

fn fingerprint(filter: &StatementFilter) -> Option<&str> {
    filter.operator.as_ref().map(OperatorFingerprint::as_str)
}

/// The first and the last day of a filter, as lines have them.
fn days(filter: &StatementFilter) -> (i64, i64) {
    filter.days.map_or((i64::MIN, i64::MAX), |(from, to)| (day_number(from), day_number(to)))
}

/// Where the transactions of a filter begin, or go on after one: time and id; and the first moment
/// after its days.
fn transactions_range<'a>(
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
