//! The SQL of lists and sums.

use super::{
    report_conditions::{Conditions, IndexHint, Value},
    unknown_fees::is_fee_known,
};
use crate::{
    column_values::{day_number, moments_of},
    rows::transaction_columns,
};
use jiff::civil::Date;
use std::ops::RangeInclusive;
use tua_contract::{FailureCode, Network, Status};
use tua_domain::{
    Scope,
    refund::TransactionType,
    reporting::{
        Position, ReportFilter, ReportPageRequest, failures::MAX_FAILURES, totals::MAX_COUNT,
    },
};

/// A query with its parameters, numbered from 1.
pub(super) struct Query {
    pub sql: String,
    pub values: Vec<Value>,
}

const COLUMNS: &str = transaction_columns!();

/// A page of the transactions of a filter, and one transaction more.
pub(super) fn page(
    index_hint: IndexHint,
    scope: &Scope,
    filter: &ReportFilter,
    page: &ReportPageRequest,
) -> Query {
    let mut conditions = Conditions::new(index_hint, scope);
    let (clauses, newest) = conditions.newest(filter, &page.position, page.limit + 1);
    Query {
        sql: format!("SELECT {COLUMNS} FROM transactions WHERE {clauses} {newest}"),
        values: conditions.values,
    }
}

/// What a transaction moves, as [`crate::column_values::moved_pesewas`]: the amount, or what a
/// review found without the payer's part of the fee.
macro_rules! moved {
    () => {
        "CASE WHEN settled_amount IS NULL THEN amount
              WHEN settled_amount <= amount THEN settled_amount
              WHEN settled_amount - amount <= coalesce(payer_pays, amount) - amount THEN amount
              ELSE settled_amount - (coalesce(payer_pays, amount) - amount) END"
    };
}

/// The number and sum of the transactions of a filter, by type and status: of all if the totals of
/// days have them, else of the newest.
pub(super) fn totals(index_hint: IndexHint, scope: &Scope, filter: &ReportFilter) -> Query {
    if filter.has_day_totals() {
        day_totals(index_hint, scope, filter)
    } else {
        counted(index_hint, scope, filter)
    }
}

/// Final transactions are in the totals of their days. The others are few, and are counted.
fn day_totals(index_hint: IndexHint, scope: &Scope, filter: &ReportFilter) -> Query {
    let mut conditions = Conditions::new(index_hint, scope);
    let mut days = vec![conditions.scope.clone()];
    let mut narrow =
        |clause: &str, value| days.push(format!("{clause} {}", conditions.bind(value)));
    for (clause, value) in [
        ("network =", filter.network.map(Network::as_str)),
        ("status =", filter.status.map(Status::as_str)),
    ] {
        value.into_iter().for_each(|value| narrow(clause, Value::Text(value.to_owned())));
    }
    for (clause, day) in [("day >=", filter.from), ("day <=", filter.to)] {
        day.into_iter().for_each(|day| narrow(clause, Value::Integer(day_number(day))));
    }
    if let Some(types) = &filter.types {
        days.push(day_type_clause(types));
    }
    let mut sql = format!(
        "SELECT type, status, payments, {MOVED_OF_DAY} AS pesewas FROM {DAYS} WHERE {}",
        days.join(" AND ")
    );
    if filter.status.is_none() {
        let pending = ReportFilter { status: Some(Status::Pending), ..filter.clone() };
        let (clauses, newest) = conditions.newest(&pending, &Position::First, MAX_COUNT);
        sql = format!(
            "{sql} UNION ALL SELECT type, status, 1 AS payments, 0 AS pesewas
             FROM (SELECT {TYPE} AS type, status FROM transactions WHERE {clauses} {newest})
                  AS pending"
        );
    }
    Query { sql: by_type_and_status(&sql), values: conditions.values }
}

/// The condition of some types, for the totals of days.
fn day_type_clause(types: &[TransactionType]) -> String {
    let names: Vec<String> = types.iter().map(|one| format!("'{}'", one.as_str())).collect();
    if names.is_empty() { "1 = 0".to_owned() } else { format!("type IN ({})", names.join(", ")) }
}

fn counted(index_hint: IndexHint, scope: &Scope, filter: &ReportFilter) -> Query {
    let mut conditions = Conditions::new(index_hint, scope);
    let (clauses, newest) = conditions.newest(filter, &Position::First, MAX_COUNT);
    // Only a failed transaction has a failure, and it moves nothing, so the index of failures has
    // all that is counted. The index does not tell refunds from payouts.
    let columns = if filter.failure.is_some() {
        "kind AS type, 'FAILED' AS status, 1 AS payments, 0 AS pesewas".to_owned()
    } else {
        format!("{TYPE} AS type, status, 1 AS payments, {MOVED_OF_ONE} AS pesewas")
    };
    let counted = format!("SELECT {columns} FROM transactions WHERE {clauses} {newest}");
    Query { sql: by_type_and_status(&counted), values: conditions.values }
}

