//! The queries of lists and sums, for both engines: what differs is the form of parameters, and that SQLite is told which
//! index to use where its planner has no statistics.

use crate::domain::{
    Kind, Scope,
    reporting::{Attention, Position, ReportFilter, ReportPage, SearchTerm, totals::MAX_COUNT},
};
use tua_contract::{FailureCode, Network, Status};

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
pub(super) fn page(dialect: Dialect, columns: &str, scope: &Scope, filter: &ReportFilter, page: &ReportPage) -> Query {
    let mut conditions = Conditions::of(dialect, scope, filter, &page.position);
    let compare = match &page.position {
        Position::First => None,
        Position::After(cursor) => Some(("<", cursor)),
        Position::Before(cursor) => Some((">", cursor)),
    };
    if let Some((operator, cursor)) = compare {
        let at = conditions.bind(Value::Integer(cursor.created_at.as_millisecond()));
        let id = conditions.bind(Value::Text(cursor.id.as_str().to_owned()));
        conditions.clauses.push(format!("(created_at, id) {operator} ({at}, {id})"));
    }
    let order = if matches!(page.position, Position::Before(_)) { "ASC" } else { "DESC" };
    let limit = conditions.bind(Value::Integer(i64::from(page.limit) + 1));
    let clauses = conditions.clauses.join(" AND ");
    let sql = format!(
        "SELECT {columns} FROM transactions WHERE {clauses} ORDER BY created_at {order}, id {order} LIMIT {limit}"
    );
    Query { sql, values: conditions.values }
}

/// What a transaction moves, as [`super::column_values::moved_pesewas`]: the amount, or what a review found without the
/// payer's part of the fee.
macro_rules! moved {
    () => {
        "CASE WHEN settled_amount IS NULL THEN amount
              WHEN settled_amount <= amount THEN settled_amount
              WHEN settled_amount - amount <= coalesce(payer_pays, amount) - amount THEN amount
              ELSE settled_amount - (coalesce(payer_pays, amount) - amount) END"
    };
}

/// The number and sum of the newest transactions of a filter, by kind and status.
pub(super) fn totals(dialect: Dialect, scope: &Scope, filter: &ReportFilter) -> Query {
    let mut conditions = Conditions::of(dialect, scope, filter, &Position::First);
    let limit = conditions.bind(Value::Integer(i64::from(MAX_COUNT)));
    let clauses = conditions.clauses.join(" AND ");
    let sql = format!(
        "SELECT kind, status, count(*) AS payments, CAST(sum(pesewas) AS BIGINT) AS pesewas
         FROM (SELECT kind, status, {} AS pesewas FROM transactions
               WHERE {clauses} ORDER BY created_at DESC, id DESC LIMIT {limit}) AS counted
         GROUP BY kind, status ORDER BY kind, status",
        moved!()
    );
    Query { sql, values: conditions.values }
}

/// The conditions of a WHERE clause. Only constant text is concatenated; every value is a parameter.
struct Conditions {
    dialect: Dialect,
    clauses: Vec<String>,
    values: Vec<Value>,
    /// The account and mode.
    scope: String,
}

