//! How lines and transactions agree, as commands print it.

use serde::Serialize;
use serde_json::{Map, Value};
use tua_domain::statement::{
    Outcome,
    verification::{StatementException, StatementVerification},
};
use tua_tables::export::columns::cedis;

/// What a comparison found.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Comparison {
    /// Whether every line agrees, and every transaction of the days has a line. Not where only
    /// lines were compared.
    agrees: bool,
    /// Whether there is no line, and no successful payment of the days.
    nothing_to_compare: bool,
    /// The first and the last day whose transactions were looked for among the lines; null if these
    /// were not.
    transactions_from: Option<String>,
    transactions_to: Option<String>,
    compared_lines: u64,
    /// How many lines and transactions have each outcome.
    outcomes: Map<String, Value>,
    exceptions: u64,
    /// The first of them.
    listed: Vec<Exception>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Exception {
    outcome: &'static str,
    statement_id: Option<String>,
    line: Option<u32>,
    operator_transaction_id: Option<String>,
    transaction_id: Option<String>,
    statement_amount: Option<String>,
    statement_fee: Option<String>,
    amount: Option<String>,
    fee: Option<String>,
}

impl Comparison {
    pub(super) fn new(found: &StatementVerification) -> Self {
        let count =
            |(outcome, count): (&Outcome, &u64)| (outcome.as_str().to_owned(), (*count).into());
        Self {
            agrees: found.agrees(),
            nothing_to_compare: found.is_empty(),
            transactions_from: found.transaction_days.map(|(from, _)| from.to_string()),
            transactions_to: found.transaction_days.map(|(_, to)| to.to_string()),
            compared_lines: found.lines,
            outcomes: Outcome::ALL.iter().zip(&found.outcomes).map(count).collect(),
            exceptions: found.exceptions,
            listed: found.listed.iter().map(Exception::new).collect(),
        }
    }

    pub(super) fn text(&self) -> String {
        let mut lines: Vec<String> = self.listed.iter().map(Exception::line).collect();
        let unlisted = self.exceptions - self.listed.len() as u64;
        if unlisted > 0 {
            lines.push(format!("{unlisted} more"));
        }
        let counts: Vec<String> =
            self.outcomes.iter().map(|(outcome, count)| format!("{outcome} {count}")).collect();
        lines.push(format!("{} lines: {}", self.compared_lines, counts.join(", ")));
        let days = self.transactions_from.as_ref().zip(self.transactions_to.as_ref());
        lines.push(match (days, self.exceptions) {
            (Some((from, to)), 0) if self.nothing_to_compare => format!(
                "There is nothing to compare: no line is of the days from {from} to {to}, and no \
                 successful payment of them lacks one."
            ),
            (Some((from, to)), 0) => {
                format!(
                    "Every line agrees, and every successful payment from {from} to {to} has a \
                     line."
                )
            }
            (Some((from, to)), exceptions) => {
                format!(
                    "{exceptions} do not agree. The payments from {from} to {to} were \
                     compared."
                )
            }
            (None, exceptions) => format!(
                "{exceptions} lines do not agree. No payment was looked for, because no line says \
                 which days are covered."
            ),
        });
        lines.join("\n")
    }
}

impl Exception {
    fn new(found: &StatementException) -> Self {
        let (statement, line) = found.line.clone().unzip();
        Self {
            outcome: found.outcome.as_str(),
            statement_id: statement.map(|id| id.to_string()),
            line,
            operator_transaction_id: found.operator_transaction_id.clone(),
            transaction_id: found.transaction.as_ref().map(ToString::to_string),
            statement_amount: found.theirs.map(|(pesewas, _)| cedis(pesewas)),
            statement_fee: found.theirs.and_then(|(_, fee)| fee).map(cedis),
            amount: found.ours.map(|(pesewas, _)| cedis(pesewas)),
            fee: found.ours.and_then(|(_, fee)| fee).map(cedis),
        }
    }

    fn line(&self) -> String {
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let line = self.line.map(|line| format!("{} line {line}", text(&self.statement_id)));
        format!(
            "{}  {}  operator's id {}  transaction {}  statement {} fee {}  Tua {} fee {}",
            self.outcome,
            text(&line),
            text(&self.operator_transaction_id),
            text(&self.transaction_id),
            text(&self.statement_amount),
            text(&self.statement_fee),
            text(&self.amount),
            text(&self.fee)
        )
    }
}