fn by_type_and_status(counted: &str) -> String {
    format!(
        "SELECT type, status, CAST(sum(payments) AS BIGINT) AS payments, CAST(sum(pesewas) AS \
         BIGINT) AS pesewas
         FROM ({counted}) AS counted GROUP BY type, status ORDER BY type, status"
    )
}

/// What a transaction is for merchants.
const TYPE: &str = "CASE WHEN refund_of IS NULL THEN kind ELSE 'REFUND' END";

/// The totals of days by type. A refund is counted twice: in the totals by kind, as money that goes
/// out, and among the refunds.
macro_rules! days {
    () => {
        "(SELECT account_id, mode, day, kind AS type, network, status, payments, pesewas
          FROM transaction_days
          UNION ALL
          SELECT account_id, mode, day, 'PAYOUT' AS type, network, status, -payments AS payments,
                 -pesewas AS pesewas
          FROM refund_days
          UNION ALL
          SELECT account_id, mode, day, 'REFUND' AS type, network, status, payments, pesewas
          FROM refund_days) AS days"
    };
}
const DAYS: &str = days!();

/// What the transactions of a row moved.
const MOVED_OF_DAY: &str = "CASE WHEN status = 'SUCCESSFUL' THEN pesewas ELSE 0 END";
const MOVED_OF_ONE: &str =
    concat!("CASE WHEN status = 'SUCCESSFUL' THEN ", moved!(), " ELSE 0 END");

/// Who requested a payout or refund in the dashboard.
pub(super) const PAYOUT_ASKER: &str = "SELECT actor FROM audit_log
     WHERE source = 'dashboard' AND action IN ('payout.requested', 'refund.requested') AND subject \
    = $1
     ORDER BY seq DESC LIMIT 1";

/// Who made a key in the dashboard, and the keys before it: the entry of a rotation names the
/// successor.
pub(super) const KEY_MAKERS: &str = "WITH RECURSIVE line (id) AS (
         SELECT CAST($1 AS TEXT)
         UNION SELECT subject FROM audit_log JOIN line
             ON action = 'key.rotated' AND after LIKE '%\"successor\":\"' || line.id || '\"%')
     SELECT DISTINCT actor FROM audit_log JOIN line ON subject = line.id
     WHERE source = 'dashboard' AND action = 'key.created' ORDER BY actor";

