//! The WHERE clauses of lists and sums.

use crate::sql::{self, Parameter};
use jiff::Timestamp;
use tua_contract::{FailureCode, Network, Status};
use tua_domain::{
    LinkId, Scope,
    refund::TransactionType,
    reporting::{
        Attention, MAX_PART_ROWS, Position, ReportFilter, Search, SearchTerm, totals::MAX_COUNT,
    },
};

/// As [`crate::sql::Sql::index_hint`].
pub(super) type IndexHint = fn(&str) -> String;

/// The value of a parameter.
pub(super) enum Value {
    Text(String),
    Integer(i64),
}

impl Parameter for Value {
    fn value(&self) -> sql::Value<'_> {
        match self {
            Self::Text(text) => sql::Value::Text(text),
            Self::Integer(integer) => sql::Value::Integer(*integer),
        }
    }
}

/// The conditions of a WHERE clause. Only constant text is concatenated; every value is a
/// parameter.
pub(super) struct Conditions {
    index_hint: IndexHint,
    clauses: Vec<String>,
    pub values: Vec<Value>,
    /// The account and mode.
    pub scope: String,
}

impl Conditions {
    pub fn new(index_hint: IndexHint, scope: &Scope) -> Self {
        let mut all =
            Self { index_hint, clauses: Vec::new(), values: Vec::new(), scope: String::new() };
        let account = all.bind(Value::Text(scope.account.as_str().to_owned()));
        let mode = all.bind(Value::Text(scope.mode.as_str().to_owned()));
        all.scope = format!("account_id = {account} AND mode = {mode}");
        all
    }

    /// The WHERE clause of a filter from a position on; and the order, with the limit.
    pub fn newest(
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
        self.clauses.extend(filter.types.as_deref().map(type_clause));
        self.clauses.extend(filter.is_single.then(|| "batch_id IS NULL".to_owned()));
        self.equals("link_id", filter.link.as_ref().map(LinkId::as_str));
        self.equals("network", filter.network.map(Network::as_str));
        self.equals("failure", filter.failure.map(FailureCode::as_str));
        match (filter.failure, filter.status) {
            // With a failure code, the status is FAILED. The index of failures has no status.
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

    pub(super) fn bind(&mut self, value: Value) -> String {
        self.values.push(value);
        format!("${}", self.values.len())
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
                attention_sources(attention).iter().map(|source| self.of_index(*source)).collect()
            }
            (None, None) if filter.status == Some(Status::Pending) => {
                PENDING.iter().map(|source| self.of_index(*source)).collect()
            }
            (None, None) => match &filter.link {
                Some(_) => vec![self.of_link(newest)],
                None => return self.scope.clone(),
            },
        };
        if selects.is_empty() {
            // The parameters of the scope are used, because PostgreSQL cannot infer the types of
            // unused parameters.
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
            // The condition of the partial index, which SQLite does not conclude from lower().
            SearchTerm::Email(text) => {
                ("email IS NOT NULL AND lower(email)", Value::Text(text.clone()))
            }
            SearchTerm::Amount(amount) => ("amount", Value::Integer(amount.pesewas())),
            SearchTerm::PayerPays(amount) => ("payer_pays", Value::Integer(amount.pesewas())),
            SearchTerm::Part(part) => return self.part(filter, part),
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
            // the order of a list.
            SearchTerm::Reference(_) | SearchTerm::Amount(_) => {
                let rest: String =
                    self.clauses.iter().map(|clause| format!(" AND {clause}")).collect();
                newest_of(&format!("{found}{rest}"), newest)
            }
            _ => found,
        }
    }

    /// The transactions with a part of a text or of a number, of the period; on a page among the
    /// newest of it. No index has parts.
    fn part(&mut self, filter: &ReportFilter, part: &str) -> String {
        let mut escaped = String::from("%");
        for character in part.chars() {
            if matches!(character, '%' | '_' | '\\') {
                escaped.push('\\');
            }
            escaped.push(character);
        }
        escaped.push('%');
        let pattern = self.bind(Value::Text(escaped));
        let columns = [
            "lower(reference)",
            "lower(payer_message)",
            "lower(payee_note)",
            "lower(answer)",
            "phone",
        ];
        let clauses = columns.map(|column| format!("{column} LIKE {pattern} ESCAPE '\\'"));
        let clauses = clauses.join(" OR ");
        let period = self.period(filter.since(), filter.before());
        let period: String = period.iter().map(|clause| format!(" AND {clause}")).collect();
        let is_of_newest = filter.search.as_ref().is_some_and(Search::finds_newest_parts);
        if !is_of_newest {
            let scope = &self.scope;
            return format!("SELECT id FROM transactions WHERE {scope}{period} AND ({clauses})");
        }
        let limit = self.bind(Value::Integer(MAX_PART_ROWS.into()));
        format!(
            "SELECT id FROM (SELECT id, reference, payer_message, payee_note, answer, phone
                 FROM transactions WHERE {}{period}
                 ORDER BY created_at DESC, id DESC LIMIT {limit}) AS newest WHERE {clauses}",
            self.scope
        )
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

    /// The transactions of the link of the filter, which `narrow` has added to the clauses. The
    /// index has them in the order of a list.
    fn of_link(&self, newest: &str) -> String {
        let rest = self.clauses.join(" AND ");
        newest_of(&self.of_index(("transactions_by_link_age", &rest)), newest)
    }

    fn of_index(&self, (index, clause): (&str, &str)) -> String {
        let hint = (self.index_hint)(index);
        format!("SELECT id FROM transactions{hint} WHERE {clause} AND {}", self.scope)
    }
}

/// The newest of what a query finds in the order of a list: no more are read than are listed or
/// counted.
fn newest_of(found: &str, newest: &str) -> String {
    format!("SELECT id FROM ({found} {newest}) AS found")
}

/// A partial index, and the condition of its rows.
type Source = (&'static str, &'static str);

/// The condition of some types. The texts are those of the partial indexes, so that a list of
/// payouts or of refunds is read in its order.
fn type_clause(types: &[TransactionType]) -> String {
    let has = |wanted| types.contains(&wanted);
    let clause = match (
        has(TransactionType::Charge),
        has(TransactionType::Payout),
        has(TransactionType::Refund),
    ) {
        (true, true, true) => "1 = 1",
        (true, true, false) => "refund_of IS NULL",
        (true, false, true) => "(kind = 'CHARGE' OR refund_of IS NOT NULL)",
        (true, false, false) => "kind = 'CHARGE'",
        (false, true, true) => "kind = 'PAYOUT'",
        (false, true, false) => "kind = 'PAYOUT' AND refund_of IS NULL",
        (false, false, true) => "refund_of IS NOT NULL",
        (false, false, false) => "1 = 0",
    };
    clause.to_owned()
}

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
        Attention::Uncertain => &[DUE],
        Attention::Unapproved => &[UNAPPROVED],
        Attention::InProgress => &[DUE, UNSENT],
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
            "status = 'PENDING' AND review_at IS NULL AND handed_over_at IS NOT NULL \
             AND (delayed_at IS NOT NULL OR acknowledged_at IS NULL)"
        }
        Attention::Unapproved => "approval_due IS NOT NULL",
        Attention::InProgress => {
            "status = 'PENDING' AND review_at IS NULL AND approval_due IS NULL
              AND (handed_over_at IS NULL OR delayed_at IS NULL AND acknowledged_at IS NOT NULL)"
        }
    }
}
