//! `tua statement import`, and what it shares with `tua statement fetch`.

use super::{operator::find_connected, report::Comparison};
use crate::cli::{
    arguments::parse_day,
    context::{Common, open_existing_database},
    fault::Fault,
    file_lines::FileLinesReport,
    output,
    use_cases::UseCases,
};
use clap::Args;
use jiff::civil::Date;
use serde::Serialize;
use std::{fs::File, path::PathBuf};
use tua_config::{Config, RawSettings};
use tua_domain::{
    audit::Source,
    key_ring::KeyRing,
    ports::{Clock, StoreError},
    routing::{OperatorName, PinnedOperator},
};
use tua_operators::statement_columns::StatementColumns;
use tua_system::{actor, clock::SystemClock};
use tua_tables::statement_file::{FileDays, StatementSource, import_file};
use tua_use_cases::Statements;

#[derive(Args, Debug)]
pub(crate) struct Import {
    /// The operator's name in the settings, or of one that people connected in the dashboard
    #[arg(long, value_name = "NAME")]
    operator: OperatorName,
    /// The settings file with the operators, and the columns of their statements
    #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// The first day that the file may have, in UTC
    #[arg(long, value_name = "DAY", value_parser = parse_day, requires = "to")]
    from: Option<Date>,
    /// The last day that it may have
    #[arg(long, value_name = "DAY", value_parser = parse_day, requires = "from")]
    to: Option<Date>,
    /// The sheet of a workbook; needed if several sheets have rows [default: that of the settings]
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// The file: CSV or .xlsx
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Imported {
    statement_id: String,
    operator: String,
    /// Whether the same file was imported before, so that no line is new.
    repeated: bool,
    /// The days that the statement covers now, first and last, where it covered others before.
    new_days: Option<[String; 2]>,
    /// The first and the last day of the lines about money that moved.
    from: Option<String>,
    to: Option<String>,
    /// Lines about money that moved.
    lines: u64,
    /// Those of them that no earlier statement has.
    inserted: u64,
    /// What became of the lines of the file.
    file_lines: FileLinesReport,
    /// Transactions that the operator is asked about now.
    asked: u64,
    #[serde(flatten)]
    comparison: Comparison,
}

impl Import {
    pub(super) async fn run(self, common: &Common) -> Result<(), Fault> {
        let config = Config::resolve(
            RawSettings::default(),
            common.database.clone(),
            self.config.as_deref(),
        );
        let config = config.map_err(|faults| faults.join("; "))?;
        let configured =
            config.operators.operators.iter().find(|one| one.pin.name == self.operator);
        let (pin, columns) = match configured {
            Some(operator) => (operator.pin.clone(), operator.statement.clone()),
            // The columns that the dashboard expects of it too.
            None => (find_connected(&config, &self.operator).await?, StatementColumns::default()),
        };
        let with_context =
            |fault: &dyn std::fmt::Display| format!("statement {}: {fault}", self.file.display());
        let file = File::open(&self.file).map_err(|error| with_context(&error))?;
        let sheet = self.sheet.or(columns.sheet);
        // A file that is no statement of an operator of the settings is refused before the database
        // is opened.
        let form = StatementColumns { sheet, ..columns };
        let source = StatementSource::read(file, &form).map_err(|fault| with_context(&fault))?;
        let use_cases = UseCases::new(open_existing_database(config.database.clone()).await?);
        let keys = use_cases.key_ring_of(&config).await?;
        let period = self.from.zip(self.to).map(|(from, to)| from..=to);
        let days = FileDays { period, covers: None };
        let imported = import(common, &use_cases.statements, &keys, &pin, &source, days).await;
        let imported = imported.map_err(|fault| with_context(&fault))?;
        output::print(common, &imported, &imported.text())
    }
}

/// Imports a file, and compares its lines.
pub(super) async fn import(
    common: &Common,
    statements: &Statements,
    keys: &KeyRing,
    operator: &PinnedOperator,
    source: &StatementSource,
    days: FileDays,
) -> Result<Imported, String> {
    let by = actor::audit_context(
        Source::CommandLine,
        common.actor_name.as_deref(),
        keys,
        SystemClock.now(),
    );
    let imported = import_file(statements, operator, source, days, &by).await;
    let (checked, imported) = imported.map_err(|error| error.to_string())?;
    let failed = |error: StoreError| error.to_string();
    let statement = statements.find(&imported.id).await.map_err(failed)?;
    let statement =
        statement.ok_or_else(|| format!("the statement {} is not there any more", imported.id))?;
    let found = statements.verify(&statement).await.map_err(failed)?;
    Ok(Imported {
        statement_id: imported.id.to_string(),
        operator: operator.name.to_string(),
        repeated: imported.is_repeated,
        new_days: imported.new_days.map(|(from, to)| [from.to_string(), to.to_string()]),
        from: checked.days.map(|(from, _)| from.to_string()),
        to: checked.days.map(|(_, to)| to.to_string()),
        lines: checked.counts.read,
        inserted: imported.inserted,
        file_lines: FileLinesReport::new(&checked.counts),
        asked: imported.asked,
        comparison: Comparison::new(&found),
    })
}

impl Imported {
    /// Whether it was imported before, and how its lines agree.
    pub(super) fn text(&self) -> String {
        let what = match &self.new_days {
            Some([from, to]) if self.repeated => {
                format!("was imported before; it now covers {from} to {to}")
            }
            None if self.repeated => "was imported before; nothing changed".to_owned(),
            _ => format!(
                "{} lines, {} of them new; the operator is asked about {} transactions",
                self.lines, self.inserted, self.asked
            ),
        };
        let lines = self.file_lines.text();
        let comparison = self.comparison.text();
        format!("{}  {}: {what}\n{lines}\n{comparison}", self.statement_id, self.operator)
    }
}
