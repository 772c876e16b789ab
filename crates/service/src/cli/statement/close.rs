//! `tua statement close` and `tua statement report`: signs off a day of an operator, and shows what
//! was signed.

use super::operator;
use crate::cli::{
    arguments::parse_day, context::Common, fault::Fault, output, use_cases::UseCases,
};
use clap::Args;
use jiff::civil::Date;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use tua_domain::{
    audit::Source,
    ledger::{LedgerAccount, Postings},
    ports::Clock,
    routing::OperatorName,
    statement::{
        LineKind, Outcome,
        closing::{ClosedDay, LineSum},
    },
};
use tua_system::{actor, clock::SystemClock};
use tua_tables::export::columns::cedis;
use tua_use_cases::day_closing::VerifiedDay;

/// A day of an operator.
#[derive(Args, Debug)]
pub(crate) struct OperatorDay {
    /// The operator's name in the settings
    #[arg(long, value_name = "NAME")]
    operator: OperatorName,
    /// The day, in UTC, such as 2026-01-31
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    day: Date,
    /// The settings file with the operators; needed where the database does not know the name
    #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

/// The report of a closed day. Amounts are cedis as text, exact.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    operator: String,
    day: String,
    closed_at: String,
    closed_by: String,
    /// Whether the figures are still those of the entries and lines.
    agrees: bool,
    /// The balances of the ledger before the day, what was posted, and the balances after it.
    opening: Map<String, Value>,
    posted: Map<String, Value>,
    closing: Map<String, Value>,
    entries: u64,
    /// The lines of statements by kind.
    lines: Map<String, Value>,
    /// How lines and transactions agreed when the day was closed.
    outcomes: Map<String, Value>,
    exceptions: u64,
    sha256: String,
}

impl OperatorDay {
    /// Closes the day in the name of `--as`, which is required, and prints its report.
    pub(super) async fn close(self, common: &Common) -> Result<(), Fault> {
        if common.actor_name.is_none() {
            return Err("--as: say who signs the day off".into());
        }
        let (config, use_cases) =
            UseCases::open_with_settings(common, self.config.as_deref()).await?;
        let operator = operator::find_pin(&config, &use_cases.statements, &self.operator).await?;
        let keys = use_cases.key_ring_of(&config).await?;
        let by = actor::audit_context(
            Source::CommandLine,
            common.actor_name.as_deref(),
            &keys,
            SystemClock.now(),
        );
        let closed = use_cases.day_closing.close(&operator, self.day, None, &by).await;
        let closed =
            closed.map_err(|error| format!("day {} of {}: {error}", self.day, self.operator))?;
        let report = Report::new(&VerifiedDay { closed, agrees: true });
        output::print(common, &report, &report.text())
    }

    /// Shows the report of the day.
    pub(super) async fn report(self, common: &Common) -> Result<(), Fault> {
        let (config, use_cases) =
            UseCases::open_with_settings(common, self.config.as_deref()).await?;
        let operator = operator::find_pin(&config, &use_cases.statements, &self.operator).await?;
        let found = use_cases.day_closing.find(&operator.fingerprint, self.day).await;
        let found = found?.ok_or_else(|| {
            Fault::not_found(format!("day {} of {}: it is not closed", self.day, self.operator))
        })?;
        let report = Report::new(&found);
        output::print(common, &report, &report.text())
    }
}

impl Report {
    fn new(VerifiedDay { closed, agrees }: &VerifiedDay) -> Self {
        let ClosedDay { operator, day, closed_at, closed_by, figures, outcomes, exceptions } =
            closed;
        let kinds = LineKind::ALL
            .iter()
            .zip(figures.kinds)
            .map(|(kind, one)| (kind.as_str().to_owned(), sum(one)));
        Self {
            operator: operator.name.to_string(),
            day: day.to_string(),
            closed_at: output::time(*closed_at),
            closed_by: closed_by.clone(),
            agrees: *agrees,
            opening: balances(&figures.opening),
            posted: balances(&figures.posted),
            closing: balances(&figures.closing()),
            entries: figures.entries,
            lines: kinds.chain([("REVERSAL".to_owned(), sum(figures.reversals))]).collect(),
            outcomes: Outcome::ALL
                .iter()
                .zip(outcomes)
                .map(|(one, count)| (one.as_str().into(), (*count).into()))
                .collect(),
            exceptions: *exceptions,
            sha256: hex::encode(figures.digest),
        }
    }

    fn text(&self) -> String {
        let agrees =
            if self.agrees { "the figures agree" } else { "THE FIGURES DO NOT AGREE ANY MORE" };
        let mut text = vec![format!(
            "{}  {}  closed at {} by {}; {agrees}",
            self.operator, self.day, self.closed_at, self.closed_by
        )];
        for account in LedgerAccount::ALL {
            let amount = |amounts: &Map<String, Value>| {
                amounts[account.as_str()].as_str().unwrap_or_default().to_owned()
            };
            let opening = amount(&self.opening);
            let posted = amount(&self.posted);
            let closing = amount(&self.closing);
            text.push(format!(
                "{}  before {opening}  posted {posted}  after {closing}",
                account.as_str()
            ));
        }
        let lines = self.lines.iter().map(|(kind, sum)| {
            format!("{kind} {} of GHS {}", sum["count"], text_of(&sum["amount"]))
        });
        text.push(format!(
            "{} entries; lines: {}",
            self.entries,
            lines.collect::<Vec<_>>().join(", ")
        ));
        text.push(format!(
            "{} did not agree when it was closed; SHA-256 {}",
            self.exceptions, self.sha256
        ));
        text.join("\n")
    }
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn balances(postings: &Postings) -> Map<String, Value> {
    postings
        .iter()
        .map(|(account, amount)| (account.as_str().to_owned(), cedis(amount).into()))
        .collect()
}

fn sum(LineSum { count, pesewas, fee_pesewas }: LineSum) -> Value {
    json!({ "count": count, "amount": cedis(pesewas), "fee": cedis(fee_pesewas) })
}