impl Conditions {
    fn of(dialect: Dialect, scope: &Scope, filter: &ReportFilter, position: &Position) -> Self {
        let mut all = Self { dialect, clauses: Vec::new(), values: Vec::new(), scope: String::new() };
        let account = all.bind(Value::Text(scope.account.as_str().to_owned()));
        let mode = all.bind(Value::Text(scope.mode.as_str().to_owned()));
        all.scope = format!("account_id = {account} AND mode = {mode}");
        all.source(filter);
        all.equals("kind", filter.kind.map(Kind::as_str));
        all.equals("status", filter.status.map(Status::as_str));
        all.equals("network", filter.network.map(Network::as_str));
        all.equals("failure", filter.failure.map(FailureCode::as_str));
        all.clauses.extend(filter.attention.map(|attention| attention_clause(attention).to_owned()));
        // Where the position is the nearer end of the period, it is the only bound: with two of them, SQLite would begin
        // at the other one and read all rows up to the position.
        let (mut since, mut before) = (filter.since(), filter.before());
        match position {
            Position::First => {}
            Position::After(cursor) => before = before.filter(|end| cursor.created_at >= *end),
            Position::Before(cursor) => since = since.filter(|start| cursor.created_at < *start),
        }
        for (clause, at) in [("created_at >=", since), ("created_at <", before)] {
            if let Some(at) = at {
                let at = all.bind(Value::Integer(at.as_millisecond()));
                all.clauses.push(format!("{clause} {at}"));
            }
        }
        all
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

    /// Where the rows come from: the account's rows by age, or a set of ids that an index finds. The set is an expression
    /// of its own, so that no planner walks through all rows of the account instead.
    fn source(&mut self, filter: &ReportFilter) {
        let selects: Vec<String> = match (&filter.search, filter.attention) {
            (Some(search), _) => search.terms().iter().map(|term| self.search(term)).collect(),
            (None, Some(attention)) => {
                attention_sources(attention).iter().map(|source| self.pending(*source)).collect()
            }
            (None, None) if filter.status == Some(Status::Pending) => {
                PENDING.iter().map(|source| self.pending(*source)).collect()
            }
            (None, None) => return self.clauses.push(self.scope.clone()),
        };
        self.clauses.push(match selects.is_empty() {
            // The parameters of the scope are used, because PostgreSQL wants to know their types.
            true => format!("{} AND 1 = 0", self.scope),
            false => format!("id IN ({})", selects.join(" UNION ")),
        });
    }

    fn search(&mut self, term: &SearchTerm) -> String {
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
        format!("SELECT id FROM transactions WHERE {} AND {column} = {value}", self.scope)
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
    "(conflict_at IS NOT NULL AND conflict_decision IS NULL OR disputed_at IS NOT NULL AND dispute_decision IS NULL)",
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
            "status = 'PENDING' AND handed_over_at IS NOT NULL AND (delayed_at IS NOT NULL OR acknowledged_at IS NULL)"
        }
        Attention::Unapproved => "approval_due IS NOT NULL",
    }
}

/// Who made a key. The successor of a rotated key was made by the person who rotated it; its id is in the entry.
pub(super) const REFUND_ASKER: &str = "SELECT actor FROM audit_log
     WHERE source = 'dashboard' AND action = 'refund.requested' AND subject = $1 ORDER BY seq DESC LIMIT 1";

/// Who made a key in the dashboard.
pub(super) const KEY_MAKER: &str = "SELECT actor FROM audit_log
     WHERE source = 'dashboard' AND (action = 'key.created' AND subject = $1
           OR action = 'key.rotated' AND after LIKE '%\"' || $1 || '\"%')
     ORDER BY seq DESC LIMIT 1";

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

/// The totals of days. SQLite reads these parameters as named ones, in the order in which they appear.
pub(super) const DAY_TOTALS: &str = "SELECT day, kind, network, status, CAST(sum(payments) AS BIGINT) AS payments,
         CAST(sum(pesewas) AS BIGINT) AS pesewas
     FROM transaction_days WHERE account_id = $1 AND mode = $2 AND day BETWEEN $3 AND $4
     GROUP BY day, kind, network, status ORDER BY day, kind, network, status";

/// The accounts that use a mode.
pub(super) const ACCOUNTS_OF_MODE: &str = "SELECT id FROM accounts
     WHERE EXISTS (SELECT 1 FROM api_keys WHERE account_id = accounts.id AND mode = $1 AND revoked_at IS NULL
                       AND (expires_at IS NULL OR expires_at > $2))
        OR EXISTS (SELECT 1 FROM transactions WHERE account_id = accounts.id AND mode = $1)
     ORDER BY id";

/// What an account has of the first steps. Each part stops at the first row that it finds.
pub(super) const FIRST_STEPS: &str = "SELECT
         (SELECT count(*) FROM (SELECT 1 FROM transaction_days WHERE account_id = $1 AND mode = 'test'
              AND kind = 'CHARGE' AND status = 'SUCCESSFUL' LIMIT 1) AS one) AS test_payment,
         (SELECT count(*) FROM (SELECT 1 FROM payment_links WHERE account_id = $1 AND closed_at IS NULL
              AND used_at IS NULL AND (expires_at IS NULL OR expires_at > $2) LIMIT 1) AS one) AS open_link,
         (SELECT count(*) FROM (SELECT 1 FROM memberships WHERE account_id = $1 LIMIT 1 OFFSET 1) AS one)
             AS second_person,
         (SELECT count(*) FROM (SELECT 1 FROM transactions WHERE account_id = $1 AND mode = 'live'
              AND acknowledged_at IS NOT NULL LIMIT 1) AS one) AS live_response,
         (SELECT count(*) FROM (SELECT 1 FROM api_keys WHERE account_id = $1 AND mode = 'live'
              AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) LIMIT 1) AS one) AS live_key,
         (SELECT count(*) FROM (SELECT 1 FROM transaction_days WHERE account_id = $1 AND mode = 'live'
              AND kind = 'CHARGE' AND status = 'SUCCESSFUL' LIMIT 1) AS one) AS live_payment";
