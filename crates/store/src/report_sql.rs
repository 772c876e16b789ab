//! The queries of lists and sums, for both engines: what differs is the form of parameters, and
//! that SQLite is told which index to use where its planner has no statistics.

use super::column_values::day_number;
use jiff::Timestamp;
use tua_contract::{FailureCode, Network, Status};
use tua_domain::{
    Kind, Scope,
    reporting::{
        Attention, Position, ReportFilter, ReportPage, Search, SearchTerm, totals::MAX_COUNT,
    },
};

/// How an engine writes its queries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Sqlite,
    Postgres,
}

/// The value of a parameter.
pub(super) enum Value {
    Text(String),
    Integer(i64),
}

/// A query with its parameters, numbered from 1.
pub(super) struct Query {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

/// A page of the transactions of a filter, and one transaction more.
pub(super) fn page(
    dialect: Dialect,
    columns: &str,
    scope: &Scope,
    filter: &ReportFilter,
    page: &ReportPage,
) -> Query {
    let mut conditions = Conditions::new(dialect, scope);
    let (clauses, newest) = conditions.newest(filter, &page.position, page.limit + 1);
    Query {
        sql: format!("SELECT {columns} FROM transactions WHERE {clauses} {newest}"),
        values: conditions.values,
    }
}

/// What a transaction moves, as [`super::column_values::moved_pesewas`]: the amount, or what a
/// review found without the payer's part of the fee.
macro_rules! moved {
    () => {
        "CASE WHEN settled_amount IS NULL THEN amount
              WHEN settled_amount <= amount THEN settled_amount
              WHEN settled_amount - amount <= coalesce(payer_pays, amount) - amount THEN amount
              ELSE settled_amount - (coalesce(payer_pays, amount) - amount) END"
    };
}

/// The number and sum of the transactions of a filter, by kind and status: of all if the totals of
/// days have them, else of the newest.
pub(super) fn totals(dialect: Dialect, scope: &Scope, filter: &ReportFilter) -> Query {
    if filter.has_day_totals() {
        day_totals(dialect, scope, filter)
    } else {
        counted(dialect, scope, filter)
    }
}

/// Final transactions are in the totals of their days. The others are few, and are counted.
fn day_totals(dialect: Dialect, scope: &Scope, filter: &ReportFilter) -> Query {
    let mut conditions = Conditions::new(dialect, scope);
    let mut days = vec![conditions.scope.clone()];
    let mut narrow =
        |clause: &str, value| days.push(format!("{clause} {}", conditions.bind(value)));
    for (clause, value) in [
        ("kind =", filter.kind.map(Kind::as_str)),
        ("network =", filter.network.map(Network::as_str)),
        ("status =", filter.status.map(Status::as_str)),
    ] {
        value.into_iter().for_each(|value| narrow(clause, Value::Text(value.to_owned())));
    }
    for (clause, day) in [("day >=", filter.from), ("day <=", filter.to)] {
        day.into_iter().for_each(|day| narrow(clause, Value::Integer(day_number(day))));
    }
    let mut sql = format!(
        "SELECT kind, status, payments, {MOVED_OF_DAY} AS pesewas FROM transaction_days WHERE {}",
        days.join(" AND ")
    );
    if filter.status.is_none() {
        let pending = ReportFilter { status: Some(Status::Pending), ..filter.clone() };
        let (clauses, newest) = conditions.newest(&pending, &Position::First, MAX_COUNT);
        sql = format!(
            "{sql} UNION ALL SELECT kind, status, 1 AS payments, 0 AS pesewas
             FROM (SELECT kind, status FROM transactions WHERE {clauses} {newest}) AS pending"
        );
    }
    Query { sql: by_kind_and_status(&sql), values: conditions.values }
}

fn counted(dialect: Dialect, scope: &Scope, filter: &ReportFilter) -> Query {
    let mut conditions = Conditions::new(dialect, scope);
    let (clauses, newest) = conditions.newest(filter, &Position::First, MAX_COUNT);
    // Only a failed transaction has a failure, so the index of failures has all that is counted.
    let (status, pesewas) = if filter.failure.is_some() {
        ("'FAILED' AS status", "0")
    } else {
        ("status", MOVED_OF_ONE)
    };
    let counted = format!(
        "SELECT kind, {status}, 1 AS payments, {pesewas} AS pesewas FROM transactions
         WHERE {clauses} {newest}"
    );
    Query { sql: by_kind_and_status(&counted), values: conditions.values }
}

fn by_kind_and_status(counted: &str) -> String {
    format!(
        "SELECT kind, status, CAST(sum(payments) AS BIGINT) AS payments, CAST(sum(pesewas) AS \
         BIGINT) AS pesewas
         FROM ({counted}) AS counted GROUP BY kind, status ORDER BY kind, status"
    )
}

/// What the transactions of a row moved.
const MOVED_OF_DAY: &str = "CASE WHEN status = 'SUCCESSFUL' THEN pesewas ELSE 0 END";
const MOVED_OF_ONE: &str =
    concat!("CASE WHEN status = 'SUCCESSFUL' THEN ", moved!(), " ELSE 0 END");

/// The conditions of a WHERE clause. Only constant text is concatenated; every value is a
/// parameter.
struct Conditions {
    dialect: Dialect,
    clauses: Vec<String>,
    values: Vec<Value>,
    /// The account and mode.
    scope: String,
}

impl Conditions {
    fn new(dialect: Dialect, scope: &Scope) -> Self {
        let mut all =
            Self { dialect, clauses: Vec::new(), values: Vec::new(), scope: String::new() };
        let account = all.bind(Value::Text(scope.account.as_str().to_owned()));
        let mode = all.bind(Value::Text(scope.mode.as_str().to_owned()));
        all.scope = format!("account_id = {account} AND mode = {mode}");
        all
    }

