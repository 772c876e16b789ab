//! `tua statement`: statements of operators, compared with the transactions
//! (docs/reference/statements.md).

mod close;
mod fetch;
mod import;
mod operator;
mod report;

use super::{arguments::parse_day, context::Common, output, use_cases::UseCases};
use crate::cli::fault::Fault;
use clap::Subcommand;
use jiff::civil::Date;
use serde::Serialize;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};
use tua_domain::{StatementId, routing::OperatorName, statement::StatementSummary};
use tua_use_cases::{
    day_closing::{VerifiedDay, VerifiedPeriod},
    statements::AbandonError,
};

/// How many statements are listed.
const MAX_LISTED: u32 = 1_000;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Import a statement file of an operator; nothing is stored if a line has a fault
    Import(import::Import),
    /// Fetch the statement of a period from an operator whose API has statements, and import it
    Fetch(fetch::Fetch),
    /// List the statements that were imported, newest first
    List,
    /// Show how the lines of a statement agree with the transactions
    Show {
        /// The statement's id, as listed
        id: String,
    },
    /// Give up an import that was cut off and whose file is lost, so that days can be closed; needs
    /// --as
    Abandon {
        /// The statement's id, as listed
        id: String,
    },
    /// Close a day of an operator: sign off its figures, which then stay as they are
    Close(close::OperatorDay),
    /// Show the report of a closed day, and whether its figures still agree
    Report(close::OperatorDay),
    /// Verify that every line and every transaction of a period agree; exit code 1 if not
    Verify {
        /// The first day, in UTC, such as 2026-01-01
        #[arg(long, value_name = "DAY", value_parser = parse_day)]
        from: Date,
        /// The last day, in UTC
        #[arg(long, value_name = "DAY", value_parser = parse_day)]
        to: Date,
        /// Only of this operator, by its name in the settings
        #[arg(long, value_name = "NAME")]
        operator: Option<OperatorName>,
        /// The settings file with the operators; needed where the database does not know the name
        #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
        config: Option<PathBuf>,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StatementRow<'a> {
    statement_id: &'a str,
    operator: &'a str,
    imported_at: String,
    /// Whether all its lines are stored.
    complete: bool,
    /// Whether people have given up the import. Its file may be imported all the same.
    abandoned: bool,
    /// The lines that it added. Lines of earlier statements are not stored again.
    lines: u64,
    /// Those of closed days, which were posted to the day after the last closed one.
    late: u64,
    /// The first and the last day to which these lines were posted.
    from: Option<String>,
    to: Option<String>,
    sha256: String,
}

#[derive(Serialize)]
struct StatementView<'a> {
    #[serde(flatten)]
    statement: StatementRow<'a>,
    #[serde(flatten)]
    comparison: report::Comparison,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<ExitCode, Fault> {
        match self {
            Self::Import(import) => import.run(&common).await.map(|()| ExitCode::SUCCESS),
            Self::Fetch(fetch) => fetch.run(&common).await.map(|()| ExitCode::SUCCESS),
            Self::List => list(&common).await.map(|()| ExitCode::SUCCESS),
            Self::Show { id } => {
                show(&common, &StatementId::new(id)).await.map(|()| ExitCode::SUCCESS)
            }
            Self::Abandon { id } => {
                abandon(&common, StatementId::new(id)).await.map(|()| ExitCode::SUCCESS)
            }
            Self::Close(day) => day.close(&common).await.map(|()| ExitCode::SUCCESS),
            Self::Report(day) => day.report(&common).await.map(|()| ExitCode::SUCCESS),
            Self::Verify { from, to, operator, config } => {
                verify(&common, (from, to), operator, config.as_deref()).await
            }
        }
    }
}

async fn list(common: &Common) -> Result<(), Fault> {
    let statements = UseCases::open(common).await?.statements;
    let statements = statements.newest(MAX_LISTED).await?;
    let listed: Vec<StatementRow<'_>> = statements.iter().map(StatementRow::of).collect();
    output::print_list(common, &listed, StatementRow::line, "No statement was imported.")
}

