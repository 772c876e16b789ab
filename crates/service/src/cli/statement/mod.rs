//! `tua statement`: statements of operators, compared with the transactions (docs/reference/statements.md).

mod import;
mod report;

use super::{Common, open_existing, output};
use crate::domain::{
    StatementId,
    ports::Store,
    statement::{Statement, StatementFilter},
    use_cases::statements::verify_statements,
};
use clap::Subcommand;
use jiff::civil::Date;
use serde::Serialize;
use std::process::ExitCode;

/// How many statements are listed.
const MAX_LISTED: u32 = 1_000;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Import a statement file of an operator; nothing is stored if a line has a fault
    Import(import::Import),
    /// List the statements that were imported, newest first
    List,
    /// Show how the lines of a statement agree with the transactions
    Show {
        /// The statement's id, as listed
        id: String,
    },
    /// Verify that every line and every transaction of a period agree; exit code 1 if not
    Verify {
        /// The first day, in UTC, such as 2026-01-01
        #[arg(long, env = "TUA_FROM", value_name = "DAY")]
        from: Date,
        /// The last day, in UTC
        #[arg(long, env = "TUA_TO", value_name = "DAY")]
        to: Date,
        /// Only of this operator, by its name in the settings
        #[arg(long, env = "TUA_OPERATOR", value_name = "NAME")]
        operator: Option<String>,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    statement_id: &'a str,
    operator: &'a str,
    imported_at: String,
    /// Whether all its lines are stored.
    complete: bool,
    /// The lines that it added. Lines of earlier statements are not stored again.
    lines: u64,
    sha256: String,
}

#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    statement: Listed<'a>,
    #[serde(flatten)]
    comparison: report::Comparison,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<ExitCode, String> {
        match self {
            Self::Import(import) => import.run(&common).await.map(|()| ExitCode::SUCCESS),
            Self::List => list(&common).await.map(|()| ExitCode::SUCCESS),
            Self::Show { id } => show(&common, &StatementId::new(id)).await.map(|()| ExitCode::SUCCESS),
            Self::Verify { from, to, operator } => verify(&common, from, to, operator).await,
        }
    }
}

async fn list(common: &Common) -> Result<(), String> {
    let store = open_existing(common).await?;
    let statements = store.statements(MAX_LISTED).await.map_err(|error| error.to_string())?;
    let mut listed = Vec::new();
    for statement in &statements {
        listed.push(Listed::of(store.as_ref(), statement).await?);
    }
    output::print_list(common, &listed, Listed::line, "No statement was imported.")
}

async fn show(common: &Common, id: &StatementId) -> Result<(), String> {
    let store = open_existing(common).await?;
    let found = store.statement(id).await.map_err(|error| error.to_string())?;
    let statement = found.ok_or_else(|| format!("statement: there is no statement {id}"))?;
    let filter = StatementFilter { statement: Some(id.clone()), ..StatementFilter::default() };
    let found = verify_statements(store.as_ref(), &filter).await.map_err(|error| error.to_string())?;
    let shown =
        Shown { statement: Listed::of(store.as_ref(), &statement).await?, comparison: report::Comparison::new(&found) };
    let text = format!("{}\n{}", shown.statement.line(), shown.comparison.text());
    output::print(common, &shown, &text)
}

async fn verify(common: &Common, from: Date, to: Date, operator: Option<String>) -> Result<ExitCode, String> {
    if from > to {
        return Err("from: it must not be after --to".to_owned());
    }
    let store = open_existing(common).await?;
    let filter = StatementFilter { days: Some((from, to)), operator, statement: None };
    let found = verify_statements(store.as_ref(), &filter).await.map_err(|error| error.to_string())?;
    let comparison = report::Comparison::new(&found);
    output::print(common, &comparison, &comparison.text())?;
    Ok(if found.exceptions == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl<'a> Listed<'a> {
    async fn of(store: &dyn Store, statement: &'a Statement) -> Result<Self, String> {
        let lines = store.count_statement_lines(&statement.id).await.map_err(|error| error.to_string())?;
        Ok(Self {
            statement_id: statement.id.as_str(),
            operator: statement.operator.name.as_str(),
            imported_at: statement.created_at.to_string(),
            complete: statement.completed_at.is_some(),
            lines,
            sha256: hex::encode(statement.digest),
        })
    }

    fn line(&self) -> String {
        let cut_off = if self.complete { "" } else { "  incomplete: import the file again" };
        format!("{}  {}  {}  {} lines{cut_off}", self.statement_id, self.imported_at, self.operator, self.lines)
    }
}