    /// The WHERE clause of a filter from a position on; and the order, with the limit.
    fn newest(
        &mut self,
        filter: &ReportFilter,
        position: &Position,
        limit: u32,
    ) -> (String, String) {
        self.clauses.clear();
        self.narrow(filter, position);
        let order = if matches!(position, Position::Before(_)) { "ASC" } else { "DESC" };
        let limit = self.bind(Value::Integer(limit.into()));
        let newest = format!("ORDER BY created_at {order}, id {order} LIMIT {limit}");
        let source = self.source(filter, &newest);
        self.clauses.insert(0, source);
        (self.clauses.join(" AND "), newest)
    }

    fn narrow(&mut self, filter: &ReportFilter, position: &Position) {
        self.equals("kind", filter.kind.map(Kind::as_str));
        self.equals("network", filter.network.map(Network::as_str));
        self.equals("failure", filter.failure.map(FailureCode::as_str));
        match (filter.failure, filter.status) {
            // A failure says that it is failed. The index of failures has no status.
            (Some(_), None | Some(Status::Failed)) => {}
            (Some(_), Some(_)) => self.clauses.push("1 = 0".to_owned()),
            (None, status) => self.equals("status", status.map(Status::as_str)),
        }
        self.clauses
            .extend(filter.attention.map(|attention| attention_clause(attention).to_owned()));
        // Where the position is the nearer end of the period, it is the only bound: with two of
        // them, SQLite would begin at the other one and read all rows up to the position.
        let mut since = filter.since();
        let mut before = filter.before();
        match position {
            Position::First => {}
            Position::After(cursor) => before = before.filter(|end| cursor.created_at >= *end),
            Position::Before(cursor) => since = since.filter(|start| cursor.created_at < *start),
        }
        let period = self.period(since, before);
        self.clauses.extend(period);
        let compare = match position {
            Position::First => return,
            Position::After(cursor) => ("<", cursor),
            Position::Before(cursor) => (">", cursor),
        };
        let (operator, cursor) = compare;
        let at = self.bind(Value::Integer(cursor.created_at.as_millisecond()));
        let id = self.bind(Value::Text(cursor.id.as_str().to_owned()));
        self.clauses.push(format!("(created_at, id) {operator} ({at}, {id})"));
    }

    fn period(&mut self, since: Option<Timestamp>, before: Option<Timestamp>) -> Vec<String> {
        let ends = [("created_at >=", since), ("created_at <", before)];
        let mut bound = |clause: &str, at: Timestamp| {
            format!("{clause} {}", self.bind(Value::Integer(at.as_millisecond())))
        };
        ends.into_iter().filter_map(|(clause, at)| at.map(|at| bound(clause, at))).collect()
    }

    fn bind(&mut self, value: Value) -> String {
        self.values.push(value);
        let prefix = match self.dialect {
            Dialect::Sqlite => '?',
            Dialect::Postgres => '$',
        };
        format!("{prefix}{}", self.values.len())
    }

    fn equals(&mut self, column: &str, value: Option<&str>) {
        if let Some(value) = value {
            let value = self.bind(Value::Text(value.to_owned()));
            self.clauses.push(format!("{column} = {value}"));
        }
    }

    /// Where the rows come from: the account's rows by age, or a set of ids that an index finds.
    /// The set is an expression of its own, so that no planner walks through all rows of the
    /// account instead.
    fn source(&mut self, filter: &ReportFilter, newest: &str) -> String {
        let selects: Vec<String> = match (&filter.search, filter.attention) {
            (Some(search), _) => {
                search.terms().iter().map(|term| self.search(filter, term, newest)).collect()
            }
            (None, Some(attention)) => {
                attention_sources(attention).iter().map(|source| self.pending(*source)).collect()
            }
            (None, None) if filter.status == Some(Status::Pending) => {
                PENDING.iter().map(|source| self.pending(*source)).collect()
            }
            (None, None) => return self.scope.clone(),
        };
        if selects.is_empty() {
            // The parameters of the scope are used, because PostgreSQL wants to know their types.
            format!("{} AND 1 = 0", self.scope)
        } else {
            format!("id IN ({})", selects.join(" UNION "))
        }
    }