async fn show(common: &Common, id: &StatementId) -> Result<(), Fault> {
    let statements = UseCases::open(common).await?.statements;
    let found = statements.find(id).await?;
    let statement =
        found.ok_or_else(|| Fault::not_found(format!("statement: there is no statement {id}")))?;
    let found = statements.verify(&statement).await?;
    let shown = StatementView {
        statement: StatementRow::of(&statement),
        comparison: report::Comparison::new(&found),
    };
    let text = format!("{}\n{}", shown.statement.line(), shown.comparison.text());
    output::print(common, &shown, &text)
}

/// What `tua statement abandon` gave up.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Abandoned {
    statement_id: String,
}

async fn abandon(common: &Common, id: StatementId) -> Result<(), Fault> {
    if common.actor_name.is_none() {
        return Err("--as: say who abandons the import".into());
    }
    let use_cases = UseCases::open(common).await?;
    let by = use_cases.audit_context(common).await?;
    let abandoned = use_cases.statements.abandon(&id, &by).await;
    abandoned.map_err(|error| {
        let message = format!("statement {id}: {error}");
        match error {
            AbandonError::NotFound => Fault::not_found(message),
            AbandonError::Ended | AbandonError::Store(_) => message.into(),
        }
    })?;
    let abandoned = Abandoned { statement_id: id.to_string() };
    output::print(
        common,
        &abandoned,
        &format!(
            "{id}  abandoned; for the lines that it lacks, import another file of the same days"
        ),
    )
}

async fn verify(
    common: &Common,
    (from, to): (Date, Date),
    operator: Option<OperatorName>,
    config: Option<&Path>,
) -> Result<ExitCode, Fault> {
    if from > to {
        return Err("from: it must not be after --to".into());
    }
    let (config, use_cases) = UseCases::open_with_settings(common, config).await?;
    let statements = &use_cases.statements;
    let operator = match &operator {
        Some(name) => Some(operator::find_pin(&config, statements, name).await?.fingerprint),
        None => None,
    };
    let verified = use_cases.day_closing.verify_period(operator.as_ref(), (from, to)).await;
    let VerifiedPeriod { found, closed } = verified?;
    let closed: Vec<_> = closed.iter().map(ClosedDayCheck::new).collect();
    let wrong: Vec<&ClosedDayCheck> = closed.iter().filter(|one| !one.agrees).collect();
    let mut text = vec![];
    text.extend(wrong.iter().map(|one| {
        format!("{}  {}  closed, and its figures do not agree any more", one.operator, one.day)
    }));
    let agrees = found.agrees() && wrong.is_empty();
    let comparison = report::Comparison::new(&found);
    text.push(comparison.text());
    output::print(
        common,
        &StatementVerificationView { comparison, closed_days: &closed },
        &text.join("\n"),
    )?;
    Ok(if agrees { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What `tua statement verify` found.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StatementVerificationView<'a> {
    #[serde(flatten)]
    comparison: report::Comparison,
    closed_days: &'a [ClosedDayCheck],
}

/// Whether the figures of a closed day are still those of its entries and lines.
#[derive(Serialize)]
struct ClosedDayCheck {
    operator: String,
    day: String,
    agrees: bool,
}

impl ClosedDayCheck {
    fn new(VerifiedDay { closed, agrees }: &VerifiedDay) -> Self {
        Self {
            operator: closed.operator.name.to_string(),
            day: closed.day.to_string(),
            agrees: *agrees,
        }
    }
}

impl<'a> StatementRow<'a> {
    fn of(StatementSummary { statement, lines, late, days }: &'a StatementSummary) -> Self {
        Self {
            statement_id: statement.id.as_str(),
            operator: statement.operator.name.as_str(),
            imported_at: output::time(statement.created_at),
            complete: statement.completed_at.is_some(),
            abandoned: statement.abandoned_at.is_some(),
            lines: *lines,
            late: *late,
            from: days.map(|(from, _)| from.to_string()),
            to: days.map(|(_, to)| to.to_string()),
            sha256: hex::encode(statement.digest),
        }
    }

    fn line(&self) -> String {
        let cut_off = match (self.complete, self.abandoned) {
            (true, _) => "",
            (false, true) => "  incomplete and abandoned",
            (false, false) => "  incomplete: import the file again",
        };
        format!(
            "{}  {}  {}  {} lines{cut_off}",
            self.statement_id, self.imported_at, self.operator, self.lines
        )
    }
}
