//! `tua statement import`, and what it shares with `tua statement fetch`.

use super::report::Comparison;
use crate::{
    actor,
    cli::{Common, open_existing_database, operator::find, output},
    clock::SystemClock,
    config::{Config, RawSettings},
    domain::{
        audit::Source,
        key_ring::KeyRing,
        ports::{Clock, Store},
        routing::OperatorName,
        statement::StatementFilter,
        use_cases::statements::verify_statements,
    },
    operators::configured::ConfiguredOperator,
    statement_file::{StatementSource, import_file},
};
use clap::Args;
use jiff::civil::Date;
use serde::Serialize;
use std::{fs::File, ops::RangeInclusive, path::PathBuf};

#[derive(Args, Debug)]
pub(in crate::cli) struct Import {
    /// The operator's name in the settings
    #[arg(long, value_name = "NAME")]
    operator: OperatorName,
    /// The settings file with the operators, and the columns of their statements
    #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// The first day that the file may have, in UTC
    #[arg(long, value_name = "DAY", requires = "to")]
    from: Option<Date>,
    /// The last day that it may have
    #[arg(long, value_name = "DAY", requires = "from")]
    to: Option<Date>,
    /// The file: CSV in UTF-8
    #[arg(value_name = "FILE.csv")]
    file: PathBuf,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Imported {
    statement_id: String,
    operator: String,
    /// Whether the same file was imported before, so that nothing changed.
    repeated: bool,
    /// The first and the last day of the lines.
    from: Option<String>,
    to: Option<String>,
    /// Lines about money that moved.
    lines: u64,
    /// Those of them that no earlier statement has.
    inserted: u64,
    /// Lines of failed payments and of other types.
    left_out: u64,
    /// Transactions that the operator is asked about now.
    asked: u64,
    #[serde(flatten)]
    comparison: Comparison,
}

impl Import {
    pub(super) async fn run(self, common: &Common) -> Result<(), String> {
        let config = Config::resolve(RawSettings::default(), common.database.clone(), self.config.as_deref());
        let config = config.map_err(|faults| faults.join("; "))?;
        let operator = find(&config, self.operator.as_str())?;
        let named = |fault: &dyn std::fmt::Display| format!("statement {}: {fault}", self.file.display());
        let file = File::open(&self.file).map_err(|error| named(&error))?;
        config.database.choose_temporary_folder();
        let source = StatementSource::copy(file).map_err(|error| named(&error))?;
        // A file that is no statement is refused before the database is opened.
        source.lines(&operator.statement).map_err(|fault| named(&fault))?;
        let store = open_existing_database(config.database.clone()).await?;
        let keys = config.open_key_ring(store.as_ref()).await?;
        let period = self.from.zip(self.to).map(|(from, to)| from..=to);
        let imported = import(common, (store.as_ref(), &keys), operator, &source, period).await;
        let imported = imported.map_err(|fault| named(&fault))?;
        output::print(common, &imported, &imported.text())
    }
}

/// Imports a file, and compares its lines.
pub(super) async fn import(
    common: &Common,
    (store, keys): (&dyn Store, &KeyRing),
    operator: &ConfiguredOperator,
    source: &StatementSource,
    period: Option<RangeInclusive<Date>>,
) -> Result<Imported, String> {
    let by = actor::audit_context(Source::CommandLine, common.name.as_deref(), keys, SystemClock.now());
    let imported = import_file(store, (&operator.pin, &operator.statement), source, period, &by).await;
    let (checked, imported) = imported.map_err(|error| error.to_string())?;
    let filter = StatementFilter { statement: Some(imported.id.clone()), ..StatementFilter::default() };
    let found = verify_statements(store, &filter).await.map_err(|error| error.to_string())?;
    Ok(Imported {
        statement_id: imported.id.to_string(),
        operator: operator.pin.name.to_string(),
        repeated: imported.is_repeated,
        from: checked.days.map(|(from, _)| from.to_string()),
        to: checked.days.map(|(_, to)| to.to_string()),
        lines: checked.lines,
        inserted: imported.inserted,
        left_out: checked.left_out,
        asked: imported.asked,
        comparison: Comparison::new(&found),
    })
}

impl Imported {
    /// Whether it was imported before, and how its lines agree.
    pub(super) fn text(&self) -> String {
        let what = match self.repeated {
            true => "was imported before; nothing changed".to_owned(),
            false => format!(
                "{} lines, {} of them new, {} left out; the operator is asked about {} transactions",
                self.lines, self.inserted, self.left_out, self.asked
            ),
        };
        format!("{}  {}: {what}\n{}", self.statement_id, self.operator, self.comparison.text())
    }
}