    fn search(&mut self, filter: &ReportFilter, term: &SearchTerm, newest: &str) -> String {
        let (column, value) = match term {
            SearchTerm::Id(id) => ("id", Value::Text(id.as_str().to_owned())),
            SearchTerm::Reference(text) => ("reference", Value::Text(text.clone())),
            SearchTerm::OperatorId(text) => ("operator_transaction_id", Value::Text(text.clone())),
            SearchTerm::Phone(phone) => ("phone", Value::Text(phone.as_str().to_owned())),
            SearchTerm::Email(text) => ("email", Value::Text(text.clone())),
            SearchTerm::Amount(amount) => ("amount", Value::Integer(amount.pesewas())),
            SearchTerm::PayerPays(amount) => ("payer_pays", Value::Integer(amount.pesewas())),
        };
        let value = self.bind(value);
        let found =
            format!("SELECT id FROM transactions WHERE {} AND {column} = {value}", self.scope);
        match term {
            SearchTerm::Amount(_)
                if filter.search.as_ref().is_some_and(Search::finds_newest_amounts) =>
            {
                self.among_newest(filter, &format!("amount = {value}"))
            }
            // Many transactions may have the reference of a link, or one amount. The indexes are in
            // the order of a list, so that no more of them are read than are listed or counted.
            SearchTerm::Reference(_) | SearchTerm::Amount(_) => {
                let rest: String =
                    self.clauses.iter().map(|clause| format!(" AND {clause}")).collect();
                format!("SELECT id FROM ({found}{rest} {newest}) AS found")
            }
            _ => found,
        }
    }

    /// The transactions of an amount, among the newest of the period. The index by age has the
    /// amounts too. An index by amount would slow every payment.
    fn among_newest(&mut self, filter: &ReportFilter, amount: &str) -> String {
        let period = self.period(filter.since(), filter.before());
        let period: String = period.iter().map(|clause| format!(" AND {clause}")).collect();
        let limit = self.bind(Value::Integer(MAX_COUNT.into()));
        format!(
            "SELECT id FROM (SELECT id, amount FROM transactions WHERE {}{period}
                 ORDER BY created_at DESC, id DESC LIMIT {limit}) AS newest WHERE {amount}",
            self.scope
        )
    }

    fn pending(&self, (index, clause): (&str, &str)) -> String {
        let hint = match self.dialect {
            Dialect::Sqlite => format!(" INDEXED BY {index}"),
            Dialect::Postgres => String::new(),
        };
        format!("SELECT id FROM transactions{hint} WHERE {clause} AND {}", self.scope)
    }
}

/// A partial index, and the condition of its rows.
type Source = (&'static str, &'static str);

const DUE: Source = ("transactions_due", "ask_at IS NOT NULL AND status = 'PENDING'");
const UNSENT: Source = ("transactions_unsent", "send_at IS NOT NULL");
const UNAPPROVED: Source = ("transactions_unapproved", "approval_due IS NOT NULL");
const FLAGGED: Source = ("transactions_flagged", "review_at IS NOT NULL AND status = 'PENDING'");

const CASES: Source = (
    "transactions_cases",
    "(conflict_at IS NOT NULL AND conflict_decision IS NULL OR disputed_at IS NOT NULL AND \
     dispute_decision IS NULL)",
);

/// Every pending transaction is asked about, sent, approved or reviewed next.
const PENDING: [Source; 4] = [DUE, UNSENT, UNAPPROVED, FLAGGED];

const fn attention_sources(attention: Attention) -> &'static [Source] {
    match attention {
        Attention::Flagged => &[FLAGGED, CASES],
        Attention::Uncertain => &[DUE, FLAGGED],
        Attention::Unapproved => &[UNAPPROVED],
    }
}

const fn attention_clause(attention: Attention) -> &'static str {
    match attention {
        Attention::Flagged => {
            "(review_at IS NOT NULL AND status = 'PENDING'
              OR conflict_at IS NOT NULL AND conflict_decision IS NULL
              OR disputed_at IS NOT NULL AND dispute_decision IS NULL)"
        }
        Attention::Uncertain => {
            "status = 'PENDING' AND handed_over_at IS NOT NULL AND (delayed_at IS NOT NULL OR \
             acknowledged_at IS NULL)"
        }
        Attention::Unapproved => "approval_due IS NOT NULL",
    }
}

/// Who asked for a refund in the dashboard.
pub(super) const REFUND_ASKER: &str = "SELECT actor FROM audit_log
     WHERE source = 'dashboard' AND action = 'refund.requested' AND subject = $1 ORDER BY seq DESC \
    LIMIT 1";

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

/// The totals of days. SQLite reads these parameters as named ones, in the order in which they
/// appear.
pub(super) const DAY_TOTALS: &str =
    "SELECT day, kind, network, status, CAST(sum(payments) AS BIGINT) AS payments,
         CAST(sum(pesewas) AS BIGINT) AS pesewas
     FROM transaction_days WHERE account_id = $1 AND mode = $2 AND day BETWEEN $3 AND $4
     GROUP BY day, kind, network, status ORDER BY day, kind, network, status";

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