/// Inserts the totals of all final transactions.
pub(super) const REBUILD: &str = concat!(
    "INSERT INTO transaction_days
         (account_id, mode, day, kind, network, status, shard, payments, pesewas)
     SELECT account_id, mode, created_at / 86400000, kind, network, status, 0, count(*),
            CAST(sum(",
    moved!(),
    ") AS BIGINT)
     FROM transactions WHERE status <> 'PENDING'
     GROUP BY account_id, mode, created_at / 86400000, kind, network, status"
);

/// Inserts the totals of all final refunds.
pub(super) const REBUILD_REFUNDS: &str = concat!(
    "INSERT INTO refund_days (account_id, mode, day, network, status, shard, payments, pesewas)
     SELECT account_id, mode, created_at / 86400000, network, status, 0, count(*),
            CAST(sum(",
    moved!(),
    ") AS BIGINT)
     FROM transactions WHERE refund_of IS NOT NULL AND status <> 'PENDING'
     GROUP BY account_id, mode, created_at / 86400000, network, status"
);

/// Inserts the fees of all transactions, and how many of them are known.
pub(super) const REBUILD_FEES: &str = concat!(
    "INSERT INTO fee_days
         (account_id, mode, day, type, shard, pesewas, known)
     SELECT account_id, mode, day, type, 0, CAST(sum(pesewas) AS BIGINT),
         CAST(sum(known) AS BIGINT)
     FROM (
         SELECT transactions.account_id, transactions.mode, created_at / 86400000 AS day,
             CASE WHEN refund_of IS NULL THEN kind ELSE 'REFUND' END AS type, fees AS pesewas,
             0 AS known
         FROM ledger_entries JOIN transactions ON transactions.id = transaction_id
         WHERE fees <> 0
         UNION ALL
         SELECT account_id, mode, created_at / 86400000,
             CASE WHEN refund_of IS NULL THEN kind ELSE 'REFUND' END, 0, 1
         FROM transactions WHERE status = 'SUCCESSFUL' AND ",
    is_fee_known!(),
    ") AS fees
     GROUP BY account_id, mode, day, type"
);

/// The fees of days.
pub(super) const DAY_FEES: &str = "SELECT day, type, CAST(sum(pesewas) AS BIGINT) AS pesewas,
         CAST(sum(known) AS BIGINT) AS known
     FROM fee_days WHERE account_id = $1 AND mode = $2 AND day BETWEEN $3 AND $4
     GROUP BY day, type ORDER BY day, type";

/// How many charges of a period failed for each reason. At most [`MAX_FAILURES`] entries are read
/// for each, also of payouts, and the index of failures has all that is read.
pub(super) fn charge_failures(
    index_hint: IndexHint,
    scope: &Scope,
    days: &RangeInclusive<Date>,
) -> Query {
    let mut conditions = Conditions::new(index_hint, scope);
    let (from, before) = moments_of(days);
    let from = conditions.bind(Value::Integer(from));
    let before = conditions.bind(Value::Integer(before));
    let limit = conditions.bind(Value::Integer(MAX_FAILURES.into()));
    let counts: Vec<String> = FailureCode::ALL
        .iter()
        .map(|code| {
            let code = code.as_str();
            format!(
                "SELECT '{code}' AS failure, count(*) AS entries,
                     count(CASE WHEN kind = 'CHARGE' THEN 1 END) AS payments FROM (
                     SELECT kind FROM transactions
                     WHERE {} AND failure = '{code}'
                       AND created_at >= {from} AND created_at < {before} LIMIT {limit}) AS found",
                conditions.scope
            )
        })
        .collect();
    let sql = format!(
        "SELECT failure, entries, payments FROM ({}) AS counts WHERE payments > 0
         ORDER BY payments DESC, failure",
        counts.join(" UNION ALL ")
    );
    Query { sql, values: conditions.values }
}

/// The totals of days.
pub(super) const DAY_TOTALS: &str = concat!(
    "SELECT day, type, network, status, CAST(sum(payments) AS BIGINT) AS payments,
         CAST(sum(pesewas) AS BIGINT) AS pesewas
     FROM ",
    days!(),
    " WHERE account_id = $1 AND mode = $2 AND day BETWEEN $3 AND $4
     GROUP BY day, type, network, status HAVING sum(payments) <> 0
     ORDER BY day, type, network, status"
);

/// The accounts that use a mode.
pub(super) const ACCOUNTS_OF_MODE: &str = "SELECT id FROM accounts
     WHERE EXISTS (SELECT 1 FROM api_keys WHERE account_id = accounts.id AND mode = $1 AND \
    revoked_at IS NULL
                       AND (expires_at IS NULL OR expires_at > $2))
        OR EXISTS (SELECT 1 FROM transactions WHERE account_id = accounts.id AND mode = $1)
     ORDER BY id";

/// What an account has of the first steps. Each part stops at the first row that it finds.
pub(super) const FIRST_STEPS: &str = "SELECT
         (SELECT count(*) FROM (SELECT 1 FROM transaction_days WHERE account_id = $1 AND mode = \
    'test'
              AND kind = 'CHARGE' AND status = 'SUCCESSFUL' LIMIT 1) AS one) AS test_payment,
         (SELECT count(*) FROM (SELECT 1 FROM payment_links WHERE account_id = $1 AND closed_at IS \
    NULL
              AND used_at IS NULL AND (expires_at IS NULL OR expires_at > $2) LIMIT 1) AS one) AS \
    open_link,
         (SELECT count(*) FROM (SELECT 1 FROM memberships WHERE account_id = $1 LIMIT 1 OFFSET 1) \
    AS one)
             AS second_person,
         (SELECT count(*) FROM (SELECT 1 FROM transactions WHERE account_id = $1 AND mode = 'live'
              AND acknowledged_at IS NOT NULL LIMIT 1) AS one) AS live_response,
         (SELECT count(*) FROM (SELECT 1 FROM api_keys WHERE account_id = $1 AND mode = 'live'
              AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) LIMIT 1) AS one) \
    AS live_key,
         (SELECT count(*) FROM (SELECT 1 FROM transaction_days WHERE account_id = $1 AND mode = \
    'live'
              AND kind = 'CHARGE' AND status = 'SUCCESSFUL' LIMIT 1) AS one) AS live_payment";

#[cfg(test)]
mod tests {
    use super::*;
    use tua_domain::{AccountId, LinkId, Mode};

    /// So a link with a million payments is no slower than one with twenty.
    #[test]
    fn the_limit_of_a_links_list_stands_where_its_index_is_read() {
        let scope = Scope { account: AccountId::new("acc_1"), mode: Mode::Live };
        let link = Some(LinkId::new("lnk_1"));
        let filter = ReportFilter { link, ..ReportFilter::default() };
        let request = ReportPageRequest { limit: 20, position: Position::First };
        let page = page(|index| format!(" INDEXED BY {index}"), &scope, &filter, &request);
        let newest = "link_id = $3 AND account_id = $1 AND mode = $2 \
                      ORDER BY created_at DESC, id DESC LIMIT $4) AS found)";
        let (_, source) =
            page.sql.split_once("INDEXED BY transactions_by_link_age WHERE ").unwrap();
        assert!(source.starts_with(newest), "{}", page.sql);
    }
}
